"""Games that leave a proof that Black wins, and the positions where they leave it."""

import re
from collections import Counter
from itertools import islice
from typing import Any, Iterable, NamedTuple, Optional

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE, Size
from ..games.rules import Position, Rules
from ..games.symmetry import row_length
from ..players.proofs import gomoku as gomoku_proof
from ..records.collection import Found
from ..records.keys import Images, PositionKeys
from ..records.moves import PLAIN_COLUMNS
from ..wire.notation import GtpPoints

RESULTS = {"B+": BLACK, "W+": WHITE, "0": EMPTY}  # by the beginning of a game's result
_POINT = re.compile("([a-z])([0-9]+)")  # in the moves of `Found`


class Score(NamedTuple):
    """Games and their results: won by Black, drawn, won by White; the rest have no result."""

    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, winner: Optional[int]) -> "Score":
        """The score with one more game."""
        return Score(self.games + 1, self.won + (winner == BLACK), self.drawn + (winner == EMPTY),
                     self.lost + (winner == WHITE))


class Departure(NamedTuple):
    """A position where games leave the proof.

    moves   the points of one game that reaches it
    proof   the points that the proof plays, all that are equal by symmetry
    played  the number of games by move, the most frequent first; the points of a move are equal
    score   of the games that leave the proof here
    """

    moves: tuple[int, ...]
    proof: tuple[int, ...]
    played: list[tuple[tuple[int, ...], int]]
    score: Score


class _Place:
    # A position of Departures: its moves, the advice of the proof, its symmetries, and counts of
    # the moves in the canonical image.
    def __init__(self, moves: tuple[int, ...], images: Images, proof: int):
        self.moves, self.images, self.proof = moves, images, proof
        self.played = Counter[int]()
        self.score = Score()


class Departures:
    """Where games of a kind leave the proof as Black.

    A game follows the proof as long as each move of Black is the proof's move, or leads to a
    position of the proof, both up to symmetry.  Where Black wins by threats, the proof has no
    moves, and the game counts as won by threats.

    followed  games that end, or whose record ends, on the moves of the proof
    threats   games that reach a win by threats
    left      games that leave the proof
    plies     the number of games by the ply of the first other move
    omitted   games without moves from the empty board: with passes or set-up stones
    """

    def __init__(self, rules: Rules, size: Size):
        """Raises ValueError if there is no proof for this game and size."""
        self.start = catalogue.start(rules, size)
        proof = gomoku_proof.of(self.start)
        if proof is None:
            raise ValueError(f"there is no proof of {rules.name} on this board")
        self._proof = proof
        self._keys = PositionKeys(self.start.lattice, row_length(rules))
        self._points = {self.start.lattice.display_place(point): point
                        for point in self.start.lattice.points}
        self._advice: dict[tuple[int, ...], Optional[int]] = {}  # moves before Black's -> move
        self._follows: dict[tuple[int, ...], bool] = {}  # moves with Black's -> in the proof?
        self._places: dict[int, _Place] = {}
        self.followed = self.threats = self.left = Score()
        self.plies = Counter[int]()
        self.omitted = 0

    def add(self, games: Iterable[Found]) -> None:
        """Add games of a collection; skips those of another game or size."""
        rules, size = self.start.rules.name, self.start.lattice.display_size
        for game in games:
            if (game.rules, game.size) == (rules, size):
                self._add(game)

    def _add(self, game: Found) -> None:
        moves = [self._points.get((PLAIN_COLUMNS.index(column), int(row) - 1))
                 for column, row in _POINT.findall(game.moves)]
        winner = next((colour for text, colour in RESULTS.items()
                       if game.result.startswith(text)), None)
        if not moves or None in moves:
            self.omitted += 1
            return
        points = tuple(point for point in moves if point is not None)
        position = self.start.copy()
        for ply, point in enumerate(points, 1):
            if position.side == BLACK:
                before = points[:ply - 1]
                advice = self._advised(before, position)
                if advice is None:
                    self.threats = self.threats.add(winner)
                    return
                if point != advice and not self._is_followed(points[:ply], position):
                    self._leave(position, before, advice, point, winner)
                    self.plies[ply] += 1
                    return
            if position.outcome or position.complaint(position.side, point):
                break
            position.play(position.side, point)
        if position.side == BLACK and not position.outcome and (
                self._advised(points, position) is None):
            self.threats = self.threats.add(winner)
        else:
            self.followed = self.followed.add(winner)

    def _advised(self, moves: tuple[int, ...], position: Position) -> Optional[int]:
        if moves not in self._advice:
            advice = self._proof.advice(position)
            self._advice[moves] = advice.move if advice else None
        return self._advice[moves]

    def _is_followed(self, moves: tuple[int, ...], position: Position) -> bool:
        # Does the last of these moves lead from the position to one of the proof?
        if moves not in self._follows:
            follows = False
            if not position.complaint(position.side, moves[-1]):
                position.play(position.side, moves[-1])
                follows = bool(self._proof.answers(position))
                position.undo()
            self._follows[moves] = follows
        return self._follows[moves]

    def _leave(self, position: Position, moves: tuple[int, ...], advice: int, point: int,
               winner: Optional[int]) -> None:
        key, images = self._keys.of_position(position)
        if key not in self._places:
            self._places[key] = _Place(moves, images, advice)
        place = self._places[key]
        place.played[images.canonical(point)] += 1
        place.score = place.score.add(winner)
        self.left = self.left.add(winner)

    def positions(self, most: Optional[int] = None) -> list[Departure]:
        """The positions where games leave the proof, those with most games first."""
        places = sorted(self._places.values(), key=lambda place: (
            -place.score.games, len(place.moves), place.moves))
        return [Departure(
            place.moves, place.images.equal(place.proof),
            [(place.images.points(move), count) for move, count in place.played.most_common()],
            place.score) for place in islice(places, most)]

    def data(self, most: Optional[int] = None) -> dict[str, Any]:
        """The numbers in the types of JSON, with the names of points in GTP."""
        names = GtpPoints(self.start.lattice).name
        return {
            "followed": self.followed._asdict(), "threats": self.threats._asdict(),
            "left": self.left._asdict(), "omitted": self.omitted,
            "plies": {str(ply): self.plies[ply] for ply in sorted(self.plies)},
            "positions": [{
                "moves": [names[point] for point in each.moves],
                "proof": [names[point] for point in each.proof],
                "played": [{"points": [names[point] for point in points], "games": count}
                           for points, count in each.played],
                **each.score._asdict()} for each in self.positions(most)]}
