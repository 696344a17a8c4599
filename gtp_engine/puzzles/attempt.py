"""A puzzle that is being solved: moves are judged, and answered with the longest defence."""

from typing import Callable, Iterable, Mapping, NamedTuple, Optional

from ..games.lattice import opponent
from ..games.rules import IllegalMove
from ..learn.analysis import Effort, Task, analysis_of, load_analysis
from ..wire.notation import COLOUR_NAMES
from .proofs import Prover
from .puzzle import DEFENCE, Puzzle

EFFORT = Effort(nodes=30_000, memory=4, seed=1)  # for a move that the proof does not know


class Answer(NamedTuple):
    """What comes of a move.

    right  whether it was played, since it is right
    wins   whether it wins, though in more moves than the puzzle wants, if it is not right
    line   the answer, if it was right and there is one; else what follows if it is played
    """

    right: bool
    wins: bool = False
    line: tuple[int, ...] = ()


class Attempt:
    """The position of a puzzle, and how far it is solved.

    position   as it stands now
    is_over    whether there is nothing more to find
    is_solved  whether all was found
    success    1 as long as nothing went wrong, 0.5 after a hint, 0 after a wrong move or `view`
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
        """Is it known how it counts?  What is played after that changes nothing."""
        return self.is_over or self.success == 0

    def play(self, point: int) -> Answer:
        """Judge a move, and play it with its answer if it is right.

        The first move has to be that of the puzzle, later ones have to keep the win.  Raises
        IllegalMove, with nothing changed.
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
        found = analysis_of(Task(position.copy(), EFFORT))
        position.undo()
        if found.lost and not is_first:
            return self._go_on(point, found.line)
        self.success = 0.0
        return Answer(False, found.lost and self.puzzle.kind != DEFENCE, found.line)

    def _go_on(self, point: int, follow: tuple[int, ...]) -> Answer:
        # Play a right move and the first of the moves that follow it.
        position = self.position
        position.play(self.side, point)
        if position.outcome or not follow:
            self.is_over = self.is_solved = True
            return Answer(True)
        position.play(opponent(self.side), follow[0])
        self.line = follow[1:] if point == self.line[0] else self._win()
        return Answer(True, line=follow[:1])

    def _win(self) -> tuple[int, ...]:
        # The moves that win now, of which a loss was found one ply before.
        if self._prover is None:
            self._prover = Prover(self.position.rules)
        self._prover.forget(self.position)
        win = self._prover.win(self.position)
        return win.line if win else analysis_of(Task(self.position.copy(), EFFORT)).line

    def hint(self) -> int:
        """The move that is wanted; whoever has asked for it has solved half of the puzzle at most.
        """
        self.success = min(self.success, 0.5)
        return self.line[0]

    def view(self) -> tuple[int, ...]:
        """The moves that are left; it is over."""
        self.is_over, self.success = True, 0.0
        return self.line

    def reply(self, answer: Answer, text: Callable[[Iterable[int]], str]) -> str:
        """What there is to say to a move that was just played, points by `text`."""
        if self.is_solved:
            return "Solved."
        if answer.right:
            return f"Right. The answer is {text(answer.line)}."
        if answer.wins:
            return "No: that wins, too, but it takes longer."
        return f"No: {text(answer.line)} refutes it." if answer.line else "No."

    def task(self, colours: Mapping[int, str] = COLOUR_NAMES) -> str:
        """The task in a sentence, with these names of the colours."""
        return self.puzzle.task(colours[self.side].capitalize())
