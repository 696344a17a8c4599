"""What alpha-beta searches in the plane, where five in a row win."""

from contextlib import contextmanager
from threading import Thread
from typing import Any, Collection, Iterator, Optional

import numpy as np

from ...games.lattice import BLACK
from ...games.rules import Position
from ...kernels import Call, load, zeros
from ...kernels.control import CONTROL, MATE, WON, clear, shared
from ...kernels.plane import state
from ...kernels.plane.board import Geometry, calls_of_board, make_board
from ...kernels.plane.features import FEATURES
from ...kernels.plane.known_wins import MOST_WINS, forget, recall, win_plies
from ...kernels.plane.moves import rank_all, wins_at
from ...kernels.plane.search import follow, search_root
from ...kernels.plane.state import LONGEST_PATH, make_search, start
from ...kernels.plane.vcf import ALL_FOURS, win_by_fours
from ...kernels.plane.vct import follow_win, win_by_threats
from ..adapters import board_of, geometry_of, table_bits
from ..base import Settings, candidates
from .search import NO_LIMIT, Found, Search
from .weights import SCORE_UNIT, Tuning

TABLE_ENTRY, PAGE = 16, 4096  # bytes
TABLE_SAMPLE = 1 << 16  # entries that say how full the table is
WINDOW = 25  # half the width of the first window around the last score
THREATS_FROM_DEPTH = 4  # what is won by fewer plies is found without a search for threats
ROOT_FOURS = 40
LONGEST_LINE = 32  # moves that are told
THREAT_SHARE = 20  # a search for threats makes at most one in so many moves
PROOF_SHARE = 4  # and those for shorter wins than one that is proved
PROOF_NODES = 20_000  # moves of a search for a proof, beyond as many as were made so far


_ahead: list[tuple[np.ndarray, np.ndarray]] = []  # keys and entries of one table at most


