"""Measure 4x4x4: the speed of the threat search, and games as first and as second player.

    python benchmarks/qubic.py [--games 1000] [--second 50] [--processes 2]

The threat search runs ten times, on one core, in the positions of the strategy that take the most
nodes.  Then alphabeta plays first, by the strategy, against each opponent, and second, with 0.2
seconds a move.  An alphabeta opponent has no strategy; its first move and a share of the others
are random.
"""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, EMPTY, WHITE
from gtp_engine.players.adapters import line_board_of
from gtp_engine.players.alphabeta.player import AlphaBeta
from gtp_engine.players.alphabeta.search import NO_LIMIT
from gtp_engine.players.alphabeta.weights import STRATEGY, Tuning
from gtp_engine.players.base import Limits, Settings
from gtp_engine.players.proofs import qubic as strategy
from gtp_engine.players.proofs.lines import ProofSearch, threat_win
from gtp_engine.players.registry import make_player

POSITIONS = 300
SLIPS = 0.2  # the share of random moves of an alphabeta opponent
OPPONENTS = {  # by description: player and settings
    "random": ("random", {}),
    "flat, 100 random playouts a move": ("flat", {"simulations": 100}),
    "flat, 100 rule-based playouts a move": ("flat", {"simulations": 100, "policy": "rule_based"}),
    **{f"alphabeta, depth {depth}": ("alphabeta", {"depth": depth}) for depth in (1, 2, 4, 6)},
}


def threats():
    """Nodes and seconds of the threat search."""
    table = strategy.load()
    empty = catalogue.start(catalogue.QUBIC, catalogue.QUBIC.default_size)
    board, identity = line_board_of(empty, 0, symmetric=False), np.arange(table.points.size)
    search_nodes = ProofSearch(board, NO_LIMIT).nodes

    def search(i):
        own, other = int(table.own[i]), int(table.other[i])
        cells = np.array([own >> j & 1 or 2 * (other >> j & 1) for j in range(64)], np.uint8)
        table.set_up(cells, identity, board)
        board.failed.fill(0)
        before, start = search_nodes()[1], time.perf_counter()
        threat_win(board, 0, NO_LIMIT)
        return search_nodes()[1] - before, time.perf_counter() - start

    search(0)
    hardest = sorted(range(table.own.size), key=lambda i: -search(i)[0])[:POSITIONS]
    runs = [search(i) for i in hardest for _ in range(10)]
    return sum(nodes for nodes, _ in runs), sum(seconds for _, seconds in runs)


def play(name, is_first, seed):
    """Play a game; returns winner, own colour, longest own time for a move, hash of the game."""
    rng = Random(seed)
    kind, settings = OPPONENTS[name]
    if (kind, name) not in PLAYERS:
        PLAYERS[kind, name] = (
            AlphaBeta(Settings(memory=4)),
            AlphaBeta(Settings(memory=4, **settings), Tuning((STRATEGY,))) if kind == "alphabeta"
            else make_player(kind, Settings(**settings)))
        for player in PLAYERS[kind, name]:  # compiles missing code
            player.load(catalogue.QUBIC)
    players = PLAYERS[kind, name]
    for player in players:
        player.settings.rng = rng
    position = catalogue.start(catalogue.QUBIC, catalogue.QUBIC.default_size)
    ours, slowest = BLACK if is_first else WHITE, 0.0
    while not position.outcome:
        start = time.perf_counter()
        if position.side == ours:
            move = players[0].choose(position, Limits(bytearray(2), 0.2))
            slowest = max(slowest, time.perf_counter() - start)
        elif kind == "alphabeta" and (len(position.history) < 2 or rng.random() < SLIPS):
            move = rng.choice(position.legal_moves())  # so that games differ
        else:
            move = players[1].choose(position, Limits(bytearray(2)))
        position.play(position.side, move)
    return position.outcome.winner, ours, slowest, hash(tuple(
        record.point for record in position.history))


PLAYERS: dict = {}


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--second", type=int, default=50, help="games as second player")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    nodes, seconds = threats()
    print(f"threats: {nodes:,} nodes in {seconds:.2f} s, {nodes / seconds:,.0f} a second",
          flush=True)
    with ProcessPoolExecutor(options.processes) as pool:
        for is_first, games in ((True, options.games), (False, options.second)):
            for name in OPPONENTS:
                results = list(pool.map(play, [name] * games, [is_first] * games, range(games)))
                count = Counter(0 if winner == EMPTY else 1 if winner == ours else -1
                                for winner, ours, *_ in results)
                longest = max(slowest for _, _, slowest, _ in results)
                different = len({game for *_, game in results})
                print(f"{'first' if is_first else 'second'} against {name:37} {count[1]:5} won "
                      f"{count[0]:4} drawn {count[-1]:4} lost; slowest move "
                      f"{longest * 1000:.0f} ms; {different} different games", flush=True)


if __name__ == "__main__":
    main()
