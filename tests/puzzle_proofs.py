"""Slow proofs of puzzles: rules in plain Python, every answer of the other side."""

from gtp_engine.games.lattice import EMPTY, opponent

BUDGET = 1500  # positions of a proof


def winning(position, side):
    """The points on which that side would win at once."""
    return {point for point in position.lattice.points
            if position.cells[point] == EMPTY and not position.forbidden(side, point)
            and position.wins(side, point)}


def is_forced(puzzle):
    """Is the solution a proof by itself: does each move but the last one threaten to win at once,
    so that the other side, which could not win either, had no other answer?"""
    position = puzzle.position()
    side = position.side
    for number, point in enumerate(puzzle.line):
        if number % 2 == 0:
            if position.wins(side, point):
                return number + 1 == len(puzzle.line) == puzzle.plies
        else:
            threats = winning(position, side)
            if not threats or winning(position, opponent(side)):
                return False
            if len(threats) == 1 and point not in threats and any(
                    position.complaint(position.side, move) is None for move in threats):
                return False
        position.play(position.side, point)
    return False


def is_won(puzzle, prover, budget=BUDGET):
    """Does the first move win in the plies of the puzzle against every answer?

    The prover only proposes the winner's later moves.  None if that takes more positions.
    """
    position, left = puzzle.position(), [budget]
    side = position.side
    position.play(side, puzzle.line[0])
    return _beats_all(position, side, prover, puzzle.plies - 1, left)


def _beats_all(position, side, prover, plies, left):
    for answer in answers(position, side):
        position.play(position.side, answer)
        won = position.outcome is None and _wins(position, side, prover, plies - 1, left)
        position.undo()
        if not won:
            return won
    return True


def _wins(position, side, prover, plies, left):
    left[0] -= 1
    if left[0] < 0:
        return None
    if winning(position, side):
        return plies >= 1
    prover.reset(position)
    win = prover.win(position, plies)
    if win is None or win.plies > plies:
        return False
    position.play(side, win.line[0])
    won = _beats_all(position, side, prover, plies - 1, left)
    position.undo()
    return won


def answers(position, side):
    """The moves by which the side to move wins at once or, if there are none, all that could matter
    against `side`: where that could win at once and nothing is captured, those that stop it."""
    at_once = winning(position, position.side)
    if at_once:
        return [*at_once]
    threats, legal = winning(position, side), position.legal_moves()
    if threats and not position.rules.capture_lengths:
        return [move for move in legal if move in threats]
    return legal
