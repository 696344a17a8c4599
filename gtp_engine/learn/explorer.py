"""Opening explorer: the answers of games to a position, with their number, results and values.

Positions that are equal by a symmetry of the board count as one.  The key of a position is the
smallest 64-bit Zobrist key (1970) of its symmetric images, with the side to move and the captured
stones.  Among a million positions, two share a key with probability 3e-8.
"""

from array import array
from functools import lru_cache
from math import isnan, nan
from random import Random
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, PASS, Lattice
from ..games.opening_rules import name_of
from ..games.rules import Position, Rules
from ..games.tree import GameTree
from ..players.adapters import symmetries
from ..players.first_moves import book_moves
from ..players.proofs import qubic as strategy
from ..wire.notation import GtpPoints

UNKNOWN = 2  # result of a move in a game without one; else 1, 0 or -1 for the side that moved
HEADINGS = ("answer", "games", "%", "won", "drawn", "lost", "score", "value", "remark")
WINS, LOSES = "wins", "loses"  # remarks
MOST_CAPTURED = 64  # distinct counts of captured stones in a key


class Answer(NamedTuple):
    """An answer of games to a position.

    points  one point, or all points that are equal by symmetries of the position, in point order
    games   the number of games; `won`, `drawn` and `lost` count those with a result, for the side
            that answered
    value   the mean value after the answer, for that side, from -1 (lost) to 1 (won), or None
    remark  a text from another source than the games, or ""
    """

    points: tuple[int, ...]
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    value: Optional[float] = None
    remark: str = ""

    @property
    def score(self) -> Optional[float]:
        """The share of points, from 0 to 1, in games with a result; None without such games."""
        decided = self.won + self.drawn + self.lost
        return (self.won + self.drawn / 2) / decided if decided else None

    def data(self, names: Mapping[int, Any]) -> dict[str, Any]:
        """The answer in the types of JSON, with these names or numbers of points."""
        return {**self._asdict(), "points": [names[point] for point in self.points],
                "score": self.score}


class Explorer:
    """The answers of games of one kind.

    games  the number of games
    added  the number of the last added game, from 1
    """

    def __init__(self, rules: Rules, size: int):
        """Raises ValueError if the rules do not allow the size."""
        self.rules, self.size = rules, size
        self.lattice = catalogue.start(rules, size).lattice
        self.games = self.added = 0
        self._removed: set[int] = set()
        self._keys = PositionKeys(self.lattice, rules.in_a_row)
        self._rows: tuple[array[Any], ...] = (
            array("Q"), array("H"), array("b"), array("f"), array("L"))
        self._sorted: Optional[tuple[np.ndarray, ...]] = None

    def add(self, position: Position, winner: Optional[int] = None,
            values: Sequence[Optional[float]] = ()) -> None:
        """Count the game in the history of a position.

        winner  BLACK, WHITE, EMPTY for a draw, or None without a result
        values  the values for Black after each record of the history, or None
        """
        records = position.history
        self.games, self.added = self.games + 1, self.added + 1
        keys, moves = self._keys.of_history(position)
        values = [*values, *[None] * (len(records) - len(values))]
        for key, move, record, value in zip(keys.tolist(), moves.tolist(), records, values):
            if record.point == PASS:
                continue
            sign = 1 if record.colour == BLACK else -1
            result = UNKNOWN if winner is None else 0 if winner == EMPTY else (
                1 if winner == record.colour else -1)
            row = key, move, result, nan if value is None else sign * value, self.added
            for column, cell in zip(self._rows, row):
                column.append(cell)
        self._sorted = None

    def remove(self, number: int) -> None:
        """Remove a game by its number, see `added`."""
        self.games -= 1
        self._removed.add(number)
        self._sorted = None

    def answers(self, position: Position) -> list[Answer]:
        """The answers of the games to a position, the most frequent first, then points with only a
        remark; none after the end of a game."""
        if position.outcome:
            return []
        key, images = self._keys.of_position(position)
        answers = [self._answer(move, images, *rows)
                   for move, rows in self._results_by_move(key).items()]
        remarks = remarks_on(position, [answer.points[0] for answer in answers])
        answers = [answer._replace(remark=next(
            (remarks.pop(point) for point in answer.points if point in remarks), ""))
            for answer in answers]
        listed = {point for answer in answers for point in answer.points}
        for point, remark in remarks.items():
            if point not in listed:
                equal = images.equal(point)
                answers.append(Answer(equal, remark=remark))
                listed.update(equal)
        return sorted(answers, key=lambda answer: (-answer.games, answer.points))

    def _results_by_move(self, key: int) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        # The results and values of the games, by move in the canonical image.
        if self._sorted is None:
            *columns, games = map(np.array, self._rows)
            remaining = np.flatnonzero(~np.isin(games, [*self._removed]))
            order = remaining[np.argsort(columns[0][remaining], kind="stable")]
            self._sorted = tuple(column[order] for column in columns)
        keys, moves, results, values = self._sorted
        first, last = (int(np.searchsorted(keys, np.uint64(key), side)) for side in (
            "left", "right"))
        here = moves[first:last]
        return {int(move): (results[first:last][here == move], values[first:last][here == move])
                for move in np.unique(here)}

    @staticmethod
    def _answer(move: int, images: "Images", results: np.ndarray, values: np.ndarray) -> Answer:
        numbers = values[~np.isnan(values)]
        value = float(numbers.mean()) if numbers.size else nan
        won, drawn, lost = (int((results == result).sum()) for result in (1, 0, -1))
        return Answer(images.points(move), results.size, won, drawn, lost,
                      None if isnan(value) else round(value, 4))

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


