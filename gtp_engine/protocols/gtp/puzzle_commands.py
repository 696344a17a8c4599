"""GTP extension commands for puzzles, which GoGui draws over its board."""

from random import Random
from typing import TYPE_CHECKING, Iterable, Optional, Sequence

from ...games.lattice import size_text
from ...games.rules import IllegalMove
from .analyze import variation
from .dispatcher import Dispatcher, GtpError
from .session import Session, needed_by

if TYPE_CHECKING:
    from ...puzzles.attempt import Attempt
    from ...puzzles.puzzle import Puzzle

RECENT = 100  # puzzles that are not repeated


class PuzzleCommands:
    """The commands to solve puzzles; they do not change the position of the session."""

    def __init__(self, dispatcher: Dispatcher, session: Session):
        self.session = session
        self._attempt: Optional["Attempt"] = None
        self._recent: list["Puzzle"] = []
        self._rng = Random(session.engine.settings.seed)  # no move of the engine depends on it
        dispatcher.add([self.puzzle, self.puzzle_play, self.puzzle_hint, self.puzzle_solution])

    def puzzle(self, kind: Optional[str] = None) -> str:
        """puzzle [CLASS]

        A puzzle for the current game and size: numbered stones on the empty board, and its task.
        CLASS: fours, threats, captures, rows or defence.
        """
        if self.session.position.moves:
            raise GtpError("a puzzle needs an empty board: use clear_board first")
        rules = self.session.position.rules
        size = self.session.position.lattice.display_size
        with needed_by("puzzle"):
            from ...puzzles.attempt import Attempt
            from ...puzzles.puzzle import CLASSES, shipped_puzzles
            if kind is not None and kind not in CLASSES:
                raise GtpError(f"no such class: {kind} (available: {' '.join(CLASSES)})")
            puzzles = shipped_puzzles()
            fitting = [each for each in puzzles if (each.rules, each.size) == (rules, size)
                       and kind in (None, each.kind)]
            if not fitting:
                available = dict.fromkeys(f"{each.rules.name} {size_text(each.size)}"
                                          for each in puzzles)
                raise GtpError(f"no such puzzle for {rules.name} {size_text(size)} "
                               f"(available: {', '.join(available)})")
            fresh = [each for each in fitting if each not in self._recent] or fitting
            chosen = self._rng.choice(fresh)
            self._recent = [*self._recent, chosen][-RECENT:]
            self._attempt = Attempt(chosen)
        return self._picture(self._attempt.task())

    def puzzle_play(self, text: str) -> str:
        """puzzle_play POINT

        Try a move.  The reply to a correct move is the longest defence.
        """
        attempt = self._under_way()
        point = self.session.points.point_of(text)
        if not point:
            raise GtpError(f"invalid point: {text}")
        with needed_by("puzzle_play"):
            try:
                answer = attempt.play(point)
            except IllegalMove as complaint:
                raise GtpError(f"{self._text([point])} is illegal: {complaint}") from None
        return self._picture(attempt.reply(answer, self._text))

    def puzzle_hint(self) -> str:
        """puzzle_hint

        The next move of the solution.
        """
        hint = self._text([self._under_way().hint()])
        return f"{self._picture(f'The next move is {hint}.')}\nCIRCLE {hint}"

    def puzzle_solution(self) -> str:
        """puzzle_solution

        The rest of the solution.  This ends the puzzle.
        """
        attempt = self._under_way()
        solution = attempt.view()
        return self._picture(f"The solution is {self._text(solution)}.", solution)

    def _under_way(self) -> "Attempt":
        if self._attempt is None or self._attempt.is_over:
            raise GtpError("no puzzle: start one with the command puzzle")
        position = self._attempt.position
        if position.lattice != self.session.position.lattice:
            raise GtpError("the puzzle is for another board: start a new one with puzzle")
        return self._attempt

    def _picture(self, text: str, more: Sequence[int] = ()) -> str:
        # The moves of the puzzle, `more` moves, the forbidden points; `text` in the status line.
        assert self._attempt is not None
        position = self._attempt.position
        played, names = position.moves, self.session.points.name
        drawn = variation(played[0].colour, [names[point] for point in (
            *(move.point for move in played), *more)])
        lines = [f"VAR {drawn}"]
        forbidden = [] if more or position.outcome else [*position.forbidden_points()]
        if forbidden:
            lines.append(f"MARK {self._text(forbidden)}")
        return "\n".join([*lines, f"TEXT {text}"])

    def _text(self, points: Iterable[int]) -> str:
        return " ".join(self.session.points.name[point] for point in points)
