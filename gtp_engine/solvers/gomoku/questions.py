"""Questions to the workers of the proof of Gomoku, and their answers."""

from typing import Any, Iterator, Mapping, NamedTuple, Optional

from ...games.lattice import BLACK, PASS, WHITE
from ...games.rules import Position
from ...kernels.plane.proof_file import END, THREATS
from ...players.alphabeta.threat_search import CHECK_NODES
from ...players.base import candidates
from ...players.proofs.gomoku import NO_STONE
from ...players.proofs.win_trees import Reach, WinTree, joined
from .attacks import (
    BUDGETS,
    LOOK_NODES,
    Attack,
    Choice,
    PassResults,
    Plan,
    Won,
    after,
    position_after,
    threat_search,
    zones,
)
from .lines import Moves, listed_tree, text

ENTRY_NODES = 20_000  # of the search for threats that may save an entry
MOST_PASSED = 8  # positions after a pass that a worker remembers the wins of


class Question(NamedTuple):
    """A position after these moves of the two colours in turns.

    visits  how many attacks on it were in vain
    tried   the moves that were tried after these
    other   the plan that wins if White passes instead of the last move, if one is known
    """

    moves: tuple[int, ...]
    visits: int
    tried: tuple[int, ...] = ()
    other: Optional[Plan] = None


class Expansion(NamedTuple):
    """The result for a position: is it won, by threats or a plan, or how far did the move get?

    `left` says how many moves have not been tried.
    """

    won: bool
    plan: Optional[Plan] = None
    choice: Optional[Choice] = None
    left: int = 0


def expand(question: Question) -> Expansion:
    """Attack a position, harder with each visit.

    After as many visits as there are BUDGETS, choose another move than those that were tried.
    """
    attack, tried = Attack(_pass_results(question)), question.tried
    position = position_after(question.moves)
    if question.visits < len(BUDGETS):
        won = attack.win(position, BUDGETS[question.visits])
        return Expansion(won is not None, won[0] if won else None)
    move, _ = attack.eyes.best_of(position, LOOK_NODES if tried else BUDGETS[-1], tried)
    return Expansion(False, None, attack.choice(position, move),
                     len(candidates(position)) - len(tried) - 1)


class Line(NamedTuple):
    """An entry of a certificate.

    moves  of the two colours in turns, Black's last
    known  the answers with an entry of their own
    plans  by other answer the plan that wins, if threats do not
    other  the plan that wins after a pass, if threats do not
    """

    moves: tuple[int, ...]
    known: tuple[int, ...]
    plans: Mapping[int, Optional[Plan]]
    other: Optional[Plan]


class Refutation(NamedTuple):
    """What Black does after its move: trees that win after some answers, and the one that wins
    after all others except those with an entry of their own.

    answers  by the name of each answer its tree, as `listed_tree` has it
    other    the tree after all others; None if there is no such tree
    plans    by answer, those of answers that need an entry of their own besides the known ones
    refuted  the answers that lose to threats, if the tree after all others follows a plan
    numbers  of the entries of that plan, as `gomoku_proof` has them
    plies    of the longest win, White's answer included; 0 if there is no tree
    """

    answers: dict[str, Any]
    other: Any
    plans: dict[int, Plan]
    refuted: Moves
    numbers: tuple[int, ...]
    plies: int


def refute(line: Line) -> Refutation:
    """What wins after these moves and any answer but the known ones.

    Raises RuntimeError if there is an answer after which no win is found.
    """
    position = position_after(line.moves)
    position.play(WHITE, PASS)
    other = grown(position, line.other, {})
    if not other and not line.known:  # of a plan, where Black wins after a pass
        other = _attacked(position, {})
    answers = zones().zone(other.reach, position.cells, BLACK) if other else candidates(position)
    trees, plans = dict[int, WinTree](), dict[int, Plan]()
    for answer in answers:
        if answer not in line.known:
            plan, tree = line.plans.get(answer), None
            if plan:
                won = threat_search().win(_with(position, answer), ENTRY_NODES)
                plan, tree = (None, won[0]) if won else (plan, None)
            else:
                tree, _, plan = _answered(position, answer, None, {})
            if plan:
                plans[answer] = plan
            elif tree:
                trees[answer] = tree
    plies = [tree.plies() for tree in (*trees.values(), *((other.tree,) if other else ()))]
    by_plan = other and other.plan
    return Refutation(
        {text([answer]): listed_tree(tree) for answer, tree in trees.items()},
        other and listed_tree(other.tree), plans,
        tuple(trees) if by_plan else (),
        tuple(_numbers(other.plan, other.tree)) if other and other.plan else (),
        1 + max(plies) if plies else 0)


