"""The protocol of Gomocup and of the Piskvork manager: `pbrain` programs.

Coordinates are x,y from the upper left corner, counted from 0.
"""

import logging
import re
from argparse import ArgumentParser, Namespace
from typing import Callable, Collection, Generator, Iterator, Optional, TypeVar, cast

from .. import __version__
from ..command_line.options import add_options_of, add_time, player_settings
from ..command_line.terminal import harmless, import_error_text
from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE, opponent
from ..games.rules import IllegalMove, Position
from ..players.base import INTERRUPT, AnalysingPlayer, Settings
from ..players.openings.balanced import even_stones, judge
from ..wire.clock import MatchClock
from ..wire.notation import piskvork_point, piskvork_text
from ..wire.streams import LinesAhead, serve_lines
from .engine import Engine

ABOUT = (f'name="gtp_engine", version="{__version__}", author="gtp_engine team", country="-", '
         'www="-"')
MOVE_SECONDS = 5.0  # unless the manager sets a limit
BASE_MEMORY = 256  # MB of the process without its table
LOADING = 4.0  # seconds; longest wait for the player before OK
MOST_STONES = 700  # lines of BOARD, more than any board has points
LIMITS = {"max_node": "nodes", "max_depth": "depth"}  # of a search: key of INFO, setting
OWN = 1  # third field of a line of BOARD

Handler = Callable[..., Iterator[str]]  # takes a Brain and the rest of the line
Result = TypeVar("Result")


class GomocupError(Exception):
    """A request that fails; the text gives the reason."""


