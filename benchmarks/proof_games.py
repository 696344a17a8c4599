"""Play complete games in which Black follows the proof of that game and board.

    python benchmarks/proof_games.py [--game Gomoku] [--size 15] [--games 1000] [--seed 1]

Black is alphabeta with few nodes, which follows the proof from the first move on.  White is one of
several kinds of player.  In half of the games White's first answer is a random point, which covers
all branches of the proof.  The exit status is 1 unless Black wins every game within the plies that
it claims.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Callable, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.games.rules import Position
from gtp_engine.games.symmetry import symmetries
from gtp_engine.players.base import FULL_STRENGTH, Limits, Player, Settings
from gtp_engine.players.proofs import gomoku as gomoku_proof
from gtp_engine.players.proofs.gomoku import GomokuProof
from gtp_engine.players.registry import make_player
from gtp_engine.wire.notation import GtpPoints

NODES = 3000  # of Black's searches
Chooser = Callable[[Position], int]


class White(NamedTuple):
    """A kind of White: its name, and a factory of such players."""

    name: str
    make: Callable[[GomokuProof, Random], Chooser]


class FinishedGame(NamedTuple):
    """A finished game.

    winner  BLACK or WHITE, 0 for a draw
    moves   the points of the game, Black first
    late    did the game end later than Black claimed at some move?
    """

    winner: int
    moves: tuple[int, ...]
    late: bool


def playing(name: str, level: int = FULL_STRENGTH, most: int = 0
            ) -> Callable[[GomokuProof, Random], Chooser]:
    """A factory of players of that level, each with a random limit up to `most` nodes."""
    def make(proof: GomokuProof, rng: Random) -> Chooser:
        player = make_player(name, Settings(rng=rng, memory=1, level=level,
                                            nodes=rng.randint(most // 10, most) if most else None))
        return lambda position: choice(player, position)
    return make


def resisting(proof: GomokuProof, rng: Random) -> Chooser:
    """A player that chooses one of the longest defences in the proof.

    It plays as alphabeta where only threats win.
    """
    player = make_player("alphabeta", Settings(rng=rng, memory=1, nodes=300))

    def choose(position: Position) -> int:
        plies = {point: answer.plies for point, answer in proof.answers(position).items()
                 if answer.kind in (gomoku_proof.ENTRY, gomoku_proof.PASSES)}
        longest = [point for point in plies if plies[point] >= max(plies.values()) - 2]
        return rng.choice(longest) if longest else choice(player, position)
    return choose


def choice(player: Player, position: Position) -> int:
    """The player's move."""
    return player.choose(position, Limits(bytearray(2)))


WHITES = [White("random", playing("random")),
          White("longest resistance", resisting),
          White("level 5", playing("alphabeta", level=5)),
          White("level 8", playing("alphabeta", level=8)),
          White("alphabeta, 30 to 300 nodes", playing("alphabeta", most=300)),
          White("alphabeta, 1,000 to 10,000", playing("alphabeta", most=10_000))]


def play_game(proof: GomokuProof, white: White, anywhere: bool, rng: Random) -> FinishedGame:
    """Play a game; with `anywhere` White's first answer is a random point."""
    black = make_player("alphabeta", Settings(rng=rng, memory=1, nodes=NODES))
    position, choose = catalogue.start(proof.rules, proof.size), white.make(proof, rng)
    limit = len(position.lattice.points)
    while not position.outcome:
        if position.side == WHITE:
            at_random = anywhere and len(position.moves) == 1
            position.play(WHITE, rng.choice(position.legal_moves()) if at_random
                          else choose(position))
            continue
        move = choice(black, position)
        plies = black.report.figures.get("plies to win")
        if plies:
            limit = min(limit, len(position.moves) + plies)
        position.play(BLACK, move)
    moves = tuple(record.point for record in position.moves)
    return FinishedGame(position.outcome.winner, moves, len(moves) > limit)


def main() -> int:
    """Play, print a row for each kind and half; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", type=catalogue.find, default=catalogue.GOMOKU)
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lattice = catalogue.lattice(options.size, options.size)
    names, images = GtpPoints(lattice).name, symmetries(lattice, 5)
    proof, failed = gomoku_proof.load(options.game.name, options.size), 0
    if proof is None:
        parser.error(f"no proof of {options.game.name} on {options.size}x{options.size}")
    print("| White | first answer | games | different | won | drawn | lost | longest | late |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    kinds = [(white, anywhere) for anywhere in (True, False) for white in WHITES]
    for first, (white, anywhere) in enumerate(kinds):
        row, longest, different = Counter[str](), 0, set()
        for number in range(first, options.games, len(kinds)):
            game = play_game(proof, white, anywhere, Random(f"{options.seed} {number}"))
            row[("drawn", "won", "lost")[game.winner]] += 1
            row["late"] += game.late
            longest = max(longest, len(game.moves))
            different.add(min(tuple(image[[*game.moves]]) for image in images))
            if game.late or game.winner != BLACK:
                moves = " ".join(names[move] for move in game.moves)
                print(f"game {number} fails: {moves}", file=sys.stderr, flush=True)
                failed += 1
        print(f"| {white.name} | {'any' if anywhere else 'its own'} | "
              f"{row.total() - row['late']} | {len(different)} | {row['won']} | "
              f"{row['drawn']} | {row['lost']} | {longest} | "
              f"{row['late']} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
