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
from random import Random
from typing import Any, Awaitable, Callable, Mapping, Optional, Union

from ... import __version__
from ...arena.seats.base import TimeControl
from ...arena.seats.spec import seat_of
from ...command_line.terminal import harmless, lacks
from ...games import catalogue
from ...games.lattice import BLACK, EMPTY, WHITE
from ...games.opening_rules import RULES
from ...games.rules import Rules
from ...games.tree import LONGEST_COMMENT, LONGEST_LABEL, MARKS, ROOT, GameTree
from ...players.alphabeta.levels import choices
from ...players.options import OPTIONS
from ...players.registry import PLAYERS
from ...puzzles.puzzle import CLASSES
from ...records.reader import kind_of, moves_of, note_on, tree_in
from ...records.sgf import sgf_of_tree
from ...wire.declared import Kind, Wrong, a_name, one_of, table, text, whole
from ...wire.notation import COLOUR_NAMES, board_rows
from ..fields import (
    MOST_POINTS,
    NO_CONTROL,
    Refusal,
    a_control,
    a_game,
    a_seat,
    object_of,
    settings_checked,
    settings_field,
    some_stones,
)
from ..game.live_node import NO_PROGRAMS
from ..game.room import Room
from ..games import PERSON, PROGRAM, Game, Seat, options_of, text_of_seat
from ..lesson.audience import Audience
from ..lesson.lesson import ACTS, Lesson
from ..lesson.watch import Tournament
from ..lesson.watched import Watched
from ..openings import FREE, Opening
from ..study.proved import proved
from ..study.puzzle_judge import REQUESTS as ATTEMPTS
from ..study.puzzles import Puzzles
from ..study.review import EFFORTS
from ..viewer import Analysis
from .site import Site

MOST_WAITING = 1000  # messages for a page that does not take them
MOST_SHOWN = 200  # games in a list
LONGEST_FILE = 1 << 20  # bytes of a file that is loaded
FIRST_GAME = (catalogue.GOMOKU, 15)  # of somebody who has none
FIRST_SEAT: Seat = {"player": "alphabeta", "settings": {"time": "1"}}
YOU: Seat = {"player": PERSON, "settings": {}}
STONES = {**dict.fromkeys("Xx#bB●", BLACK), **dict.fromkeys("OowW○", WHITE),
          **dict.fromkeys(".+-_*", EMPTY)}


