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


def played(puzzles: Sequence[Puzzle], score: Score, rng: Random, answers: Iterable[str],
           count: Optional[int] = None, paint: bool = False) -> Iterator[str]:
    """The dialogue about so many of the puzzles: yields what is said, reads the answers.

    It ends with these, with the answers or with quit.  The score is changed before what has changed
    it is said.
    """
    lines, number = iter(answers), 0
    while count is None or number < count:
        number += 1
        attempt = Attempt(score.next(puzzles, rng))
        view = BoardView(attempt.position)
        yield f"\nPuzzle {number}, grade {attempt.puzzle.grade}, {attempt.puzzle.rules.name}"
        yield "\n".join([*view.lines(paint), f"{attempt.task(view.colours)}  ({WORDS})"])
        is_noted = False
        for line in lines:
            word = line.strip().lower()
            if word in ("skip", "quit"):
                break
            yield said(attempt, view, word, paint)
            if not is_noted and attempt.is_decided:
                is_noted = True
                score.note(attempt.puzzle, attempt.success)
                yield rating(score)
            if attempt.is_over:
                break
        else:
            word = "quit"
        if word == "skip" and not is_noted:
            score.streak = 0
        if word == "quit":
            break
    yield f"\nsolved: {score.solved} of {score.tried}, best streak {score.best}"


def said(attempt: Attempt, view: BoardView, word: str, paint: bool) -> str:
    """What there is to say to an answer."""
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
    shown = view.lines(paint) if answer.right and not attempt.is_solved else []
    return "\n".join([attempt.reply(answer, lambda points: text(view, points)), *shown])


def text(view: BoardView, points: Iterable[int]) -> str:
    """Moves as text."""
    return " ".join(view.name(point) for point in points)


def rating(score: Score) -> str:
    """The rating and the streak in words."""
    return f"Your rating is {score.rating:.0f}, your streak {score.streak}."
