"""Depth-first proof-number search (df-pn) for victories by continuous threats.

The search is that of Nagai, "Df-pn algorithm for searching AND/OR trees and its applications"
(2002).  It finds far longer wins than `vct` with as many moves, but not the shortest.  It is for
games without captures and forbidden points.
"""

import numpy as np

from .. import inlined, kernel
from ..control import out_of_time
from ..table import key_of, probe, slot_of
from .board import OPEN_FOUR, count
from .moves import generate, open_fours, pick, policy_of, wins_at
from .state import LONGEST_PATH, make, unmake
from .vcf import ALL_FOURS, IN_VAIN, NO_FOUR, VCF_DEPTH, answers_to, win_by_fours
from .vct import threats_of
from .win_table import probe_win, store_win, win_plies

NUMBERS_KEY = 0x2545F4914F6CDD1D  # distinguishes entries of this search
BITS = 20  # of a number
SURE = (1 << BITS) - 1  # the proof number of a failure, the disproof number of a win
BEYOND_PASS = 4  # the first proof number of a position that the search without a stone did not have
FOURS_NODES = 50  # moves of a search by fours


@inlined
def entry_of(proof, disproof):
    """The entry with these numbers, which are not both 0."""
    return np.int64(proof) << BITS | disproof


@inlined
def proof_of(entry):
    """The proof number of an entry."""
    return entry >> BITS & SURE


@inlined
def disproof_of(entry):
    """The disproof number of an entry."""
    return entry & SURE


@inlined
def save(search, key, proof, disproof):
    """Store the numbers of a position, in place of one that was closer to its result."""
    slot, least, at = slot_of(search, key), np.int64(SURE + 1), np.int64(0)
    for i in range(2):
        entry = search.entries[slot + i]
        worth = min(proof_of(entry), disproof_of(entry))
        if entry and worth == 0:
            worth = np.int64(SURE)
        if search.keys[slot + i] ^ np.uint64(entry) == key:
            worth = np.int64(-1)
        if worth < least:
            least, at = worth, slot + i
    entry = entry_of(proof, disproof)
    search.keys[at], search.entries[at] = key ^ np.uint64(entry), entry


@inlined
def first_entry(search, key):
    """The stored entry of a position, or else a first one.

    If the search without the stone of `passed` failed here, so does this one.
    """
    entry, passed = probe(search, key), search.control[0].passed
    if entry == 0:
        proof, disproof = np.int64(1), np.int64(1)
        if passed:
            without = probe(search, key ^ passed)
            if without == 0 or proof_of(without) and disproof_of(without):
                proof = np.int64(BEYOND_PASS)
            elif proof_of(without):
                proof, disproof = np.int64(SURE), np.int64(0)
        entry = entry_of(proof, disproof)
    return entry


@inlined
def sort_moves(search, ply, colour, n):
    """Sort moves[ply][:n] by the policy, the highest rank first."""
    for i in range(n):
        search.stack.ranks[ply, i] = policy_of(search, colour, np.int64(search.stack.moves[ply, i]))
    for i in range(n):
        pick(search.stack.moves[ply], search.stack.ranks[ply], i, n)


@kernel
def replies_to(board, geometry, search, last, ply, colour, moves):
    """Put the replies to the threat of an open four of `colour` into `moves`.

    Returns their number, and the most plies to a win after the moves that leave an open four.
    """
    n, _ = generate(board, geometry, search, 1 - colour, moves)
    left, longest = np.int64(0), np.int64(0)
    for i in range(n):
        reply = np.int64(moves[i])
        make(board, geometry, search, ply, reply, 1 - colour)
        loses = (ply + 4 <= last
                 and not wins_at(board, geometry, search, 1 - colour, search.threats)
                 and open_fours(board, geometry, search, colour, search.threats) > 0)
        if loses:
            store_win(search, colour, np.int64(search.threats[0]), 3)
            longest = np.int64(4)
        unmake(board, geometry, search, ply, reply, 1 - colour)
        if not loses:
            moves[left] = reply
            left += 1
    return left, longest


@inlined
def most_plies(search, colour, moves, n):
    """The plies of the longest stored win of `colour` after moves[:n] of the other side."""
    longest = np.int64(0)
    for i in range(n):
        word = search.zobrist[np.int64(moves[i]) * 2 + 1 - colour]
        search.hash[0] ^= word
        longest = max(longest, 1 + max(np.int64(win_plies(probe_win(search, colour))), np.int64(1)))
        search.hash[0] ^= word
    return longest


