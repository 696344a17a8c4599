"""Attacks on a position of Gomoku: search for a plan that wins, or for the open answers."""

from functools import lru_cache
from typing import Mapping, NamedTuple, Optional, Sequence

from ...games.lattice import BLACK, EMPTY, PASS, WHITE
from ...games.rules import Position
from ...kernels.control import MATE, WON
from ...kernels.plane.state import LONGEST_PATH
from ...kernels.plane.win_table import clear_wins
from ...players.alphabeta.plane_search import PlaneSearch
from ...players.base import Settings, candidates
from ...players.proofs.win_trees import Reach, Zones, joined
from .board import position_after, threat_search, zones
from .entries import Board

MEMORY = 64  # MB of the transposition table, which each attack clears first
BUDGETS = (200_000, 2_000_000, 10_000_000)  # nodes per search of the first, second, third attack
TOTAL = 4  # an attack stops after the nodes of TOTAL budgets, those for threats included
# Node limits of searches:
LOOK_NODES = 1_000_000  # for a second or later move to try
PASS_NODES = 50_000  # for a win after a quiet move and a pass
THREAT_NODES = 1_000  # for threats
LONG_THREAT_NODES = 40_000  # for threats in a position that the alpha-beta search has won
WHITE_NODES = 200  # for threats of White
JUDGE_NODES = 1_000  # for the score of an open answer


class Plan(NamedTuple):
    """A win for Black in a position that threats alone do not win.

    move     Black's move
    answers  the winning plan by listed answer; None if threats win
    other    the winning plan after a pass; None if threats win

    The plan after a pass wins after every answer outside its zone.  Threats win after the unlisted
    answers in the zone.
    """

    move: int
    answers: Mapping[int, Optional["Plan"]]
    other: Optional["Plan"]


class Open(NamedTuple):
    """An answer without a refutation, and the score of a short search for Black after it."""

    point: int
    score: int


class Choice(NamedTuple):
    """A move of Black, and its open answers.

    other  the winning plan after a pass, if threats do not win
    lost   does White win by threats?
    """

    point: int
    open: tuple[Open, ...]
    other: Optional[Plan] = None
    lost: bool = False


Win = tuple[Optional[Plan], Reach]  # the plan, None if threats win, and its reach


class _MoveSearch(PlaneSearch):
    # Searches for the best move; its tables persist until `clear`.

    def clear(self, position: Position) -> None:
        self.set_position(position, bytearray(2))
        search = self._arrays[2]
        search.keys.fill(0)
        search.replies.fill(0)
        search.entries.fill(0)
        search.control[0]["age"] = 0

    def best_of(self, position: Position, nodes: int, barred: Sequence[int] = (),
                first: Optional[int] = None, plies: int = LONGEST_PATH) -> tuple[int, int]:
        """Return the best move that is not barred, and its score, by a search of `nodes` nodes.

        `first` is the move to search first.  A score above WON means a complete proof of the win.
        If the win takes more than `plies` plies, the search continues.
        """
        self.set_position(position, bytearray(2))
        for colour in range(2):
            clear_wins(self._arrays[2], colour)
        self.bar(barred)
        moves = [move for move in candidates(position) if move not in barred]
        self.best = first if first in moves else self.order(moves)[0]
        self.node_limit, score = nodes, 0
        for depth in range(1, LONGEST_PATH if len(moves) > 1 else 1):
            result = self.look(depth, score)
            if not result.complete:
                break
            score = result.score
            if score < -WON or score > WON and MATE - score <= plies:
                break
        self.bar(())
        return self.best, score


class PassResults(NamedTuple):
    """Wins without a certain white stone, by the cells without it."""

    stone: int
    wins: Mapping[bytes, Win]

    def without(self, cells: bytes) -> Optional[Win]:
        """Return the win without the stone; `cells` include it."""
        return self.wins.get(cells[:self.stone] + bytes([EMPTY]) + cells[self.stone + 1:])

    def still(self, cells: bytes, zones: Zones) -> Optional[Win]:
        """Return the win without the stone if the stone cannot spoil it."""
        win = self.without(cells)
        return win if win and not zones.spoils(win[1], cells, BLACK, self.stone) else None


