"""The alpha-beta search in the plane, for five in a row."""

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
from ...kernels.plane.moves import rank_all, wins_at
from ...kernels.plane.search import principal_variation, search_root
from ...kernels.plane.state import LONGEST_PATH, make_search, start
from ...kernels.plane.vcf import ALL_FOURS, win_by_fours
from ...kernels.plane.vct import win_by_threats, winning_variation
from ...kernels.plane.win_table import MOST_WINS, clear_wins, probe_win, win_plies
from ..adapters import board_of, geometry_of, table_bits
from ..base import Settings, candidates
from .search import NO_LIMIT, Search, SearchResult
from .weights import SCORE_UNIT, Tuning

TABLE_ENTRY, PAGE = 16, 4096  # bytes
TABLE_SAMPLE = 1 << 16  # entries that estimate the used part of the table
WINDOW = 25  # half the width of the aspiration window
THREATS_FROM_DEPTH = 4  # least depth with a threat search; shallower searches find shorter wins
ROOT_FOURS = 40  # fours in a line at the root
LONGEST_LINE = 32  # moves of a reported line
THREAT_SHARE = 20  # a threat search has 1 / THREAT_SHARE of the nodes so far
PROOF_SHARE = 4  # searches for shorter wins have 1 / PROOF_SHARE of the nodes of a proof
PROOF_NODES = 20_000  # nodes of a proof, in addition to the nodes so far

_ahead: list[tuple[np.ndarray, np.ndarray]] = []  # keys and entries of one table at most


