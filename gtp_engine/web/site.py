"""What pages may ask for, and what they are answered.

A message is an object of JSON: `do` names one of COMMANDS, its other fields are those that stand
there.  What cannot be done is answered by `refused` with a text.
"""

import asyncio
import base64
import binascii
import json
import logging
import os
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Awaitable, Callable, Mapping, Optional, Sequence, Union

from .. import __version__
from ..arena.seats.base import TimeControl
from ..arena.seats.spec import seat_of
from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE
from ..games.rules import Rules
from ..games.records import note_on, tree_in
from ..games.sgf import sgf_of_tree
from ..games.tree import LONGEST_COMMENT, ROOT, GameTree
from ..players.options import OPTIONS
from ..players.registry import PLAYERS
from ..wire.notation import COLOUR_NAMES, board_rows
from ..terminal import harmless
from .fields import (
    MOST_POINTS, NO_CONTROL, Check, Refusal, a_control, a_game, a_seat, checked, one_of, parsed,
    settings_checked, settings_field, some_stones, text, whole,
)
from .games import (
    MOST_GAMES, PROGRAM, Game, Seat, Store, name_of_seat, options_of, summary, text_of_seat,
)
from .match import PERSON
from .processes import Processes
from .room import NO_PROGRAMS, Replay, Room
from .watch import LOOK, Tournament

MOST_WAITING = 1000  # messages for a page that does not take them
MOST_SHOWN = 200  # games in a list
LONGEST_FILE = 1 << 20  # bytes of a file that is loaded
FIRST_GAME = (catalogue.GOMOKU, 15)  # of somebody who has none
FIRST_SEAT: Seat = {"player": "alphabeta", "settings": {"time": "1"}}
YOU: Seat = {"player": PERSON, "settings": {}}
STONES = {**dict.fromkeys("Xx#bB●", BLACK), **dict.fromkeys("OowW○", WHITE),
          **dict.fromkeys(".+-_*", EMPTY)}


class Site:
    """All that the pages of a server share.

    store        the games of the user
    rooms        those that are open, by name
    tournaments  what may be watched
    watch_only   nothing can be started or changed
    programs     may pages name programs that are to be started?
    """

    def __init__(self, folder: Path, tournaments: Sequence[Path] = (), watch_only: bool = False,
                 programs: bool = False):
        self.store, self.processes = Store(folder), Processes(self.close_empty_rooms)
        self.rooms: dict[str, Room] = {}
        self.tournaments = [Tournament(path) for path in tournaments]
        self.watch_only, self.programs = watch_only, programs
        self.pages: set[Page] = set()

    def room(self, id: str) -> Room:
        """The room of the game of that name.  Raises Refusal."""
        if id not in self.rooms:
            self.rooms[id] = Room(self.game(id), self.store, self.processes, self.programs)
        return self.rooms[id]

    def game(self, id: str) -> Game:
        """The game of that name, as it is on the disk.  Raises Refusal."""
        try:
            game = self.store.read(id)
        except KeyError:
            raise Refusal("there is no such game") from None
        except ValueError as error:
            raise Refusal(str(error)) from None
        for colour, seat in game.seats.items():
            a_seat(COLOUR_NAMES[colour], seat)
        a_control("control", game.control)
        return game

    def new_room(self, game: Game) -> Room:
        """The room of a new game.  Raises Refusal."""
        if len(self.store.names()) >= MOST_GAMES:
            raise Refusal(f"there are {MOST_GAMES} games: remove some first")
        return self.rooms.setdefault(
            game.id, Room(game, self.store, self.processes, self.programs))

    def close_empty_rooms(self) -> None:
        """End the processes of games that no page shows; they go on when a page enters."""
        for room in self.rooms.values():
            if not room.pages:
                room.close()

    def tidy(self) -> None:
        """Rooms that nobody is in, and where nothing goes on, are closed."""
        for id, room in [*self.rooms.items()]:
            if not room.pages and not room.match and not room.analyst:
                del self.rooms[id]

    async def watch(self) -> None:
        """Look at tournaments and games that pages watch, again and again."""
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self._look()
            except Exception:
                logging.getLogger(__name__).exception("internal error")

    async def _look(self) -> None:
        for tournament in {page.tournament for page in self.pages} - {None}:
            assert tournament
            await tournament.look()
        for page in [*self.pages]:
            page.tell_tournament()
        for page in [*self.pages]:
            if isinstance(page.room, Replay):
                with suppress(KeyError, ValueError, Refusal):  # it was taken away meanwhile
                    page.room.refresh()
        self.tidy()

    async def close(self) -> None:
        """End all that was started."""
        for room in self.rooms.values():
            room.close()
        await self.processes.close()


