"""Puzzles in the terminal."""

from random import Random
from typing import Iterable, Iterator, Optional, Sequence

from ..arena.display import BoardView
from ..command_line.terminal import harmless
from ..games.rules import IllegalMove
from .attempt import Attempt
from .puzzle import Puzzle
from .score import Score

WORDS = "a point, hint, view, skip or quit"


def dialogue(puzzles: Sequence[Puzzle], score: Score, rng: Random, answers: Iterable[str],
             count: Optional[int] = None, paint: bool = False) -> Iterator[str]:
    """Run a dialogue about `count` of the puzzles: yield texts, read answers.

    Ends after the last puzzle, the last answer or quit.  Updates the score before the text about
    the change.
    """
    lines, number = iter(answers), 0
    while count is None or number < count:
        number += 1
        attempt = Attempt(score.next(puzzles, rng))
        view = BoardView(attempt.position)
        yield f"\nPuzzle {number}, grade {attempt.puzzle.grade}, {attempt.puzzle.rules.name}"
        yield "\n".join([*view.lines(paint), f"{attempt.task(view.colours)}  ({WORDS})"])
        is_recorded = False
        for line in lines:
            word = line.strip().lower()
            if word in ("skip", "quit"):
                break
            yield reply_to(word, attempt, view, paint)
            if not is_recorded and attempt.is_decided:
                is_recorded = True
                score.record(attempt.puzzle, attempt.success)
                yield rating(score)
            if attempt.is_over:
                break
        else:
            word = "quit"
        if word == "skip" and not is_recorded:
            score.streak = 0
        if word == "quit":
            break
    yield f"\nsolved: {score.solved} of {score.tried}, best streak {score.best}"


def reply_to(word: str, attempt: Attempt, view: BoardView, paint: bool) -> str:
    """The text that replies to an answer."""
    if word == "hint":
        return f"The next move is in column {view.name(attempt.hint())[0]}."
    if word == "view":
        return f"The solution is {text(view, attempt.view())}."
    move = view.move_of(word)
    if move is None:
        return f"{harmless(word)!r} is not {WORDS}"
    try:
        answer = attempt.play(move[1])
    except IllegalMove as complaint:
        return f"{view.name(move[1])} is illegal: {complaint}"
    board = view.lines(paint) if answer.right and not attempt.is_solved else []
    return "\n".join([attempt.reply(answer, lambda points: text(view, points)), *board])


def text(view: BoardView, points: Iterable[int]) -> str:
    """Format moves as text."""
    return " ".join(view.name(point) for point in points)


def rating(score: Score) -> str:
    """A sentence with the rating and the streak."""
    return f"Your rating is {score.rating:.0f}, your streak {score.streak}."
