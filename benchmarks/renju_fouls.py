"""Play complete games of Renju under a judge that shares no code with the engine.

    python benchmarks/renju_fouls.py [--games 200] [--seed 1]

The engine plays Black in --games games against opponents of several kinds, from the 26 openings of
Renju and from even openings.  Then it plays White in a fifth of that number, against players of
Gomoku, which have no forbidden points.  tests/reference.py judges every move, and so does the
package renju if it is installed.  A black stone on a forbidden point loses at once.  A game with
DRAWN_AT stones is drawn, as in tournaments.  The exit status is 1 if Black played on a forbidden
point in a game of the engine, or if the two judges differ.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple, Optional

sys.path.insert(0, str(Path(__file__).parent.parent))

from gtp_engine.games import catalogue
from gtp_engine.games.lattice import BLACK, WHITE
from gtp_engine.players.base import Limits, Player, Settings
from gtp_engine.players.registry import make_player
from gtp_engine.tournament.openings import made_opening, renju_openings
from gtp_engine.wire.notation import GtpPoints
from tests.reference import ReferenceGame, renju_kind

try:
    from renju.check_forbid import get_foul_type
except ImportError:
    get_foul_type = None

SIZE = 15
DRAWN_AT = SIZE * SIZE - 25  # stones
FOUL, LINE, FULL = "foul", "line", "full"  # how a game ends
LETTERS = " bw"  # of the colours


class Kind(NamedTuple):
    """A kind of player, and the game whose rules it plays by."""

    name: str
    player: str
    settings: dict[str, object]
    game: str = "Renju"

    def make(self, seed: int) -> Player:
        """A player of this kind."""
        return make_player(self.player, Settings(rng=Random(seed), memory=4, **self.settings))


SEARCH = Kind("alphabeta, 2,000 nodes", "alphabeta", {"nodes": 2000})
SHORT = Kind("alphabeta, 300 nodes", "alphabeta", {"nodes": 300})
FLAT = Kind("flat", "flat", {"simulations": 5})
RULE_BASED = Kind("flat, rule_based", "flat", {"simulations": 5, "policy": "rule_based"})
RANDOM = Kind("random", "random", {})
IGNORANT = Kind("alphabeta of Gomoku-exact", "alphabeta", {"nodes": 2000}, "Gomoku-exact")
IGNORANT_FLAT = Kind("flat of Gomoku-exact", "flat",
                     {"simulations": 5, "policy": "rule_based"}, "Gomoku-exact")
OUR_BLACK = [  # Black and White, the first half of the games with a search as Black
    (SEARCH, SEARCH), (SEARCH, IGNORANT), (SEARCH, RULE_BASED), (SEARCH, FLAT), (FLAT, SEARCH),
    (RULE_BASED, SEARCH), (SHORT, SEARCH), (SEARCH, SHORT), (RULE_BASED, RULE_BASED),
    (FLAT, RANDOM)]
OUR_WHITE = [(IGNORANT, SEARCH), (IGNORANT_FLAT, SEARCH), (IGNORANT, RULE_BASED),
             (IGNORANT_FLAT, FLAT)]


class FinishedGame(NamedTuple):
    """A finished game.

    winner       BLACK or WHITE, 0 for a draw
    reason       FOUL, LINE or FULL
    on_forbidden  did White complete a row on a point that was forbidden to Black?
    turns        number of Black's turns with a forbidden point
    differ       number of moves on which the two judges differ
    """

    winner: int
    reason: str
    on_forbidden: bool
    turns: int
    differ: int


class Judge:
    """The stones of a game, and the verdict of the rules on a move."""

    def __init__(self) -> None:
        self.game = ReferenceGame("Renju", SIZE)
        self.differ = 0

    def is_foul(self, colour: int, at: tuple[int, int]) -> bool:
        """Is the empty point forbidden to that colour?"""
        foul = colour == BLACK and renju_kind(self.game.stones, SIZE, at) not in (None, "five")
        if colour == BLACK and get_foul_type:
            cells = [[LETTERS.index(self.game.stones.get((x, y), " ")) for y in range(SIZE)]
                     for x in range(SIZE)]
            self.differ += (get_foul_type(cells, *at) > 0) != foul
        return foul

    def place(self, colour: int, at: tuple[int, int]) -> Optional[str]:
        """Place a stone; returns the reason if it ends the game."""
        assert at not in self.game.stones
        if self.is_foul(colour, at):
            return FOUL
        wins = self.game.would_win(LETTERS[colour], at)
        self.game.stones[at] = LETTERS[colour]
        return LINE if wins else FULL if len(self.game.stones) == DRAWN_AT else None


def play_game(black: Kind, white: Kind, opening: tuple[str, ...], seed: int) -> FinishedGame:
    """Play a game from the opening to its end."""
    judge, turns = Judge(), 0
    positions = {colour: catalogue.start(catalogue.find(kind.game), SIZE)
                 for colour, kind in ((BLACK, black), (WHITE, white))}
    players = {BLACK: black.make(seed), WHITE: white.make(seed + 1)}
    renju = next(board for board in positions.values() if board.rules.renju)
    lattice = renju.lattice
    points, moves = GtpPoints(lattice), list(opening)
    colour = BLACK
    while True:
        position = positions[colour]
        if moves:
            point = points.point_of(moves.pop(0))
        else:
            if colour == BLACK:
                turns += bool(renju.forbidden_points())
            point = players[colour].choose(position, Limits(bytearray(2)))
        at = lattice.coordinates(point)[:2]
        on_forbidden = colour == WHITE and judge.is_foul(BLACK, at)
        reason = judge.place(colour, at)
        if reason:
            loser = {FOUL: colour, LINE: 3 - colour}.get(reason)
            return FinishedGame(0 if loser is None else 3 - loser, reason,
                                on_forbidden and reason == LINE, turns, judge.differ)
        for board in positions.values():
            board.play(colour, point)
        colour = 3 - colour


def opening_of(number: int) -> tuple[str, ...]:
    """One of the 26 openings for every third game, else a new even opening."""
    if number % 3 == 0:
        named = renju_openings(catalogue.RENJU, SIZE)
        return named[number // 3 % len(named)]
    return made_opening(catalogue.RENJU, SIZE, number)


def play_all(pairs: list[tuple[Kind, Kind]], games: int, seed: int) -> Counter[str]:
    """Play `games` games, the pairs in turn, and print a row for each pair; returns the sums.

    Won and lost are Black's.  `by row` counts losses to a row on a forbidden point, `turns` counts
    Black's turns with a forbidden point.
    """
    sums = Counter[str]()
    print(f"{'Black':25} {'White':25} games  won drawn lost by row fouls turns", flush=True)
    for first, (black, white) in enumerate(pairs):
        row = Counter[str]()
        for number in range(first, games, len(pairs)):
            game = play_game(black, white, opening_of(seed * 1000 + number), seed + 2 * number)
            row["games"] += 1
            row[("drawn", "won", "lost")[game.winner]] += 1
            row["by row"] += game.on_forbidden
            row["fouls"] += game.reason == FOUL
            row["turns"] += game.turns
            row["differ"] += game.differ
        print(f"{black.name:25} {white.name:25} {row['games']:5} {row['won']:4} {row['drawn']:5} "
              f"{row['lost']:4} {row['by row']:6} {row['fouls']:5} {row['turns']:5}", flush=True)
        sums += row
    return sums


def main() -> int:
    """Play and print the tables; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ours = play_all(OUR_BLACK, options.games, options.seed)
    print(f"our Black: {ours['games']} games, {ours['fouls']} fouls\n", flush=True)
    others = play_all(OUR_WHITE, options.games // 5, options.seed)
    differ = ours["differ"] + others["differ"]
    print(f"against Black without the rule: {others['games']} games, {others['fouls']} fouls\n"
          f"judges: tests/reference.py{' and the package renju' if get_foul_type else ''}, "
          f"{differ} differences")
    return 1 if ours["fouls"] or differ else 0


if __name__ == "__main__":
    sys.exit(main())