class Page:
    """A page in a browser, as long as it is connected.

    outbox  messages for it, as texts; None: it is to be disconnected
    """

    def __init__(self, site: Site):
        self.site = site
        self.outbox: asyncio.Queue[Optional[str]] = asyncio.Queue()
        self.room: Union[Room, Replay, None] = None
        self.tournament: Optional[Tournament] = None
        self._told = 0  # games of it
        self._seen: Any = None  # its version

    def say(self, **message: Any) -> None:
        """Send it a message; one that does not take its messages is disconnected."""
        waiting = self.outbox.qsize()
        if waiting < MOST_WAITING:
            self.outbox.put_nowait(json.dumps(message, separators=(",", ":")))
        elif waiting == MOST_WAITING:
            self.outbox.put_nowait(None)

    async def enter(self) -> None:
        """It is there: it is told what there is."""
        site = self.site
        site.pages.add(self)
        self.say(do="hello", version=__version__, watch_only=site.watch_only,
                 programs=site.programs, cores=os.cpu_count() or 1,
                 games=[{"name": rules.name, "smallest": rules.smallest, "cube": rules.cube,
                         "largest": rules.largest, "default": rules.default_size}
                        for rules in catalogue.GAMES.values()],
                 players={player: options_of(player) for player in PLAYERS},
                 options=[{"name": name, "help": option.help, "values": option.values,
                           "unit": option.unit,
                           "default": "" if option.default is None else str(option.default)}
                          for name, option in OPTIONS.items()],
                 tournaments=[tournament.path.name for tournament in site.tournaments])

    def leave(self) -> None:
        """It is gone."""
        self.site.pages.discard(self)
        if isinstance(self.room, Room):
            self.room.leave(self)

    async def answer(self, text: str) -> None:
        """Do what a message says; whatever it is, the connection lives."""
        try:
            message = parsed(text)
            work, fields, watching = COMMANDS[one_of(*COMMANDS)("do", message.pop("do", None))]
            if self.site.watch_only and not watching:
                raise Refusal("this page can only watch")
            await work(self, **checked(message, fields))
        except Refusal as refusal:
            self.say(do="refused", text=str(refusal), place=refusal.place)
        except Exception:
            logging.getLogger(__name__).exception("while answering %s", harmless(text[:200]))
            self.say(do="refused", text="internal error", place=None)

    # --- games ----------------------------------------------------------------------------------

    async def list_games(self) -> None:
        """The games of the user, the one that was changed last first."""
        found, names = [], self.site.store.names()
        for id in names[:MOST_SHOWN]:
            try:
                found.append(summary(
                    self.site.rooms[id].game if id in self.site.rooms else self.site.game(id)))
            except Refusal:
                logging.getLogger(__name__).warning("the game %s cannot be read", id)
        self.say(do="games", games=found, count=len(names))

    async def start(self) -> None:
        """The game that was changed last, or a first one."""
        for id in self.site.store.names():
            try:
                await self._show(id)
                return
            except Refusal:
                continue
        if self.site.watch_only:
            self.say(do="games", games=[], count=0)
            return
        tree = GameTree(*FIRST_GAME)
        await self._enter(self.site.new_room(
            Game(tree, {BLACK: YOU, WHITE: FIRST_SEAT}, dict(NO_CONTROL))))

    async def open(self, id: str) -> None:
        """Show this game."""
        await self._show(id)

    async def new(self, game: Rules, size: int, black: Seat, white: Seat,
                  control: dict[str, Any]) -> None:
        """Begin a game."""
        try:
            tree = GameTree(game, size)
        except ValueError as error:
            raise Refusal(str(error)) from None
        seats = self._seats(black, white, control)
        await self._enter(self.site.new_room(Game(tree, seats, control)))

    async def discard(self, id: str) -> None:
        """Remove a game for good."""
        room = self.site.rooms.pop(id, None)
        if room:
            room.discard()
            for page in self.site.pages:
                if page.room is room:
                    page.room = None
        self.site.store.remove(id)
        await self.list_games()

    async def load(self, data: str) -> None:
        """Begin with the first game of a file, in base64."""
        rules, size = self._shown()
        try:
            content = base64.b64decode(data, validate=True)
            tree = await asyncio.to_thread(tree_in, content, rules, size)
            note = note_on(content)
        except (ValueError, binascii.Error) as error:
            raise Refusal(f"the file cannot be read: {error}") from None
        game = Game(tree, {BLACK: YOU, WHITE: YOU}, dict(NO_CONTROL))
        game.cursor, game.playing = tree.line(ROOT)[-1], False
        await self._enter(self.site.new_room(game))
        if note:
            self.say(do="notice", text=note)

    async def paste(self, text: str) -> None:
        """Begin with the position of a picture: rows of X, O and . from the top."""
        rows = [[STONES[symbol] for symbol in line if symbol in STONES]
                for line in map(without_labels, text.splitlines())]
        rows = [row for row in rows if len(row) > 2]
        size = len(rows)
        if not rows or {len(row) for row in rows} != {size}:
            raise Refusal("no square of X, O and .")
        rules, _ = self._shown()
        if not rules.smallest <= size <= rules.largest:
            rules = catalogue.GOMOKU
        try:
            tree = GameTree(rules, size)
        except ValueError as error:
            raise Refusal(str(error)) from None
        game = Game(tree, {BLACK: YOU, WHITE: YOU}, dict(NO_CONTROL))
        lattice = game.position.lattice
        stones = []
        for point in lattice.points:
            column, row = lattice.shown_at(point)
            if rows[size - 1 - row][column] != EMPTY:
                stones.append((rows[size - 1 - row][column], point))
        black = sum(colour == BLACK for colour, _ in stones)
        first = rules.first
        moved = black > len(stones) - black if first == BLACK else len(stones) - black > black
        if stones:
            game.set_up(stones, BLACK + WHITE - first if moved else first)
        game.playing = False
        await self._enter(self.site.new_room(game))

    async def copy(self) -> None:
        """The position as a picture."""
        game = self._current().game
        position = game.position
        self.say(do="copied", rows=board_rows(position.lattice, position.cells))

    async def save(self) -> None:
        """The game as SGF."""
        game = self._current().game
        names = {f"P{COLOUR_NAMES[colour][0].upper()}": name_of_seat(seat)
                 for colour, seat in game.seats.items()}
        data = sgf_of_tree(game.tree, names)
        self.say(do="saved", name=f"{game.tree.rules.name}-{game.id[:6]}.sgf",
                 data=base64.b64encode(data).decode())

    # --- the game that is shown -----------------------------------------------------------------

    async def play(self, point: int) -> None:
        """A move of a person."""
        await self._own().play(point, self)

    async def goto(self, node: int) -> None:
        """Show another position."""
        room = self._current()
        if isinstance(room, Replay):
            room.goto(node)
        else:
            await room.goto(node, self)

    async def undo(self) -> None:
        """Take a move back."""
        await self._own().undo()

    async def resign(self) -> None:
        """Give up."""
        await self._own().resign()

    async def now(self) -> None:
        """Who thinks is to move at once."""
        self._own().move_now()

    async def go_on(self, playing: bool) -> None:
        """From here on programs play, or do not."""
        await self._own().go_on(playing, self)

    async def seats(self, black: Seat, white: Seat, control: dict[str, Any]) -> None:
        """Others play from now on."""
        await self._own().take_seats(self._seats(black, white, control), control)

    async def set_up(self, stones: list[tuple[int, int]], side: Optional[int]) -> None:
        """Put stones on the board."""
        await self._own().set_up(stones, side)

    async def comment(self, id: str, node: int, text: str) -> None:
        """Write something about a position of that game."""
        await self._own().comment(id, node, text)

    async def remove(self, node: int) -> None:
        """Take a variation away."""
        await self._own().remove(node)

    async def promote(self, node: int) -> None:
        """Make a variation the main line."""
        await self._own().promote(node)

    async def analyse(self, player: Optional[str], settings: Mapping[str, str]) -> None:
        """Analyse what is shown, or, without a player, stop that."""
        asked = None
        if player is not None:
            asked = {"player": player, "settings": settings_checked(player, settings)}
        await self._own().analyse(asked)

    async def ask(self, what: str) -> None:
        """A hint, threats or a proof."""
        await self._own().ask(what, self)

    async def stop(self) -> None:
        """End a proof now."""
        self._own().stop(self)

    # --- tournaments ----------------------------------------------------------------------------

    async def watch(self, tournament: int) -> None:
        """Show a tournament, and what changes there."""
        if tournament >= len(self.site.tournaments):
            raise Refusal("there is no such tournament")
        self.tournament, self._seen = self.site.tournaments[tournament], None
        await self.tournament.look()
        self.tell_tournament()

    async def unwatch(self) -> None:
        """Show no tournament any more."""
        self.tournament = None

    async def replay(self, tournament: int, game: int) -> None:
        """Show a game of a tournament."""
        if tournament >= len(self.site.tournaments):
            raise Refusal("there is no such tournament")
        shown = self.site.tournaments[tournament]
        await shown.look()
        try:
            self._leave_room()
            self.room = Replay(shown.replay(game), self)
        except KeyError:
            raise Refusal("there is no such game") from None
        self.room.enter()

    def tell_tournament(self) -> None:
        """Send what it has not been told of the tournament that it watches."""
        shown = self.tournament
        if shown is None or self._seen == (shown.era, shown.version):
            return
        if self._seen is None or self._seen[0] != shown.era:
            self._told = 0
        self._seen = shown.era, shown.version
        message = shown.message(self._told)
        self._told += len(message.get("games", ()))
        self.say(do="tournament", index=self.site.tournaments.index(shown), **message)

    # --- helpers --------------------------------------------------------------------------------

    async def _show(self, id: str) -> None:
        if not self.site.watch_only:
            await self._enter(self.site.room(id))
            return
        last: Optional[int] = None

        def load() -> Optional[Game]:
            nonlocal last
            changed = self.site.store.changed(id)
            if changed == last:
                return None
            last = changed
            return self.site.game(id)

        self._leave_room()
        self.room = Replay(load, self)
        self.room.enter()

    async def _enter(self, room: Room) -> None:
        self._leave_room()
        self.room = room
        await room.enter(self)

    def _leave_room(self) -> None:
        if isinstance(self.room, Room):
            self.room.leave(self)
        self.room = None

    def _current(self) -> Union[Room, Replay]:
        if self.room is None:
            raise Refusal("open a game first")
        return self.room

    def _own(self) -> Room:
        room = self._current()
        if isinstance(room, Replay):
            raise Refusal("this game can only be watched")
        return room

    def _shown(self) -> tuple[Rules, int]:
        # Rules and size of the game that is shown.
        return (self.room.game.tree.rules, self.room.game.tree.size) if self.room else FIRST_GAME

    def _seats(self, black: Seat, white: Seat, control: dict[str, Any]) -> dict[int, Seat]:
        # The seats by colour, once it is known that there are such.  Raises Refusal.
        seats = {BLACK: black, WHITE: white}
        for colour, seat in seats.items():
            if seat["player"] == PROGRAM and not self.site.programs:
                raise Refusal(NO_PROGRAMS)
            if seat["player"] != PERSON:
                try:
                    seat_of(text_of_seat(seat), TimeControl(), Random(0))
                except ValueError as error:
                    raise Refusal(f"{COLOUR_NAMES[colour]}: {error}") from None
        return seats


