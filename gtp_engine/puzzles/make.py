"""Search for puzzles in the positions of games.

A win is a puzzle if the right move has a proved win in n plies, and no other move wins.  Two tests
check that.  Against each other move, some answer leaves no win by threats in n + MARGIN plies, or
wins itself.  And alpha-beta with CHECK_NODES nodes proves no win of any length for the LIKELY most
promising other moves.

A defence is a puzzle if the other side threatens to win, and has a proved win after every legal
move but one.  After that move alpha-beta with HOLD_NODES nodes proves nothing.

A position in which either side could win at once is no puzzle, since it leaves no choice.
"""

from random import Random
from typing import Iterator, NamedTuple, Optional

from ..games import catalogue
from ..games.lattice import Size, opponent
from ..games.rules import Position, Rules
from ..players.alphabeta.threat_map import shape_of
from .proofs import LONGEST_WIN, Prover, Win
from .puzzle import CAPTURES, DEFENCE, FOURS, ROWS, THREATS, Puzzle, canonical_key

MARGIN = 4  # plies
CHECK_NODES, LIKELY = 20_000, 20
HOLD_NODES = 1_000_000
SHORTEST_WIN = 3  # plies
PER_GAME = 6  # puzzles
HINDRANCES = 6  # replacements of the last move to try
LONGEST_THREAT = 11  # plies of the win that a defence prevents
QUIET = 4  # plies to skip at the beginning of a game


class Game(NamedTuple):
    """The moves of a game, the kinds of puzzles to search for, and a seed."""

    rules: Rules
    size: Size
    moves: tuple[int, ...]
    kinds: tuple[str, ...]
    seed: int


def puzzles_of(game: Game) -> list[Puzzle]:
    """Search a game for at most PER_GAME puzzles, in random order by the seed.

    No solution contains the right move of another puzzle.
    """
    prover, rng = Prover(game.rules), Random(game.seed)
    plies = [*range(QUIET, len(game.moves))]
    rng.shuffle(plies)
    puzzles: list[Puzzle] = []
    for ply in plies:
        position = catalogue.start(game.rules, game.size)
        for point in game.moves[:ply]:
            position.play(position.side, point)
        if position.outcome or len(puzzles) == PER_GAME:
            break
        puzzle = puzzle_near(prover, position, game, rng)
        if puzzle and not any(puzzle.line[0] in other.line or other.line[0] in puzzle.line
                              for other in puzzles):
            puzzles.append(puzzle)
    return puzzles


def puzzle_near(prover: Prover, position: Position, game: Game, rng: Random) -> Optional[Puzzle]:
    """The puzzle in a position of the game, or in one with another last move that hinders the win.
    """
    prover.reset(position)
    if has_immediate_win(prover, position):
        return None
    threes = not {THREATS, CAPTURES}.isdisjoint(game.kinds)
    win = prover.win(position, LONGEST_WIN, threes)
    if win is None:
        return defence_at(prover, position) if DEFENCE in game.kinds else None
    puzzle = win_at(prover, position, win, game)
    last = position.history[-1].point
    position.undo()
    for move in rng.sample(win.line, min(len(win.line), HINDRANCES)):
        if puzzle or move == last or position.complaint(position.side, move):
            continue
        position.play(position.side, move)
        other = None if position.outcome or has_immediate_win(prover, position) else (
            prover.win(position, LONGEST_WIN, threes))
        if other:
            puzzle = win_at(prover, position, other, game)
        position.undo()
    return puzzle


def has_immediate_win(prover: Prover, position: Position) -> bool:
    """Return whether either side, if to move, could win at once."""
    return any(prover.win(each, 1) for each in (position, with_other_side(position)))


def with_other_side(position: Position) -> Position:
    """A copy of the position with the other side to move."""
    other = position.copy()
    other.set_side(opponent(position.side))
    return other


def win_at(prover: Prover, position: Position, win: Win, game: Game) -> Optional[Puzzle]:
    """The puzzle for a win in a position; None if it does not qualify."""
    kind = kind_of(position, win)
    if win.plies < SHORTEST_WIN or kind not in game.kinds or not is_only_win(
            prover, position, win):
        return None
    return puzzle_of(position, kind, win.plies, false_tries(position, win.line[0]), win.line)


def kind_of(position: Position, win: Win) -> str:
    """The class of a win."""
    if position.rules.row_fills_board():
        return ROWS
    if position.rules.capture_lengths and captures_in(position, win.line):
        return CAPTURES
    return FOURS if win.fours else THREATS


def captures_in(position: Position, line: tuple[int, ...]) -> bool:
    """Return whether the side to move captures stones in a line."""
    game = position.copy()
    for point in line:
        game.play(game.side, point)
    return game.captured[position.side] > position.captured[position.side]


def is_only_win(prover: Prover, position: Position, win: Win) -> bool:
    """Return whether the searches find no other winning move; see the tests at the top."""
    side, most = position.side, min(win.plies + MARGIN, LONGEST_WIN) - 2
    others = [move for move in prover.order(position) if move != win.line[0]]
    answers = [*win.line]
    for move in others:
        position.play(side, move)
        defence = (position.outcome is None and prover.win(position, 1) is not None
                   and position.side) or prover.defence(position, most, answers)
        position.undo()
        if defence is None:
            return False
        if defence in answers:
            answers.remove(defence)
        answers.insert(0, defence)
    for move in others[:LIKELY]:
        position.play(side, move)
        wins = prover.proved_value(position, CHECK_NODES) == -1
        position.undo()
        if wins:
            return False
    return True


def false_tries(position: Position, right: int) -> int:
    """The number of other moves of the side to move that make a threat."""
    return sum(shape_of(position, position.side, move) is not None
               for move in position.legal_moves() if move != right)


def defence_at(prover: Prover, position: Position) -> Optional[Puzzle]:
    """The puzzle in a position without a proved win, if all moves but one lose."""
    threat = prover.win(with_other_side(position), LONGEST_THREAT, threes=False)
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
    holds = prover.proved_value(position, HOLD_NODES) == 0
    position.undo()
    return puzzle_of(position, DEFENCE, threat.plies, tries, (right,)) if holds else None


def puzzle_of(position: Position, kind: str, plies: int, tries: int, line: tuple[int, ...]
              ) -> Puzzle:
    """The puzzle of a position that was reached by moves alone."""
    return Puzzle(kind, plies, tries, position.rules, position.lattice.display_size,
                  tuple(record.point for record in position.history), line)


def without_duplicates(puzzles: Iterator[Puzzle], keys: set[tuple[bytes, bytes, int]]
                       ) -> Iterator[Puzzle]:
    """The puzzles with new positions up to symmetry; adds the keys of these to `keys`."""
    for each in puzzles:
        key = canonical_key(each.position())
        if key not in keys:
            keys.add(key)
            yield each
