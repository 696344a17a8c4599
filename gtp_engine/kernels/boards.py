"""Games side by side: many boards of one game, each with its own position.

This is the general code for a move: any number in a row, any captures, any lattice.  It reads cells
and no words of lines.  Colours are 1 (first) and 2 (second) here, as in the cells.  An *action* is
the index of a point, from 0, in the order of `Games.points`.
"""

from collections import namedtuple

import numpy as np

from . import Arrays, inlined, kernel
from .bits import below, lowest_bit, seed_playout
from .control import PLIES, stopped
from .renju import FORBIDDEN, verdict
from .windows import FIVE, FOUR, KIND_MASK, SIDE, SIX, THREE, TWO_FOURS, sides, window_at, windows

BLACK, WHITE, BORDER = 1, 2, 3

# Entries of `rules`, int64[12]:
#
# IN_A_ROW    stones of a winning row
# EXACT_BLACK, EXACT_WHITE   do longer rows of the colour not win?
# CARO        does a row between two stones of the opponent not win?
# LENGTHS     bit i: are rows of i flanked stones captured?
# TARGET      captured stones that win, or 0
# CENTRE      restricted stones of the opening
# FIRST       the colour that moves first
# SWAP        may the other colour swap the first stone?
# RENJU       are there forbidden points?
# ROW, PLANE  cells of a row of the board, and of one level
(IN_A_ROW, EXACT_BLACK, EXACT_WHITE, CARO, LENGTHS, TARGET, CENTRE, FIRST, SWAP, RENJU, ROW,
 PLANE) = range(12)
RESTRICTED = 3  # plies of an opening after which any empty point is allowed

# Kinds of a point: what a black stone makes along each of the four axes, AXIS_BITS bits each.
AXIS_BITS, MOST_AXES, KINDS = 3, 4, 1 << 12
HARMLESS, FOUL, PERHAPS = range(3)  # PERHAPS: two threes, which may be no real ones
SET_BITS = 64  # cells in each word of `suspects`
STOP_CHECK = 1023  # plies of a playout between checks of the stop flags, less one

_Games = namedtuple(
    "_Games", "points number steps middle rules sides windows suspicion blank cells mask turn done "
    "winner captured legal vacant opening plies first kinds suspects scratch")
# The fields with a row or a number for each board.
BY_BOARD = ("cells", "mask", "turn", "done", "winner", "captured", "legal", "vacant", "opening",
            "plies", "first", "kinds", "suspects")


class Games(Arrays, _Games):
    """Boards of one game on one lattice, changed in place; see `make_games`.

    points    uint16[points], the cell of each action
    number    uint16[cells], the action of each cell on the board
    steps     int64[2 * axes], the cell distances of all directions, forward ones first
    middle    uint16[1 to 8], the cells nearest to the centre
    rules     int64[12], see above
    sides, windows   the tables of kernels.windows; empty in games without forbidden points
    suspicion uint8[KINDS], HARMLESS, FOUL or PERHAPS for the kinds of a point; or empty
    blank     uint8[cells], an empty board
    cells     uint8[n, cells]: 0 empty, 1 black, 2 white, 3 border
    mask      uint8[n, points], 1 for a legal action of the side to move
    turn      int8[n], the colour to move
    done      uint8[n], 1 after the end of the game
    winner    int8[n], the colour that has won, or 0
    captured  int32[n, 2], stones captured by either colour
    legal     int32[n], the number of legal actions
    vacant    int32[n], the number of empty points
    opening   int32[n], plies while the sides alternate from the first move on, otherwise -1
    plies     int32[n], the number of moves
    first     uint16[n], the cell of the first stone
    kinds     uint16[n, cells], see above; no columns in games without forbidden points
    suspects  int64[n, words], bit sets of the cells whose kinds are not HARMLESS; likewise
    scratch   uint16, captured stones
    """