def make_table_ahead(memory: int) -> None:
    """Allocate the table of the next search with `memory` MB, and touch its pages.

    The first access to a page of a new array takes a part of a millisecond, and a search accesses a
    page with nearly every move.
    """
    table = zeros(places(memory), np.uint64), zeros(places(memory), np.int64)
    for part in table:
        part[::PAGE // part.itemsize] = 0
    _ahead[:] = [table]


def new_table(memory: int) -> tuple[np.ndarray, np.ndarray]:
    """Keys and entries of an empty table of `memory` MB."""
    try:
        table = _ahead.pop()
    except IndexError:
        table = None
    if table is None or table[0].size != places(memory):
        table = zeros(places(memory), np.uint64), zeros(places(memory), np.int64)
    return table


def places(memory: int) -> int:
    """The number of entries, a power of two, of a table of `memory` MB."""
    return 1 << table_bits(memory, TABLE_ENTRY)


class PlaneSearch(Search):
    """A search of positions of Gomoku, Pente and their variants."""

    score_unit = SCORE_UNIT

    def __init__(self, settings: Settings, tuning: Tuning = Tuning()):
        self.settings, self.tuning = settings, tuning
        self._control = shared(np.zeros(1, CONTROL))
        self._setup: tuple[Any, ...] = ()
        self._proofs = self._won = 0
        self._geometry: Optional[Geometry] = None
        self.search: Optional[state.Search] = None
        self._helpers: list[state.Search] = []

    def begin(self, position: Position, stop: bytearray) -> Optional[int]:
        """Prepare the search of a position with more than one legal move.

        Sets `best` to the most promising move.  Returns a move if all others lose at once and there
        is no proved win.
        """
        self.set_position(position, stop)
        board, geometry, search, _ = self._arrays
        colour, control = self._colour, self._control
        control.best = self.order(candidates(position))[0]
        self._won = self._win_at_hand()
        control.stopped = 0
        if self._won:
            return None
        clear_wins(search, colour)
        if (not wins_at(board, geometry, search, colour, search.threats)
                and wins_at(board, geometry, search, 1 - colour, search.threats) == 1
                and not (position.rules.capture_lengths or position.rules.caro
                         or position.complaint(position.side, int(search.threats[0])))):
            return int(search.threats[0])
        return None

    def set_position(self, position: Position, stop: bytearray) -> None:
        """Set the position to search."""
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
        """Bar these points, and no others, as moves of the root."""
        barred = self._arrays[2].barred
        barred[:] = 0
        barred[list(points)] = 1
        self._control.barred = len(points)

    def order(self, moves: list[int]) -> list[int]:
        """The moves, the most promising one first."""
        board, geometry, search, _ = self._arrays
        search.stack.moves[0, :len(moves)] = moves
        rank_all(board, geometry, search, 0, self._colour, len(moves))
        return [move for _, move in sorted(zip((-search.stack.ranks[0]).tolist(), moves))]

    @contextmanager
    def helped(self) -> Iterator[None]:
        """Let all other threads search the position while the context is open.

        Their results are in the common transposition table.
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
        # Iterative deepening; every other helper is one ply ahead.
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
        """The used part of the transposition table, from 0 to 1, estimated from a sample."""
        if self.search is None:
            return 0.0
        return float(np.count_nonzero(self.search.entries[:TABLE_SAMPLE])
                     / self.search.entries[:TABLE_SAMPLE].size)

    @property
    def nodes(self) -> int:
        """Nodes of all threads since `set_position`."""
        return sum(int(search.control[0]["nodes"]) for search in (self._arrays[2], *self._helpers))

    @property
    def root_move(self) -> int:
        """The root move being searched, or the last one; 0 if there was none."""
        return int(self._control.root)

    def look(self, depth: int, guess: int) -> SearchResult:
        """Search to `depth`, first in a window around `guess`; then search for a win by threats.

        `prove` can then use wins by threats.  While points are barred, there is no threat search.
        """
        control = self._control
        score = search_root(*self._arrays, depth, guess, WINDOW, self._colour)
        if (depth >= THREATS_FROM_DEPTH and 0 < score < WON and not control.stopped
                and not control.barred):
            best = control.best
            control.threat_nodes = control.nodes // THREAT_SHARE
            end = self._wins_by_threats(depth)
            if end:
                return self.result(MATE - end)
            control.best = best
        return self.result(score)

    def win_by_fours(self, plies: int, nodes: int) -> int:
        """Search `nodes` nodes for a win by fours within `plies` plies; its plies, or 0."""
        self._control.node_limit, self._control.threat_nodes = NO_LIMIT, nodes
        return int(win_by_fours(*self._arrays, plies, 0, self._colour, ALL_FOURS))

    def opponent_wins_next(self) -> bool:
        """Could the opponent win at once if it were to move?"""
        board, geometry, search, _ = self._arrays
        return bool(wins_at(board, geometry, search, 1 - self._colour, search.threats))

    def prove(self, plies: int) -> int:
        """Search for a complete proof of a win in at most `plies` plies; prefer short proofs.

        Returns its plies and sets `best` to its first move.  If no proof is found within the node
        limit, returns 0 and leaves `best` unchanged.  Stores the proved wins for later positions.
        """
        control, colour = self._control, self._colour
        best = control.best
        if control.stored_wins[colour] >= MOST_WINS:
            clear_wins(self._arrays[2], colour)
        self._proofs += 1
        control.proof = self._proofs
        control.threat_nodes = PROOF_NODES + control.nodes

        def wins(last: int) -> int:
            return int(win_by_threats(*self._arrays, LONGEST_PATH, last, 0, colour))

        shortest, shorter = wins(plies), 1
        control.threat_nodes = (PROOF_NODES + control.nodes) // PROOF_SHARE
        while 0 < shorter < shortest and control.threat_nodes > 0:
            shortest = wins(shorter) or shortest
            shorter += 2
        complete = control.stored_wins[colour] < MOST_WINS
        shortest = wins(shortest) if shortest and complete else 0
        control.proof = 0
        if not shortest:
            control.best = best
        return shortest

    def proved_win(self) -> int:
        """The plies of a win without a search, or 0.

        The win was proved in an earlier position, or takes at most three plies; see `prove`.
        """
        return self._won and self.prove(self._won)

    def _win_at_hand(self) -> int:
        control, search, colour = self._control, self._arrays[2], self._colour
        self._proofs += 1
        control.proof = self._proofs
        control.threat_nodes = 0
        plies = win_plies(probe_win(search, colour)) or win_by_fours(
            *self._arrays, 3, 0, colour, ALL_FOURS)
        control.proof = 0
        return int(plies)

    def winning_line(self) -> tuple[int, ...]:
        """The moves of a proved win, with the longest defence."""
        board, geometry, search, _ = self._arrays
        count = winning_variation(board, geometry, search, self._colour, self._line)
        return tuple(self._line[:count].tolist())

    def line(self) -> list[int]:
        """The principal variation, as far as the transposition table has it."""
        board, geometry, search, _ = self._arrays
        count = principal_variation(board, geometry, search, self._colour, self._line)
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
        """The kernel calls of a search of this position, for `load`."""
        rules, geometry = position.rules, geometry_of(position.rules, position.lattice)
        return _calls(geometry, make_search(
            geometry, self.tuning.of(rules, position.lattice.width), 1))

    def _prepared(self, position: Position) -> tuple[Geometry, state.Search]:
        rules, lattice = position.rules, position.lattice
        setup = rules, lattice, self.settings.memory, self.settings.threads
        if self.search is None or self._geometry is None or self._setup != setup:
            geometry = geometry_of(rules, lattice)
            weights = self.tuning.of(rules, lattice.width)
            keys, entries = new_table(self.settings.memory)
            self.search = make_search(geometry, weights, 1)._replace(
                keys=keys, entries=entries)
            self._helpers = [
                make_search(geometry, weights, 1)._replace(
                    keys=self.search.keys, entries=self.search.entries)
                for _ in range(self.settings.threads - 1)]
            self._setup, self._geometry = setup, geometry
            load(_calls(geometry, self.search))
        return self._geometry, self.search


def _calls(geometry: Geometry, search: state.Search) -> list[Call]:
    # The slowest kernels to compile come first.
    position = make_board(geometry), geometry, search
    stop, line = np.zeros(2, np.uint8), np.zeros(0, np.int64)
    return [
        Call(search_root, (*position, stop, 0, 0, 0, 0)),
        Call(win_by_threats, (*position, stop, 0, 0, 0, 0)),
        Call(win_by_fours, (*position, stop, 0, 0, 0, 0)),
        Call(winning_variation, (*position, 0, line)),
        Call(principal_variation, (*position, 0, line)),
        Call(start, position),
        Call(wins_at, (*position, 0, search.threats)),
        Call(rank_all, (*position, 0, 0, 0)),
        Call(probe_win, (search, 0)),
        Call(win_plies, (0,)),
        Call(clear_wins, (search, 0)),
        *calls_of_board(geometry),
    ]
