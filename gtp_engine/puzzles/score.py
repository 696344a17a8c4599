"""How well a user solves puzzles: a rating, a streak, and what was asked of late."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Sequence
from zlib import crc32

from ..wire.files import read_at_most, write_file
from .puzzle import Puzzle

STEP = 32  # points that a puzzle is worth at most
ODDS = 400  # points of difference that make the odds ten to one
REMEMBERED = 500  # puzzles that are not asked again soon
NEAR = 20  # puzzles among which the next one is chosen
NAME = "puzzles.json"  # of the file in the user's folder
LONGEST_FILE = 1 << 16  # bytes
LOWEST, HIGHEST = 100, 3000  # ratings


@dataclass
class Score:
    """What is known of a user.

    rating  on the scale of Puzzle.rating
    streak  puzzles solved in a row without help, and `best` the longest one
    solved, tried   how many puzzles
    asked   the numbers of those that were asked last
    """

    rating: float = 900.0
    streak: int = 0
    best: int = 0
    solved: int = 0
    tried: int = 0
    asked: list[int] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> "Score":
        """The score in a file, a new one if it is not there.

        Raises OSError, and ValueError if the file is something else.
        """
        try:
            content = json.loads(read_at_most(path, LONGEST_FILE))
        except FileNotFoundError:
            return cls()
        except (ValueError, RecursionError):
            content = None
        if not is_score(content):
            raise ValueError(f"{path} is not a score of puzzles: remove it to begin anew")
        return cls(**content)

    def write(self, path: Path) -> None:
        """Keep the score in a file, whose folder is made where there is none.  Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(asdict(self)) + "\n")

    def expected(self, puzzle: Puzzle) -> float:
        """The chance that the user solves a puzzle."""
        return float(1 / (1 + 10 ** ((puzzle.rating - self.rating) / ODDS)))

    def note(self, puzzle: Puzzle, success: float) -> None:
        """A puzzle was tried: 1 solved at once, 0.5 with a hint, 0 not.

        The rating moves by STEP * (success - expected), as Elo's does; the streak goes on only
        after 1.
        """
        self.rating = min(max(self.rating + STEP * (success - self.expected(puzzle)), LOWEST),
                          HIGHEST)
        self.streak = self.streak + 1 if success == 1 else 0
        self.best = max(self.best, self.streak)
        self.tried += 1
        self.solved += success > 0

    def next(self, puzzles: Sequence[Puzzle], rng: Random) -> Puzzle:
        """One of the puzzles near the rating that were not asked of late; it was asked now."""
        fresh = [puzzle for puzzle in puzzles if number_of(puzzle) not in self.asked] or puzzles
        near = sorted(fresh, key=lambda puzzle: (abs(puzzle.rating - self.rating),
                                                 number_of(puzzle)))
        least = [puzzle for puzzle in near
                 if abs(puzzle.rating - self.rating) == abs(near[0].rating - self.rating)]
        chosen = rng.choice(near[:NEAR] if len(least) < NEAR else least)
        self.asked = [*self.asked, number_of(chosen)][-REMEMBERED:]
        return chosen


def number_of(puzzle: Puzzle) -> int:
    """A number that stands for the puzzle."""
    return crc32(puzzle.text().encode())


def is_score(content: Any) -> bool:
    """Is this what `Score.write` has written?"""
    def counts(*values: Any) -> bool:
        return all(type(value) is int and 0 <= value < 1 << 40 for value in values)

    return (isinstance(content, dict) and content.keys() == asdict(Score()).keys()
            and type(content["rating"]) in (int, float)
            and LOWEST <= content["rating"] <= HIGHEST
            and counts(*(content[name] for name in ("streak", "best", "solved", "tried")))
            and isinstance(content["asked"], list) and counts(*content["asked"]))
