"""The score of a user: rating, streak and recent puzzles."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Sequence
from zlib import crc32

from ..wire.files import read_at_most, write_file
from .puzzle import Puzzle

STEP = 32  # the largest change of the rating by a puzzle
ODDS = 400  # the difference in rating with odds of ten to one
MOST_RECENT = 500  # recent puzzles, which are not repeated
NEAR = 20  # candidates for the next puzzle
NAME = "puzzles.json"  # the name of the file in the user's folder
LONGEST_FILE = 1 << 16  # bytes
LOWEST, HIGHEST = 100, 3000  # ratings


@dataclass
class Score:
    """The score of a user.

    rating  on the scale of Puzzle.rating
    streak  puzzles solved in a row without help; `best` is the longest streak
    solved, tried   numbers of puzzles
    recent  the numbers of the most recent puzzles; `asked` in the file
    """

    rating: float = 900.0
    streak: int = 0
    best: int = 0
    solved: int = 0
    tried: int = 0
    recent: list[int] = field(default_factory=list)

    @classmethod
    def read(cls, path: Path) -> "Score":
        """Read the score from a file; a new score if the file does not exist.

        Raises OSError, and ValueError if the file is not a score.
        """
        try:
            content = json.loads(read_at_most(path, LONGEST_FILE))
        except FileNotFoundError:
            return cls()
        except (ValueError, RecursionError):
            content = None
        if not is_score(content):
            raise ValueError(f"{path} is not a score of puzzles: remove it to begin anew")
        return cls(recent=content.pop("asked"), **content)

    def write(self, path: Path) -> None:
        """Write the score to a file; create its folder if necessary.  Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, json.dumps(self.data()) + "\n")

    def data(self) -> dict[str, Any]:
        """The fields in the file."""
        fields = asdict(self)
        fields["asked"] = fields.pop("recent")
        return fields

    def expected(self, puzzle: Puzzle) -> float:
        """The probability that the user solves a puzzle."""
        return float(1 / (1 + 10 ** ((puzzle.rating - self.rating) / ODDS)))

    def record(self, puzzle: Puzzle, success: float) -> None:
        """Update the score after a puzzle.

        success  1 if solved without help, 0.5 with a hint, 0 if not solved

        Changes the rating by Elo's formula, STEP * (success - expected).  Only 1 continues the
        streak.
        """
        self.rating = min(max(self.rating + STEP * (success - self.expected(puzzle)), LOWEST),
                          HIGHEST)
        self.streak = self.streak + 1 if success == 1 else 0
        self.best = max(self.best, self.streak)
        self.tried += 1
        self.solved += success > 0

    def next(self, puzzles: Sequence[Puzzle], rng: Random) -> Puzzle:
        """Choose a puzzle near the rating that is not recent, and add it to the recent ones."""
        fresh = [puzzle for puzzle in puzzles if number_of(puzzle) not in self.recent] or puzzles
        near = sorted(fresh, key=lambda puzzle: (abs(puzzle.rating - self.rating),
                                                 number_of(puzzle)))
        least = [puzzle for puzzle in near
                 if abs(puzzle.rating - self.rating) == abs(near[0].rating - self.rating)]
        puzzle = rng.choice(near[:NEAR] if len(least) < NEAR else least)
        self.recent = [*self.recent, number_of(puzzle)][-MOST_RECENT:]
        return puzzle


def number_of(puzzle: Puzzle) -> int:
    """The number of a puzzle in a score: a checksum of its text."""
    return crc32(puzzle.text().encode())


def is_score(content: Any) -> bool:
    """Return whether this is the JSON of a score."""
    def counts(*values: Any) -> bool:
        return all(type(value) is int and 0 <= value < 1 << 40 for value in values)

    return (isinstance(content, dict) and content.keys() == Score().data().keys()
            and type(content["rating"]) in (int, float)
            and LOWEST <= content["rating"] <= HIGHEST
            and counts(*(content[name] for name in ("streak", "best", "solved", "tried")))
            and isinstance(content["asked"], list) and counts(*content["asked"]))