class Attack:
    """A search for wins of Black below one position, with a cache of all results."""

    def __init__(self, board: Board, pass_results: PassResults = PassResults(PASS, {})) -> None:
        self.pass_results = pass_results
        self.move_search, self.threats = _move_search(board), threat_search(board)
        self.zones = zones(board)
        self.move_search.clear(position_after(board, ()))
        self.results: dict[bytes, Optional[Win]] = {}
        self.nodes = self.limit = 0

    def win(self, position: Position, budget: int, plies: int = LONGEST_PATH) -> Optional[Win]:
        """Search for a win with Black to move; `budget` is the number of nodes per search.

        Wins by threats take at most `plies` plies from here; those by plans may take more.
        """
        self.limit = self.nodes + TOTAL * budget
        self.threats.set_position(position, bytearray(2))
        return self.by_threats(THREAT_NODES, plies) or self.by_plan(position, budget, plies)

    def by_threats(self, nodes: int, plies: int) -> Optional[Win]:
        """Search for a win by threats in the threat search's position, with Black to move."""
        win = self.threats.found(BLACK) if self.threats.wins(BLACK, nodes, plies) else None
        self.nodes += self.threats.threat_nodes
        return (None, win.reach) if win else None

    def by_plan(self, position: Position, budget: int, plies: int) -> Optional[Win]:
        """Search for a plan in a position that the short threat search does not win."""
        key = bytes(position.cells)
        if key not in self.results:
            self.results[key] = (self.pass_results.still(key, self.zones)
                                 or self._by_plan(position, budget, plies))
        return self.results[key]

    def _by_plan(self, position: Position, budget: int, plies: int) -> Optional[Win]:
        before = self.pass_results.without(bytes(position.cells))
        plan = before[0] if before else None
        move, score = self.move_search.best_of(
            position, budget, first=plan.move if plan else None, plies=plies)
        self.nodes += self.move_search.nodes
        if score <= WON or self.nodes > self.limit:
            return None
        self.threats.set_position(position, bytearray(2))
        win = None if plan else self.by_threats(LONG_THREAT_NODES, plies)
        if win:
            return win
        self.threats.play(move, BLACK)
        if self.threats.wins(WHITE, WHITE_NODES):
            return None
        other = self.after_pass(position, move, min(budget, PASS_NODES), plies - 2)
        if other is None:
            return None
        refuted, open_answers = self.answers(position, move, other[1], plies - 2)
        plans: dict[int, Optional[Plan]] = {}
        for answer in open_answers:
            win = self.by_plan(after(position, move, answer), budget, plies - 2)
            if not win:
                return None
            refuted[answer] = win[1]
            if win[0]:
                plans[answer] = win[0]
        return Plan(move, plans, other[0]), joined(move, refuted, other[1])

    def after_pass(self, position: Position, move: int, budget: int, plies: int) -> Optional[Win]:
        """Search for a win after a move and a pass; the threat search has played the move."""
        win = self.by_threats(THREAT_NODES, plies)
        if not win:
            win = self.by_plan(after(position, move, PASS), budget, plies)
            self.threats.set_position(position, bytearray(2))
            self.threats.play(move, BLACK)
        return win

    def answers(self, position: Position, move: int, other: Optional[Reach], plies: int
                ) -> tuple[dict[int, Reach], list[int]]:
        """Return the answers that threats refute and the open answers, in the zone of `other`.

        `other` is the reach of the win after a pass.  The threat search has played the move.
        """
        cells = bytearray(position.cells)
        cells[move] = BLACK
        points = (self.zones.zone(other, cells, BLACK) if other else
                  [point for point in position.lattice.points if cells[point] == EMPTY])
        refuted, open_answers = dict[int, Reach](), list[int]()
        for answer in self.threats.order_for(WHITE, points):
            cells[answer] = WHITE
            stored = self.pass_results.still(bytes(cells), self.zones)
            cells[answer] = EMPTY
            self.threats.play(answer, WHITE)
            win = stored if stored and not stored[0] else self.by_threats(THREAT_NODES, plies)
            if win:
                refuted[answer] = win[1]
            else:
                open_answers.append(answer)
            self.threats.take_back()
        return refuted, open_answers

    def choice(self, position: Position, move: int) -> Choice:
        """Return a move with its open answers."""
        self.limit = self.nodes + TOTAL * LOOK_NODES
        self.threats.set_position(position, bytearray(2))
        self.threats.play(move, BLACK)
        if self.threats.wins(WHITE, WHITE_NODES):
            return Choice(move, (), lost=True)
        other = self.after_pass(position, move, LOOK_NODES, LONGEST_PATH)
        _, answers = self.answers(position, move, other[1] if other else None, LONGEST_PATH)
        open_answers = [
            Open(answer, self.move_search.best_of(after(position, move, answer), JUDGE_NODES)[1])
            for answer in answers]
        return Choice(move, tuple(open_answers), other[0] if other else None)


def after(position: Position, move: int, answer: int) -> Position:
    """Return the position after a move of Black and an answer; `position` is unchanged."""
    later = position.copy()
    later.play(BLACK, move)
    later.play(WHITE, answer)
    return later


@lru_cache(maxsize=None)
def _move_search(_: Board) -> _MoveSearch:
    return _MoveSearch(Settings(memory=MEMORY))
