"""The search for wins by threats that the check of the proofs of Gomoku follows.

A df-pn search (Nagai 2002) of Black's fours and of moves that threaten an open four.  Each position
first gets a search by fours alone.  The results need not be right: `proof_check.follow` plays the
tree of each win.  The disproof number of a position is the largest one of its moves, plus the
number of its other moves: a sum would count transpositions many times.

After an answer of White the search follows the win without this answer first: `hint` is the hash of
its stone, so the results without it are found in the same table.
"""

from collections import namedtuple

import numpy as np

from . import Arrays, inlined, kernel, zeros
from .bits import lowest_bit
from .proof_check import (
    BLACK,
    BLACKS,
    CARO,
    COMPLETES,
    FOUR,
    HASH,
    LOST,
    MOST_MOVES,
    NO_POINT,
    ONE_END,
    POINT_BITS,
    QUIET,
    ROOM,
    RULE,
    SHUT_FOUR,
    THREE,
    TICK,
    TWO,
    TWO_ENDS,
    WHITE,
    WHITE_FOUR,
    WHITE_THREE,
    completed_by,
    empty_point,
    follow,
    last_points,
    lift,
    open_four,
    open_four_zone,
    place,
    set_stones,
)

TABLE, PLACES = 1 << 20, 4  # entries of the table, and those that a key may use
SMALL_TABLE = 1 << 15  # entries used by short searches, which fit in the processor's cache
FOURS_TABLE = 1 << 14  # entries of the table of searches by fours
SURE = (1 << 20) - 1  # the proof number of a failure, the disproof number of a win
UNKNOWN = -1  # the value of a position that is not in the table
BEYOND_HINT = 4  # the first proof number of a position without a hint
LAST_KEY = 0x2545F4914F6CDD1D  # times the number of stones at the end: results depend on it
MOST_FOURS = 1000  # positions of a search by fours
AGAIN = 10_000  # positions of a search for a win that the table has lost

CHOICES, REPLIES, ENDS, PAIRS = 128, 64, 8, 32  # room for moves, replies, ends and pairs
STAMPS = 256
MOVE, PROOF = 8, 8 + POINT_BITS  # the bits of a value, after those of the stamp
DISPROOF = PROOF + 20

LAST, NODES, LIMIT, HINT, STAMP, FOURS, SIZE = range(7)  # numbers of a search: see Search

_Search = namedtuple("_Search", "keys values fours numbers moves replies n_replies ends n_ends "
                     "end_ticks pairs n_pairs pair_ticks is_quiet points")


class Search(Arrays, _Search):
    """The arrays of a search besides the board; see `make_search`.

    keys, values   int64[TABLE]; a value has the disproof number, the proof number, the winning
               move and the stamp
    fours      int64[FOURS_TABLE, 2], keys and results of searches by fours, with the stamp
    numbers    int64[7]: LAST, the most black stones at the end.  NODES, the searched positions, and
               LIMIT, the most of them.  HINT, see `prove`.  STAMP, that of valid entries of the
               table.  FOURS, the rest of MOST_FOURS.  SIZE, the entries in use, TABLE or
               SMALL_TABLE
    moves, replies, n_replies   by ply and number, Black's moves and the replies to each
    ends, n_ends, end_ticks     by point, the points that complete a row after a move there
    pairs, n_pairs, pair_ticks  by point, the empty points of rows of three after a move there
    is_quiet   uint8[points], does a move there threaten an open four?
    points     int64[points], scratch
    """


def make_search(points: int) -> Search:
    """The arrays of a search on a board with this number of points.

    No entry of the table has a valid stamp.
    """
    return Search(
        keys=zeros(TABLE, np.int64), values=zeros(TABLE, np.int64),
        fours=zeros((FOURS_TABLE, 2), np.int64), numbers=zeros(7, np.int64),
        moves=zeros((MOST_MOVES, CHOICES), np.int64),
        replies=zeros((MOST_MOVES, CHOICES, REPLIES), np.int16),
        n_replies=zeros((MOST_MOVES, CHOICES), np.uint8),
        ends=zeros((points, ENDS), np.int16), n_ends=zeros(points, np.int64),
        end_ticks=zeros(points, np.int64), pairs=zeros((points, PAIRS, 2), np.int16),
        n_pairs=zeros(points, np.int64), pair_ticks=zeros(points, np.int64),
        is_quiet=zeros(points, np.uint8), points=zeros(points, np.int64))


