"""Results of the Gomoku workers: append-only files with one line of JSON per result.

Reading removes an unfinished last line, so a run may stop at any moment.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, Iterator

from ...wire.files import finished_lines
from .attacks import Choice, Open, Plan
from .board import Moves, moves_of, text
from .entries import Board
from .lines import line_of, listed_plan, plan_of
from .questions import Expansion, Line, Refutation

KEY = slice(len('["'), len('["') + 2 * sha256().digest_size)  # the key within a line


class WorkFile:
    """Results for positions of the proof, in the order of their discovery."""

    def __init__(self, board: Board, path: Path):
        self.board, self.path = board, path

    def read(self) -> Iterator[tuple[Moves, Moves, Expansion]]:
        """Yield the start, the position below it and its result, for each line.

        Raises OSError, and ValueError if a line is damaged.
        """
        for number, line in enumerate(finished_lines(self.path), 1):
            try:
                start, moves, won, plan, choice, left = json.loads(line)
                yield moves_of(self.board, start), moves_of(self.board, moves), Expansion(
                    won, plan_of(self.board, plan), choice and self._choice(*choice), left)
            except (ValueError, KeyError, TypeError, IndexError, AttributeError):
                raise ValueError(f"{self.path}, line {number} is no line of a work file") from None

    def _choice(self, move: str, answers: str, scores: list[int], other: Any, lost: bool
                ) -> Choice:
        return Choice(moves_of(self.board, move)[0],
                      tuple(map(Open, moves_of(self.board, answers), scores)),
                      plan_of(self.board, other), lost)

    def line(self, start: Moves, moves: Moves, result: Expansion) -> str:
        """Return the line of a result for a position below a start."""
        board, choice = self.board, result.choice
        return line_of([
            text(board, start), text(board, moves), result.won, listed_plan(board, result.plan),
            choice and [text(board, [choice.point]),
                        text(board, [answer.point for answer in choice.open]),
                        [answer.score for answer in choice.open],
                        listed_plan(board, choice.other), choice.lost],
            result.left])


class EntryFile:
    """Results for entries of the certificate, by the key of the task.

    A line is [key, plans, answers, other, refuted, numbers, plies, open], the fields of Refutation.
    The first result creates the file.  Raises OSError, and ValueError if a line is damaged.
    """

    def __init__(self, board: Board, path: Path):
        self.board, self.path, self._places = board, path, dict[str, int]()
        place = 0
        for line in finished_lines(path):
            if not line.startswith(b'["') or not line.endswith(b"]"):
                raise self._damaged()
            self._places[line[KEY].decode()] = place
            place += len(line) + 1

    def _damaged(self) -> ValueError:
        return ValueError(f"{self.path} is damaged; without it, the program searches all entries "
                          "again")

    def key(self, line: Line, with_trees: bool) -> str:
        """Return the key of an entry's task."""
        return sha256(repr((*self.board, line, with_trees)).encode()).hexdigest()

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __getitem__(self, key: str) -> Refutation:
        with self.path.open("rb") as file:
            file.seek(self._places[key])
            line = file.readline()
        try:
            _, plans, answers, other, refuted, numbers, plies, unproved = json.loads(line)
            return Refutation(
                answers, other,
                {moves_of(self.board, answer)[0]: self._needed(plan)
                 for answer, plan in plans.items()},
                moves_of(self.board, refuted), tuple(numbers), int(plies),
                moves_of(self.board, unproved))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            raise self._damaged() from None

    def add(self, key: str, result: Refutation) -> None:
        """Append a result."""
        board = self.board
        line = line_of([
            key, {text(board, [answer]): listed_plan(board, plan)
                  for answer, plan in result.plans.items()},
            result.answers, result.other, text(board, result.refuted), result.numbers,
            result.plies, text(board, result.open)])
        with self.path.open("ab") as file:
            self._places[key] = file.tell()
            file.write(line.encode())

    def _needed(self, listed: Any) -> Plan:
        plan = plan_of(self.board, listed)
        if plan is None:
            raise ValueError
        return plan
