"""The protocol of Yixin-Board: Gomocup's, with analysis.

Coordinates are row,column from the upper left corner, counted from 0.  The board plays each reply
as a move, unless it is OK, MESSAGE, DETAIL, DEBUG, ERROR, UNKNOWN or FORBID.
"""

import logging
import os
import re
from argparse import ArgumentParser, Namespace
from contextlib import contextmanager
from typing import Callable, Generator, Iterator, NamedTuple, Optional, cast

from .. import __version__
from ..command_line.options import add_options_of, add_time, player_settings
from ..games import catalogue
from ..games.lattice import BLACK, WHITE, opponent
from ..games.rules import Position
from ..players.base import INTERRUPT, AnalysingPlayer, Player, Settings
from ..players.openings.balanced import Line
from ..players.openings.balancing import balancing_moves
from ..wire.background import run_in_thread
from ..wire.notation import yixin_name, yixin_point, yixin_text
from . import yixin_openings
from .gomocup import Brain, GomocupError, Result, number_of, serve
from .yixin_info import LiveInfo, Notes

UPDATE = 0.02  # seconds between two looks at a player at work
LARGEST_TABLE = 20  # 2^20 KB
LONGEST_REPLY = 1000  # characters that the board accepts
DEFENCES = 10  # defending moves at most


class PendingAnswer(NamedTuple):
    """The moves of an interrupted analysis: the answer if YXSTOP interrupted it."""

    position: Position
    plies: int
    moves: Line