class Page:
    """A page in a browser, as long as it is connected.

    outbox  messages for it, as texts; None: it is to be disconnected
    ticket  by which its guesses in a lesson are known, see audience.py
    """

    def __init__(self, site: Site):
        self.site = site
        self.outbox: asyncio.Queue[Optional[str]] = asyncio.Queue()
        self.room: Union[Room, Watched, None] = None
        self.tournament: Optional[Tournament] = None
        self.puzzles = Puzzles(self, site.processes, site.score, Random())
        self.ticket = ""
        self._told = 0  # games of it
        self._seen: Any = None  # its version

    def say(self, **message: Any) -> None:
        """Send it a message."""
        self.send(json.dumps(message, separators=(",", ":")))

    def send(self, text: str) -> None:
        """Send it a message as a text; a page that does not take its messages is disconnected."""
        waiting = self.outbox.qsize()
        if waiting < MOST_WAITING:
            self.outbox.put_nowait(text)
        elif waiting == MOST_WAITING:
            self.outbox.put_nowait(None)

    async def enter(self) -> None:
        """It is there: it is told what there is."""
        site = self.site
        site.pages.add(self)
        if not site.watch_only:
            site.preparation.begin(catalogue.GOMOKU)
        self.say(do="hello", version=__version__, watch_only=site.watch_only,
                 programs=site.programs, cores=os.cpu_count() or 1,
                 preparing=site.preparation.is_running, lesson=site.lesson.shown is not None,
                 games=[{"name": rules.name, "smallest": rules.smallest, "cube": rules.cube,
                         "largest": rules.largest, "default": rules.default_size}
                        for rules in catalogue.GAMES.values()],
                 levels={rules.name: choices(rules) for rules in catalogue.GAMES.values()},
                 openings=[FREE, *RULES],
                 players={player: options_of(player) for player in PLAYERS},
                 options=[{"name": name, "help": option.help, "values": option.values,
                           "unit": option.unit,
                           "default": "" if option.default is None else str(option.default)}
                          for name, option in OPTIONS.items()],
                 tournaments=[tournament.path.name for tournament in site.tournaments])
        site.lesson.tell(self)

    def leave(self) -> None:
        """It is gone."""
        self.site.pages.discard(self)
        self._leave_room()

    async def answer(self, text: str) -> None:
        """Do what a message says; whatever it is, the connection lives."""
        try:
            message = object_of(text)
            work, fields, watching = COMMANDS[one_of(*COMMANDS)("do", message.pop("do", None))]
            if self.site.watch_only and not watching:
                raise Refusal("this page can only watch")
            await work(self, **table(fields)("", message))
        except Refusal as refusal:
            self.say(do="refused", text=str(refusal), place=refusal.place, field=refusal.field)
        except Wrong as wrong:
            self.say(do="refused", text=str(wrong), place=None, field=wrong.path)
        except ImportError as error:
            self.say(do="refused", text=lacks(error), place=None, field=None)
        except Exception:
            logging.getLogger(__name__).exception("while answering %s", harmless(text[:200]))
            self.say(do="refused", text="internal error", place=None, field=None)

    # --- games ----------------------------------------------------------------------------------

    async def list_games(self, search: str) -> None:
        """The games of the user in which these words are found, the one that was changed last
        first."""
        found, count = await asyncio.to_thread(self.site.index.games, search, MOST_SHOWN)
        self.say(do="games", games=found, count=count, search=search)

    async def start(self) -> None:
        """The game that was changed last, or a first one."""
        for id in self.site.store.names():
            try:
                await self._show(id)
                return
            except Refusal:
                continue
        if self.site.watch_only:
            self.say(do="games", games=[], count=0, search="")
            return
        tree = GameTree(*FIRST_GAME)
        await self._enter(self.site.new_room(
            Game(tree, {BLACK: YOU, WHITE: FIRST_SEAT}, dict(NO_CONTROL))))

    async def open(self, id: str, node: Optional[int] = None) -> None:
        """Show this game, at that node or where it is played."""
        await self._show(id, node)

    async def new(self, game: Rules, size: int, black: Seat, white: Seat,
                  control: dict[str, Any], opening: str = FREE) -> None:
        """Begin a game, with an opening by that rule."""
        try:
            tree = GameTree(game, size)
        except ValueError as error:
            raise Refusal(str(error), field="size") from None
        seats = self._seats(black, white, control)
        try:
            agreed = None if opening == FREE else Opening(opening, game, size)
        except ValueError as error:
            raise Refusal(str(error), field="opening") from None
        if agreed and any(seat["player"] == PROGRAM for seat in seats.values()):
            raise Refusal("programs know nothing of opening rules", field="opening")
        await self._enter(self.site.new_room(Game(tree, seats, control, opening=agreed)))

    async def discard(self, id: str) -> None:
        """Remove a game for good."""
        room = self.site.rooms.get(id)
        if room:
            await room.discard()
            self.site.rooms.pop(id, None)
            for page in self.site.pages:
                if page.room is room:
                    page.room = None
        else:
            try:
                await asyncio.to_thread(self.site.store.remove, id)
            except OSError as error:
                raise Refusal(f"the game cannot be removed: {error.strerror}") from None
        await self.list_games("")

    async def load(self, data: str) -> None:
        """Begin with the first game of a file, in base64."""
        try:
            await self._begin_with(base64.b64decode(data, validate=True))
        except (ValueError, binascii.Error) as error:
            raise Refusal(f"the file cannot be read: {error}") from None

    async def _begin_with(self, content: bytes) -> None:
        # Raises ValueError.
        rules, size = self._shown()
        tree = await asyncio.to_thread(tree_in, content, rules, size)
        game = Game(tree, {BLACK: YOU, WHITE: YOU}, dict(NO_CONTROL))
        game.live, game.playing = tree.line(ROOT)[-1], False
        await self._enter(self.site.new_room(game))
        note = note_on(content)
        if note:
            self.say(do="notice", text=note)

    async def paste(self, text: str) -> None:
        """Begin with moves such as h8i9h7, or with the position of a picture: rows of X, O and .
        from the top."""
        if kind_of(text.encode()):
            try:
                await self._begin_with(text.encode())
            except ValueError as error:
                raise Refusal(str(error)) from None
            return
        rows = [[STONES[symbol] for symbol in line if symbol in STONES]
                for line in map(without_labels, text.splitlines())]
        rows = [row for row in rows if len(row) > 2]
        size = len(rows)
        if not rows or {len(row) for row in rows} != {size}:
            raise Refusal("neither moves such as h8i9h7 nor a square of X, O and .")
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
            game.live = game.set_up(ROOT, stones, BLACK + WHITE - first if moved else first,
                                    change=False)
        game.playing = False
        await self._enter(self.site.new_room(game))

    async def copy(self, node: int) -> None:
        """A position as a picture and, if moves have led there, as moves."""
        tree = self._current().game.tree
        if node not in tree.nodes:
            raise Refusal("that position is not there any more")
        position = tree.position(node)
        self.say(do="copied", rows=board_rows(position.lattice, position.cells),
                 moves=moves_of(position) or "")

    async def save(self) -> None:
        """The game as SGF."""
        game = self._current().game
        self._saved("", await asyncio.to_thread(sgf_of_tree, game.tree, game.properties()))

    def _saved(self, kind: str, data: bytes) -> None:
        # A file of the game that is shown, for the user.
        game = self._current().game
        name = "-".join(filter(None, [game.tree.rules.name, game.id[:6], kind]))
        self.say(do="saved", name=f"{name}.sgf", data=base64.b64encode(data).decode())

    async def take(self, node: int) -> None:
        """A game that is watched becomes one of one's own, which stands at that node."""
        if not isinstance(self._current(), Watched):
            raise Refusal("this game is yours already")
        shown = self._current().game
        if node not in shown.tree.nodes:
            raise Refusal("that position is not there any more")
        tree = await asyncio.to_thread(GameTree.of_data, shown.tree.data())
        game = Game(tree, {BLACK: YOU, WHITE: YOU}, dict(NO_CONTROL))
        game.tree.info = {**shown.names(), **game.tree.info}
        game.live, game.playing, game.result = node, False, shown.result
        await self._enter(self.site.new_room(game))

    # --- the game that is shown -----------------------------------------------------------------

    async def play(self, point: int, node: int) -> None:
        """A move of a person."""
        await self._own().play(self, point, node)

    async def goto(self, node: int) -> None:
        """Show another position."""
        room = self._current()
        if isinstance(room, Watched):
            room.goto(self, node)
        else:
            await room.goto(self, node)

    async def opening(self, action: str, node: int) -> None:
        """What a person does by an opening rule."""
        await self._own().open(action, node)

    async def undo(self) -> None:
        """Take a move back."""
        await self._own().undo()

    async def resign(self) -> None:
        """Give up."""
        await self._own().resign()

    async def now(self) -> None:
        """Who thinks is to move at once."""
        self._own().move_now()

    async def go_on(self, playing: bool, node: int) -> None:
        """From here on programs play, or do not."""
        await self._own().go_on(playing, node)

    async def seats(self, black: Seat, white: Seat, control: dict[str, Any]) -> None:
        """Others play from now on."""
        await self._own().take_seats(self._seats(black, white, control), control)

    async def set_up(self, stones: list[tuple[int, int]], side: Optional[int], node: int) -> None:
        """Put stones on the board."""
        await self._own().set_up(self, stones, side, node)

    async def comment(self, id: str, node: int, text: str) -> None:
        """Write something about a position of that game."""
        await self._own().comment(id, node, text)

    async def mark(self, id: str, node: int, kind: str, point: int, text: str = "") -> None:
        """Put a mark on a point of that game, or take the same one away."""
        await self._own().mark(id, node, kind, point, text, None)

    async def arrow(self, id: str, node: int, point: int, to: int) -> None:
        """Draw an arrow, or take the same one away."""
        if point == to:
            raise Refusal("an arrow leads to another point")
        await self._own().mark(id, node, "", point, "", to)

    async def wipe(self, id: str, node: int) -> None:
        """Take all marks and arrows of a position away."""
        await self._own().wipe(id, node)

    async def remove(self, node: int) -> None:
        """Take a variation away."""
        await self._own().remove(self, node)

    async def restore(self, token: str) -> None:
        """Put a variation back."""
        await self._own().restore(self, token)

    async def promote(self, node: int) -> None:
        """Make a variation the main line."""
        await self._own().promote(node)

    async def analyse(self, player: Optional[str], settings: Mapping[str, str]) -> None:
        """Analyse what the page shows, or, without a player, stop that."""
        analysis = None
        if player is not None:
            analysis = Analysis(player, tuple(sorted(settings_checked(player, settings).items())))
        await self._own().analyse(self, analysis)

    async def ask(self, what: str, node: int) -> None:
        """A hint, threats or a proof."""
        await self._own().ask(self, what, node)

    async def explore(self, node: int) -> None:
        """What games have answered in a position."""
        game = self._current().game
        if node not in game.tree.nodes:
            raise Refusal("that position is not there any more")
        self.say(do="explored", node=node, **await self.site.explored.answers(game, node))

    async def proved(self, node: int) -> None:
        """What the proof of Gomoku says of a position."""
        game = self._current().game
        if node not in game.tree.nodes:
            raise Refusal("that position is not there any more")
        position = game.position_at(node).copy()
        self.say(do="proved", node=node, says=await asyncio.to_thread(proved, position))

    async def stop(self) -> None:
        """End a proof now."""
        await self._own().stop(self)

    async def review(self, node: int, effort: str) -> None:
        """Review the line through a node."""
        await self._own().begin_review(node, effort)

    async def pause_review(self, paused: bool) -> None:
        """The review pauses, or goes on."""
        review = self._own().review
        if paused:
            review.pause()
        else:
            await review.go_on()

    async def save_review(self) -> None:
        """The game with the review in it, as SGF."""
        room = self._own()
        data = await asyncio.to_thread(room.review.sgf, room.game.properties())
        self._saved("reviewed", data)

    async def judge(self, ply: int, point: int) -> None:
        """A move that is tried where one of the game was a mistake."""
        await self._own().judge(self, ply, point)

    # --- puzzles --------------------------------------------------------------------------------

    async def puzzle(self, game: str, kind: str, skip: bool) -> None:
        """Show a puzzle of that game and class, "": of any."""
        rules = await self.puzzles.show(catalogue.GAMES.get(game), kind or None, skip)
        self.site.preparation.begin(rules)

    async def attempt(self, number: int, what: str, point: int = 0) -> None:
        """A move in the puzzle of that number, a hint or its solution."""
        self.puzzles.ask(number, what, point)

    # --- lessons --------------------------------------------------------------------------------

    async def lesson(self, what: str) -> None:
        """Lead a lesson, or do something else in it, see lesson.ACTS."""
        assert isinstance(self.site.lesson, Lesson)
        await self.site.lesson.act(self, what)

    async def follow(self, ticket: str) -> None:
        """Show what the lesson shows."""
        audience = self._audience()
        self._watch(audience.game_for(self, ticket))
        audience.tell(self)

    async def guess(self, number: int, point: int) -> None:
        """Guess the move that the lesson asks for."""
        self._audience().guess(self, number, point)

    def _audience(self) -> Audience:
        if not isinstance(self.site.lesson, Audience):
            raise Refusal("lessons are followed where a server is only watched")
        return self.site.lesson

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
        await self.site.tournaments[tournament].look()
        try:
            watched = await self.site.played_game(tournament, game)
        except KeyError:
            raise Refusal("there is no such game") from None
        self._watch(watched)

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

    async def _show(self, id: str, node: Optional[int] = None) -> None:
        if self.site.watch_only:
            self._watch(await self.site.saved_game(id), node)
        else:
            await self._enter(await self.site.room(id), node)

    async def _enter(self, room: Room, node: Optional[int] = None) -> None:
        self._leave_room()
        self.room = room
        self.site.preparation.begin(room.game.tree.rules)
        await room.enter(self, node)

    def _watch(self, watched: Watched, node: Optional[int] = None) -> None:
        self._leave_room()
        self.room = watched
        watched.enter(self, node)

    def _leave_room(self) -> None:
        if self.room:
            self.room.leave(self)
        self.room = None
        self.puzzles.end()

    def _current(self) -> Union[Room, Watched]:
        if self.room is None:
            raise Refusal("open a game first")
        return self.room

    def _own(self) -> Room:
        room = self._current()
        if isinstance(room, Watched):
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
                raise Refusal(NO_PROGRAMS, field=f"{COLOUR_NAMES[colour]}.player")
            if seat["player"] != PERSON:
                try:
                    seat_of(text_of_seat(seat), TimeControl(), Random(0))
                except ValueError as error:
                    raise Refusal(f"{COLOUR_NAMES[colour]}: {error}",
                                  field=f"{COLOUR_NAMES[colour]}.command") from None
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
Command = tuple[Callable[..., Awaitable[None]], Mapping[str, Kind], bool]