@kernel
def prove(board, geometry, search, stop, last, ply, colour, mover, most_proof, most_disproof):
    """Search until a number of the position reaches its limit; returns the plies of a win, or 0.

    The win is one of `colour`, and its winning stone comes on ply `last` at the latest.  `mover` is
    the side to move.  The search visits at most `threat_nodes` positions, a number of the record,
    besides those of searches by fours.  It stores the wins, and the numbers of all positions.

    The disproof number of a position with `colour` to move is the largest one of its moves, plus
    the number of its other moves: a sum would count transpositions many times.
    """
    control, moves = search.control[0], search.stack.moves[ply]
    key = key_of(search.hash[0], 2 * last + colour) ^ np.uint64(NUMBERS_KEY)
    attacks, n, longest = mover == colour, np.int64(0), np.int64(0)
    control.threat_nodes -= 1
    if attacks:
        stored = probe_win(search, colour)
        if stored and ply + win_plies(stored) <= last:
            save(search, key, 0, SURE)
            return np.int64(win_plies(stored))
        if probe(search, key) == 0:
            left, control.threat_nodes = control.threat_nodes, np.int64(FOURS_NODES)
            end = win_by_fours(board, geometry, search, stop, min(last, ply + 2 * VCF_DEPTH + 1),
                               ply, colour, ALL_FOURS)
            control.threat_nodes = left
            if end:
                save(search, key, 0, SURE)
                return np.int64(end - ply)
        if ply + 5 <= last and ply + 8 <= LONGEST_PATH:
            n = threats_of(board, geometry, search, colour, moves, 0)
    else:
        answers = answers_to(board, geometry, search, colour, moves)
        if answers == IN_VAIN:
            save(search, key, 0, SURE)
            return np.int64(2)
        n = np.int64(answers if answers > 0 else 0)
        if answers == NO_FOUR and count(board.state, OPEN_FOUR, colour):
            n, longest = replies_to(board, geometry, search, last, ply, colour, moves)
            if n == 0 and longest:
                save(search, key, 0, SURE)
                return longest
    if n == 0:
        save(search, key, SURE, 0)
        return np.int64(0)
    sort_moves(search, ply, mover, n)
    while True:
        best, least, second, total, widest, open_moves = 0, SURE + 1, SURE + 1, 0, 0, 0
        beside = 0  # the other number of the best move
        for i in range(n):
            move = np.int64(moves[i])
            entry = first_entry(search, key ^ search.zobrist[move * 2 + mover])
            number, other = proof_of(entry), disproof_of(entry)
            if not attacks:
                number, other = other, number
            if number < least:
                best, least, second, beside = i, number, least, other
            elif number < second:
                second = number
            total = SURE if other == SURE or total == SURE else min(total + other, SURE - 1)
            widest = max(widest, other)
            open_moves += other > 0
        if attacks:
            proof, disproof = least, min(widest + open_moves - 1, SURE - 1) if open_moves else 0
        else:
            proof, disproof = total, least
        spent = control.threat_nodes <= 0 or out_of_time(search, stop)
        if proof == 0 and not attacks:
            save(search, key, 0, SURE)
            return max(longest, most_plies(search, colour, moves, n))
        if disproof == 0:
            save(search, key, SURE, 0)
            return np.int64(0)
        if spent or proof and (proof >= most_proof or disproof >= most_disproof):
            save(search, key, proof if proof else 1, disproof)
            return np.int64(0)
        if attacks:
            proof_limit = min(most_proof, second + (second >> 2) + 1)
            disproof_limit = most_disproof - disproof + beside
        else:
            proof_limit = most_proof - proof + beside
            disproof_limit = min(most_disproof, second + (second >> 1) + 1)
        move = np.int64(moves[best])
        make(board, geometry, search, ply, move, mover)
        plies = prove(board, geometry, search, stop, last, ply + 1, colour, 1 - mover,
                      min(proof_limit, SURE), min(disproof_limit, SURE))
        unmake(board, geometry, search, ply, move, mover)
        if attacks and plies:
            store_win(search, colour, move, 1 + plies)
            save(search, key, 0, SURE)
            return 1 + plies