class Grown(NamedTuple):
    """A tree that wins, its reach, and its plan if it is not of threats alone."""

    tree: WinTree
    reach: Reach
    plan: Optional[Plan]


def grown(position: Position, plan: Optional[Plan], met: dict[bytes, Won]
          ) -> Optional[Grown]:
    """The tree of a plan, or of threats if there is none; Black is to move.

    What wins at each position of it is added to those that were met, by their cells.  What follows
    a pass may be another tree than the one that the plan was made with, and have another zone: then
    the plan is mended.  Raises RuntimeError if it cannot be.
    """
    if plan is None:
        won = threat_search().win(position, CHECK_NODES)
        found = Grown(*won, None) if won else None
    else:
        passed = after(position, plan.move, PASS)
        other = grown(passed, plan.other, met)
        if not other:
            raise RuntimeError("no win is found after a move of a plan and a pass")
        answers = {answer: _answered(passed, answer, plan.answers.get(answer), met)
                   for answer in zones().zone(other.reach, passed.cells, BLACK)}
        found = Grown(
            WinTree(plan.move, {answer: won.tree for answer, won in answers.items()}, other.tree),
            joined(plan.move, {answer: won.reach for answer, won in answers.items()}, other.reach),
            Plan(plan.move, {answer: won.plan for answer, won in answers.items()
                             if won.plan or other.plan}, other.plan))
    if found:
        met[bytes(position.cells)] = found.plan, found.reach
    return found


def _answered(passed: Position, answer: int, plan: Optional[Plan], met: dict[bytes, Won]
              ) -> Grown:
    # What wins if White, instead of a pass, has made this answer.
    position = _with(passed, answer)
    found = grown(position, plan, met) or _attacked(position, met)
    if not found:
        raise RuntimeError("no win is found after an answer to a move of a plan")
    return found


def _attacked(position: Position, met: dict[bytes, Won]) -> Optional[Grown]:
    # What wins where a plan says that threats do, but they are not found.
    won = Attack().win(position, BUDGETS[-1])
    return grown(position, won[0], met) if won else None


def _pass_results(question: Question) -> PassResults:
    # What wins without White's last stone, if that is known of the position before it.
    if not question.other:
        return PassResults(PASS, {})
    before = (*question.moves[:-1], PASS)
    if before not in _passed or _passed[before][0] != question.other:
        met: dict[bytes, Won] = {}
        grown(position_after(before), question.other, met)
        if len(_passed) == MOST_PASSED:
            del _passed[next(iter(_passed))]
        _passed[before] = question.other, met
    return PassResults(question.moves[-1], _passed[before][1])


_passed: dict[tuple[int, ...], tuple[Plan, dict[bytes, Won]]] = {}  # what wins after these moves


def _numbers(plan: Plan, tree: WinTree) -> Iterator[int]:
    # The entry of a plan that has this tree.
    number = position_after(()).lattice.points.index
    yield from (number(plan.move), tree.plies())
    for answer, below in plan.answers.items():
        yield number(answer)
        yield from _numbers(below, tree.answers[answer]) if below else (THREATS,)
    if plan.other and tree.other:
        yield NO_STONE
        yield from _numbers(plan.other, tree.other)
    yield END


def _with(position: Position, answer: int) -> Position:
    # One more white stone, Black to move.
    later = position.copy()
    later.set_side(WHITE)
    later.play(WHITE, answer)
    return later