class Yixin(Brain):
    """A program that Yixin-Board runs; `answers` yields the replies to a line.

    blocked  points that the engine does not choose
    paths    lines of moves from the empty board; the engine does not choose the last move of one
             after the others
    detail   also mark points on the board?
    """

    GAMES = {**Brain.GAMES, 2: catalogue.RENJU}  # the number of the board
    FALLBACK = catalogue.GOMOKU_EXACT
    point_of, text_of = staticmethod(yixin_point), staticmethod(yixin_text)
    INTERRUPTS = ("END", "YXSTOP", "START")

    def __init__(self, settings: Settings, seconds: float, stop: bytearray):
        super().__init__(settings, seconds, stop)
        self.engine.watch = self._watch
        self.clock.spend(BLACK, 0)  # the board does not count the time to start
        self.blocked: set[int] = set()
        self.paths: set[Line] = set()
        self.detail = False
        self.notes = Notes()
        self._info: Optional[LiveInfo] = None
        self._pending: Optional[PendingAnswer] = None

    def answers(self, line: str) -> Iterator[str]:
        """The replies to a line from the board, printable and of limited length."""
        for replies in (super().answers(line), self.notes.take()):
            for reply in replies:
                yield re.sub("[^ -~]", "?", reply)[:LONGEST_REPLY]

    def unknown(self, text: str) -> Iterator[str]:
        """The replies to an unknown command; none to data and commands of other features."""
        if not re.match("yx|[-0-9, ]+$|done$", text, re.IGNORECASE):
            yield from super().unknown(text)

    # --- commands -------------------------------------------------------------------------------

    def show_info(self, rest: str) -> Iterator[str]:
        """YXSHOWINFO: limits of the settings, and name and version of the engine."""
        yield f"MESSAGE INFO MAX_THREAD_NUM {os.cpu_count() or 1}"
        yield f"MESSAGE INFO MAX_HASH_SIZE {LARGEST_TABLE}"
        yield f"MESSAGE gtp_engine {__version__}"

    def inform(self, rest: str) -> Iterator[str]:
        """INFO key value: a limit or a setting."""
        key, _, text = rest.lower().partition(" ")
        if not re.fullmatch(" *[0-9]{1,15}", text):
            yield from super().inform(rest)
            return
        value, settings = int(text), self.engine.settings
        if key == "show_detail":
            self.detail = value > 0
        elif key == "thread_num":
            settings.threads = max(1, min(value, os.cpu_count() or 1))
        elif key == "hash_size":
            room = min(value, 1 << LARGEST_TABLE) >> 10
            settings.memory = max(room, 1) if value else self.memory
            if self._started:
                self.engine.load_ahead()
        else:
            yield from super().inform(rest)
        if key == "rule" and self.rule not in self.GAMES:
            yield (f"MESSAGE rule {self.rule} is not supported: moves are those of "
                   f"{self.FALLBACK.name}")

    def start(self, rest: str) -> Iterator[str]:
        """START w h: an empty board, or an error and no board if the size is not supported."""
        if rest.isdigit():
            yield from super().start(rest)
        else:
            self._started = False
            yield from self.rectangular_start(rest)

    def turn(self, rest: str) -> Iterator[str]:
        """TURN r,c: the opponent's move; reply with a move."""
        side = self.started().side
        self.play(side, self.point(rest))
        self.own = opponent(side)
        yield from self.move()

    def set_board(self, rest: str) -> Iterator[str]:
        """YXBOARD: a position follows, up to DONE; no move in reply."""
        return self.collect(Yixin.set_stones)

    def set_stones(self, rest: str) -> Iterator[str]:
        """YXBOARD ... DONE: set up these stones."""
        self.place_stones()
        self.engine.position.set_side(self.own)
        return iter(())

    def ignore(self, rest: str) -> Iterator[str]:
        """YXQUERYDATABASEALL: moves follow, up to DONE; there is no database."""
        return self.collect(lambda self, rest: iter(()))

    def stop(self, rest: str) -> Iterator[str]:
        """YXSTOP: the answer of the analysis that this command interrupted."""
        answer, self._pending = self._pending, None
        position = self.engine.position
        if answer and answer.position is position and answer.plies == len(position.history):
            yield from self._play_all(answer.moves)

    def best(self, rest: str) -> Iterator[str]:
        """YXNBEST n: the n best moves; reply with the best."""
        moves = yield from self._rank(number_of(rest or "1", least=1))
        yield from self._answer((moves[0],))

    def defend(self, rest: str) -> Iterator[str]:
        """YXSEARCHDEFEND: the moves that do not lose."""
        moves = yield from self._rank(DEFENCES)
        values, lattice = self.engine.player.report.values, self.engine.position.lattice
        good = [yixin_name(lattice, move) for move in moves if values.get(move, -1) > -1]
        others = "; all others lose" if good and -1 in values.values() else ""
        yield f"MESSAGE moves that defend: {' '.join(good) or 'none found'}{others}"

    def balance_one(self, rest: str) -> Iterator[str]:
        """YXBALANCEONE v: a move after which the position is worth v."""
        yield from self._balance(1, rest)

    def balance_two(self, rest: str) -> Iterator[str]:
        """YXBALANCETWO v: two moves after which the position is worth v."""
        yield from self._balance(2, rest)

    def clear_table(self, rest: str) -> Iterator[str]:
        """YXHASHCLEAR: clear the table."""
        self.engine.play_with("alphabeta")
        return iter(())

    def show_table(self, rest: str) -> Iterator[str]:
        """YXSHOWHASHUSAGE: size and usage of the table."""
        filled = cast(AnalysingPlayer, self.engine.player).filled
        yield f"MESSAGE table: {self.engine.settings.memory} MB, {filled:.0%} full"

    def show_forbidden(self, rest: str) -> Iterator[str]:
        """YXSHOWFORBID: the forbidden points, each as two digits of row and of column."""
        position = self.engine.position
        places = (yixin_text(position.lattice, point).split(",")
                  for point in position.forbidden_points())
        yield f"FORBID {''.join(f'{int(row):02}{int(column):02}' for row, column in places)}."

    def block(self, rest: str) -> Iterator[str]:
        """YXBLOCK: points follow, up to DONE; the engine does not choose them."""
        return self.collect(lambda self, rest: self._block(self.blocked.union(self.points())))

    def unblock(self, rest: str) -> Iterator[str]:
        """YXBLOCKUNDO: points follow, up to DONE; unblock them."""
        return self.collect(lambda self, rest: self._block(self.blocked.difference(self.points())))

    def unblock_all(self, rest: str) -> Iterator[str]:
        """YXBLOCKRESET: unblock all points."""
        return self._block(set())

    def block_path(self, rest: str) -> Iterator[str]:
        """YXBLOCKPATH: moves follow, up to DONE; block the last one after the others."""
        return self.collect(
            lambda self, rest: self._block_paths(self.paths | {tuple(self.points())}))

    def unblock_path(self, rest: str) -> Iterator[str]:
        """YXBLOCKPATHUNDO: moves follow, up to DONE; unblock this path."""
        return self.collect(
            lambda self, rest: self._block_paths(self.paths - {tuple(self.points())}))

    def unblock_all_paths(self, rest: str) -> Iterator[str]:
        """YXBLOCKPATHRESET: unblock all paths."""
        return self._block_paths(set())

    HANDLERS = {
        **Brain.HANDLERS, "INFO": inform, "START": start, "TURN": turn, "YXSHOWINFO": show_info,
        "YXBOARD": set_board, "YXQUERYDATABASEALL": ignore, "YXSTOP": stop, "YXNBEST": best,
        "YXSEARCHDEFEND": defend, "YXBALANCEONE": balance_one, "YXBALANCETWO": balance_two,
        **yixin_openings.HANDLERS,
        "YXHASHCLEAR": clear_table, "YXSHOWHASHUSAGE": show_table, "YXSHOWFORBID": show_forbidden,
        "YXBLOCK": block, "YXBLOCKUNDO": unblock, "YXBLOCKRESET": unblock_all,
        "YXBLOCKPATH": block_path, "YXBLOCKPATHUNDO": unblock_path,
        "YXBLOCKPATHRESET": unblock_all_paths,
    }
    BREAKS = HANDLERS

    # --- the game -------------------------------------------------------------------------------

    def begin_game(self, size: int, stones: Optional[Position] = None) -> None:
        """Start a game, empty or with the stones of a position.  Raises GomocupError."""
        before = self.engine.position.lattice
        super().begin_game(size, stones)
        if self.engine.position.lattice is not before:
            self.blocked, self.paths = set(), set()

    def playable(self) -> Position:
        """The position; FALLBACK replaces rules that are not supported.  Raises GomocupError."""
        return self.started()

    def allowed(self) -> Optional[list[int]]:
        """The legal moves to choose from, None for all.

        Raises GomocupError if every point is blocked.
        """
        position = self.engine.position
        legal = position.legal_moves()
        barred = self.blocked | {path[-1] for path in self.paths if stands(position, path[:-1])}
        free = [move for move in legal if move not in barred]
        if not free:
            raise GomocupError("all points are blocked")
        return free if len(free) < len(legal) else None

    def think(self, work: Callable[[], Result]) -> Generator[str, None, Result]:
        """Return the result of `work`; yield search info until then."""
        from concurrent.futures import wait
        self._info = None
        future = run_in_thread(work)
        while not wait([future], UPDATE).done:
            yield from self._news()
        yield from self._news()
        return cast(Result, future.result())

    def _news(self) -> Iterator[str]:
        yield from self.notes.take()
        if self._info:
            yield from self._info.news()

    @contextmanager
    def _watch(self, player: Player, position: Position) -> Iterator[None]:
        # `think` reads the search info of the player.
        self._info = LiveInfo(cast(AnalysingPlayer, player), position, self.detail)
        yield

    def _rank(self, number: int) -> Generator[str, None, list[int]]:
        # The best `number` moves, best first.
        position = self.to_move()
        moves = self.allowed() or position.legal_moves()
        return (yield from self.think(lambda: self.engine.best_moves(moves, number)))

    def _balance(self, count: int, rest: str) -> Iterator[str]:
        worth, position, engine = number_of(rest or "0"), self.to_move(), self.engine
        moves = self.allowed() or position.legal_moves()
        limits = engine.limits(position.side)

        def work() -> tuple[Line, Optional[int]]:
            engine.try_load(position.rules)
            return balancing_moves(position, moves, count, worth, limits)

        try:
            line, score = yield from self.think(work)
        except ValueError as error:
            raise GomocupError(str(error)) from None
        if score is not None:
            names = " ".join(yixin_name(position.lattice, move) for move in line)
            yield f"MESSAGE value {score:+} line {names}"
        yield from self._answer(line)

    def _answer(self, moves: Line) -> Iterator[str]:
        # Play these moves and reply with them; after an interrupt, only YXSTOP does so.
        if self.engine.stop[INTERRUPT]:
            position = self.engine.position
            self._pending = PendingAnswer(position, len(position.history), moves)
        else:
            yield from self._play_all(moves)

    def _play_all(self, moves: Line) -> Iterator[str]:
        for move in moves:
            self.play(self.engine.position.side, move)
            yield self.text(move)

    def _block(self, points: set[int]) -> Iterator[str]:
        self.blocked = points
        return iter(())

    def _block_paths(self, paths: set[Line]) -> Iterator[str]:
        self.paths = paths
        return iter(())


def stands(position: Position, moves: Line) -> bool:
    """Does the position have exactly the stones of these moves, Black first?"""
    return (position.vacant == len(position.lattice.points) - len(moves)
            and all(position.cells[move] == (BLACK, WHITE)[number % 2]
                    for number, move in enumerate(moves)))


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command line."""
    add_time(parser, "longest time for a move (default: the limit of the board)", 1e5)
    add_options_of(parser, "memory threads book seed")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Serve the board on standard input and output; returns the exit status."""
    brain = Yixin(player_settings(options), options.time, bytearray(2))
    logging.getLogger().addHandler(brain.notes)
    return serve(brain, "\n")
