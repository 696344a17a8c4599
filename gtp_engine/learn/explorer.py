"""Opening explorer: the answers of games to a position, with their number, results and values."""

from typing import Any, Iterator, Mapping, Optional, Sequence

from ..games import catalogue
from ..games.lattice import Size
from ..games.opening_rules import name_of
from ..games.rules import Position, Rules
from ..games.symmetry import row_length
from ..players.first_moves import book_moves
from ..players.proofs import qubic as strategy
from ..records.collection import Answer, Collection, Game
from ..records.keys import PositionKeys
from ..wire.notation import GtpPoints

HEADINGS = ("answer", "games", "%", "won", "drawn", "lost", "score", "value", "years", "remark")
WINS, LOSES = "wins", "loses"  # remarks


class Explorer:
    """The answers of games of one kind, with remarks.

    collection  the games, of any kind
    added       the number of the last added game
    """

    def __init__(self, rules: Rules, size: Size, collection: Optional[Collection] = None):
        """Create an explorer of a collection; default: a new one in memory.

        Raises ValueError if the rules do not allow the size.
        """
        self.rules, self.size = rules, size
        self.lattice = catalogue.start(rules, size).lattice
        self.collection = collection or Collection()
        self.added = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.collection.kinds().get((self.rules, self.size), 0)

    def add(self, position: Position, winner: Optional[int] = None,
            values: Sequence[Optional[float]] = (), headers: Mapping[str, str] = {}) -> None:
        """Add the game in the history of a position; see `collection.Game`."""
        self.added = self.collection.add(Game(position, winner, values, headers))

    def remove(self, number: int) -> None:
        """Remove a game by its number, see `added`."""
        self.collection.remove(number)

    def answers(self, position: Position) -> list[Answer]:
        """The answers of the games to a position, the most frequent first, then points with only a
        remark; none after the end of a game."""
        return with_remarks(position, self.collection.answers(position))

    def tree(self, position: Position, depth: int) -> list[dict[str, Any]]:
        """The answers in the types of JSON, `depth` plies deep; the next ply is in `answers`.
        Leaves the position unchanged."""
        names = GtpPoints(self.lattice).name
        tree = []
        for answer in self.answers(position):
            data = answer.data(names)
            if depth > 1 and answer.games:
                position.play(position.side, answer.points[0])
                data["answers"] = self.tree(position, depth - 1)
                position.undo()
            tree.append(data)
        return tree


def with_remarks(position: Position, answers: Sequence[Answer]) -> list[Answer]:
    """The answers with their remarks, the most frequent first, then points with only a remark.
    None after the end of a game."""
    if position.outcome:
        return []
    remarks = remarks_on(position, [answer.points[0] for answer in answers])
    answers = [answer._replace(remark=next(
        (remarks.pop(point) for point in answer.points if point in remarks), ""))
        for answer in answers]
    listed = {point for answer in answers for point in answer.points}
    for point, remark in remarks.items():
        if point not in listed:
            equal = equal_points(position, point)
            answers.append(Answer(equal, remark=remark))
            listed.update(equal)
    return sorted(answers, key=lambda answer: (-answer.games, answer.points))


def equal_points(position: Position, point: int) -> tuple[int, ...]:
    """The points of a position that are equal to `point` by symmetry, in point order."""
    keys = PositionKeys(position.lattice, row_length(position.rules))
    return keys.of_position(position)[1].equal(point)


def remarks_on(position: Position, points: Sequence[int]) -> dict[int, str]:
    """Remarks by point.

    These are moves of the opening book, and names of Renju openings for moves in `points`.  In
    4x4x4 they are verdicts of the solved table for `points` and for a winning move.
    """
    if position.rules == catalogue.QUBIC:
        return verdicts_on(position, points)
    remarks = dict.fromkeys(book_moves(position), "even" if position.rules.swap else "best")
    if position.rules.renju and len(position.moves) == 2:
        for point in points:
            position.play(position.side, point)
            if opening := name_of(position):
                remarks[point] = opening.name
            position.undo()
    return remarks


def verdicts_on(position: Position, points: Sequence[int]) -> dict[int, str]:
    """WINS or LOSES by point, for the side to move, from the solved table and from threats."""
    table = strategy.load()
    win = table.winning_move(position, strategy.THREATS, {})
    remarks = {} if win is None else {win: WINS}
    for point in points:
        position.play(position.side, point)
        if position.outcome:
            remarks[point] = WINS
        elif table.winning_move(position, strategy.THREATS, {}) is not None:
            remarks[point] = LOSES
        position.undo()
    return remarks


def table_rows(answers: Sequence[Mapping[str, Any]], most: int, level: int = 0
               ) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows of a table with HEADINGS for the result of `Explorer.tree`: the level, 0 for the
    first ply, and the texts.  Lists at most `most` answers to a position; the others share a row.
    """
    games = sum(answer["games"] for answer in answers)
    for answer in answers[:most]:
        points, count = answer["points"], answer["games"]
        score, value, years = answer["score"], answer["value"], answer["years"]
        equal = f" ×{len(points)}" if len(points) > 1 else ""
        results = [str(answer[key]) if count else "" for key in ("won", "drawn", "lost")]
        yield level, (f"{points[0]}{equal}", str(count),
                      f"{100 * count / games:.1f}" if count else "", *results,
                      "" if score is None else f"{100 * score:.1f}",
                      "" if value is None else f"{value:+.2f}",
                      "" if not years else "–".join(map(str, dict.fromkeys(years))),
                      answer["remark"])
        yield from table_rows(answer.get("answers", ()), most, level + 1)
    if rest := answers[most:]:
        yield level, (f"{len(rest)} others", str(sum(answer["games"] for answer in rest)),
                      *[""] * (len(HEADINGS) - 2))
