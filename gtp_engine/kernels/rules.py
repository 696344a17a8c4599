"""The rules of a game for the kernels: numbers, captures, restricted openings.

Colours are 0 (first) and 1 (second) here.
"""

from . import inlined, kernel

# Entries of `game`, int64[9]:
#
# EXACT       do only rows of exactly five win?
# PAIRS, TRIPLES   are pairs, and triples, captured?
# TARGET      captured stones that win, or 0
# CENTRE      restricted stones of the opening
# CARO        do five between two stones of the opponent not win?
# BLOCK_FOUR  does the playout policy block open fours?
# RENJU       are there forbidden points, and does EXACT hold for the first colour only?
# ROW         cells in a row of the board
EXACT, PAIRS, TRIPLES, TARGET, CENTRE, CARO, BLOCK_FOUR, RENJU, ROW = range(9)

# First entries of a board's state: the number of empty points; at CAPTURED + colour the number of
# stones captured by the colour; the plies of a restricted opening (-1: free); its first stone.
FREE, CAPTURED, _, OPENING, FIRST_STONE = range(5)


@inlined
def taken(cells, steps, game, point, colour, out):
    """Put the stones that `colour` captures on the empty `point` into `out`; their number."""
    n = 0
    own, other = colour + 1, 2 - colour
    for step in steps:
        if cells[point + step] == other and cells[point + 2 * step] == other:
            third = cells[point + 3 * step]
            length = 0
            if third == own:
                length = 2 * game[PAIRS]
            elif game[TRIPLES] and third == other and cells[point + 4 * step] == own:
                length = 3
            for i in range(length):
                out[n] = point + (i + 1) * step
                n += 1
    return n


@inlined
def exact(game, colour):
    """Does `colour` win by exactly five in a row only?"""
    return game[EXACT] and not (game[RENJU] and colour)


@kernel
def wins(state, cells, steps, game, point, colour, scratch):
    """Does a stone of `colour` on `point`, whose cell is empty, win?  Reads cells, not words."""
    own = colour + 1
    axes = steps.size // 2
    for a in range(axes):
        run, blocked = 1, 0
        for i in range(2):
            step = steps[a + i * axes]
            cell = point + step
            while cells[cell] == own:
                run += 1
                cell += step
            blocked += cells[cell] == 2 - colour
        if run == 5 and not (game[CARO] and blocked == 2) or run > 5 and not exact(game, colour):
            return True
    return game[TARGET] > 0 and (
        state[CAPTURED + colour] + taken(cells, steps, game, point, colour, scratch)
        >= game[TARGET])


@inlined
def breakable(game):
    """Can a reply off the winning point stop a threat, by a capture or at the row's ends?"""
    return game[TARGET] > 0 or game[CARO] > 0


@inlined
def allowed(state, middle, game, point, colour):
    """Does a restricted opening let `colour` play on the empty `point`?"""
    opening = state[OPENING]
    if colour or opening != 0 and (opening != 2 or game[CENTRE] < 2):
        return True
    if opening == 0:
        for near in middle:
            if near == point:
                return True
        return False
    row, first = game[ROW], state[FIRST_STONE]
    return abs(point // row - first // row) > 2 or abs(point % row - first % row) > 2
