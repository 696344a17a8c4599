"""The judge of the puzzles of a page, in a process of its own.

Each line of standard input is a request.  `begin` has the line of a puzzle and the largest possible
success; it has no answer.  `play`, `hint` and `view` have the number of the puzzle.  The answer to
each of them is a line on standard output.  The process ends with its input.
"""

from json import loads
from typing import Any, Iterable, Iterator, Mapping, Optional

from ...puzzles.attempt import Attempt
from ...puzzles.puzzle import DEFENCE, puzzle_of_text
from ...wire.streams import serve_lines
from ..pipe import encode, places_of
from .judged import line_data

PLAY, HINT, VIEW = REQUESTS = ("play", "hint", "view")
LONGEST_LINE = 7  # moves of a refutation


class Judge:
    """Answers requests about one puzzle at a time."""

    def __init__(self) -> None:
        self.attempt: Optional[Attempt] = None

    def begin(self, puzzle: str, success: float) -> None:
        """Begin a puzzle, with the largest possible success.  Raises ValueError."""
        self.attempt = Attempt(puzzle_of_text(puzzle))
        self.attempt.success = success

    def answer(self, what: str, place: int = 0) -> dict[str, Any]:
        """Answer a request; return the answer with the state of the attempt.

        moves  the played moves: the user's move, and the answer to it
        line   a wrong move and its refutation, or the solution
        """
        attempt = self.attempt
        assert attempt is not None
        reply = {PLAY: self._play, HINT: self._hint, VIEW: self._view}[what](attempt, place)
        return {"what": what, "moves": [], "line": None, **reply, "is_over": attempt.is_over,
                "is_solved": attempt.is_solved, "is_decided": attempt.is_decided,
                "success": attempt.success}

    def _play(self, attempt: Attempt, place: int) -> dict[str, Any]:
        position, point = attempt.position, attempt.position.lattice.points[place]
        answer = attempt.play(point)
        message = {"point": place, "is_right": answer.right, "wins": answer.wins}
        if answer.right:
            places = places_of(position)
            return {**message, "moves": [place, *(places[each] for each in answer.line)]}
        if answer.wins or not answer.line:
            return message
        loses = attempt.puzzle.kind == DEFENCE
        line = (point, *answer.line) if loses else (point, *answer.line)[:LONGEST_LINE]
        return {**message, "line": line_data(position, line, 1 if loses else None)}

    def _hint(self, attempt: Attempt, place: int) -> dict[str, Any]:
        return {"hint": places_of(attempt.position)[attempt.hint()]}

    def _view(self, attempt: Attempt, place: int) -> dict[str, Any]:
        wins = attempt.puzzle.kind != DEFENCE
        return {"line": line_data(attempt.position, attempt.view(), 0 if wins else None)}


def answers(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the answers to the requests in these lines."""
    judge = Judge()
    for line in lines:
        message: Mapping[str, Any] = loads(line)
        if message["do"] == "begin":
            judge.begin(message["puzzle"], message["success"])
        elif message["do"] in REQUESTS:
            yield encode({"number": message["number"],
                           **judge.answer(message["do"], message["place"])})


if __name__ == "__main__":
    raise SystemExit(serve_lines(answers, bytearray(2), lambda line: False))
