"""What the pages of a server share: the games that are open or watched, and tournaments."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any, Awaitable, Callable, Optional, Protocol, Sequence, Union

from ...puzzles.score import NAME as SCORE
from ...wire.declared import Wrong
from ...wire.notation import COLOUR_NAMES
from ..fields import Refusal, a_control, a_seat
from ..game.room import Room
from ..games import MOST_GAMES, Game, Store
from ..lesson.audience import Audience, Follower
from ..lesson.lesson import LOOK_SECONDS as LESSON_SECONDS, Leader, Lesson
from ..lesson.watch import LOOK_SECONDS, Tournament
from ..lesson.watched import Watched
from ..processes import Processes
from .explored import Explored
from .index import Index
from .preparation import Preparation


class Visitor(Leader, Follower, Protocol):
    """A page, with the game that it shows and the tournament that it watches."""

    room: Union[Room, Watched, None]
    tournament: Optional[Tournament]

    def tell_tournament(self) -> None:
        """Send the page the changes of its tournament."""


class Site:
    """All that the pages of a server share.

    store        the games of the user
    index        their summaries
    rooms        those that are open, by name
    watched      displayed games that can only be watched, by their source
    tournaments  tournaments that pages may watch
    explored     what all these games answer in positions
    score        the file that says how well the user solves puzzles
    watch_only   nothing can be started or changed
    lesson       the lesson that a page leads, or, where nothing can be changed, those who follow it
    programs     may pages name programs that are to be started?
    """

    def __init__(self, folder: Path, tournaments: Sequence[Path] = (), watch_only: bool = False,
                 programs: bool = False):
        self.store, self.processes = Store(folder), Processes(self.close_empty_rooms)
        self.index = Index(folder.parent / "games.sqlite", self.store, self.game)
        self.preparation = Preparation(self.broadcast)
        self.rooms: dict[str, Room] = {}
        self.watched: dict[Any, Watched] = {}
        self.tournaments = [Tournament(path) for path in tournaments]
        self.explored = Explored(self.index, self.game, self.tournaments)
        self.score = folder.parent / SCORE
        self.watch_only, self.programs = watch_only, programs
        self.pages: set[Visitor] = set()
        self.lesson: Union[Lesson, Audience] = (
            Audience(self.store, self.game, self.pages) if watch_only
            else Lesson(folder.parent, self.pages, self.room))

    async def room(self, id: str) -> Room:
        """The room of the game of that name.  Raises Refusal."""
        if id not in self.rooms:
            game = await asyncio.to_thread(self.game, id)
            self.rooms.setdefault(id, Room(game, self.store, self.processes, self.programs,
                                           is_kept=True))  # another page may have been first
        return self.rooms[id]

    def game(self, id: str) -> Game:
        """The game of that name, as it is on the disk.  Raises Refusal."""
        try:
            game = self.store.read(id)
        except KeyError:
            raise Refusal("there is no such game") from None
        except ValueError as error:
            raise Refusal(str(error)) from None
        try:
            for colour, seat in game.seats.items():
                a_seat(COLOUR_NAMES[colour], seat)
            a_control("control", game.control)
        except Wrong as wrong:
            raise Refusal(f"the file of game {id} cannot be read: {wrong}") from None
        return game

    def new_room(self, game: Game) -> Room:
        """The room of a new game.  Raises Refusal."""
        if len(self.store.names()) >= MOST_GAMES:
            raise Refusal(f"there are {MOST_GAMES} games: delete some first")
        return self.rooms.setdefault(
            game.id, Room(game, self.store, self.processes, self.programs, is_kept=False))

    async def saved_game(self, id: str) -> Watched:
        """The game of that name as it is on the disk, to be watched.  Raises Refusal."""
        last: Optional[int] = None

        def load() -> Optional[Game]:
            nonlocal last
            changed = self.store.changed(id)
            if changed == last:
                return None
            game = self.game(id)
            last = changed
            return game

        return await self._shared(("game", id), load)

    async def played_game(self, tournament: int, number: int) -> Watched:
        """A game of a tournament.  Raises KeyError."""
        played = self.tournaments[tournament]
        return await self._shared((tournament, played.era, number), played.replay(number))

    async def _shared(self, key: Any, load: Callable[[], Optional[Game]]) -> Watched:
        if key not in self.watched:
            found = await asyncio.to_thread(Watched, load)
            self.watched.setdefault(key, found)
        return self.watched[key]

    def broadcast(self, **message: Any) -> None:
        """Send all pages a message."""
        for page in [*self.pages]:
            page.say(**message)

    def close_empty_rooms(self) -> None:
        """End the processes of games that no page shows; they go on when a page enters."""
        for room in self.rooms.values():
            if not room.viewers:
                room.close()

    def tidy(self) -> None:
        """Close games that no page shows and where nothing goes on."""
        self.rooms = {id: room for id, room in self.rooms.items() if not room.is_idle}
        self.watched = {key: game for key, game in self.watched.items() if game.viewers}

    async def watch(self) -> None:
        """Look at tournaments and games that pages watch and at the lesson, again and again."""
        await asyncio.gather(again_and_again(self._look, LOOK_SECONDS),
                             again_and_again(self.lesson.look, LESSON_SECONDS))

    async def _look(self) -> None:
        for tournament in {page.tournament for page in self.pages} - {None}:
            assert tournament
            await tournament.look()
        for page in [*self.pages]:
            page.tell_tournament()
        for game in [*self.watched.values()]:
            with suppress(KeyError, ValueError, Refusal):  # it was taken away meanwhile
                await game.refresh()
        self.tidy()

    async def close(self) -> None:
        """End all that was started."""
        self.lesson.close()
        await self.preparation.close()
        for room in [*self.rooms.values()]:
            await room.finish()
        await self.processes.close()
        self.index.close()


async def again_and_again(look: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Call `work` repeatedly with a pause; log a repeated fault once.
    """
    fault = ""
    while True:
        await asyncio.sleep(seconds)
        try:
            await look()
            fault = ""
        except Exception as error:
            if repr(error) != fault:
                fault = repr(error)
                logging.getLogger(__name__).exception("internal error")
