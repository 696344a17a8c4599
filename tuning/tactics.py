"""Find tactical positions for tests/data/tactics.txt.

    python tuning/tactics.py --seed 1 > tests/data/tactics.txt

The program searches random games for positions with a win by fours, and for positions where the
opponent would win by fours.  The slow reference of the tests gives their lengths and right moves.
"""

import argparse
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))


from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players.alphabeta.plane_search import PlaneSearch
from gtp_engine.players.base import Settings
from tests.positions import random_game
from tests.reference import holds, wins_by_fours

WANTED = {("win", 1): 5, ("win", 2): 6, ("win", 3): 3, ("hold", 2): 8}
GAMES = ("Gomoku", "Gomoku-exact", "Pente-free", "Keryo-Pente")


def fours(position):
    """The number of fours that the side to move needs to win, by the kernels; None: no win."""
    search = PlaneSearch(Settings(memory=1))
    search.set_position(position, bytearray(2))
    for count in range(4):
        if search.win_by_fours(2 * count + 1, 1 << 20):
            return count
    return None


def describe(position, kind, number, moves):
    """The line of a position in the table."""
    lattice = position.lattice
    rows = "/".join("".join(".XO"[position.cells[lattice.point(x, y)]]
                            for x in range(lattice.width))
                    for y in reversed(range(lattice.height)))
    names = " ".join("ABCDEFGHJ"[x] + str(y + 1)
                     for x, y, _ in map(lattice.coordinates, sorted(moves)))
    captured = f"{position.captured[BLACK]},{position.captured[WHITE]}"
    return (f"{position.rules.name} {'.XO'[position.side]} {captured} {kind} {number} {rows} "
            f"{names}")


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for game in GAMES:
        missing = dict(WANTED)
        rng = Random(f"{game} {options.seed}")
        while any(missing.values()):
            rules = catalogue.find(game)._replace(smallest=3, centre_opening=0)
            for position in random_game(rules, rng.choice((7, 8)), rng, by_policy=0.7):
                if position.outcome or position.vacant > 34 or rng.random() < 0.7:
                    continue
                other = position.copy()
                other.set_side(BLACK + WHITE - position.side)
                count, danger = fours(position), fours(other)
                kind = "hold", 2
                if count:
                    # The reference counts threats to win by captures too, so it may need fewer.
                    count = next(n for n in range(1, count + 1) if wins_by_fours(position, n))
                    kind = "win", count
                elif count is not None or danger not in (1, 2):
                    continue
                if not missing.get(kind):
                    continue
                if count:
                    moves = wins_by_fours(position, count)
                else:
                    moves = holds(position, 2)
                    if not 0 < len(moves) <= 6:
                        continue
                missing[kind] -= 1
                print(describe(position, *kind, moves), flush=True)
                break


if __name__ == "__main__":
    main()
