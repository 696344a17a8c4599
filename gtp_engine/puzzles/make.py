"""Finds puzzles in games.

A win is a puzzle if one first move wins in n plies by a proof and no other does: after each other
legal move some answer is found, or a win of the other side, such that the proofs by threats find no
win in n + MARGIN plies; and alpha-beta with CHECK_NODES nodes proves none of the LIKELY moves that
look best to win, in whatever number of plies.  A defence is a puzzle if the other side would win by
threats were it to move, it wins by a proof after every legal move but one, and alpha-beta with
HOLD_NODES nodes proves nothing after that one.  Positions in which somebody could win at once
are none, since they leave no choice.
"""

from random import Random
from typing import Iterator, NamedTuple, Optional

from ..games import catalogue
from ..games.lattice import opponent
from ..games.rules import Position, Rules
from ..players.alphabeta.threat_map import shape_of
from .proofs import LONGEST_WIN, Prover, Win
from .puzzle import CAPTURES, DEFENCE, FOURS, ROWS, THREATS, Puzzle, canonical

MARGIN = 4  # plies
CHECK_NODES, LIKELY = 20_000, 20
HOLD_NODES = 1_000_000
SHORTEST_WIN = 3  # plies
PER_GAME = 6  # puzzles
HINDRANCES = 6  # other last moves that are tried
LONGEST_THREAT = 11  # plies of the win that a defence holds off
QUIET = 4  # plies at the beginning of a game that are not looked at


class Game(NamedTuple):
    """The moves of a game, the kinds of puzzles that are wanted of it, and a seed."""

    rules: Rules
    size: int
    moves: tuple[int, ...]
    kinds: tuple[str, ...]
    seed: int


def puzzles_of(game: Game) -> list[Puzzle]:
    """The puzzles of a game, at most PER_GAME, in an order that the seed decides.

    The right move of one is not among the moves of another one's solution.
    """
    prover, rng = Prover(game.rules), Random(game.seed)
    plies = [*range(QUIET, len(game.moves))]
    rng.shuffle(plies)
    found: list[Puzzle] = []
    for ply in plies:
        position = catalogue.start(game.rules, game.size)
        for point in game.moves[:ply]:
            position.play(position.side, point)
        if position.outcome or len(found) == PER_GAME:
            break
        puzzle = puzzle_near(prover, position, game, rng)
        if puzzle and not any(puzzle.line[0] in other.line or other.line[0] in puzzle.line
                              for other in found):
            found.append(puzzle)
    return found


def puzzle_near(prover: Prover, position: Position, game: Game, rng: Random) -> Optional[Puzzle]:
    """The puzzle in a position of the game, or in one with another last move that hinders the win
    there."""
    prover.forget(position)
    if somebody_wins_at_once(prover, position):
        return None
    threes = not {THREATS, CAPTURES}.isdisjoint(game.kinds)
    win = prover.win(position, LONGEST_WIN, threes)
    if win is None:
        return defence_at(prover, position) if DEFENCE in game.kinds else None
    found = win_at(prover, position, win, game)
    last = position.history[-1].point
    position.undo()
    for move in rng.sample(win.line, min(len(win.line), HINDRANCES)):
        if found or move == last or position.complaint(position.side, move):
            continue
        position.play(position.side, move)
        other = None if position.outcome or somebody_wins_at_once(prover, position) else (
            prover.win(position, LONGEST_WIN, threes))
        if other:
            found = win_at(prover, position, other, game)
        position.undo()
    return found


def somebody_wins_at_once(prover: Prover, position: Position) -> bool:
    """Could the side to move win at once, or the other side if it were to move?"""
    return any(prover.win(each, 1) for each in (position, passed(position)))


def passed(position: Position) -> Position:
    """The same with the other side to move."""
    other = position.copy()
    other.set_side(opponent(position.side))
    return other


def win_at(prover: Prover, position: Position, win: Win, game: Game) -> Optional[Puzzle]:
    """The puzzle in a position that is won so, if it is one."""
    kind = kind_of(position, win)
    if win.plies < SHORTEST_WIN or kind not in game.kinds or not is_only_win(
            prover, position, win):
        return None
    return puzzle(position, kind, win.plies, false_tries(position, win.line[0]), win.line)


def kind_of(position: Position, win: Win) -> str:
    """The class of a win."""
    if position.rules.row_fills_board():
        return ROWS
    if position.rules.capture_lengths and captures_in(position, win.line):
        return CAPTURES
    return FOURS if win.fours else THREATS


def captures_in(position: Position, line: tuple[int, ...]) -> bool:
    """Does the side to move capture stones in this line?"""
    game = position.copy()
    for point in line:
        game.play(game.side, point)
    return game.captured[position.side] > position.captured[position.side]


def is_only_win(prover: Prover, position: Position, win: Win) -> bool:
    """Is the first move the only one that wins, as far as that is searched for?"""
    side, most = position.side, min(win.plies + MARGIN, LONGEST_WIN) - 2
    others = [move for move in prover.order(position) if move != win.line[0]]
    answers = [*win.line]
    for move in others:
        position.play(side, move)
        held = (position.outcome is None and prover.win(position, 1) is not None
                and position.side) or prover.is_held(position, most, answers)
        position.undo()
        if held is None:
            return False
        if held in answers:
            answers.remove(held)
        answers.insert(0, held)
    for move in others[:LIKELY]:
        position.play(side, move)
        wins = prover.proved(position, CHECK_NODES) == -1
        position.undo()
        if wins:
            return False
    return True


def false_tries(position: Position, right: int) -> int:
    """How many other moves of the side to move threaten something."""
    return sum(shape_of(position, position.side, move) is not None
               for move in position.legal_moves() if move != right)


def defence_at(prover: Prover, position: Position) -> Optional[Puzzle]:
    """The puzzle in a position without a win by fours, if all moves but one lose."""
    threat = prover.win(passed(position), LONGEST_THREAT, threes=False)
    if threat is None or threat.plies < SHORTEST_WIN or prover.win(position):
        return None
    right, tries = None, 0
    for move, win in prover.answers(position, LONGEST_WIN, (*threat.line, *prover.order(position))):
        if win is None and right is not None:
            return None
        if win is None:
            right = move
        else:
            tries += win.plies > threat.plies
    if right is None:
        return None
    position.play(position.side, right)
    holds = prover.proved(position, HOLD_NODES) == 0
    position.undo()
    return puzzle(position, DEFENCE, threat.plies, tries, (right,)) if holds else None


def puzzle(position: Position, kind: str, plies: int, tries: int, line: tuple[int, ...]) -> Puzzle:
    """The puzzle in a position that was reached by moves alone."""
    return Puzzle(kind, plies, tries, position.rules, position.lattice.shown_size,
                  tuple(record.point for record in position.history), line)


def without_doubles(puzzles: Iterator[Puzzle], known: set[tuple[bytes, bytes, int]]
                    ) -> Iterator[Puzzle]:
    """The puzzles whose positions are not known, up to symmetry; those become known."""
    for each in puzzles:
        key = canonical(each.position())
        if key not in known:
            known.add(key)
            yield each
