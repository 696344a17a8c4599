"""`learn`: replay the positions of a game in which your own moves were mistakes."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Iterable, Iterator

from ..command_line.terminal import harmless
from ..games.lattice import BLACK, PASS, WHITE
from ..games.rules import IllegalMove
from ..records.reader import NAMES
from ..wire.notation import COLOUR_NAMES, GtpPoints, board_drawing
from .analysis import Analysis, Effort
from .classes import FAULTS, Thresholds
from .program import NO_GAME, add_review_options, effort_of, games_of, judge, thresholds_of, workers
from .review import DEEPER, JudgedMove, PlayedMove, Review, played_moves, within
from .trial import try_move

SIDES = {"black": (BLACK,), "white": (WHITE,), "both": (BLACK, WHITE)}
WORDS = "a point, hint, view, skip or quit"


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (f"Answer each question by a line with {WORDS}.  Exit status: 0, or 1 if the "
                     "game could not be read.  See docs/review.md.")
    parser.add_argument("game_file", type=Path, metavar="GAME",
                        help=f"a file ({NAMES}); only its first game is used")
    parser.add_argument("--side", choices=tuple(SIDES), default="both",
                        help="whose mistakes (default: both)")
    add_review_options(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Review the game and practise its faults in a dialogue; return the exit status."""
    thresholds = thresholds_of(parser, options)
    name, record = next(games_of(options.game_file, options))
    if record.error:
        print(f"cannot review {harmless(name)}: {harmless(record.error)}", file=sys.stderr)
        return NO_GAME
    with workers(parser, options) as apply:
        result = judge(record.tree, name, options, thresholds, apply)
    for text in practise(result, SIDES[options.side], sys.stdin, effort_of(options), thresholds):
        print(text, flush=True)
    return 0


def practise(review: Review, sides: Iterable[int], answers: Iterable[str], effort: Effort,
             thresholds: Thresholds) -> Iterator[str]:
    """Run the dialogue about the faults of these sides: yield texts, read answers.

    Ends after the last fault, the last answer or quit, with the number of solved positions.
    """
    played, names = played_moves(review.tree), review.names()
    faults = [move for move in review.moves if move.kind in FAULTS and move.colour in sides]
    solved, lines = 0, iter(answers)
    for number, fault in enumerate(faults, 1):
        question = Question(fault, played[fault.ply - 1], names, effort, thresholds)
        yield f"\nPosition {number} of {len(faults)}"
        yield question.text()
        for line in lines:
            word = line.strip().lower()
            if word in ("skip", "quit"):
                break
            yield question.reply(word)
            if question.is_over:
                break
        else:
            word = "quit"
        solved += question.solved
        if word == "quit":
            break
    yield f"\nsolved: {solved} of {len(faults)}"


class Question:
    """A position in which the user looks for a better move than the fault.

    is_over  whether the question is closed
    solved   whether the user found a right move before viewing the answer
    """

    def __init__(self, fault: JudgedMove, played: PlayedMove, names: GtpPoints, effort: Effort,
                 thresholds: Thresholds):
        self.fault, self.position, self.names = fault, played.before, names
        self.effort, self.thresholds = effort.times(DEEPER), thresholds
        self.is_over = self.solved = False

    def text(self) -> str:
        """The board and the question."""
        side = COLOUR_NAMES[self.fault.colour].capitalize()
        played = "a pass" if self.fault.point == PASS else self.names.name[self.fault.point]
        return "\n".join([
            *board_drawing(self.position.lattice, self.position.cells),
            f"{side} is to move; {played} was played here: {self.fault.kind}.  Find a better move."
            f"  ({WORDS})"])

    def reply(self, word: str) -> str:
        """The reply to an answer."""
        if word == "hint":
            return self.hint()
        if word == "view":
            self.is_over = True
            return f"Best is {self.line(self.fault.before.line)}."
        point = self.names.point_of(word)
        if not point:
            return f"{harmless(word)!r} is not {WORDS}"
        return self.judge(point)

    def hint(self) -> str:
        """The row of the best move, or the length of the win."""
        if self.fault.before.won:
            return f"There is a win{within(self.fault.before.plies)}."
        best = self.fault.better
        return f"It is in row {self.names.name[best][1:]}." if best else "There is no better move."

    def judge(self, point: int) -> str:
        """Judge a move; see `try_move`."""
        try:
            right, after = try_move(self.fault, self.position, point, self.effort, self.thresholds)
        except IllegalMove as complaint:
            return f"{self.names.name[point]} is illegal: {complaint}"
        if right:
            self.is_over = self.solved = True
            return f"Right.{self.win_text(after)}"
        return f"No: {self.line(after.line[1:])} refutes it." if after.line[1:] else "No."

    def win_text(self, after: Analysis) -> str:
        """A sentence with the length of the win; "" without a win."""
        return f" It wins{within(after.plies)}." if after.won else ""

    def line(self, points: Iterable[int]) -> str:
        """Format moves as text."""
        return " ".join(self.names.name[point] for point in points)