# What may be done, with which fields, and whether whoever only watches may.
COMMANDS: Mapping[str, Command] = {
    "games": (Page.list_games, {"search": text(200)}, True),
    "start": (Page.start, {}, True),
    "open": (Page.open, {"id": ID, "node?": NODE}, True),
    "new": (Page.new, {"game": a_game, "size": whole(99),
                       "opening?": one_of(FREE, *RULES), **SEATS}, False),
    "discard": (Page.discard, {"id": ID}, False),
    "load": (Page.load, {"data": text(4 * LONGEST_FILE // 3 + 4)}, False),
    "paste": (Page.paste, {"text": text(10_000)}, False),
    "copy": (Page.copy, {"node": NODE}, True),
    "save": (Page.save, {}, True),
    "take": (Page.take, {"node": NODE}, False),
    "play": (Page.play, {"point": POINT, "node": NODE}, False),
    "opening": (Page.opening, {"action": text(200), "node": NODE}, False),
    "goto": (Page.goto, {"node": NODE}, True),
    "undo": (Page.undo, {}, False),
    "resign": (Page.resign, {}, False),
    "now": (Page.now, {}, False),
    "continue": (Page.go_on, {"playing": one_of(False, True), "node": NODE}, False),
    "seats": (Page.seats, SEATS, False),
    "setup": (Page.set_up, {"stones": some_stones, "side": one_of(None, BLACK, WHITE),
                            "node": NODE}, False),
    "comment": (Page.comment, {"id": ID, "node": NODE, "text": text(LONGEST_COMMENT)}, False),
    "mark": (Page.mark, {"id": ID, "node": NODE, "kind": one_of(*MARKS), "point": POINT,
                         "text?": text(LONGEST_LABEL)}, False),
    "arrow": (Page.arrow, {"id": ID, "node": NODE, "point": POINT, "to": POINT}, False),
    "wipe": (Page.wipe, {"id": ID, "node": NODE}, False),
    "remove": (Page.remove, {"node": NODE}, False),
    "restore": (Page.restore, {"token": ID}, False),
    "promote": (Page.promote, {"node": NODE}, False),
    "analyse": (Page.analyse, {"player": one_of(None, *PLAYERS), "settings": settings_field},
                False),
    "ask": (Page.ask, {"what": one_of("hint", "threats", "solve"), "node": NODE}, False),
    "explore": (Page.explore, {"node": NODE}, True),
    "proved": (Page.proved, {"node": NODE}, True),
    "stop": (Page.stop, {}, False),
    "review": (Page.review, {"node": NODE, "effort": one_of(*EFFORTS)}, False),
    "pause_review": (Page.pause_review, {"paused": one_of(False, True)}, False),
    "save_review": (Page.save_review, {}, False),
    "judge": (Page.judge, {"ply": NUMBER, "point": POINT}, False),
    "puzzle": (Page.puzzle, {"game": one_of("", *catalogue.GAMES), "kind": one_of("", *CLASSES),
                             "skip": one_of(False, True)}, False),
    "attempt": (Page.attempt, {"number": NUMBER, "what": one_of(*ATTEMPTS), "point?": POINT},
                False),
    "lesson": (Page.lesson, {"what": one_of(*ACTS)}, False),
    "follow": (Page.follow, {"ticket": a_name(16)}, True),
    "guess": (Page.guess, {"number": NUMBER, "point": POINT}, True),
    "watch": (Page.watch, {"tournament": NUMBER}, True),
    "unwatch": (Page.unwatch, {}, True),
    "replay": (Page.replay, {"tournament": NUMBER, "game": NUMBER}, True),
}