def make_games(n, points, axes, cells, middle, rules) -> Games:
    """Create n empty boards; `start` sets them to the beginning of a game.

    points  the points of a lattice with `cells` cells
    axes    the cell distances, one for each pair of opposite directions
    middle  the points nearest to the centre
    rules   the entries above
    """
    renju = bool(rules[RENJU])
    number = np.zeros(cells, np.uint16)
    number[list(points)] = np.arange(len(points))
    blank = np.full(cells, BORDER, np.uint8)
    blank[list(points)] = 0
    return Games(
        points=np.array(points, np.uint16), number=number,
        steps=np.array([*axes, *(-axis for axis in axes)], np.int64),
        middle=np.array(middle, np.uint16), rules=np.array(rules, np.int64),
        sides=sides()[:None if renju else 0], windows=windows()[:None if renju else 0],
        suspicion=suspicion()[:None if renju else 0], blank=blank,
        cells=np.tile(blank, (n, 1)), mask=np.zeros((n, len(points)), np.uint8),
        turn=np.zeros(n, np.int8), done=np.zeros(n, np.uint8), winner=np.zeros(n, np.int8),
        captured=np.zeros((n, 2), np.int32), legal=np.zeros(n, np.int32),
        vacant=np.zeros(n, np.int32), opening=np.zeros(n, np.int32), plies=np.zeros(n, np.int32),
        first=np.zeros(n, np.uint16), kinds=np.zeros((n, cells if renju else 0), np.uint16),
        suspects=np.zeros((n, -(-cells // SET_BITS) if renju else 0), np.int64),
        scratch=np.zeros(2 * len(axes) * cells, np.uint16))


def suspicion() -> np.ndarray:
    """uint8[KINDS], what the kinds of a point say about a black stone there."""
    kinds = np.arange(KINDS)
    axes = np.array([kinds >> AXIS_BITS * a & KIND_MASK for a in range(MOST_AXES)])

    def count(kind):
        return (axes == kind).sum(axis=0)
    foul = (count(SIX) > 0) | (count(FOUR) + 2 * count(TWO_FOURS) > 1)
    return np.select([count(FIVE) > 0, foul, count(THREE) > 1],
                     [HARMLESS, FOUL, PERHAPS], HARMLESS).astype(np.uint8)


# --- forbidden points ---------------------------------------------------------------------------


@kernel
def update_kinds(games, g, cell):
    """Update the kinds of the points near a cell of board g after its content has changed."""
    cells, kinds, suspects = games.cells[g], games.kinds[g], games.suspects[g]
    axes = games.steps.size // 2
    for a in range(axes):
        step = games.steps[a]
        # Cells from 2 * SIDE before the cell to 2 * SIDE after it, or to the border.
        stones, empty = np.int64(0), np.int64(0)
        before, after = 0, 0
        for sign in range(2):
            at, bit = cell, 2 * SIDE
            for i in range(2 * SIDE):
                at += -step if sign else step
                bit += -1 if sign else 1
                content = np.int64(cells[at])
                if content == BORDER:
                    break
                if sign:
                    before = i + 1
                else:
                    after = i + 1
                stones |= (content == BLACK) << bit
                empty |= (content == 0) << bit
        content = np.int64(cells[cell])
        stones |= (content == BLACK) << 2 * SIDE
        empty |= (content == 0) << 2 * SIDE
        near = stones | 1 << 2 * SIDE
        if near & near - 1 == 0:
            continue  # a shape needs another stone
        shift = AXIS_BITS * a
        for i in range(max(-before, -SIDE), min(after, SIDE) + 1):
            if i == 0:
                continue
            at = cell + i * step
            kind = window_at(games, stones, empty, 2 * SIDE + i) & KIND_MASK
            old = np.int64(kinds[at])
            new = old & ~(KIND_MASK << shift) | kind << shift
            if new != old:
                kinds[at] = new
                word, bit = at >> 6, np.int64(1) << (at & 63)
                if games.suspicion[new] == HARMLESS:
                    suspects[word] &= ~bit
                else:
                    suspects[word] |= bit


@inlined
def forbid(games, g):
    """Remove the points that are forbidden to Black from the mask; returns their number.

    The points that only the opening bars count, too.
    """
    cells, mask, kinds = games.cells[g], games.mask[g], games.kinds[g]
    n = 0
    for word in range(games.suspects.shape[1]):
        bits = games.suspects[g, word]
        while bits:
            cell = (word << 6) + lowest_bit(bits)
            bits &= bits - 1
            if cells[cell]:
                continue
            if games.suspicion[kinds[cell]] == FOUL or verdict(
                    cells, games.steps, games.sides, games.windows, cell) == FORBIDDEN:
                at = games.number[cell]
                games.legal[g] -= mask[at]
                mask[at] = 0
                n += 1
    return n


@inlined
def permit(games, g):
    """Add all empty points to the mask, the inverse of `forbid`."""
    cells, mask = games.cells[g], games.mask[g]
    for word in range(games.suspects.shape[1]):
        bits = games.suspects[g, word]
        while bits:
            cell = (word << 6) + lowest_bit(bits)
            bits &= bits - 1
            if cells[cell] == 0:
                at = games.number[cell]
                games.legal[g] += 1 - mask[at]
                mask[at] = 1


# --- moves --------------------------------------------------------------------------------------


@inlined
def far_from_first(games, g, cell):
    """Is a cell more than two steps away from the first stone?"""
    row, plane, first = games.rules[ROW], games.rules[PLANE], np.int64(games.first[g])
    return (abs(cell // plane - first // plane) > 2
            or abs(cell % plane // row - first % plane // row) > 2
            or abs(cell % row - first % row) > 2)


@inlined
def list_actions(games, g):
    """Derive the mask and the number of legal actions, without forbidden points."""
    cells, mask, rules = games.cells[g], games.mask[g], games.rules
    turn, opening = games.turn[g], games.opening[g]
    centre = rules[CENTRE] if turn == BLACK else 0
    legal = 0
    for i in range(games.points.size):
        cell = np.int64(games.points[i])
        may = cells[cell] == 0
        if may and centre and opening == 0:
            may = False
            for near in games.middle:
                may |= near == cell
        elif may and centre == 2 and opening == 2:
            may = far_from_first(games, g, cell)
        mask[i] = may
        legal += may
    if rules[SWAP] and opening == 1 and turn != rules[FIRST] and not (
            rules[RENJU] and turn == BLACK):
        mask[games.number[games.first[g]]] = 1
        legal += 1
    games.legal[g] = legal


@inlined
def finish(games, g, winner):
    """End a game."""
    games.done[g], games.winner[g], games.legal[g] = 1, winner, 0
    mask = games.mask[g]
    for i in range(mask.size):
        mask[i] = 0


@inlined
def flanked(games, g, point, colour):
    """Put the stones that a stone of `colour` on `point` captures into `scratch`; their number."""
    cells, scratch, lengths = games.cells[g], games.scratch, games.rules[LENGTHS]
    n = 0
    for step in games.steps:
        cell, length = point + step, 0
        while cells[cell] == 3 - colour:
            cell += step
            length += 1
        if length and cells[cell] == colour and lengths >> length & 1:
            for i in range(length):
                scratch[n] = point + (i + 1) * step
                n += 1
    return n


@inlined
def completes_row(games, g, point, colour):
    """Is the stone of `colour` on `point` part of a winning row?"""
    cells, rules, steps = games.cells[g], games.rules, games.steps
    axes, in_a_row = steps.size // 2, rules[IN_A_ROW]
    exact = rules[EXACT_BLACK + colour - 1]
    for a in range(axes):
        axis = steps[a]
        before, after = point - axis, point + axis
        while cells[before] == colour:
            before -= axis
        while cells[after] == colour:
            after += axis
        run = (after - before) // axis - 1
        if run > 1 and run >= in_a_row and (run == in_a_row or not exact) and not (
                run == in_a_row and rules[CARO]
                and cells[before] == 3 - colour and cells[after] == 3 - colour):
            return True
    return False


@kernel
def step(games, g, action):
    """Play a legal action on board g."""
    rules, cells, mask = games.rules, games.cells[g], games.mask[g]
    colour, point = np.int64(games.turn[g]), np.int64(games.points[action])
    other, opening = 3 - colour, games.opening[g]
    if rules[RENJU] and colour == BLACK:
        permit(games, g)
    taken = flanked(games, g, point, colour) if rules[LENGTHS] else 0
    if cells[point] == 0:  # otherwise a swap, after which the mask is derived anew
        games.vacant[g] -= 1
        games.legal[g] -= 1
        mask[action] = 0
    cells[point] = colour
    for i in range(taken):
        cell = np.int64(games.scratch[i])
        cells[cell] = 0
        mask[games.number[cell]] = 1
    games.vacant[g] += taken
    games.legal[g] += taken
    games.captured[g, colour - 1] += taken
    games.plies[g] += 1
    games.turn[g] = other
    if games.plies[g] == 1:
        games.first[g] = point
    if opening >= 0:
        games.opening[g] = opening + 1
    if completes_row(games, g, point, colour) or (
            games.captured[g, colour - 1] >= rules[TARGET] > 0):
        finish(games, g, colour)
        return
    if rules[RENJU]:
        update_kinds(games, g, point)
        for i in range(taken):
            update_kinds(games, g, np.int64(games.scratch[i]))
    prepare(games, g, 0 <= opening < RESTRICTED and (rules[CENTRE] or rules[SWAP]))


@inlined
def prepare(games, g, anew):
    """Bring the mask up to date for the side to move, and end the game if the board is full.

    anew  is the mask to be derived from the cells, or has it all empty points?
    """
    if anew:
        list_actions(games, g)
    forbidden = 0
    if games.rules[RENJU] and games.turn[g] == BLACK:
        forbidden = forbid(games, g)
    if games.vacant[g] <= forbidden:
        finish(games, g, 0)


@kernel
def start(games, where):
    """Begin a new game on the boards g with where[g] != 0; `where` is uint8[n]."""
    for g in range(where.size):
        if where[g]:
            cells = games.cells[g]
            for i in range(cells.size):
                cells[i] = games.blank[i]
            games.turn[g] = games.rules[FIRST]
            games.captured[g, 0] = games.captured[g, 1] = 0
            games.opening[g] = games.plies[g] = games.first[g] = 0
            games.vacant[g] = games.points.size
            for i in range(games.kinds.shape[1]):
                games.kinds[g, i] = 0
            for i in range(games.suspects.shape[1]):
                games.suspects[g, i] = 0
            games.done[g] = games.winner[g] = 0
            prepare(games, g, True)


@kernel
def derive(games, g):
    """Derive the mask and the numbers of a new board g from its cells.

    The cells, `turn`, `captured`, `opening`, `plies`, `first`, `done` and `winner` are set.
    """
    games.vacant[g] = 0
    for i in range(games.points.size):
        games.vacant[g] += games.cells[g, games.points[i]] == 0
    if games.rules[RENJU]:
        for i in range(games.points.size):
            cell = np.int64(games.points[i])
            if games.cells[g, cell]:
                update_kinds(games, g, cell)
    if games.done[g]:
        finish(games, g, np.int64(games.winner[g]))
    else:
        prepare(games, g, True)


@kernel
def play(games, actions, where):
    """Play actions, int64[n], where[g] != 0 and the game is not over; `where` is uint8[n].

    Returns -1, or the first board whose action is illegal; then nothing has changed.
    """
    points = games.points.size
    for g in range(actions.size):
        if where[g] and games.done[g] == 0 and not (
                0 <= actions[g] < points and games.mask[g, actions[g]]):
            return g
    for g in range(actions.size):
        if where[g] and games.done[g] == 0:
            step(games, g, actions[g])
    return -1


@inlined
def random_action(games, g, random):
    """One of the legal actions of board g, each with the same probability; there is one."""
    mask, legal, points = games.mask[g], np.int64(games.legal[g]), games.points.size
    if 8 * legal >= points:
        action = below(points, random)
        while mask[action] == 0:
            action = below(points, random)
        return action
    left, action = below(legal, random), np.int64(0)
    while left or mask[action] == 0:
        left -= mask[action]
        action += 1
    return action


@kernel
def random_actions(games, random, out):
    """Put a random legal action of each board into `out`, int64[n]; 0 if there is none."""
    for g in range(out.size):
        out[g] = random_action(games, g, random) if games.legal[g] else 0


@kernel
def observe(games, out):
    """Write the planes of all boards into `out`, float32[n, planes, points].

    The planes are the stones of the side to move and of the other side, the legal actions, and
    ones if Black is to move.  In games that captures win, two more planes have the stones that
    either side has captured, as a part of those that win.
    """
    points, width = games.points.size, games.rules[ROW] - 1
    for g in range(out.shape[0]):
        own, planes = np.int64(games.turn[g]), out[g]
        for i in range(0, points, width):  # a row of the board lies in adjacent cells
            cell = np.int64(games.points[i])
            write_row(games.cells[g, cell:cell + width], np.uint8(own), planes[0, i:i + width])
            write_row(games.cells[g, cell:cell + width], np.uint8(3 - own), planes[1, i:i + width])
        write_row(games.mask[g], np.uint8(1), planes[2])
        fill(planes[3], np.float32(own == BLACK))
        for plane in range(4, out.shape[1]):
            colour = own if plane == 4 else 3 - own
            fill(planes[plane], np.float32(games.captured[g, colour - 1] / games.rules[TARGET]))


@inlined
def write_row(contents, wanted, out):
    """Write ones where the content is the wanted one, otherwise zeros."""
    for i in range(out.size):
        out[i] = np.float32(contents[i] == wanted)


@inlined
def fill(out, value):
    """Set all elements to a value."""
    for i in range(out.size):
        out[i] = value


@kernel
def observe_colours(games, of_gomoku, out):
    """Write three planes of all boards into `out`, float32[n, 3, points], as OpenSpiel does.

    In its game gomoku they are the stones of the first player, those of the second, and ones if the
    first player is to move.  In its game mnk they are the empty points, the stones of the second
    player, and those of the first.
    """
    for g in range(out.shape[0]):
        cells, first = games.cells[g], games.rules[FIRST]
        to_move = games.done[g] == 0 and games.turn[g] == first
        for i in range(games.points.size):
            content = np.int64(cells[games.points[i]])
            out[g, 0, i] = content == (first if of_gomoku else 0)
            out[g, 1, i] = content == 3 - first
            out[g, 2, i] = to_move if of_gomoku else content == first


# --- playouts -----------------------------------------------------------------------------------


@inlined
def copy(games, g, source):
    """Copy one board onto another."""
    for i in range(games.cells.shape[1]):
        games.cells[g, i] = games.cells[source, i]
    for i in range(games.mask.shape[1]):
        games.mask[g, i] = games.mask[source, i]
    for i in range(games.kinds.shape[1]):
        games.kinds[g, i] = games.kinds[source, i]
    for i in range(games.suspects.shape[1]):
        games.suspects[g, i] = games.suspects[source, i]
    for i in range(2):
        games.captured[g, i] = games.captured[source, i]
    games.turn[g], games.done[g], games.winner[g] = (
        games.turn[source], games.done[source], games.winner[source])
    games.legal[g], games.vacant[g] = games.legal[source], games.vacant[source]
    games.opening[g], games.plies[g], games.first[g] = (
        games.opening[source], games.plies[source], games.first[source])


@kernel
def simulate(games, actions, simulations, seeds, results, random, stop):
    """For each action on board 0, add random playouts after it to `results`.

    games        three boards; the last two are overwritten
    actions      int64[m], legal on board 0
    simulations  int64[m], the number of playouts
    seeds        uint64[m]; equal seeds give equal playouts
    results      int64[m, 4], as in plane.playouts
    random       uint64[8], overwritten
    stop         uint8[2]; the playouts end once one of them is not 0
    """
    for i in range(actions.size):
        copy(games, 1, 0)
        step(games, 1, actions[i])
        if games.done[1]:
            results[i, games.winner[1]] += simulations[i]
            continue
        for number in range(simulations[i]):
            if stopped(stop):
                return
            seed_playout(random, seeds[i], number)
            copy(games, 2, 1)
            plies = 0
            while games.legal[2]:
                step(games, 2, random_action(games, 2, random))
                plies += 1
                if plies & STOP_CHECK == 0 and stopped(stop):
                    return  # captures may prolong a game without end
            results[i, games.winner[2]] += 1
            results[i, PLIES] += plies