# --- the table ----------------------------------------------------------------------------------


@inlined
def probe(search, key):
    """The value for this key, or UNKNOWN."""
    at = key & search.numbers[SIZE] - PLACES
    for i in range(PLACES):
        value = search.values[at + i]
        if search.keys[at + i] == key and value & STAMPS - 1 == search.numbers[STAMP]:
            return value
    return np.int64(UNKNOWN)


@inlined
def store(search, key, proof, disproof, move):
    """Store a result; it replaces one of another stamp if possible, and a win or failure last."""
    at, slot, least = key & search.numbers[SIZE] - PLACES, np.int64(0), np.int64(SURE + 1)
    for i in range(PLACES):
        value, worth = search.values[at + i], np.int64(0)
        if search.keys[at + i] == key:
            slot = at + i
            break
        if value & STAMPS - 1 == search.numbers[STAMP]:
            worth = min(proof_of(value), disproof_of(value))
            worth = worth if worth else np.int64(SURE)
        if worth < least or worth == least and i == key >> 20 & PLACES - 1:
            least, slot = worth, at + i
    search.keys[slot] = key
    search.values[slot] = (
        disproof << DISPROOF | proof << PROOF | move << MOVE | search.numbers[STAMP])


@inlined
def proof_of(value):
    """The proof number of a value."""
    return value >> PROOF & SURE


@inlined
def disproof_of(value):
    """The disproof number of a value."""
    return value >> DISPROOF & SURE


@inlined
def first_value(search, key):
    """The value of a position: of the table, or else a first one by the hint."""
    value = probe(search, key)
    hint = search.numbers[HINT]
    if value == UNKNOWN:
        proof, disproof = np.int64(1), np.int64(1)
        if hint:
            without = probe(search, key ^ hint)
            if without == UNKNOWN or proof_of(without) and disproof_of(without):
                proof = np.int64(BEYOND_HINT)
            elif proof_of(without):
                proof, disproof = np.int64(SURE), np.int64(0)
        value = disproof << DISPROOF | proof << PROOF
    return value


# --- moves --------------------------------------------------------------------------------------


@inlined
def winning_point(board):
    """A point where Black wins at once, or NO_POINT."""
    win, _ = last_points(board, FOUR)
    if win == NO_POINT and board.numbers[RULE] == CARO:
        win, _ = last_points(board, SHUT_FOUR)
    return win


@kernel
def by_fours(board, search):
    """Search for a win by fours; returns its first move, or NO_POINT."""
    none, numbers = np.int64(NO_POINT), search.numbers
    left = numbers[LAST] - board.numbers[BLACKS]  # moves of Black
    win = winning_point(board)
    if win != NO_POINT:
        return win if left >= 1 else none
    must, second = last_points(board, WHITE_FOUR)
    if second != NO_POINT or left < 2:
        return none
    board.numbers[TICK] += 1
    tick = board.numbers[TICK]
    for i in range(board.sets.shape[1]):
        rows = board.sets[THREE, i]
        while rows:
            row = 64 * i + lowest_bit(rows)
            rows &= rows - 1
            a, b = empty_point(board, row, 0), empty_point(board, row, 1)
            for _ in range(2):
                if board.end_ticks[a] != tick:
                    board.end_ticks[a], board.ends[a] = tick, b
                elif board.ends[a] != b and (must == NO_POINT or must == a):
                    return a
                a, b = b, a
    if left < 3 or numbers[FOURS] <= 0:
        return none
    key = board.numbers[HASH]
    at = key & FOURS_TABLE - 1
    if search.fours[at, 0] == key and search.fours[at, 1] >> POINT_BITS == numbers[STAMP]:
        return search.fours[at, 1] & NO_POINT
    won = none
    for i in range(board.sets.shape[1]):
        rows = board.sets[THREE, i]
        while rows and won == NO_POINT:
            row = 64 * i + lowest_bit(rows)
            rows &= rows - 1
            a, b = empty_point(board, row, 0), empty_point(board, row, 1)
            for _ in range(2):
                if won == NO_POINT and (must == NO_POINT or must == a):
                    numbers[FOURS] -= 1
                    place(board, BLACK, a)
                    place(board, WHITE, b)
                    if by_fours(board, search) != NO_POINT:
                        won = a
                    lift(board, WHITE, b)
                    lift(board, BLACK, a)
                a, b = b, a
    if won != NO_POINT or numbers[FOURS] > 0:
        search.fours[at, 0], search.fours[at, 1] = (
            key, numbers[STAMP] << POINT_BITS | won)
    return won