class Brain:
    """A program that a manager runs; `answers` yields the replies to a line.

    engine    the position, the player and the clock; INFO max_memory limits the player's table
    own       the colour of the engine
    rule      the number of the game, from INFO rule
    waiting   the number of lines that wait behind the current one
    finished  True after END
    """

    GAMES = {0: catalogue.GOMOKU, 1: catalogue.GOMOKU_EXACT, 4: catalogue.RENJU, 8: catalogue.CARO,
             9: catalogue.CARO_EXACT}  # by INFO rule
    FALLBACK = catalogue.GOMOKU  # the game for rules that are not supported
    point_of, text_of = staticmethod(piskvork_point), staticmethod(piskvork_text)
    INTERRUPTS: Collection[str] = ("END",)  # commands that end a search at once
    BREAKS: Collection[str] = ("END", "START", "RECTSTART", "RESTART")  # that end a list

    def __init__(self, settings: Settings, seconds: float, stop: bytearray):
        self.clock = MatchClock(seconds, MOVE_SECONDS)
        self.engine = Engine(catalogue.start(catalogue.GOMOKU, catalogue.GOMOKU.default_size),
                             "alphabeta", settings, self.clock, stop)
        self.memory = settings.memory
        self.rule = 0
        self._started = False
        self.own = BLACK
        self.finished = False
        self.waiting: Callable[[], int] = lambda: 0
        self._collect: Optional[Handler] = None  # handles the lines until DONE
        self._lines: list[str] = []

    def answers(self, line: str) -> Iterator[str]:
        """The replies to a line from the manager."""
        text = line.strip()
        if not text:
            return
        word, _, rest = text.partition(" ")
        handler = self.HANDLERS.get(word.upper())
        if self._collect and word.upper() == "DONE":
            handler, self._collect = self._collect, None
        elif self._collect and word.upper() not in self.BREAKS:
            if len(self._lines) < MOST_STONES:
                self._lines.append(text)
            return
        self._collect = None
        if handler is None:
            yield from self.unknown(text)
            return
        try:
            yield from handler(self, rest.strip())
        except GomocupError as refusal:
            yield f"ERROR {refusal}"
        except ImportError as error:
            yield f"ERROR {import_error_text(error)}"
        except Exception:
            logging.getLogger(__name__).exception("while answering %s", harmless(text[:100]))
            yield "ERROR internal error"

    def unknown(self, text: str) -> Iterator[str]:
        """The replies to an unknown command."""
        yield f"UNKNOWN {text[:100]}"

    # --- commands -------------------------------------------------------------------------------

    def start(self, rest: str) -> Iterator[str]:
        """START n: an empty board.

        Load the player before OK, unless more lines have arrived already.
        """
        if not re.fullmatch("[0-9]{1,4}", rest):
            raise GomocupError(f"not a size: {rest}")
        self.begin_game(int(rest))
        if not self.waiting():
            self.engine.load(LOADING)
        if not self.waiting():
            self.clock.start_first_move()
        yield "OK"

    def rectangular_start(self, rest: str) -> Iterator[str]:
        """RECTSTART w,h: an empty square board."""
        match = re.fullmatch("([0-9]{1,4}) *[ ,] *([0-9]{1,4})", rest)
        if not match:
            raise GomocupError(f"not a size: {rest}")
        if match[1] != match[2]:
            raise GomocupError("only square boards")
        yield from self.start(match[1])

    def restart(self, rest: str) -> Iterator[str]:
        """RESTART: an empty board of the same size."""
        self.begin_game(self.started().lattice.width)
        yield "OK"

    def begin(self, rest: str) -> Iterator[str]:
        """BEGIN: play the first move."""
        if self.started().history:
            self.begin_game(self.started().lattice.width)
        self.own = BLACK
        yield from self.move()

    def turn(self, rest: str) -> Iterator[str]:
        """TURN x,y: the opponent's move; reply with a move."""
        position = self.started()
        if not position.history:
            self.own = WHITE
        self.play(opponent(self.own), self.point(rest))
        yield from self.move()

    def board(self, rest: str) -> Iterator[str]:
        """BOARD: a position follows, up to DONE."""
        self.started()
        return self.collect(Brain.set_up)

    def swap2(self, rest: str) -> Iterator[str]:
        """SWAP2BOARD: the stones of an opening follow, up to DONE."""
        self.started()
        return self.collect(Brain.choose_opening)

    def collect(self, handler: Handler) -> Iterator[str]:
        """Collect lines up to DONE for the handler."""
        self._lines, self._collect = [], handler
        return iter(())

    def take_back(self, rest: str) -> Iterator[str]:
        """TAKEBACK x,y: take back the stone."""
        position, point = self.started(), self.point(rest)
        if position.cells[point] == EMPTY:
            raise GomocupError(f"no stone there: {rest}")
        if position.history[-1].point == point:
            position.undo()
        else:
            position.setup([(EMPTY, point)])
        yield "OK"

    def play_suggested(self, rest: str) -> Iterator[str]:
        """PLAY x,y: play the move that the manager suggests."""
        point = self.point(rest)
        self.play(self.own, point)
        yield self.text(point)

    def inform(self, rest: str) -> Iterator[str]:
        """INFO key value: a limit or a setting."""
        key, _, value = rest.lower().partition(" ")
        if not re.fullmatch("-?[0-9]{1,15}", value.strip()):
            return iter(())
        if key in self.clock.info:
            self.clock.info[key] = int(value)
        elif key == "rule":
            self.rule = int(value)
            if self._started:
                self.begin_game(self.started().lattice.width, self.started())
        elif key in LIMITS:
            setattr(self.engine.settings, LIMITS[key], int(value) if int(value) > 0 else None)
        elif key == "max_memory":
            room = int(value) // (1 << 20) - BASE_MEMORY if int(value) > 0 else self.memory
            self.engine.settings.memory = max(1, min(self.memory, room))
        return iter(())

    def about(self, rest: str) -> Iterator[str]:
        """ABOUT: name, version and author of the program."""
        yield ABOUT

    def end(self, rest: str) -> Iterator[str]:
        """END: exit."""
        self.finished = True
        return iter(())

    HANDLERS: dict[str, Handler] = {
        "START": start, "RECTSTART": rectangular_start, "RESTART": restart, "BEGIN": begin,
        "TURN": turn, "BOARD": board, "SWAP2BOARD": swap2, "TAKEBACK": take_back,
        "PLAY": play_suggested, "INFO": inform, "ABOUT": about, "END": end,
    }

    # --- the game -------------------------------------------------------------------------------

    def begin_game(self, size: int, stones: Optional[Position] = None) -> None:
        """Start a game, empty or with the stones of a position.  Raises GomocupError."""
        try:
            position = catalogue.start(self.GAMES.get(self.rule, self.FALLBACK), size)
        except ValueError as error:
            raise GomocupError(str(error)) from None
        if stones is not None:
            position.setup([(stones.cells[point], point) for point in stones.lattice.points
                            if stones.cells[point] != EMPTY])
            position.set_side(stones.side)
        self.engine.new_game(position)
        self.engine.load_ahead()
        self._started = True

    def started(self) -> Position:
        """The position.  Raises GomocupError before START."""
        if not self._started:
            raise GomocupError("START comes first")
        return self.engine.position

    def playable(self) -> Position:
        """The position.  Raises GomocupError before START or if the rule is not supported."""
        if self.rule not in self.GAMES:
            raise GomocupError(f"rule {self.rule} is not supported")
        return self.started()

    def to_move(self) -> Position:
        """The position.  Raises GomocupError if no move is possible."""
        position = self.playable()
        if position.outcome:
            raise GomocupError("the game is over")
        return position

    def set_up(self, rest: str) -> Iterator[str]:
        """BOARD ... DONE: set up these stones; reply with a move."""
        self.place_stones()
        yield from self.move()

    def place_stones(self) -> None:
        """Set up the stones of the collected lines.  Raises GomocupError."""
        stones: dict[int, int] = {}
        for line in self._lines:
            match = re.fullmatch("([^,]*,[^,]*),([^,]*)", line)
            if match is None or match[2].strip() not in ("1", "2"):
                raise GomocupError(f"not a stone: {line}")
            point = self.point(match[1])
            if point in stones:
                raise GomocupError(f"two stones there: {line}")
            stones[point] = int(match[2])
        self.begin_game(self.started().lattice.width)
        owned = list(stones.values()).count(OWN)
        self.own = BLACK if 2 * owned >= len(stones) else WHITE
        position = self.started()
        position.setup([(self.own if field == OWN else opponent(self.own), point)
                        for point, field in stones.items()])

    def choose_opening(self, rest: str) -> Iterator[str]:
        """SWAP2BOARD ... DONE: three stones; or SWAP; or a move as White.

        The engine never adds two stones: the opponent could then take the better side.
        """
        self.begin_game(self.started().lattice.width)
        position = self.playable()
        if len(self._lines) not in (0, 3, 5):
            raise GomocupError("an opening has 0, 3 or 5 stones")
        for line in self._lines:
            self.play(position.side, self.point(line))
        engine, player = self.engine, self.engine.player
        self.engine.load()
        limits = engine.limits(self.own)
        self.clock.spend(self.own, 0)
        if not self._lines:
            yield " ".join(map(self.text, even_stones(position, 3, engine.settings.rng, limits)))
            return
        score, point = judge(position, cast(AnalysingPlayer, player), limits)
        if score < 0:
            self.own = BLACK
            yield "SWAP"
        else:
            self.own = WHITE
            self.play(WHITE, point)
            yield self.text(point)

    def move(self) -> Iterator[str]:
        """Choose and play a move; reply with it.  Raises GomocupError."""
        position = self.to_move()
        if position.side != self.own:
            position.set_side(self.own)
        among = self.allowed()
        point = yield from self.think(lambda: self.engine.genmove(self.own, among))
        yield self.text(point)

    def allowed(self) -> Optional[list[int]]:
        """The legal moves to choose from, None for all.  Renju begins in the centre."""
        position = self.started()
        is_first = position.vacant == len(position.lattice.points)
        return [*position.lattice.middle()] if position.rules.renju and is_first else None

    def think(self, work: Callable[[], Result]) -> Generator[str, None, Result]:
        """Return the result of `work`; yield lines with its search info."""
        if self.engine.stop[INTERRUPT]:  # END has arrived already, as in input from a file
            self.engine.load(self.engine.loading_limit(self.own))
        result = work()
        report = self.engine.search.report if self.engine.search else None
        if report and "score" in report.figures:
            value = cast(AnalysingPlayer, self.engine.player).score_text(report.figures["score"])
            yield (f"MESSAGE depth {report.figures['depth']} value {value} "
                   f"nodes {report.figures.get('nodes', 0)} "
                   f"line {' '.join(map(self.text, report.line))}")
        return result

    def play(self, colour: int, point: int) -> None:
        """Play a move.  Raises GomocupError."""
        try:
            self.started().play(colour, point)
        except IllegalMove as complaint:
            raise GomocupError(f"{complaint}: {self.text(point)}") from None

    def points(self) -> list[int]:
        """The points of the collected lines.  Raises GomocupError."""
        return [self.point(line) for line in self._lines]

    def point(self, text: str) -> int:
        """The point of a text.  Raises GomocupError."""
        point = self.point_of(self.started().lattice, text.strip())
        if point is None:
            raise GomocupError(f"no such point: {text}")
        return point

    def text(self, point: int) -> str:
        """The point as text."""
        return self.text_of(self.started().lattice, point)


def number_of(text: str, least: int = -10**6) -> int:
    """The integer of a text.  Raises GomocupError."""
    if not re.fullmatch("-?[0-9]{1,6}", text) or int(text) < least:
        raise GomocupError(f"not a valid number: {text}")
    return int(text)


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command line."""
    add_time(parser, "longest time for a move (default: the limit of the manager, or 5 seconds "
                     "without one)", 1e5)
    add_options_of(parser, "memory threads book seed")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Serve a manager on standard input and output; returns the exit status."""
    return serve(Brain(player_settings(options), options.time, bytearray(2)), "\r\n")


def serve(brain: Brain, line_end: str) -> int:
    """Answer the lines of standard input until END; returns the exit status."""
    def replies(lines: LinesAhead) -> Iterator[bytes]:
        brain.waiting = lambda: lines.waiting
        for line in lines:
            for reply in brain.answers(line.decode("utf-8", "replace")):
                yield f"{reply}{line_end}".encode()
            if brain.finished:
                return

    def interrupts(line: bytes) -> bool:
        return line.decode("utf-8", "replace").strip().upper().partition(" ")[0] in (
            brain.INTERRUPTS)

    return serve_lines(replies, brain.engine.stop, interrupts)