def without_labels(line: str) -> str:
    """A row of a picture without the numbers beside it; a row of letters becomes empty."""
    words = line.strip().strip("0123456789 |")
    return "" if set(words) - set(STONES) - {" "} else words


POINT = whole(MOST_POINTS - 1)
NODE = whole(1 << 40)
NUMBER = whole(10**9)
ID = text(16)
SEATS = {"black": a_seat, "white": a_seat, "control": a_control}
Command = tuple[Callable[..., Awaitable[None]], Mapping[str, Check], bool]

# What may be done, with which fields, and whether whoever only watches may.
COMMANDS: Mapping[str, Command] = {
    "games": (Page.list_games, {}, True),
    "start": (Page.start, {}, True),
    "open": (Page.open, {"id": ID}, True),
    "new": (Page.new, {"game": a_game, "size": whole(99), **SEATS}, False),
    "discard": (Page.discard, {"id": ID}, False),
    "load": (Page.load, {"data": text(4 * LONGEST_FILE // 3 + 4)}, False),
    "paste": (Page.paste, {"text": text(10_000)}, False),
    "copy": (Page.copy, {}, True),
    "save": (Page.save, {}, True),
    "play": (Page.play, {"point": POINT}, False),
    "goto": (Page.goto, {"node": NODE}, True),
    "undo": (Page.undo, {}, False),
    "resign": (Page.resign, {}, False),
    "now": (Page.now, {}, False),
    "continue": (Page.go_on, {"playing": one_of(False, True)}, False),
    "seats": (Page.seats, SEATS, False),
    "setup": (Page.set_up, {"stones": some_stones, "side": one_of(None, BLACK, WHITE)}, False),
    "comment": (Page.comment, {"id": ID, "node": NODE, "text": text(LONGEST_COMMENT)}, False),
    "remove": (Page.remove, {"node": NODE}, False),
    "promote": (Page.promote, {"node": NODE}, False),
    "analyse": (Page.analyse, {"player": one_of(None, *PLAYERS), "settings": settings_field},
                False),
    "ask": (Page.ask, {"what": one_of("hint", "threats", "solve")}, False),
    "stop": (Page.stop, {}, False),
    "watch": (Page.watch, {"tournament": NUMBER}, True),
    "unwatch": (Page.unwatch, {}, True),
    "replay": (Page.replay, {"tournament": NUMBER, "game": NUMBER}, True),
}
