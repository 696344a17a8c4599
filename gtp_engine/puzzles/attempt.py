"""Attempts at a puzzle: judge moves and answer them with the longest defence."""

from typing import Callable, Iterable, Mapping, NamedTuple, Optional

from ..games.lattice import opponent
from ..games.rules import IllegalMove
from ..learn.analysis import Effort, Task, analysis_of, load_analysis
from ..wire.notation import COLOUR_NAMES
from .proofs import Prover
from .puzzle import DEFENCE, Puzzle

EFFORT = Effort(nodes=30_000, memory=4, seed=1)  # for a move outside the proof


class Answer(NamedTuple):
    """The result of a move.

    right  whether the move is right; then it is played
    wins   whether a move that is not right wins in more moves than the puzzle allows
    line   after a right move the answer, if any; else the refutation
    """

    right: bool
    wins: bool = False
    line: tuple[int, ...] = ()


class Attempt:
    """The state of solving a puzzle.

    position   the current position
    is_over    whether the attempt has ended
    is_solved  whether the user played the whole solution
    success    1 at first, 0.5 after a hint, 0 after a wrong move or `view`
    """

    def __init__(self, puzzle: Puzzle):
        self.puzzle, self.position = puzzle, puzzle.position()
        self.side = self.position.side
        self.line = puzzle.line
        self.is_over = self.is_solved = False
        self.success = 1.0
        self._prover: Optional[Prover] = None

    @property
    def is_decided(self) -> bool:
        """Whether the result is final; further moves do not change it."""
        return self.is_over or self.success == 0

    def play(self, point: int) -> Answer:
        """Judge a move; play it and its answer if it is right.

        The first move must be that of the solution, later moves must keep the win.  Raises
        IllegalMove and changes nothing if the move is illegal.
        """
        position = self.position
        complaint = position.complaint(self.side, point)
        if complaint:
            raise IllegalMove(complaint)
        is_first = len(position.history) == len(self.puzzle.moves)
        if point == self.line[0] or not is_first and position.wins(self.side, point):
            return self._go_on(point, self.line[1:])
        position.play(self.side, point)
        load_analysis(position.rules)
        analysis = analysis_of(Task(position.copy(), EFFORT))
        position.undo()
        if analysis.lost and not is_first:
            return self._go_on(point, analysis.line)
        self.success = 0.0
        return Answer(False, analysis.lost and self.puzzle.kind != DEFENCE, analysis.line)

    def _go_on(self, point: int, line: tuple[int, ...]) -> Answer:
        # Plays a right move and the first move of the line after it.
        position = self.position
        position.play(self.side, point)
        if position.outcome or not line:
            self.is_over = self.is_solved = True
            return Answer(True)
        position.play(opponent(self.side), line[0])
        self.line = line[1:] if point == self.line[0] else self._win()
        return Answer(True, line=line[:1])

    def _win(self) -> tuple[int, ...]:
        # The winning line of the current position.
        if self._prover is None:
            self._prover = Prover(self.position.rules)
        self._prover.reset(self.position)
        win = self._prover.win(self.position)
        return win.line if win else analysis_of(Task(self.position.copy(), EFFORT)).line

    def hint(self) -> int:
        """The next move of the solution; limits the success to 0.5."""
        self.success = min(self.success, 0.5)
        return self.line[0]

    def view(self) -> tuple[int, ...]:
        """The rest of the solution; ends the attempt."""
        self.is_over, self.success = True, 0.0
        return self.line

    def reply(self, answer: Answer, text: Callable[[Iterable[int]], str]) -> str:
        """The message after a move; `text` formats points."""
        if self.is_solved:
            return "Solved."
        if answer.right:
            return f"Right. The answer is {text(answer.line)}."
        if answer.wins:
            return "No: that wins, too, but it takes longer."
        return f"No: {text(answer.line)} refutes it." if answer.line else "No."

    def task(self, colours: Mapping[int, str] = COLOUR_NAMES) -> str:
        """The task as a sentence, with these names of colours."""
        return self.puzzle.task(colours[self.side].capitalize())
