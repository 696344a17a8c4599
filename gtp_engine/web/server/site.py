"""The shared state of all pages of a server: games, tournaments, the lesson."""

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
from ..games import MOST_GAMES, Game, Programs, Store
from ..lesson.audience import Audience, Follower
from ..lesson.lesson import LOOK_SECONDS as LESSON_SECONDS, Leader, Lesson
from ..lesson.watch import LOOK_SECONDS, Tournament
from ..lesson.watched import WatchedGame
from ..processes import Processes
from .archive import Archive
from .explored import StoredAnswers
from .index import Index
from .preparation import Preparation


class Visitor(Leader, Follower, Protocol):
    """A page, with its current game and tournament."""

    room: Union[Room, WatchedGame, None]
    tournament: Optional[Tournament]

    def tell_tournament(self) -> None:
        """Send the page the changes of its tournament."""


class Site:
    """The shared state of all pages of a server.

    store            the games of the user
    index            the summaries of these games
    rooms            the open games, by id
    spectator_games  displayed games that pages cannot change, by source
    tournaments      tournaments that pages may display
    archive          the collections of games
    explorer         the answers of all these games to positions
    score            the path of the user's puzzle score
    watch_only       whether all pages are spectators
    lesson           the lesson; on a watch-only server, its audience
    programs         the programs that pages may start
    """

    def __init__(self, folder: Path, tournaments: Sequence[Path] = (), watch_only: bool = False,
                 programs: Programs = Programs(), archive: Optional[Archive] = None):
        self.store, self.processes = Store(folder), Processes(self.close_empty_rooms)
        self.index = Index(folder.parent / "games.sqlite", self.store, self.game)
        self.preparation = Preparation(self.broadcast)
        self.rooms: dict[str, Room] = {}
        self.spectator_games: dict[Any, WatchedGame] = {}
        self.tournaments = [Tournament(path) for path in tournaments]
        self.archive = archive or Archive()
        self.explorer = StoredAnswers(self.index, self.game, self.tournaments, self.archive)
        self.score = folder.parent / SCORE
        self.watch_only, self.programs = watch_only, programs
        self.pages: set[Visitor] = set()
        self.lesson: Union[Lesson, Audience] = (
            Audience(self.store, self.game, self.pages) if watch_only
            else Lesson(folder.parent, self.pages, self.room))

    async def room(self, id: str) -> Room:
        """The room of a game.  Raises Refusal if the game does not exist or is damaged."""
        if id not in self.rooms:
            game = await asyncio.to_thread(self.game, id)
            self.rooms.setdefault(id, Room(game, self.store, self.processes, self.programs,
                                           is_stored=True))  # another page may have been first
        return self.rooms[id]

    def game(self, id: str) -> Game:
        """Read a game from the disk.  Raises Refusal if it does not exist or is damaged."""
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
        """Open a room for a new game.  Raises Refusal if the user has MOST_GAMES games."""
        if len(self.store.names()) >= MOST_GAMES:
            raise Refusal(f"there are {MOST_GAMES} games: delete some first")
        return self.rooms.setdefault(
            game.id, Room(game, self.store, self.processes, self.programs, is_stored=False))

    async def saved_game(self, id: str) -> WatchedGame:
        """A saved game for spectators.  Raises Refusal if it does not exist or is damaged."""
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

    async def played_game(self, tournament: int, number: int) -> WatchedGame:
        """A game of a tournament for spectators.  Raises KeyError if there is no such game."""
        played = self.tournaments[tournament]
        return await self._shared((tournament, played.era, number), played.replay(number))

    async def _shared(self, key: Any, load: Callable[[], Optional[Game]]) -> WatchedGame:
        if key not in self.spectator_games:
            game = await asyncio.to_thread(WatchedGame, load)
            self.spectator_games.setdefault(key, game)
        return self.spectator_games[key]

    def broadcast(self, **message: Any) -> None:
        """Send a message to all pages."""
        for page in [*self.pages]:
            page.say(**message)

    def close_empty_rooms(self) -> None:
        """End the processes of games without a page; a page that enters starts them again."""
        for room in self.rooms.values():
            if not room.viewers:
                room.close()

    def tidy(self) -> None:
        """Remove idle games without a page."""
        self.rooms = {id: room for id, room in self.rooms.items() if not room.is_idle}
        self.spectator_games = {
            key: game for key, game in self.spectator_games.items() if game.viewers}

    async def watch(self) -> None:
        """Poll tournaments, spectated games and the lesson for changes, without end."""
        await asyncio.gather(repeat(self._look, LOOK_SECONDS),
                             repeat(self.lesson.look, LESSON_SECONDS))

    async def _look(self) -> None:
        for tournament in {page.tournament for page in self.pages} - {None}:
            assert tournament
            await tournament.look()
        for page in [*self.pages]:
            page.tell_tournament()
        for game in [*self.spectator_games.values()]:
            with suppress(KeyError, ValueError, Refusal):  # the file may be gone
                await game.refresh()
        self.tidy()

    async def close(self) -> None:
        """End the lesson and all processes, and save the games."""
        self.lesson.close()
        await self.preparation.close()
        for room in [*self.rooms.values()]:
            await room.finish()
        await self.processes.close()
        self.index.close()
        self.archive.close()


async def repeat(work: Callable[[], Awaitable[None]], seconds: float) -> None:
    """Call `work` without end, with a pause of `seconds` before each call.

    Logs a fault once if it occurs several times in a row.
    """
    fault = ""
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
            fault = ""
        except Exception as error:
            if repr(error) != fault:
                fault = repr(error)
                logging.getLogger(__name__).exception("internal error")
