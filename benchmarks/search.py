"""Measure the nodes per second of the alpha-beta search on a fixed set of positions.

    python benchmarks/search.py

Each position is searched to a fixed depth with an empty table.  The number of nodes depends only on
the sources and the weights.  The tests check the sum for each game: an intended change of the
search changes SIGNATURE.  For the time, the best of three rounds counts.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import Lattice
from gtp_engine.games.rules import Position
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.alphabeta.search import NO_LIMIT
from gtp_engine.players.base import Settings
from gtp_engine.wire.notation import GtpPoints

SIZE, ROUNDS = 15, 3
POSITIONS = [  # game, depth, moves
    ("Gomoku", 10,
     "H6 H4 F7 K6 E6 J5 G3 J4"),
    ("Gomoku", 10,
     "H9 H8 G7 K10 L10 L9 J8 G10 J7 J11 H12 K9"),
    ("Gomoku", 10,
     "H6 H4 G2 K5 G5 F4 G4 G3 J6 E5 H2 J5 F2 E2 K6 L6"),
    ("Gomoku", 10,
     "F7 G7 J5 L3 M2 L5 J6 J4 L2 K5 L6 M6 K2 J2 K7 J3 K4 M5 L8 H5"),
    ("Gomoku", 10,
     "F9 G8 G6 G10 F6 F8 H8 G7 G9 H6 E9 D9 F10 E11 D8 G11 E7 C9 E6 E8 C7 B6 D6 C6"),
    ("Gomoku", 10,
     "K7 M5 K4 M7 J9 K8 L5 M6 M8 L6 K6 K5 N8 J7 J5 L7 H6 G7 L8 J6 L3 M2 L4 M4 M3 H7 J4 "
     "G8 F9 G9"),
    ("Gomoku-exact", 10,
     "H6 H4 F7 K6 E6 J5 G3 L7 M8 J7"),
    ("Gomoku-exact", 10,
     "H6 H4 G2 K5 G5 F4 G4 G3 J6 E5 H2 E6 F3 E2 K6 D6 C7 G6"),
    ("Gomoku-exact", 10,
     "F9 G8 G6 G10 F6 F8 H8 G7 G9 H6 E9 D9 F10 E11 D8 G11 E7 C9 E6 E8 C7 B6 D6 C6 E5 "
     "F4"),
    ("Renju", 12,
     "H6 H4 F7 K6 E6 J5 G3 L7 M8 J7"),
    ("Renju", 12,
     "H6 H4 G2 K5 G5 F4 G4 G3 J6 E5 H2 E6 F3 E2 K6 D6 C7 G6"),
    ("Renju", 12,
     "F9 G8 G6 G10 F6 F8 H8 G7 G9 H6 E9 D9 F10 E11 D8 G11 E7 C9 E6 E8 C7 B6 D6 C6 E5 "
     "F4"),
    ("Pente-free", 7,
     "H6 H4 F7 F6 K4 G7 E5 H8"),
    ("Pente-free", 7,
     "H9 H8 G7 K10 L10 L9 J11 M8 G8 G9 J7 F10 K11 G6"),
    ("Pente-free", 7,
     "K10 K9 K11 L7 H7 N5 K12 N9 M8 N8 N7 O6 L9 J11 K8 J7 M10 M4 L3 L5"),
    ("Pente-free", 7,
     "K9 L11 L13 L10 J11 H10 L8 M7 J10 J12 J9 H9 H11 L9 J9 G12 H8 J8 H7 H12 K12 H10 G7 "
     "F6 F7 J7 J6 J7"),
]
SIGNATURE = {"Gomoku": 75_263, "Gomoku-exact": 41_100, "Renju": 100_448, "Pente-free": 113_054}


def position(game, moves, size=SIZE):
    """The position after these moves."""
    board = Position(catalogue.find(game), Lattice(size, size))
    points = GtpPoints(board.lattice)
    for name in moves.split():
        board.play(board.side, points.point_of(name))
    return board


def search(board, depth):
    """Search to that depth; returns nodes and seconds."""
    player = AlphaBeta(Settings(memory=16))
    search = player.search_of(board)
    search.begin(board, bytearray(2))
    search.node_limit = NO_LIMIT
    start, score = time.perf_counter(), 0
    for now in range(1, depth + 1):
        score = search.look(now, score).score
    return search.nodes, time.perf_counter() - start


def main():
    """Print the table."""
    totals = dict.fromkeys((game for game, *_ in POSITIONS), 0)
    spent = dict.fromkeys(totals, 0.0)
    for game, depth, moves in POSITIONS:
        board = position(game, moves)
        runs = [search(board, depth) for _ in range(ROUNDS)]
        nodes, seconds = runs[0][0], min(seconds for _, seconds in runs)
        totals[game] += nodes
        spent[game] += seconds
        print(f"{game:13} ply {len(moves.split()):2} depth {depth:2} {nodes:9,} nodes "
              f"{nodes / seconds:10,.0f} a second", flush=True)
    for game, nodes in totals.items():
        same = "" if SIGNATURE.get(game) == nodes else " (not the signature)"
        print(f"{game:13} {nodes:9,} nodes{same}, {nodes / spent[game]:,.0f} a second")


if __name__ == "__main__":
    main()
