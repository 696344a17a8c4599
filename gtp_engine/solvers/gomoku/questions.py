"""Tasks of the workers that prove Gomoku, and their results."""

from functools import lru_cache
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Sequence

from ...games.lattice import BLACK, PASS, WHITE
from ...games.rules import Position
from ...kernels.plane.proof_file import END, THREATS
from ...kernels.plane.state import LONGEST_PATH
from ...players.alphabeta.threat_search import CHECK_NODES
from ...players.base import candidates
from ...players.proofs.win_trees import Reach, WinTree, joined
from .attacks import BUDGETS, LOOK_NODES, WHITE_NODES, Attack, Choice, PassResults, Plan, Win, after
from .board import Moves, lattice_of, long_threat_search, position_after, text, threat_search, zones
from .entries import Board
from .lines import listed_tree

ENTRY_NODES = 40_000  # of the search for threats that make an entry unnecessary
LONG_CHECK_NODES = 2_000_000  # of a search for a shorter win
MOST_PASSED = 8  # positions after a pass whose wins a worker caches


class Question(NamedTuple):
    """A position to attack.

    board   the game and size of the proof
    moves   the alternating moves that lead to it
    visits  the number of failed attacks on it
    tried   the moves that were tried in it
    other   a plan that wins if White passes instead of the last move, or None
    """

    board: Board
    moves: tuple[int, ...]
    visits: int
    tried: tuple[int, ...] = ()
    other: Optional[Plan] = None


class Expansion(NamedTuple):
    """The result for a position.

    won     do threats or the plan win?
    plan    the winning plan; None if threats win
    choice  the next move to try, after all attacks have failed
    left    the number of untried moves
    """

    won: bool
    plan: Optional[Plan] = None
    choice: Optional[Choice] = None
    left: int = 0


def expand(question: Question) -> Expansion:
    """Attack a position, with more nodes at each visit.

    After the last budget, choose a move that was not tried.
    """
    attack, tried = Attack(question.board, _pass_results(question)), question.tried
    position = position_after(question.board, question.moves)
    if question.visits < len(BUDGETS):
        win = attack.win(position, BUDGETS[question.visits])
        return Expansion(win is not None, win[0] if win else None)
    move, _ = attack.move_search.best_of(position, LOOK_NODES if tried else BUDGETS[-1], tried)
    return Expansion(False, None, attack.choice(position, move),
                     len(candidates(position)) - len(tried) - 1)


class Line(NamedTuple):
    """An entry of a certificate.

    moves  the alternating moves, Black's last
    plans  by answer, a winning plan, which becomes an entry if threats do not win
    other  the winning plan after a pass, if threats do not win
    plies  wins after an answer should take at most these plies

    The names of this class and of Plan are part of a file format: EntryFile hashes their repr.
    """

    moves: tuple[int, ...]
    plans: Mapping[int, Optional[Plan]]
    other: Optional[Plan]
    plies: int


class Refutation(NamedTuple):
    """The wins of Black after all answers without an entry of their own.

    answers  the tree by name of the answer, in the format of `listed_tree`
    other    the tree after all other answers, or None
    plans    the plan by answer, for additional answers that need an entry of their own
    refuted  the answers that lose to threats, if `other` follows a plan
    numbers  the entries of that plan, as numbers of the proof file
    plies    plies of the longest win, White's answer included; 0 without a tree
    open     the answers after which no win was found
    """

    answers: dict[str, Any]
    other: Any
    plans: dict[int, Plan]
    refuted: Moves
    numbers: tuple[int, ...]
    plies: int
    open: Moves


class Grown(NamedTuple):
    """A winning tree, its reach, and its plan unless threats alone win."""

    tree: WinTree
    reach: Reach
    plan: Optional[Plan]