@kernel
def replies_to(board, search, replies):
    """Put White's replies to Black's last, quiet move into `replies`; returns their number.

    A reply is in the zones of all open fours that Black threatens.  Returns -1 if there is no such
    threat.
    """
    board.numbers[TICK] += 1
    tick, found = board.numbers[TICK], 0
    for i in range(board.sets.shape[1]):
        rows = board.sets[THREE, i]
        while rows:
            row = 64 * i + lowest_bit(rows)
            rows &= rows - 1
            a, b = empty_point(board, row, 0), empty_point(board, row, 1)
            for _ in range(2):
                if search.end_ticks[a] != tick:
                    search.end_ticks[a], search.n_ends[a] = tick, 0
                n, is_new = search.n_ends[a], search.n_ends[a] < ENDS
                for k in range(n):
                    is_new = is_new and search.ends[a, k] != b
                if is_new:
                    search.ends[a, n] = b
                    search.n_ends[a] = n + 1
                    if n == 1:
                        search.points[found] = a
                        found += 1
                a, b = b, a
    if found == 0:
        return -1
    n, first = 0, search.points[0]
    for k in range(3 if search.n_ends[first] == 2 else 1):
        reply = np.int64(search.ends[first, k - 1]) if k else first
        spoils = True
        for i in range(1, found):
            x, left = search.points[i], 0
            for each in range(search.n_ends[x]):
                left += search.ends[x, each] != reply
            spoils = spoils and (x == reply or left < 2)
        if spoils:
            n = _add_reply(replies, n, reply)
    for i in range(board.sets.shape[1]):
        rows = board.sets[WHITE_THREE, i]
        while rows:
            row = 64 * i + lowest_bit(rows)
            rows &= rows - 1
            n = _add_reply(replies, n, empty_point(board, row, 0))
            n = _add_reply(replies, n, empty_point(board, row, 1))
    return _add_beyond(board, replies, n) if board.numbers[RULE] == CARO else n


@inlined
def _add_beyond(board, replies, n):
    # Add the points beyond the rows of the open four that `write` chooses.
    x, first, second = open_four(board)
    for i in range(board.sets.shape[1]):
        rows = board.sets[THREE, i]
        while rows:
            row = 64 * i + lowest_bit(rows)
            rows &= rows - 1
            if completed_by(board, row, x, first, second):
                for end in range(2):
                    point = np.int64(board.beyond[row, end])
                    if point != NO_POINT and not board.cells[point]:
                        n = _add_reply(replies, n, point)
    return n


@inlined
def _add_reply(replies, n, reply):
    is_new = n < REPLIES
    for i in range(n):
        is_new = is_new and replies[i] != reply
    if is_new:
        replies[n] = reply
    return n + is_new


@inlined
def _add_quiet(board, search, ply, n, move):
    # Append a move if it threatens an open four and leaves room for its replies.
    if n == CHOICES:
        return n
    place(board, BLACK, move)
    found = replies_to(board, search, search.replies[ply, n])
    lift(board, BLACK, move)
    if found < 0 or found == REPLIES:
        return n
    search.moves[ply, n], search.n_replies[ply, n] = move, found
    return n + 1


