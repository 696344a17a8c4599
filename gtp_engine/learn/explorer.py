"""What games have answered in a position: how often, with what result, and what it was worth.

Positions that a symmetry of the board carries to each other are one.  A position is known by a
number of 64 bits: the least of those that its symmetries have (Zobrist 1970), with the side to move
and the captured stones.  That two of a million positions have the same one has odds of 3e-8.
"""

from array import array
from functools import lru_cache
from math import isnan, nan
from random import Random
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence

import numpy as np

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, PASS, WHITE, Lattice
from ..games.opening_rules import name_of
from ..games.rules import Position, Rules
from ..games.tree import GameTree
from ..players.adapters import symmetries
from ..players.first_moves import book_moves
from ..players.proofs import qubic as strategy
from ..wire.notation import GtpPoints

UNKNOWN = 2  # the result of a move whose game has none; else 1, 0 or -1 for the side that made it
HEADINGS = ("answer", "games", "%", "won", "drawn", "lost", "score", "value", "known")
WINS, LOSES = "wins", "loses"  # remarks
MOST_CAPTURED = 64  # counts of captured stones that are told apart


class Answer(NamedTuple):
    """What games have answered in a position.

    points  where: one point, or all that symmetries of the position make equal, in point order
    games   in so many games, of which `won`, `drawn` and `lost` are those with a known result, for
            the side that answered
    value   the mean, for that side, of the values that the games have after it, from -1 (lost) to 1
            (won); None without any
    remark  what is known beside the games; "" if nothing is
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
        """The share of the points, from 0 to 1, in games with a known result; None without any."""
        known = self.won + self.drawn + self.lost
        return (self.won + self.drawn / 2) / known if known else None

    def data(self, names: Mapping[int, Any]) -> dict[str, Any]:
        """The answer in the types of JSON, points by these names or numbers."""
        return {**self._asdict(), "points": [names[point] for point in self.points],
                "score": self.score}


class Explorer:
    """The answers of games of one kind.

    games  how many there are
    added  the number of the game that was added last, from 1
    """

    def __init__(self, rules: Rules, size: int):
        """Raises ValueError if the game is not played on that size."""
        self.rules, self.size = rules, size
        self.lattice = catalogue.start(rules, size).lattice
        self.games = self.added = 0
        self._gone: set[int] = set()
        self._numbers = Numbers(self.lattice, rules.in_a_row)
        self._rows: tuple[array[Any], ...] = (
            array("Q"), array("H"), array("b"), array("f"), array("L"))
        self._sorted: Optional[tuple[np.ndarray, ...]] = None

    def add(self, position: Position, winner: Optional[int] = None,
            values: Sequence[Optional[float]] = ()) -> None:
        """Count the game that has led to a position.

        winner  BLACK, WHITE or EMPTY for a draw, None if it is not known
        values  what the game was worth to Black after each record of the history, as far as known
        """
        records = position.history
        self.games, self.added = self.games + 1, self.added + 1
        keys, moves = self._numbers.of_history(position)
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
        """The game that was added as that number counts no more."""
        self.games -= 1
        self._gone.add(number)
        self._sorted = None

    def answers(self, position: Position) -> list[Answer]:
        """What the games have answered in a position, the most frequent first, and then what is
        known to be good there; no answers after the end of a game."""
        if position.outcome:
            return []
        key, images = self._numbers.of_position(position)
        found = [self._answer(move, images, *rows) for move, rows in self._played(key).items()]
        remarks = remarks_on(position, [answer.points[0] for answer in found])
        found = [answer._replace(remark=next(
            (remarks.pop(point) for point in answer.points if point in remarks), ""))
            for answer in found]
        counted = {point for answer in found for point in answer.points}
        for point, remark in remarks.items():
            if point not in counted:
                equal = images.equal(point)
                found.append(Answer(equal, remark=remark))
                counted.update(equal)
        return sorted(found, key=lambda answer: (-answer.games, answer.points))

    def _played(self, key: int) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        # By move, as the numbers have it, the results and the values of the games.
        if self._sorted is None:
            *columns, games = map(np.array, self._rows)
            left = np.flatnonzero(~np.isin(games, [*self._gone]))
            order = left[np.argsort(columns[0][left], kind="stable")]
            self._sorted = tuple(column[order] for column in columns)
        keys, moves, results, values = self._sorted
        first, last = (int(np.searchsorted(keys, np.uint64(key), side)) for side in (
            "left", "right"))
        here = moves[first:last]
        return {int(move): (results[first:last][here == move], values[first:last][here == move])
                for move in np.unique(here)}

    @staticmethod
    def _answer(move: int, images: "Images", results: np.ndarray, values: np.ndarray) -> Answer:
        known = values[~np.isnan(values)]
        value = float(known.mean()) if known.size else nan
        won, drawn, lost = (int((results == result).sum()) for result in (1, 0, -1))
        return Answer(images.points(move), results.size, won, drawn, lost,
                      None if isnan(value) else round(value, 4))

    def tree(self, position: Position, depth: int) -> list[dict[str, Any]]:
        """The answers in the types of JSON, so many plies deep; those to an answer that games have
        given are its `answers`.  The position is unchanged."""
        names = GtpPoints(self.lattice).name
        found = []
        for answer in self.answers(position):
            data = answer.data(names)
            if depth > 1 and answer.games:
                position.play(position.side, answer.points[0])
                data["answers"] = self.tree(position, depth - 1)
                position.undo()
            found.append(data)
        return found


class Images:
    """The symmetries that show a position as its number has it.

    back  for each of them and each point of that picture, the point of the position
    """

    def __init__(self, there: np.ndarray, back: np.ndarray):
        self._there, self.back = there, back

    def points(self, move: int) -> tuple[int, ...]:
        """The points of the position that a point of the picture stands for, in point order."""
        return tuple(sorted({int(point) for point in self.back[:, move]}))

    def equal(self, point: int) -> tuple[int, ...]:
        """All points of the position that are as good as one, in point order."""
        return self.points(int(self._there[:, point].min()))


class Numbers:
    """The numbers of positions on a lattice where so many in a row win."""

    def __init__(self, lattice: Lattice, in_a_row: int):
        self._there, self._back, self._stones, sides, captured = numbers_of(lattice, in_a_row)
        self._cells, self._sides, self._captured = lattice.cells, sides, captured

    def of_history(self, position: Position) -> tuple[np.ndarray, np.ndarray]:
        """Before each record of the history the number of the position, with the record's colour to
        move, and the point of the record as that number has it."""
        records = position.history
        changed: list[int] = []
        starts: list[int] = []
        cells = position.cells[:]
        for record in reversed(records):
            starts.append(len(changed))
            changed.append(0)  # a stone on the border counts nothing
            for cell, held in record.before:
                changed += [self._place(cell, cells[cell]), self._place(cell, held)]
                cells[cell] = held
        if not records:
            return np.zeros(0, np.uint64), np.zeros(0, np.int64)
        steps = np.bitwise_xor.reduceat(self._stones[changed], starts)[::-1]
        before = np.zeros_like(steps)
        np.bitwise_xor.accumulate(steps[:-1], out=before[1:])
        least = before.min(axis=1)
        keys = least ^ np.array([self._extra(record.colour, record.captured)
                                 for record in records], np.uint64)
        points = self._there[:, [record.point for record in records]].T
        return keys, np.where(before == least[:, None], points, self._cells).min(axis=1)

    def of_position(self, position: Position) -> tuple[int, Images]:
        """The number of a position, and the symmetries that show it so."""
        places = [0, *(self._place(point, position.cells[point])
                       for point in position.lattice.points)]
        shown = np.bitwise_xor.reduce(self._stones[places], axis=0)
        least = shown.min()
        chosen = np.flatnonzero(shown == least)
        return (int(least) ^ self._extra(position.side, position.captured),
                Images(self._there[chosen], self._back[chosen]))

    def _place(self, cell: int, held: int) -> int:
        return cell * 3 + held

    def _extra(self, side: int, captured: Iterable[int]) -> int:
        _, black, white = captured
        found: int = self._sides[side] ^ self._captured[black % MOST_CAPTURED][0] ^ (
            self._captured[white % MOST_CAPTURED][1])
        return found


@lru_cache(maxsize=32)
def numbers_of(lattice: Lattice, in_a_row: int) -> tuple[Any, ...]:
    """Where each symmetry carries each cell, and from where; by cell and what it holds (an empty
    one counts nothing) the numbers that the symmetries give it; of sides, and of stones captured.
    """
    rng = Random(1970)
    there = np.array(symmetries(lattice, in_a_row))
    stones = np.zeros((lattice.cells, 3), np.uint64)
    for point in lattice.points:
        stones[point, BLACK:] = rng.getrandbits(64), rng.getrandbits(64)
    shown = stones[there].transpose(1, 2, 0).reshape(lattice.cells * 3, len(there))
    sides = [0, 0, rng.getrandbits(64)]
    captured = [(rng.getrandbits(64), rng.getrandbits(64)) if count else (0, 0)
                for count in range(MOST_CAPTURED)]
    return there, np.argsort(there, axis=1), np.ascontiguousarray(shown), sides, captured


def remarks_on(position: Position, played: Sequence[int]) -> dict[int, str]:
    """What is known beside games, by point: first moves that are even or best by many games, the
    names of Renju's openings, and in 4x4x4, of the points played and of a move that wins, what the
    solved table says."""
    if position.rules == catalogue.QUBIC:
        return verdicts_on(position, played)
    remarks = dict.fromkeys(book_moves(position), "even" if position.rules.swap else "best")
    if position.rules.renju and len(position.moves) == 2:
        for point in played:
            position.play(position.side, point)
            if named := name_of(position):
                remarks[point] = named.name
            position.undo()
    return remarks


def verdicts_on(position: Position, played: Sequence[int]) -> dict[int, str]:
    """WINS and LOSES by point, for the side to move, as far as the solved table and threats say."""
    table = strategy.load()
    win = table.winning_move(position, strategy.THREATS, {})
    remarks = {} if win is None else {win: WINS}
    for point in played:
        position.play(position.side, point)
        if position.outcome:
            remarks[point] = WINS
        elif table.winning_move(position, strategy.THREATS, {}) is not None:
            remarks[point] = LOSES
        position.undo()
    return remarks


def table_rows(answers: Sequence[Mapping[str, Any]], most: int, level: int = 0
               ) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows of a table of what `Explorer.tree` has found, with HEADINGS: the level, 0 for the
    first ply, and the texts.  Of the answers to a position there are so many at most, and a row for
    the others."""
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
    """Count the game of a tree up to that node, with its values.

    winner  as of `Explorer.add`; if the game has ended on the board, that counts
    """
    position = catalogue.start(tree.rules, tree.size)
    values: list[Optional[float]] = []
    for number in tree.path(node)[1:]:
        tree.nodes[number].step.apply(position)
        values += [None] * (len(position.history) - len(values) - 1)
        values.append(tree.nodes[number].value)
    explorer.add(position, position.outcome.winner if position.outcome else winner, values)


def winner_of(result: str) -> Optional[int]:
    """Who has won by a result as SGF has it: B+R, W+, 0 or Draw; None for anything else."""
    text = result.strip().upper()
    if text in ("0", "DRAW"):
        return EMPTY
    return {"B+": BLACK, "W+": WHITE}.get(text[:2])
