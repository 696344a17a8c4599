"""How Black wins a position of Gomoku: attacks that look for a plan, and what a move leaves."""

from functools import lru_cache
from typing import Mapping, NamedTuple, Optional, Sequence

from ...games import catalogue
from ...games.lattice import BLACK, EMPTY, PASS, WHITE
from ...games.rules import Position
from ...kernels.control import WON
from ...kernels.plane.state import LONGEST_PATH
from ...kernels.plane.win_table import clear_wins
from ...players.alphabeta.plane_search import PlaneSearch
from ...players.alphabeta.threat_search import ThreatSearch
from ...players.base import Settings, candidates
from ...players.proofs.win_trees import Reach, Zones, joined

SIZE = 15
MEMORY = 64  # MB of the transposition table of an attack, which is empty at its beginning
BUDGETS = (200_000, 2_000_000, 10_000_000)  # nodes of each search of the attacks on a position
TOTAL = 4  # budgets after which an attack is given up
LOOK_NODES = 1_000_000  # of a search for a move to try after the first
PASS_NODES = 50_000  # of a search for a win after a quiet move of an attack and a pass
THREAT_NODES = 3_000  # of a search for threats
LONG_THREAT_NODES = 100_000  # of one in a position that is known to be won
WHITE_NODES = 1_000  # of the search for threats of White
JUDGE_NODES = 1_000  # of the search that says how hard an open answer is


class Plan(NamedTuple):
    """How Black wins a position that threats alone do not win.

    move     Black's move
    answers  by answer the plan that wins after it, None if threats do
    other    the plan that wins after a pass, None if threats do
    The plan after a pass wins after every answer outside its zone.  Threats win after the answers
    in the zone that are not listed.
    """

    move: int
    answers: Mapping[int, Optional["Plan"]]
    other: Optional["Plan"]


class Open(NamedTuple):
    """An answer that is not refuted, and the score of Black after it by a short search."""

    point: int
    score: int


class Choice(NamedTuple):
    """A move of Black, and the answers that are left open.

    other  the plan after a pass, if threats do not win then
    lost   White wins by threats
    """

    point: int
    open: tuple[Open, ...]
    other: Optional[Plan] = None
    lost: bool = False


Won = tuple[Optional[Plan], Reach]  # the plan, None where threats win, and its reach


class _Eyes(PlaneSearch):
    # Finds promising moves; its results are stored until it is cleared.

    def clear(self, position: Position) -> None:
        self.set_position(position, bytearray(2))
        search = self._arrays[2]
        search.keys.fill(0)
        search.replies.fill(0)
        search.entries.fill(0)
        search.control[0]["age"] = 0

    def best_of(self, position: Position, nodes: int, barred: Sequence[int] = (),
                first: Optional[int] = None) -> tuple[int, int]:
        """The best move that is not barred, by a search of `nodes` nodes, and its score.
        The move that is searched `first` may be given.

        The score is beyond WON only if the win is known whole.
        """
        self.set_position(position, bytearray(2))
        for colour in range(2):
            clear_wins(self._arrays[2], colour)
        self.bar(barred)
        moves = [move for move in candidates(position) if move not in barred]
        self.best = first if first in moves else self.order(moves)[0]
        self.node_limit, score = nodes, 0
        for depth in range(1, LONGEST_PATH if len(moves) > 1 else 1):
            found = self.look(depth, score)
            if not found.complete:
                break
            score = found.score
            if abs(score) > WON:
                break
        self.bar(())
        return self.best, score


class PassResults(NamedTuple):
    """What wins without a white stone, by the cells without it."""

    stone: int
    wins: Mapping[bytes, Won]

    def without(self, cells: bytes) -> Optional[Won]:
        """What wins without the stone, which these cells have."""
        return self.wins.get(cells[:self.stone] + bytes([EMPTY]) + cells[self.stone + 1:])

    def still(self, cells: bytes) -> Optional[Won]:
        """What wins without the stone, if the stone cannot spoil it."""
        won = self.without(cells)
        return won if won and not zones().spoils(won[1], cells, BLACK, self.stone) else None


