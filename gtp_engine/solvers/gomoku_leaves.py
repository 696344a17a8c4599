"""What a worker of the proof of Gomoku finds out about one position with Black to move."""

from functools import lru_cache
from typing import NamedTuple, Optional, Sequence

from ..games import catalogue
from ..games.lattice import BLACK, WHITE
from ..games.rules import Position
from ..kernels.control import MATE
from ..players.base import Settings, candidates
from .threat_trees import ThreatSearch, ThreatTree, Zones

SIZE = 15
MEMORY = 1  # MB of the transposition table, which is emptied for every position
WIN_NODES = 30_000  # of the search for threats in the position itself
PASS_NODES = 6_000  # after a move of Black and a pass
ANSWER_NODES = 3_000  # after a move of Black and an answer
WHITE_NODES = 1_000  # of the search for threats of White
LOOK_NODES = 8_000  # of the search for Black's most promising move
CHECK_NODES = 1_000_000  # of each search of `refute`
JUDGE_NODES = 500  # of the search that says how hard an open answer is
WIDTH = 3  # moves that are tried at a time
MANY = 6  # answers left open beyond those of the best move, after which a move is given up
CHOSEN = 10  # moves that a short search compares


class Open(NamedTuple):
    """An answer that threats do not refute, and the score of Black after it by a short search."""

    point: int
    score: int


class Choice(NamedTuple):
    """A move of Black, and the answers that threats do not refute, those that look best first.

    If it is not `complete`, there may be more of them, and it is no part of a proof; it is quiet if
    there are none, since nothing that Black threatens by it was found.  It is `lost` if White wins
    by threats.
    """

    point: int
    open: tuple[Open, ...]
    complete: bool
    lost: bool = False


class Expansion(NamedTuple):
    """What is known of a position: does Black win by threats; if not, what of some moves?

    `left` says how many moves have not been tried.
    """

    won: bool
    choices: tuple[Choice, ...] = ()
    left: int = 0


def expand(moves: Sequence[int], hints: Sequence[int], tried: Sequence[int],
           only: Optional[int]) -> Expansion:
    """Try some moves of Black in the position after these moves of the two colours in turns.

    These are, if some have been `tried`, `only` this one or the next that look best; otherwise, if
    threats alone do not win, the hints and those that look best.
    """
    search, position = _search(), position_after(moves)
    search.show(position, bytearray(2))
    trial, found = _Trial(search, position), list[Choice]()
    if only is not None:
        return Expansion(False, (trial.choice(only, position.vacant),))
    if not tried and search.wins(BLACK, WIN_NODES):
        return Expansion(True)
    order = search.order([move for move in candidates(position) if move not in tried])
    first = [hint for hint in hints if hint in order]
    if len(order) > 1 and not tried:
        first.append(search.promising(order, LOOK_NODES)[0])
    rest = [move for move in order if move not in first][:CHOSEN]
    order = first + sorted(rest, key=trial.score, reverse=True) + order
    order = list(dict.fromkeys(order))
    most = position.vacant - 2
    for move in order[:max(WIDTH, len(first))]:
        found.append(trial.choice(move, most))
        if is_proof(found[-1]):
            break
        if found[-1].complete and not found[-1].lost:
            most = min(most, len(found[-1].open) + MANY)
    return Expansion(False, tuple(found), len(order) - len(found))


def is_proof(choice: Choice) -> bool:
    """Does this move win after every answer?"""
    return choice.complete and not choice.lost and not choice.open


class _Trial:
    # Tries moves of Black in a position that is shown to a search.

    def __init__(self, search: ThreatSearch, position: Position):
        self.search, self.position = search, position
        self.judge, self.zones = _judge(), zones()

    def choice(self, move: int, most: int) -> Choice:
        """A move; it is given up if it leaves more than so many answers open, or is quiet."""
        search = self.search
        search.play(move, BLACK)
        try:
            if search.wins(WHITE, WHITE_NODES):
                return Choice(move, (), True, True)
            answers = search.order_for(
                WHITE, [point for point in candidates(self.position) if point != move])
            quiet, found = not search.wins(BLACK, PASS_NODES), list[Open]()
            if quiet and most < len(answers):
                return Choice(move, (), False)
            for answer in answers if quiet else self.zone(move, answers):
                search.play(answer, WHITE)
                won = not quiet and search.wins(BLACK, ANSWER_NODES)
                search.take_back()
                if not won:
                    found.append(Open(answer, 0 if quiet else self.score(move, answer)))
                    if len(found) > most:
                        return Choice(move, tuple(found), False)
            return Choice(move, tuple(found), True)
        finally:
            search.take_back()

    def zone(self, move: int, answers: list[int]) -> list[int]:
        """Those answers to a move that Black's win after a pass says nothing of."""
        cells = self.position.cells[:]
        cells[move] = BLACK
        zone = self.zones.zone(self.search.tree(BLACK), cells, BLACK)
        return [answer for answer in answers if answer in zone]

    def score(self, move: int, answer: Optional[int] = None) -> int:
        """The score of Black after a move, and perhaps an answer, by a short search."""
        after = self.position.copy()
        after.play(BLACK, move)
        if answer is not None:
            after.play(WHITE, answer)
        if after.outcome:
            return MATE if after.outcome.winner == BLACK else 0
        self.judge.show(after, bytearray(2))
        _, score = self.judge.promising(candidates(after), JUDGE_NODES)
        return score if after.side == BLACK else -score


class Refutation(NamedTuple):
    """What Black does after its move: a tree that wins after each of some answers, and the one that
    wins after all others except those with an entry of their own; None if there are no others."""

    answers: dict[int, ThreatTree]
    other: Optional[ThreatTree]

    @property
    def plies(self) -> int:
        """The plies of the longest win, White's answer included; 0 if threats win after none."""
        trees = [*self.answers.values(), *((self.other,) if self.other else ())]
        return 1 + max(tree.plies() for tree in trees) if trees else 0


def refute(moves: Sequence[int], known: Sequence[int]) -> Refutation:
    """What threats do after these moves, White to answer, and any answer but the known ones.

    Raises RuntimeError if there is an answer that no search for threats refutes.
    """
    search, position = _search(), position_after(moves)
    search.show(position, bytearray(2))
    others = [point for point in candidates(position) if point not in known]
    other = None
    if search.wins(BLACK, CHECK_NODES):
        other = search.tree(BLACK)
        zone = zones().zone(other, position.cells, BLACK)
        others = [point for point in others if point in zone]
    answers = {}
    for answer in others:
        search.play(answer, WHITE)
        if not search.wins(BLACK, CHECK_NODES):
            raise RuntimeError(f"no win by threats after {answer}")
        answers[answer] = search.tree(BLACK)
        search.take_back()
    return Refutation(answers, other)


def position_after(moves: Sequence[int]) -> Position:
    """The position of Gomoku on 15x15 after these moves of the two colours in turns."""
    position = catalogue.start(catalogue.GOMOKU, SIZE)
    for move in moves:
        position.play(position.side, move)
    return position


@lru_cache(maxsize=None)
def _search() -> ThreatSearch:
    return ThreatSearch(Settings(memory=MEMORY))


@lru_cache(maxsize=None)
def _judge() -> ThreatSearch:
    return ThreatSearch(Settings(memory=MEMORY))


@lru_cache(maxsize=None)
def zones() -> Zones:
    """Those of Gomoku on 15x15."""
    return Zones(position_after(()).lattice)