@kernel
def threats(board, search, ply):
    """Put Black's threats and the replies to them into the arrays of a ply; returns their number.

    Fours come first, then quiet moves, those with the most new rows of three first.
    """
    must, second = last_points(board, WHITE_FOUR)
    if second != NO_POINT or search.numbers[LAST] - board.numbers[BLACKS] < 3:
        return 0
    board.numbers[TICK] += 1
    tick, n, found = board.numbers[TICK], 0, 0
    for i in range(board.sets.shape[1]):
        rows = board.sets[THREE, i]
        while rows:
            row = 64 * i + lowest_bit(rows)
            rows &= rows - 1
            a, b = empty_point(board, row, 0), empty_point(board, row, 1)
            for _ in range(2):
                if board.end_ticks[a] != tick:
                    board.end_ticks[a], board.ends[a] = tick, b
                    if n < CHOICES and (must == NO_POINT or must == a):
                        search.moves[ply, n], search.n_replies[ply, n] = a, 1
                        search.replies[ply, n, 0] = b
                        n += 1
                a, b = b, a
    if must != NO_POINT:
        return n if board.end_ticks[must] == tick else _add_quiet(board, search, ply, n, must)
    for i in range(board.sets.shape[1]):
        rows = board.sets[TWO, i]
        while rows:
            row = 64 * i + lowest_bit(rows)
            rows &= rows - 1
            a, b, c = (empty_point(board, row, 0), empty_point(board, row, 1),
                       empty_point(board, row, 2))
            for _ in range(3):
                if board.end_ticks[a] != tick:
                    if search.pair_ticks[a] != tick:
                        search.pair_ticks[a] = tick
                        search.n_pairs[a] = search.is_quiet[a] = 0
                    if not search.is_quiet[a] and _makes_open_four(board, search, tick, a, b, c):
                        search.is_quiet[a] = 1
                        search.points[found] = a
                        found += 1
                    pairs = search.n_pairs[a]
                    search.pairs[a, pairs, 0], search.pairs[a, pairs, 1] = b, c
                    search.n_pairs[a] = pairs + 1
                a, b, c = b, c, a
    found = min(found, (CHOICES - n) // 2)
    for i in range(found):  # `replies_to` overwrites the points
        point = search.points[i]
        search.moves[ply, CHOICES - 1 - i] = search.n_pairs[point] << POINT_BITS | point
    last, ordered = CHOICES - 1, search.moves[ply]
    for i in range(found):
        best = last - i
        for k in range(i + 1, found):
            if ordered[last - k] >> POINT_BITS > ordered[best] >> POINT_BITS:
                best = last - k
        move = ordered[best] & NO_POINT
        ordered[best] = ordered[last - i]
        n = _add_quiet(board, search, ply, n, move)
    return n


@inlined
def _makes_open_four(board, search, tick, a, b, c):
    # After a move on `a`, does its new row with the empty points b and c threaten an open four with
    # another row of three?
    result = (board.end_ticks[b] == tick and board.ends[b] != c
              or board.end_ticks[c] == tick and board.ends[c] != b)
    for k in range(search.n_pairs[a]):
        x, y = search.pairs[a, k, 0], search.pairs[a, k, 1]
        result = result or (x == b) + (x == c) + (y == b) + (y == c) == 1
    return result


# --- the search ---------------------------------------------------------------------------------


@kernel
def expand(board, search, ply, most_proof, most_disproof):
    """Search until a number of the position reaches its limit, and store the numbers."""
    numbers, key = search.numbers, board.numbers[HASH]
    numbers[NODES] += 1
    numbers[FOURS] = MOST_FOURS
    won = by_fours(board, search)
    if won != NO_POINT:
        store(search, key, 0, SURE, won)
        return
    n = threats(board, search, ply) if ply < MOST_MOVES else 0
    while True:
        # The best move has the smallest proof number, its hardest reply the smallest disproof
        # number.
        best, proof, second_proof, widest, open_moves = -1, SURE, SURE, 0, 0
        reply, reply_proof, reply_disproof, second_disproof = np.int64(0), 0, 0, 0
        for i in range(n):
            after = key ^ board.hashes[BLACK, search.moves[ply, i]]
            most, least, second, hardest, hardest_proof = 0, SURE, SURE, np.int64(0), 0
            for j in range(search.n_replies[ply, i]):
                each = np.int64(search.replies[ply, i, j])
                value = first_value(search, after ^ board.hashes[WHITE, each])
                each_proof, each_disproof = proof_of(value), disproof_of(value)
                if each_proof == SURE or most == SURE:
                    most = SURE
                elif each_proof:
                    most = min(most + each_proof, SURE - 1)
                if each_disproof < least:
                    second, least = least, each_disproof
                    hardest, hardest_proof = each, each_proof
                elif each_disproof < second:
                    second = each_disproof
            if least:
                widest, open_moves = max(widest, least), open_moves + 1
            if most < proof:
                best, second_proof, proof = i, proof, most
                reply, reply_proof = hardest, hardest_proof
                reply_disproof, second_disproof = least, second
            elif most < second_proof:
                second_proof = most
            if proof == 0:
                break
        disproof = min(widest + open_moves - 1, SURE - 1) if open_moves else 0
        if proof == 0:
            store(search, key, 0, SURE, search.moves[ply, best])
            return
        if best < 0 or disproof == 0:
            store(search, key, SURE, 0, NO_POINT)
            return
        if proof >= most_proof or disproof >= most_disproof or numbers[NODES] >= numbers[LIMIT]:
            store(search, key, proof, disproof, NO_POINT)
            return
        proof_limit = min(most_proof, second_proof + (second_proof >> 2) + 1) - proof + reply_proof
        disproof_limit = min(most_disproof - disproof + reply_disproof, second_disproof + 1)
        move = search.moves[ply, best]
        place(board, BLACK, move)
        place(board, WHITE, reply)
        expand(board, search, ply + 1, min(proof_limit, SURE), min(disproof_limit, SURE))
        lift(board, WHITE, reply)
        lift(board, BLACK, move)


@kernel
def write(board, search, ply, tree, at):
    """Write the tree of the win that the table has; returns its end, or LOST."""
    if at + ROOM > tree.size or ply + 1 >= MOST_MOVES:
        return LOST
    win = winning_point(board)
    if win != NO_POINT:
        tree[at], tree[at + 1] = win, COMPLETES
        return at + 2
    value = probe(search, board.numbers[HASH])
    if value == UNKNOWN or proof_of(value):
        search.numbers[LIMIT] = search.numbers[NODES] + AGAIN
        expand(board, search, ply, SURE, SURE)
        value = probe(search, board.numbers[HASH])
        if value == UNKNOWN or proof_of(value):
            return LOST
    move = value >> MOVE & NO_POINT
    place(board, BLACK, move)
    first, second = last_points(board, FOUR)
    tree[at] = move
    end = at + 2
    if second != NO_POINT:
        tree[at + 1], tree[at + 2], tree[at + 3] = TWO_ENDS, first, second
        end += 2
    elif first != NO_POINT:
        tree[at + 1], tree[at + 2] = ONE_END, first
        place(board, WHITE, first)
        end = write(board, search, ply + 1, tree, end + 1)
        lift(board, WHITE, first)
    else:
        tree[at + 1] = QUIET
        x, a, b = open_four(board)
        if x == NO_POINT:
            end = LOST
        else:
            n = open_four_zone(board, board.zones[ply], x, a, b)
            tree[at + 2], tree[at + 3], tree[at + 4], tree[at + 5] = x, a, b, n
            end += 4
        for i in range(board.zones.shape[1]):
            while end >= 0 and board.zones[ply, i]:
                answer = 64 * i + lowest_bit(board.zones[ply, i])
                board.zones[ply, i] &= board.zones[ply, i] - 1
                place(board, WHITE, answer)
                if end < tree.size:
                    tree[end] = answer
                end = write(board, search, ply + 1, tree, end + 1)
                lift(board, WHITE, answer)
    lift(board, BLACK, move)
    return end


@kernel
def prove(board, search, black, white, last, limit, hint, tree):
    """Find and follow a win by threats with Black to move; returns the end of its tree, or LOST.

    Its reach is reaches[0] of the board.

    black, white   the sets of stones
    last    Black's stones at the end, at most
    limit   searched positions, at most
    hint    the hash of a white stone without which the last searches had this position, or 0
    """
    set_stones(board, black, white)
    board.numbers[HASH] ^= last * LAST_KEY
    search.numbers[LAST], search.numbers[HINT] = last, hint
    search.numbers[NODES], search.numbers[LIMIT] = 0, limit
    expand(board, search, 0, SURE, SURE)
    value = probe(search, board.numbers[HASH])
    if value == UNKNOWN or proof_of(value):
        return LOST
    end = write(board, search, 0, tree, 0)
    set_stones(board, black, white)  # `follow` does not rely on the search
    return end if end >= 0 and follow(board, 0, tree, 0) == end else LOST
