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

from ..games.lattice import BLACK, EMPTY, WHITE, opponent
from ..games.rules import LINE, IllegalMove, Position
from .notation import COLOUR_NAMES, file_move, file_text

PAUSE = 0.02  # seconds between two looks at a file
LONGEST = 4096  # bytes of a file that are read
LETTERS = {WHITE: "W", BLACK: "B"}
SOON = 500_000_000  # nanoseconds after end_game in which a referee writes its last files


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
    """One program of ours in a directory: `in_out`, `move_file` or `unrefereed` plays a whole game.

    choose  a move for a position
    report  called with lines for whoever looks on
    ready   called once with a line that says what is waited for
    """

    def __init__(self, name: str, folder: Path, position: Position,
                 choose: Callable[[Position], int], report: Callable[[str], None],
                 ready: Callable[[str], None]):
        self.name, self.folder, self.position = name, folder, position
        self.choose, self.report, self.ready = choose, report, ready
        remove_file(self.path("end"))  # of a game before
        self._old_end = changed(folder / "end_game")
        self._left_over = {path: changed(path) for path in (self.path("go"), folder / "move_file")
                           if 0 < changed(path) < self._old_end + SOON}

    def path(self, ending: str) -> Path:
        """The file of ours with that ending."""
        return self.folder / f"{self.name}.{ending}"

    def in_out(self) -> None:
        """Play a game by NAME.in and NAME.out.  Raises GameEnded, or OSError if it cannot write."""
        self.ready(f"ready: waiting for {self.path('in')}")
        own = {"W": WHITE, "B": BLACK}.get(self.received().strip().upper(), 0)
        if not own:
            raise GameEnded("neither W nor B in the first file")
        while True:
            if self.position.side != own:
                self.opponent_plays(self.received(), own)
                self.check_end()
            point = self.our_move()
            write_file(self.path("out"), f"({LETTERS[own]} {self.named(point)})\n")
            self.played(own, point)
            self.check_end()

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
        """Play a game by NAME.go and move_file until the referee writes end_game.

        Some referees do not see a row: then the game goes on after its end.  Raises GameEnded, or
        OSError if it cannot write.
        """
        shared, own, over = self.folder / "move_file", 0, False
        self.ready(f"ready: waiting for {self.path('go')}")
        while True:
            words = self.turn(shared)
            own = own or (opponent(self.position.side) if words else self.position.side)
            if words:
                self.opponent_plays(f"({LETTERS[opponent(own)]} {' '.join(words[1:])})", own)
            if self.position.vacant:
                point = self.our_move()
                write_file(shared, f"{self.name} {self.named(point)}\n")
                self.played(own, point)
            if self.position.outcome and not over:
                over = True
                self.report(self.result())

    def turn(self, shared: Path) -> list[str]:
        """Wait for NAME.go; the words of the opponent's move, none if there is no move yet.

        Files that a game before has left, beside its end_game, do not count until they change.
        """
        while True:
            verdict = self.ended()
            if verdict:
                raise GameEnded(verdict, True)
            if self.path("go").exists() and not any(map(self.is_left_over, self._left_over)):
                words = (read_file(shared) or "").split()
                if not words and not self.position.history or (
                        len(words) == 3 and words[0].lower() != self.name.lower()):
                    return words
            time.sleep(PAUSE)

    def ended(self) -> str:
        """What the referee has written to end_game in this game, if it has."""
        path = self.folder / "end_game"
        return "" if changed(path) == self._old_end else (read_file(path) or "").strip()

    def is_left_over(self, path: Path) -> bool:
        """Is the file as a game before has left it, beside its end_game?"""
        return (changed(path) == self._left_over[path]
                and changed(self.folder / "end_game") == self._old_end)

    def unrefereed(self, own: int) -> None:
        """Play a game by move_file alone.  Raises GameEnded, or OSError if it cannot write."""
        shared, written = self.folder / "move_file", ""
        self.ready("ready" if self.position.side == own else
                   f"ready: waiting for a move of the other side in {shared}")
        while True:
            if self.position.side != own:
                text = read_file(shared)
                while text is None or not complete(text) or text == written or (
                        (file_move(self.position.lattice, text) or (0, 0))[0] == own):
                    time.sleep(PAUSE)
                    text = read_file(shared)
                self.opponent_plays(text, own)
                self.check_end()
            point = self.our_move()
            written = f"({COLOUR_NAMES[own]} {self.named(point)})\n"
            write_file(shared, written)
            self.played(own, point)
            self.check_end()

    # --- shared -----------------------------------------------------------------------------

    def our_move(self) -> int:
        """The point that we choose; after the end of the game, any empty one."""
        position = self.position
        if position.outcome:
            return next(point for point in position.lattice.points
                        if position.cells[point] == EMPTY)
        return self.choose(position)

    def named(self, point: int) -> str:
        """Column and row of a point."""
        return file_text(self.position.lattice, point)

    def opponent_plays(self, text: str, own: int) -> None:
        """Check and play the opponent's move.  Raises GameEnded."""
        move = file_move(self.position.lattice, text)
        if move is None:
            raise GameEnded("the opponent's move is invalid: no move on this board: "
                            + text.strip())
        if move[0] == own:
            raise GameEnded("the opponent's move is invalid: not a move of the other colour: "
                            + text.strip())
        self.played(*move)

    def played(self, colour: int, point: int) -> None:
        """Play a move that was made.  Raises GameEnded."""
        position = self.position
        if position.outcome and position.cells[point] == EMPTY:
            position.setup([(colour, point)])
        else:
            try:
                position.play(colour, point)
            except IllegalMove as complaint:
                raise GameEnded(f"the move {self.named(point)} is invalid: {complaint}") from None
        self.report(f"{COLOUR_NAMES[colour]} plays {self.named(point)}")

    def result(self) -> str:
        """How the game has ended."""
        outcome = self.position.outcome
        assert outcome is not None
        return (f"{COLOUR_NAMES[outcome.winner]} wins: five in a row" if outcome.reason == LINE
                else "both players lose (board full)")

    def check_end(self) -> None:
        """Raises GameEnded if the last move has ended the game."""
        if self.position.outcome:
            raise GameEnded(self.result())


def complete(text: str) -> bool:
    """Is it a whole message: a colour, or a move with its closing parenthesis?"""
    return text.strip().upper() in ("W", "B") or ")" in text