def refute(board: Board, line: Line, with_trees: bool) -> Refutation:
    """Search for wins after all answers to a line; without trees, the result has none."""
    position = position_after(board, line.moves)
    position.play(WHITE, PASS)
    other = after_pass(board, position, line)
    answers = (zones(board).zone(other.reach, position.cells, BLACK) if other
               else candidates(position))
    # If threats win after a pass, the search still has the results of that win.
    search, by_threats = threat_search(board), other is not None and other.plan is None
    plies, trees = dict[int, int](), dict[int, WinTree]()
    for answer in answers:
        nodes = ENTRY_NODES if line.plans.get(answer) else CHECK_NODES
        win = (search.win_after(answer, nodes, line.plies) if by_threats else
               search.win(with_answer(position, answer), nodes, line.plies))
        if win:
            plies[answer] = win.plies
            if with_trees:
                trees[answer] = win.tree
    plans, unproved = dict[int, Plan](), list[int]()
    for answer in answers:
        longest, plan = plies.get(answer), line.plans.get(answer)
        if longest and longest <= line.plies:
            continue
        if not plan:
            later = with_answer(position, answer)
            plan = first_move(board, later, line.plies)
            found = None if plan else attacked(board, later, {}, BUDGETS[:1], line.plies)
            if found and (not longest or found.tree.plies() < longest):
                plies[answer], trees[answer], plan = found.tree.plies(), found.tree, found.plan
        if plan:
            plies.pop(answer, None)
            trees.pop(answer, None)
            plans[answer] = plan
        elif answer not in plies:
            unproved.append(answer)
    lengths = [*plies.values(), *([other.tree.plies()] if other else [])]
    by_plan = other and other.plan
    return Refutation(
        {text(board, [answer]): listed_tree(board, tree) for answer, tree in trees.items()
         if with_trees},
        listed_tree(board, other.tree) if other and with_trees else None, plans,
        tuple(plies) if by_plan else (),
        tuple(plan_numbers(board, other.plan, other.tree)) if other and other.plan else (),
        1 + max(lengths) if lengths else 0, tuple(unproved))


def after_pass(board: Board, position: Position, line: Line) -> Optional[Grown]:
    """Return the win after a pass: by threats, or by the plan of the line, or by a new plan.

    Threats that take too long give way to a shorter plan.
    """
    threats = _by_threats(board, position, line.plies)
    if threats and threats.tree.plies() <= line.plies:
        return threats
    try:
        if line.other and not threats:
            return grown(board, position, line.other, {})
    except RuntimeError:  # the plan is advice from another board
        pass
    found = attacked(board, position, {}, BUDGETS[:1], line.plies)
    if threats and (not found or threats.tree.plies() <= found.tree.plies()):
        return _by_threats(board, position, line.plies)  # the search needs its results
    return found


def _by_threats(board: Board, position: Position, plies: int) -> Optional[Grown]:
    # The win by threats, in at most `plies` plies if the search finds one.
    win = threat_search(board).win(position, CHECK_NODES, plies)
    return Grown(win.tree, win.reach, None) if win else None


def grown(board: Board, position: Position, plan: Optional[Plan], wins: dict[bytes, Win]
          ) -> Optional[Grown]:
    """Build the tree of a plan, or of threats without a plan; Black is to move.

    Adds the win of each position of the tree to `wins`, by its cells.  The tree after a pass, and
    so its zone, may differ from that of the search for the plan.  Then the plan is repaired.
    Raises RuntimeError if that fails.
    """
    if plan is None:
        result = _by_threats(board, position, LONGEST_PATH)
    else:
        passed = after(position, plan.move, PASS)
        other = grown(board, passed, plan.other, wins)
        if not other:
            raise RuntimeError("no win found after a move of a plan and a pass")
        answers = {answer: _answered(board, passed, answer, plan.answers.get(answer), wins)
                   for answer in zones(board).zone(other.reach, passed.cells, BLACK)}
        result = moved(plan.move, answers, other)
    if result:
        wins[bytes(position.cells)] = result.plan, result.reach
    return result


