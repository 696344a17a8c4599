"""Go-moku with a colour swap over files in a directory, as the courses of 1997 and 2017 play it.

Three forms: in `in-out` a referee copies moves such as (W C 9) between NAME.in and NAME.out; in
`move-file` it gives a turn by creating NAME.go, and moves such as NAME C 9 are written to one file,
`move_file`; without a referee both programs write moves such as (white C 9) to `move_file`.
"""

import os
import stat
import time
from pathlib import Path
from typing import Callable, Optional

from ..games.lattice import BLACK, WHITE, opponent
from ..games.rules import LINE, IllegalMove, Position
from .notation import COLOUR_NAMES, file_move, file_point, file_text

PAUSE = 0.02  # seconds between two looks at a file
LONGEST = 4096  # bytes of a file that are read
LETTERS = {WHITE: "W", BLACK: "B"}


class GameEnded(Exception):
    """The game is over for us; the text says how.

    by_verdict  did the referee say so?
    """

    def __init__(self, text: str, by_verdict: bool = False):
        super().__init__(text)
        self.by_verdict = by_verdict


def write_file(path: Path, text: str) -> None:
    """Write a file so that no reader sees a part of it.  Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text)
        os.replace(part, path)
    except OSError:
        remove_file(part)
        raise


def read_file(path: Path) -> Optional[str]:
    """What is in a file, up to LONGEST bytes; None if it is not there, or is no plain file."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        return os.read(handle, LONGEST).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(handle)


def changed(path: Path) -> int:
    """When a file was last changed, 0 if it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def remove_file(path: Path) -> None:
    """Delete a file, if it is still there."""
    try:
        path.unlink()
    except OSError:
        pass


class FilePlayer:
    """One program of ours in a directory: `play` plays a whole game.

    choose  a move for a position
    report  called with lines for whoever looks on
    """

    def __init__(self, name: str, folder: Path, position: Position,
                 choose: Callable[[Position], int], report: Callable[[str], None]):
        self.name, self.folder, self.position = name, folder, position
        self.choose, self.report = choose, report
        remove_file(self.path("end"))  # of a game before
        self._old_end = changed(folder / "end_game")

    def path(self, ending: str) -> Path:
        """The file of ours with that ending."""
        return self.folder / f"{self.name}.{ending}"

    def in_out(self) -> None:
        """Play a game by NAME.in and NAME.out.  Raises GameEnded."""
        own = {"W": WHITE, "B": BLACK}.get(self.received().strip().upper(), 0)
        if not own:
            raise GameEnded("neither W nor B in the first file")
        while True:
            if self.position.side != own:
                self.opponent_plays(file_move(self.position.lattice, self.received()), own)
            point = self.our_move()
            write_file(self.path("out"), f"({LETTERS[own]} {self.named(point)})\n")
            self.played(own, point)

    def received(self) -> str:
        """Wait for NAME.in with a whole message; the file is deleted.  Raises GameEnded."""
        while True:
            text = read_file(self.path("in"))
            if text is not None and complete(text):
                remove_file(self.path("in"))
                return text
            verdict = read_file(self.path("end"))
            if verdict is not None and text is None:
                remove_file(self.path("end"))
                raise GameEnded(verdict.strip(), True)
            time.sleep(PAUSE)

    def move_file(self) -> None:
        """Play a game by NAME.go and move_file.  Raises GameEnded."""
        shared, own = self.folder / "move_file", 0
        while True:
            words = self.turn(shared)
            if not own:
                own = opponent(self.position.side) if words else self.position.side
            if words:
                point = file_point(self.position.lattice, *words[1:])
                self.opponent_plays((opponent(own), point) if point else None, own)
            point = self.our_move()
            self.position.play(own, point)
            write_file(shared, f"{self.name} {self.named(point)}\n")
            self.report(f"{self.name} plays {self.named(point)}")
            self.check_end(own)

    def turn(self, shared: Path) -> list[str]:
        """Wait for NAME.go; the words of the opponent's move, none if there is no move yet."""
        while True:
            verdict = self.ended()
            if verdict:
                raise GameEnded(verdict, True)
            if self.path("go").exists():
                words = (read_file(shared) or "").split()
                if not words and not self.position.history or (
                        len(words) == 3 and words[0].lower() != self.name.lower()):
                    return words
            time.sleep(PAUSE)

    def ended(self) -> str:
        """What the referee has written to end_game in this game, if it has."""
        path = self.folder / "end_game"
        return "" if changed(path) == self._old_end else (read_file(path) or "").strip()

    def unrefereed(self, own: int) -> None:
        """Play a game by move_file alone.  Raises GameEnded."""
        shared, written = self.folder / "move_file", ""
        while True:
            if self.position.side != own:
                text = read_file(shared)
                while text is None or not complete(text) or text == written or (
                        (file_move(self.position.lattice, text) or (0, 0))[0] == own):
                    time.sleep(PAUSE)
                    text = read_file(shared)
                self.opponent_plays(file_move(self.position.lattice, text), own)
            point = self.our_move()
            written = f"({COLOUR_NAMES[own]} {self.named(point)})\n"
            write_file(shared, written)
            self.played(own, point)

    # --- shared -----------------------------------------------------------------------------

    def our_move(self) -> int:
        """The point that we choose."""
        return self.choose(self.position)

    def named(self, point: int) -> str:
        """Column and row of a point."""
        return file_text(self.position.lattice, point)

    def opponent_plays(self, move: Optional[tuple[int, int]], own: int) -> None:
        """Check and play the opponent's move.  Raises GameEnded."""
        if move is None or move[0] == own:
            raise GameEnded("the opponent's move is invalid: not a move of the other colour")
        self.played(*move)

    def played(self, colour: int, point: int) -> None:
        """Play a move that was made.  Raises GameEnded."""
        try:
            self.position.play(colour, point)
        except IllegalMove as complaint:
            raise GameEnded(f"the move {self.named(point)} is invalid: {complaint}") from None
        self.report(f"{COLOUR_NAMES[colour]} plays {self.named(point)}")
        self.check_end(colour)

    def check_end(self, colour: int) -> None:
        """Raises GameEnded if the last move, of that colour, has ended the game."""
        outcome = self.position.outcome
        if outcome:
            raise GameEnded(f"{COLOUR_NAMES[outcome.winner]} wins: five in a row"
                            if outcome.reason == LINE else "both players lose (board full)")


def complete(text: str) -> bool:
    """Is it a whole message: a colour, or a move with its closing parenthesis?"""
    return text.strip().upper() in ("W", "B") or ")" in text