class Attack:
    """Looks for wins of Black below one position, and remembers all."""

    def __init__(self, pass_results: PassResults = PassResults(PASS, {})) -> None:
        self.pass_results = pass_results
        self.eyes, self.threats, self.zones = _eyes(), threat_search(), zones()
        self.eyes.clear(position_after(()))
        self.found: dict[bytes, Optional[Won]] = {}
        self.nodes = self.limit = 0

    def win(self, position: Position, budget: int) -> Optional[Won]:
        """Win a position with Black to move, by searches within the budget."""
        self.limit = self.nodes + TOTAL * budget
        self.threats.set_position(position, bytearray(2))
        return self.by_threats(THREAT_NODES) or self.by_plan(position, budget)

    def by_threats(self, nodes: int) -> Optional[Won]:
        """Win the position of the threat search, with Black to move."""
        return (None, self.threats.tree(BLACK)[1]) if self.threats.wins(BLACK, nodes) else None

    def by_plan(self, position: Position, budget: int) -> Optional[Won]:
        """Win a position where few threats do not."""
        key = bytes(position.cells)
        if key not in self.found:
            self.found[key] = self.pass_results.still(key) or self._by_plan(position, budget)
        return self.found[key]

    def _by_plan(self, position: Position, budget: int) -> Optional[Won]:
        before = self.pass_results.without(bytes(position.cells))
        plan = before[0] if before else None
        move, score = self.eyes.best_of(position, budget, first=plan.move if plan else None)
        self.nodes += self.eyes.nodes
        if score <= WON or self.nodes > self.limit:
            return None
        self.threats.set_position(position, bytearray(2))
        won = None if plan else self.by_threats(LONG_THREAT_NODES)
        if won:
            return won
        self.threats.play(move, BLACK)
        if self.threats.wins(WHITE, WHITE_NODES):
            return None
        other = self.after_pass(position, move, min(budget, PASS_NODES))
        if other is None:
            return None
        refuted, left = self.answers(position, move, other[1])
        plans: dict[int, Optional[Plan]] = {}
        for answer in left:
            won = self.by_plan(after(position, move, answer), budget)
            if not won:
                return None
            refuted[answer] = won[1]
            if won[0]:
                plans[answer] = won[0]
        return Plan(move, plans, other[0]), joined(move, refuted, other[1])

    def after_pass(self, position: Position, move: int, budget: int) -> Optional[Won]:
        """Win after a move, which the threats are shown, and a pass."""
        won = self.by_threats(THREAT_NODES)
        if not won:
            won = self.by_plan(after(position, move, PASS), budget)
            self.threats.set_position(position, bytearray(2))
            self.threats.play(move, BLACK)
        return won

    def answers(self, position: Position, move: int, other: Optional[Reach]
                ) -> tuple[dict[int, Reach], list[int]]:
        """The answers that threats refute, and those left open, after a move that the threats are
        shown; without those outside the zone of what wins after a pass."""
        cells = bytearray(position.cells)
        cells[move] = BLACK
        points = (self.zones.zone(other, cells, BLACK) if other else
                  [point for point in position.lattice.points if cells[point] == EMPTY])
        refuted, left = dict[int, Reach](), list[int]()
        for answer in self.threats.order_for(WHITE, points):
            cells[answer] = WHITE
            stored = self.pass_results.still(bytes(cells))
            cells[answer] = EMPTY
            self.threats.play(answer, WHITE)
            won = stored if stored and not stored[0] else self.by_threats(THREAT_NODES)
            if won:
                refuted[answer] = won[1]
            else:
                left.append(answer)
            self.threats.take_back()
        return refuted, left

    def choice(self, position: Position, move: int) -> Choice:
        """A move, and the answers that it leaves open."""
        self.limit = self.nodes + TOTAL * LOOK_NODES
        self.threats.set_position(position, bytearray(2))
        self.threats.play(move, BLACK)
        if self.threats.wins(WHITE, WHITE_NODES):
            return Choice(move, (), lost=True)
        other = self.after_pass(position, move, LOOK_NODES)
        _, left = self.answers(position, move, other[1] if other else None)
        judged = [Open(answer, self.eyes.best_of(after(position, move, answer), JUDGE_NODES)[1])
                  for answer in left]
        return Choice(move, tuple(judged), other[0] if other else None)


def after(position: Position, move: int, answer: int) -> Position:
    """The position after a move of Black and an answer, which is left as it is itself."""
    later = position.copy()
    later.play(BLACK, move)
    later.play(WHITE, answer)
    return later


def position_after(moves: Sequence[int]) -> Position:
    """The position of Gomoku on 15x15 after these moves of the two colours in turns."""
    position = catalogue.start(catalogue.GOMOKU, SIZE)
    for move in moves:
        position.play(position.side, move)
    return position


@lru_cache(maxsize=None)
def threat_search() -> ThreatSearch:
    """That of this process."""
    return ThreatSearch(Settings(memory=1))


@lru_cache(maxsize=None)
def _eyes() -> _Eyes:
    return _Eyes(Settings(memory=MEMORY))


@lru_cache(maxsize=None)
def zones() -> Zones:
    """Those of Gomoku on 15x15."""
    return Zones(position_after(()).lattice)