def moved(move: int, answers: Mapping[int, Grown], other: Grown) -> Grown:
    """Return the win by a move, from those after the answers in its zone and after a pass."""
    return Grown(
        WinTree(move, {answer: win.tree for answer, win in answers.items()}, other.tree),
        joined(move, {answer: win.reach for answer, win in answers.items()}, other.reach),
        Plan(move, {answer: win.plan for answer, win in answers.items()
                    if win.plan or other.plan}, other.plan))


def _answered(board: Board, passed: Position, answer: int, plan: Optional[Plan],
              wins: dict[bytes, Win]) -> Grown:
    # The win if White plays this answer instead of the pass.
    position = with_answer(passed, answer)
    result = grown(board, position, plan, wins) or attacked(board, position, wins)
    if not result:
        raise RuntimeError("no win found after an answer to a move of a plan")
    return result


def attacked(board: Board, position: Position, wins: dict[bytes, Win],
             budgets: Sequence[int] = BUDGETS, plies: int = LONGEST_PATH) -> Optional[Grown]:
    """Return the win by the first attack that succeeds, or None."""
    found = (Attack(board).win(position, budget, plies) for budget in budgets)
    win = next(filter(None, found), None)
    return grown(board, position, win[0], wins) if win else None


@lru_cache(maxsize=None)
def loses(board: Board, moves: Moves, move: int) -> bool:
    """Does White win by threats after these moves and a move of Black?"""
    search = threat_search(board)
    search.set_position(position_after(board, moves), bytearray(2))
    search.play(move, BLACK)
    return search.wins(WHITE, WHITE_NODES)


def shorter_win(board: Board, last: int, moves: Moves, plies: int) -> Optional[Plan]:
    """Search for a win on ply `last` of the game, or at least one of fewer than `plies` plies.

    Returns its plan, or its first move as a plan; None if it finds none.
    """
    position, goal = position_after(board, moves), last - len(moves)
    plan = first_move(board, position, goal)
    found = None if plan else attacked(board, position, {}, BUDGETS[:2], goal)
    if found and found.tree.plies() < plies:
        return found.plan or Plan(found.tree.move, {}, None)
    return plan


def first_move(board: Board, position: Position, plies: int) -> Optional[Plan]:
    """Return the first move of a win by threats, of at most `plies` plies, by a long search."""
    search = long_threat_search(board)
    search.set_position(position, bytearray(2))
    win = search.found(BLACK) if search.wins(BLACK, LONG_CHECK_NODES, plies) else None
    return Plan(win.tree.move, {}, None) if win and win.plies <= plies else None


def _pass_results(question: Question) -> PassResults:
    # The wins without White's last stone, by the plan of the question.
    if not question.other:
        return PassResults(PASS, {})
    board, before = question.board, (*question.moves[:-1], PASS)
    key = board, before
    if key not in _passed or _passed[key][0] != question.other:
        wins: dict[bytes, Win] = {}
        grown(board, position_after(board, before), question.other, wins)
        if len(_passed) == MOST_PASSED:
            del _passed[next(iter(_passed))]
        _passed[key] = question.other, wins
    return PassResults(question.moves[-1], _passed[key][1])


_passed: dict[tuple[Board, Moves], tuple[Plan, dict[bytes, Win]]] = {}  # wins by moves


def plan_numbers(board: Board, plan: Plan, tree: WinTree) -> Iterator[int]:
    """Yield the entry of a plan with this tree, as numbers of the proof file."""
    points = lattice_of(board).points
    yield from (points.index(plan.move), tree.plies())
    for answer, below in plan.answers.items():
        yield points.index(answer)
        yield from plan_numbers(board, below, tree.answers[answer]) if below else (THREATS,)
    if plan.other and tree.other:
        yield len(points)
        yield from plan_numbers(board, plan.other, tree.other)
    yield END


def with_answer(position: Position, answer: int) -> Position:
    """Return the position with one more white stone, Black to move."""
    later = position.copy()
    later.set_side(WHITE)
    later.play(WHITE, answer)
    return later