def make_table_ahead(memory: int) -> None:
    """The next search in so many MB finds its table made, and in memory already.

    A page of a new array takes part of a millisecond when it is first touched, and a search touches
    one with nearly every move.
    """
    table = zeros(places(memory), np.uint64), zeros(places(memory), np.int64)
    for part in table:
        part[::PAGE // part.itemsize] = 0
    _ahead[:] = [table]


def new_table(memory: int) -> tuple[np.ndarray, np.ndarray]:
    """Keys and entries of an empty table of so many MB."""
    try:
        table = _ahead.pop()
    except IndexError:
        table = None
    if table is None or table[0].size != places(memory):
        table = zeros(places(memory), np.uint64), zeros(places(memory), np.int64)
    return table


def places(memory: int) -> int:
    """How many entries, a power of two, a table of so many MB has."""
    return 1 << table_bits(memory, TABLE_ENTRY)


class PlaneSearch(Search):
    """A position of Gomoku or Pente that is searched, one depth after the other."""

    score_unit = SCORE_UNIT

    def __init__(self, settings: Settings, tuning: Tuning = Tuning()):
        self.settings, self.tuning = settings, tuning
        self._control = shared(np.zeros(1, CONTROL))
        self._known: tuple[Any, ...] = ()
        self._proofs = self._won = 0
        self._geometry: Optional[Geometry] = None
        self.search: Optional[state.Search] = None
        self._helpers: list[state.Search] = []

    def begin(self, position: Position, stop: bytearray) -> Optional[int]:
        """Get ready to search a position with more than one legal move.

        The best move is the one that looks best.  Returns the only move that does not lose at once,
        if it is the only one and no win is known.
        """
        self.show(position, stop)
        board, geometry, search, _ = self._arrays
        colour, control = self._colour, self._control
        control.best = self.order(candidates(position))[0]
        self._won = self._win_at_hand()
        control.stopped = 0
        if self._won:
            return None
        forget(search, colour)
        if (not wins_at(board, geometry, search, colour, search.threats)
                and wins_at(board, geometry, search, 1 - colour, search.threats) == 1
                and not (position.rules.capture_lengths or position.rules.caro
                         or position.complaint(position.side, int(search.threats[0])))):
            return int(search.threats[0])
        return None

    def show(self, position: Position, stop: bytearray) -> None:
        """Search this position from now on."""
        geometry, search = self._prepared(position)
        board, self._colour = board_of(geometry, position), position.side - BLACK
        self._arrays = board, geometry, search, np.frombuffer(stop, np.uint8)
        self._line = np.zeros(LONGEST_LINE, np.int64)
        start(board, geometry, search)
        self._control = shared(search.control)
        clear(self._control)
        self._control.off = sum(1 << bit for bit, name in enumerate(FEATURES)
                                if name in self.tuning.off)

    def bar(self, points: Collection[int]) -> None:
        """These points, and no others, are barred at the root from now on."""
        barred = self._arrays[2].barred
        barred[:] = 0
        barred[list(points)] = 1
        self._control.barred = len(points)

    def order(self, moves: list[int]) -> list[int]:
        """The moves, the one that looks best first."""
        board, geometry, search, _ = self._arrays
        search.stack.moves[0, :len(moves)] = moves
        rank_all(board, geometry, search, 0, self._colour, len(moves))
        return [move for _, move in sorted(zip((-search.stack.ranks[0]).tolist(), moves))]

    @contextmanager
    def helped(self) -> Iterator[None]:
        """While this lasts, all threads but this one search the position, too.

        What they find is in the transposition table, which is common to all.
        """
        stop = np.zeros(2, np.uint8)
        helpers = [Thread(target=self._help, args=(search, number, stop), daemon=True)
                   for number, search in enumerate(self._helpers)]
        for helper in helpers:
            helper.start()
        try:
            yield
        finally:
            stop[:] = 1
            for helper in helpers:
                helper.join()

    def _help(self, search: state.Search, number: int, stop: np.ndarray) -> None:
        # Go deeper and deeper, every other helper one ply ahead.
        geometry = self._arrays[1]
        board = make_board(geometry)
        for part, original in zip(board, self._arrays[0]):
            part[:] = original
        start(board, geometry, search)
        control, main, score = shared(search.control), self._control, 0
        clear(control)
        control.node_limit, control.off, control.age = NO_LIMIT, main.off, main.age
        for depth in range(1 + number % 2, LONGEST_PATH):
            score = search_root(board, geometry, search, stop, depth, score, WINDOW, self._colour)
            if control.stopped or abs(score) > WON:
                break

    @property
    def filled(self) -> float:
        """How much of the transposition table is in use, from 0 to 1, by a part of it."""
        if self.search is None:
            return 0.0
        return float(np.count_nonzero(self.search.entries[:TABLE_SAMPLE])
                     / self.search.entries[:TABLE_SAMPLE].size)

    @property
    def nodes(self) -> int:
        """Nodes searched since `show`, by all threads."""
        return sum(int(search.control[0]["nodes"]) for search in (self._arrays[2], *self._helpers))

    @property
    def root_move(self) -> int:
        """The move of the root that is searched now, or was the last one; 0 if there was none."""
        return int(self._control.root)

    def look(self, depth: int, guess: int) -> Found:
        """Search to that depth, first in a window around `guess`, and then for threats that win.

        `prove` knows of wins by threats.  While points are barred, threats are not searched for.
        """
        control = self._control
        score = search_root(*self._arrays, depth, guess, WINDOW, self._colour)
        if (depth >= THREATS_FROM_DEPTH and 0 < score < WON and not control.stopped
                and not control.barred):
            best = control.best
            control.threat_nodes = control.nodes // THREAT_SHARE
            end = self._wins_by_threats(depth)
            if end:
                return self.found(MATE - end)
            control.best = best
        return self.found(score)

    def win_by_fours(self, plies: int, nodes: int) -> int:
        """The plies of a win by continuous fours within so many, 0 if so many nodes show none."""
        self._control.node_limit, self._control.threat_nodes = NO_LIMIT, nodes
        return int(win_by_fours(*self._arrays, plies, 0, self._colour, ALL_FOURS))

    def opponent_wins_next(self) -> bool:
        """Would the opponent win at once if it were to move?"""
        board, geometry, search, _ = self._arrays
        return bool(wins_at(board, geometry, search, 1 - self._colour, search.threats))

    def prove(self, plies: int) -> int:
        """Find a whole proof of a win in so many plies at most, and the shortest that is near.

        Returns its plies, the best move is its first one; 0, and the best move unchanged, if there
        is none or it takes too many moves.  What is proved is remembered for the positions to come.
        """
        control, colour = self._control, self._colour
        best = control.best
        if control.known[colour] >= MOST_WINS:
            forget(self._arrays[2], colour)
        self._proofs += 1
        control.proof = self._proofs
        control.threat_nodes = PROOF_NODES + control.nodes

        def wins(last: int) -> int:
            return int(win_by_threats(*self._arrays, LONGEST_PATH, last, 0, colour))

        known, shorter = wins(plies), 1
        control.threat_nodes = (PROOF_NODES + control.nodes) // PROOF_SHARE
        while 0 < shorter < known and control.threat_nodes > 0:
            known = wins(shorter) or known
            shorter += 2
        complete = control.known[colour] < MOST_WINS
        known = wins(known) if known and complete else 0
        control.proof = 0
        if not known:
            control.best = best
        return known

    def known_win(self) -> int:
        """The plies of a win that needs no search, since it was proved in an earlier position or
        takes at most three, or 0; see `prove`."""
        return self._won and self.prove(self._won)

    def _win_at_hand(self) -> int:
        control, search, colour = self._control, self._arrays[2], self._colour
        self._proofs += 1
        control.proof = self._proofs
        control.threat_nodes = 0
        plies = win_plies(recall(search, colour)) or win_by_fours(
            *self._arrays, 3, 0, colour, ALL_FOURS)
        control.proof = 0
        return int(plies)

    def winning_line(self) -> tuple[int, ...]:
        """The moves of a win that was proved, with the defence that holds longest."""
        board, geometry, search, _ = self._arrays
        count = follow_win(board, geometry, search, self._colour, self._line)
        return tuple(self._line[:count].tolist())

    def line(self) -> list[int]:
        """The best move and the moves after it, as far as the transposition table has them."""
        board, geometry, search, _ = self._arrays
        count = follow(board, geometry, search, self._colour, self._line)
        return [*map(int, self._line[:count])]

    def _wins_by_threats(self, depth: int) -> int:
        if "threats" in self.tuning.off:
            return 0
        self._control.proof = self._proofs = self._proofs + 1
        if depth == THREATS_FROM_DEPTH:
            end = win_by_fours(*self._arrays, 2 * ROOT_FOURS + 1, 0, self._colour,
                               ALL_FOURS)
        else:
            end = win_by_threats(
                *self._arrays, depth - THREATS_FROM_DEPTH, LONGEST_PATH, 0, self._colour)
        self._control.proof = 0
        return int(end)

    def calls(self, position: Position) -> list[Call]:
        """What a search of this position calls, to be loaded."""
        rules, geometry = position.rules, geometry_of(position.rules, position.lattice)
        return _calls(geometry, make_search(
            geometry, self.tuning.of(rules, position.lattice.width), 1))

    def _prepared(self, position: Position) -> tuple[Geometry, state.Search]:
        rules, lattice = position.rules, position.lattice
        known = rules, lattice, self.settings.memory, self.settings.threads
        if self.search is None or self._geometry is None or self._known != known:
            geometry = geometry_of(rules, lattice)
            weights = self.tuning.of(rules, lattice.width)
            keys, entries = new_table(self.settings.memory)
            self.search = make_search(geometry, weights, 1)._replace(
                keys=keys, entries=entries)
            self._helpers = [
                make_search(geometry, weights, 1)._replace(
                    keys=self.search.keys, entries=self.search.entries)
                for _ in range(self.settings.threads - 1)]
            self._known, self._geometry = known, geometry
            load(_calls(geometry, self.search))
        return self._geometry, self.search


def _calls(geometry: Geometry, search: state.Search) -> list[Call]:
    # What takes longest to compile comes first.
    position = make_board(geometry), geometry, search
    stop, line = np.zeros(2, np.uint8), np.zeros(0, np.int64)
    return [
        Call(search_root, (*position, stop, 0, 0, 0, 0)),
        Call(win_by_threats, (*position, stop, 0, 0, 0, 0)),
        Call(win_by_fours, (*position, stop, 0, 0, 0, 0)),
        Call(follow_win, (*position, 0, line)),
        Call(follow, (*position, 0, line)),
        Call(start, position),
        Call(wins_at, (*position, 0, search.threats)),
        Call(rank_all, (*position, 0, 0, 0)),
        Call(recall, (search, 0)),
        Call(win_plies, (0,)),
        Call(forget, (search, 0)),
        *calls_of_board(geometry),
    ]
