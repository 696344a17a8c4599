"""The judge of a puzzle that is solved in the browser, in a process of its own.

Each line of standard input is a request: `begin` with a puzzle, as it stands in a set, and with how
it counts at most; then `play`, `hint` and `view`, each with the number of the puzzle.  They are
answered by a line each on standard output.  The process ends with its input.
"""

from json import loads
from typing import Any, Iterable, Iterator, Mapping, Optional

from ...puzzles.attempt import Attempt
from ...puzzles.puzzle import DEFENCE, parsed
from ...wire.streams import serve_lines
from ..pipe import encoded, places_of
from .judged import shown_line

PLAY, HINT, VIEW = REQUESTS = ("play", "hint", "view")
MOST_SHOWN = 7  # moves of a line that follows a wrong move


class Judge:
    """Answers requests about the puzzle that was begun last."""

    def __init__(self) -> None:
        self.attempt: Optional[Attempt] = None

    def begin(self, puzzle: str, success: float) -> None:
        """From now on it is about this puzzle.  Raises ValueError."""
        self.attempt = Attempt(parsed(puzzle))
        self.attempt.success = success

    def answer(self, what: str, place: int = 0) -> dict[str, Any]:
        """What comes of it: what there is to say, and how far the puzzle is solved.

        moves  those that were played, with the answer
        line   what follows a wrong move, which comes first, or what solves the puzzle
        """
        attempt = self.attempt
        assert attempt is not None
        found = {PLAY: self._play, HINT: self._hint, VIEW: self._view}[what](attempt, place)
        return {"what": what, "moves": [], "line": None, **found, "is_over": attempt.is_over,
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
        line = (point, *answer.line) if loses else (point, *answer.line)[:MOST_SHOWN]
        return {**message, "line": shown_line(position, line, 1 if loses else None)}

    def _hint(self, attempt: Attempt, place: int) -> dict[str, Any]:
        return {"hint": places_of(attempt.position)[attempt.hint()]}

    def _view(self, attempt: Attempt, place: int) -> dict[str, Any]:
        wins = attempt.puzzle.kind != DEFENCE
        return {"line": shown_line(attempt.position, attempt.view(), 0 if wins else None)}


def answers(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The answers to the requests in these lines."""
    judge = Judge()
    for line in lines:
        message: Mapping[str, Any] = loads(line)
        if message["do"] == "begin":
            judge.begin(message["puzzle"], message["success"])
        elif message["do"] in REQUESTS:
            yield encoded({"number": message["number"],
                           **judge.answer(message["do"], message["place"])})


if __name__ == "__main__":
    raise SystemExit(serve_lines(answers, bytearray(2), lambda line: False))
