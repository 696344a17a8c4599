"""The rules of a game as the kernels see them: numbers, captures, restricted openings.

Colours are 0 (first) and 1 (second) here.
"""

from . import inlined, kernel

# Entries of `game`, int64[9]: does only exactly five win; are pairs and triples captured; captured
# stones that win, or 0; restricted stones of the opening; do five between stones of the opponent
# not win (Caro); does the policy block open fours; are there forbidden points, and is EXACT about
# the first colour only (Renju); cells in a row of the board.
EXACT, PAIRS, TRIPLES, TARGET, CENTRE, CARO, BLOCK_FOUR, RENJU, ROW = range(9)

# First entries of the state of a board: the number of empty points; at CAPTURED + colour that of
# stones captured by the colour; the plies of a restricted opening (-1: free); its first stone.
FREE, CAPTURED, _, OPENING, FIRST_STONE = range(5)


@inlined
def taken(cells, steps, game, point, colour, out):
    """How many stones a stone of `colour` on the empty `point` captures; they are put in `out`."""
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
    """Does that colour win by exactly five in a row only?"""
    return game[EXACT] and not (game[RENJU] and colour)


@kernel
def wins(state, cells, steps, game, point, colour, scratch):
    """Does a stone of `colour` on `point`, whose cell is empty, win?  Does not look at words."""
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
    """Can a threat be answered elsewhere than where it wins: by captures, or at its ends?"""
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
