"""Games of alphabeta against itself, as positions to learn from.

    python tuning/selfplay.py gomoku.npz --game Gomoku --games 4000 --seed 1

Writes a file with one row for each quiet position, that is, without a win by fours for the side to
move or a threat to win at once: `game` (its name), `size`, `cells` uint8[n, size * size] (0 empty,
1 the side to move, 2 the other side), `captured` uint8[n, 2] (by the side to move and the other),
`result` float32[n] (1 a win of the side to move, 0.5 a draw, 0 a loss), `score` int32[n] and `move`
uint16[n], those of the search.  Two processes play; the same seed gives the same file.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np  # noqa: E402

from gtp_engine.games import catalogue  # noqa: E402
from gtp_engine.games.lattice import BLACK, EMPTY  # noqa: E402
from gtp_engine.kernels.control import clear, shared  # noqa: E402
from gtp_engine.kernels.plane.moves import wins_at  # noqa: E402
from gtp_engine.kernels.plane.state import start  # noqa: E402
from gtp_engine.kernels.plane.vcf import VCF_DEPTH, win_by_fours  # noqa: E402
from gtp_engine.players.base import Limits, Settings  # noqa: E402
from gtp_engine.players.alphabeta import AlphaBeta  # noqa: E402
from gtp_engine.players.policy import near_stones  # noqa: E402
from gtp_engine.players.adapters import board_of, geometry_of  # noqa: E402

SURPRISE = 0.04  # how often a move is a random one


def is_quiet(position, geometry, search):
    """Is there neither a win by fours for the side to move nor a threat to win at once?"""
    colour = position.side - BLACK
    board = board_of(geometry, position)
    start(board, geometry, search)
    control = shared(search.control)
    clear(control)
    control.node_limit, control.threat_nodes = 1 << 40, 2000
    return not (wins_at(board, geometry, search, 1 - colour, search.threats)
                or win_by_fours(board, geometry, search, np.zeros(2, np.uint8),
                                2 * VCF_DEPTH + 1, 0, colour))


def play(task):
    """The rows of some games."""
    game, size, nodes, games, seed = task
    rng = Random(seed)
    player = AlphaBeta(Settings(rng=rng, nodes=nodes, memory=4))
    empty = catalogue.start(catalogue.find(game), size)
    geometry = geometry_of(empty.rules, empty.lattice)
    rows = []
    for _ in range(games):
        position, seen = empty.copy(), []
        opening = rng.randint(2, 9)
        while not position.outcome:
            if len(position.history) < opening or rng.random() < SURPRISE:
                move = rng.choice(near_stones(position))
            else:
                move = player.choose(position, Limits(bytearray(2)))
                search = player.plane.search
                score = player.report.figures.get("score", 0)
                if search and is_quiet(position, geometry, search):
                    seen.append((position.copy(), move, score))
            position.play(position.side, move)
        for before, move, score in seen:
            winner = position.outcome.winner
            result = 0.5 if winner == EMPTY else float(winner == before.side)
            cells = np.array([before.cells[point] for point in before.lattice.points], np.uint8)
            if before.side != BLACK:
                cells = (3 - cells) * (cells > 0)
            own, other = before.captured[before.side], before.captured[3 - before.side]
            rows.append((cells, (own, other), result, score, before.lattice.points.index(move)))
    return rows


def main():
    """Play and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--game", default="Gomoku")
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--nodes", type=int, default=2000, help="for each move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    share = 20
    tasks = [(options.game, options.size, options.nodes, share, options.seed * 100_003 + i)
             for i in range(-(-options.games // share))]
    rows = []
    with ProcessPoolExecutor(options.processes) as workers:
        for number, part in enumerate(workers.map(play, tasks)):
            rows += part
            if sys.stderr.isatty() or number % 20 == 19:
                print(f"{(number + 1) * share} games, {len(rows)} positions", file=sys.stderr)
    cells, captured, result, score, move = zip(*rows)
    np.savez_compressed(options.file, game=options.game, size=options.size, cells=np.array(cells),
                        captured=np.array(captured, np.uint8), result=np.array(result, np.float32),
                        score=np.array(score, np.int32), move=np.array(move, np.uint16))


if __name__ == "__main__":
    main()