class Images:
    """The symmetries that map a position to its canonical image.

    inverse  by symmetry and by point of the image, the point of the position
    """

    def __init__(self, forward: np.ndarray, inverse: np.ndarray):
        self._forward, self.inverse = forward, inverse

    def points(self, move: int) -> tuple[int, ...]:
        """The points of the position for a point of the image, in point order."""
        return tuple(sorted({int(point) for point in self.inverse[:, move]}))

    def equal(self, point: int) -> tuple[int, ...]:
        """The points of the position that are equal to `point` by symmetry, in point order."""
        return self.points(int(self._forward[:, point].min()))


class PositionKeys:
    """Keys of positions on a lattice where `in_a_row` stones in a row win."""

    def __init__(self, lattice: Lattice, in_a_row: int):
        self._forward, self._inverse, self._stones, sides, captured = key_tables(lattice, in_a_row)
        self._cells, self._sides, self._captured = lattice.cells, sides, captured

    def of_history(self, position: Position) -> tuple[np.ndarray, np.ndarray]:
        """The keys of the positions before each record of the history, with the record's colour to
        move, and the points of the records in the canonical images."""
        records = position.history
        changed: list[int] = []
        starts: list[int] = []
        cells = position.cells[:]
        for record in reversed(records):
            starts.append(len(changed))
            changed.append(0)  # has key 0; no segment of reduceat may be empty
            for cell, content in record.before:
                changed += [self._place(cell, cells[cell]), self._place(cell, content)]
                cells[cell] = content
        if not records:
            return np.zeros(0, np.uint64), np.zeros(0, np.int64)
        steps = np.bitwise_xor.reduceat(self._stones[changed], starts)[::-1]
        before = np.zeros_like(steps)
        np.bitwise_xor.accumulate(steps[:-1], out=before[1:])
        least = before.min(axis=1)
        keys = least ^ np.array([self._extra(record.colour, record.captured)
                                 for record in records], np.uint64)
        points = self._forward[:, [record.point for record in records]].T
        return keys, np.where(before == least[:, None], points, self._cells).min(axis=1)

    def of_position(self, position: Position) -> tuple[int, Images]:
        """The key of a position, and the symmetries that map it to its canonical image."""
        places = [0, *(self._place(point, position.cells[point])
                       for point in position.lattice.points)]
        images = np.bitwise_xor.reduce(self._stones[places], axis=0)
        least = images.min()
        canonical = np.flatnonzero(images == least)
        return (int(least) ^ self._extra(position.side, position.captured),
                Images(self._forward[canonical], self._inverse[canonical]))

    def _place(self, cell: int, content: int) -> int:
        return cell * 3 + content

    def _extra(self, side: int, captured: Iterable[int]) -> int:
        _, black, white = captured
        key: int = self._sides[side] ^ self._captured[black % MOST_CAPTURED][0] ^ (
            self._captured[white % MOST_CAPTURED][1])
        return key


@lru_cache(maxsize=32)
def key_tables(lattice: Lattice, in_a_row: int) -> tuple[Any, ...]:
    """The maps of cells by symmetries, their inverses, and the tables of Zobrist keys.

    The tables are for stones (by cell and content, with a column for each symmetry; empty cells
    have key 0), for the side to move, and for captured stones.
    """
    rng = Random(1970)
    forward = np.array(symmetries(lattice, in_a_row))
    stones = np.zeros((lattice.cells, 3), np.uint64)
    for point in lattice.points:
        stones[point, BLACK:] = rng.getrandbits(64), rng.getrandbits(64)
    images = stones[forward].transpose(1, 2, 0).reshape(lattice.cells * 3, len(forward))
    sides = [0, 0, rng.getrandbits(64)]
    captured = [(rng.getrandbits(64), rng.getrandbits(64)) if count else (0, 0)
                for count in range(MOST_CAPTURED)]
    return forward, np.argsort(forward, axis=1), np.ascontiguousarray(images), sides, captured


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
        score, value = answer["score"], answer["value"]
        equal = f" ×{len(points)}" if len(points) > 1 else ""
        results = [str(answer[key]) if count else "" for key in ("won", "drawn", "lost")]
        yield level, (f"{points[0]}{equal}", str(count),
                      f"{100 * count / games:.1f}" if count else "", *results,
                      "" if score is None else f"{100 * score:.1f}",
                      "" if value is None else f"{value:+.2f}", answer["remark"])
        yield from table_rows(answer.get("answers", ()), most, level + 1)
    if rest := answers[most:]:
        yield level, (f"{len(rest)} others", str(sum(answer["games"] for answer in rest)),
                      *[""] * (len(HEADINGS) - 2))


def add_tree(explorer: Explorer, tree: GameTree, node: int, winner: Optional[int] = None) -> None:
    """Count the game of a tree up to a node, with its values.

    winner  see `Explorer.add`; used only if the game has not ended on the board
    """
    position = catalogue.start(tree.rules, tree.size)
    values: list[Optional[float]] = []
    for number in tree.path(node)[1:]:
        tree.nodes[number].step.apply(position)
        values += [None] * (len(position.history) - len(values) - 1)
        values.append(tree.nodes[number].value)
    explorer.add(position, position.outcome.winner if position.outcome else winner, values)
