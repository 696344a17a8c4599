"""Seats of programs that read and write files in a directory."""

import logging
import time
from pathlib import Path
from typing import Callable, Optional

from ...games.lattice import Lattice
from ...games.rules import Position, Rules
from ...wire.files import POLL_SECONDS, read_file, remove_file, write_file
from ...wire.notation import FILE_COLOURS, file_message_is_whole, file_move, file_point, file_text
from ..process import IDLE_SECONDS, Died, Program, missing
from ..verdict import Ending, Verdict
from .base import HANDSHAKE, Failure, Reply, Seat, TimeControl

TURNS_APART = 0.1  # seconds without NAME.go, so that a program detects the end of its turn
LEAVING_SECONDS = 1.0  # seconds for a program to detect the end of the game
READING_SECONDS = 5.0  # seconds to read the last move of a game
PATIENCE = 600.0  # seconds for a person to start a program
SETTLED_SECONDS = 0.6  # seconds without a change after which a partial message counts as whole


class FileSeat(Seat):
    """A program in a directory; without a command, a person starts it there."""

    opens = False

    def __init__(self, path: Path, command: str, control: TimeControl, name: str = ""):
        super().__init__(control, name)
        self.stem, self.folder, self.command = path.name, path.parent, command
        self.set_name(self.stem)
        self.program: Optional[Program] = None

    def complaint(self, rules: Rules, lattice: Lattice) -> Optional[str]:
        """Return the reason why it cannot start or play this game, or None."""
        if rules.cube:
            return f"programs over files do not play {rules.name}"
        if not self.folder.is_dir():
            return f"no such directory: {self.folder}"
        return missing(self.command, self.folder) if self.command else None

    def start(self, position: Position, colour: int) -> None:
        """Remove old files, and start the program if there is a command.  Raises Failure."""
        super().start(position, colour)
        self.clean()
        if self.command:
            try:
                self.program = Program(self.command, self.folder, lambda line: self.log(line))
            except Died as died:
                raise Failure(Ending.CRASH, str(died)) from None

    def probe(self, position: Position) -> None:
        """Do nothing: the files are those of a game, and a person may have to start the program."""

    def clean(self) -> None:
        """Remove the files of an earlier game."""

    def wait(self, condition: Callable[[], Optional[str]], deadline: float, ending: Ending,
             detail: str) -> str:
        """Poll until `condition` returns a text, and return it.

        The last output of a program that has died still counts.  Raises Failure with `ending`
        and `detail` after the deadline.
        """
        death: Optional[float] = None
        while True:
            text = condition()
            if text is not None:
                return text
            if self.program:
                self.program.waiting()  # its output is for people
                if not self.program.runs() and death is None:
                    death = time.monotonic()
            now = time.monotonic()
            if self.program and death is not None and now > min(
                    deadline, death + 2 * SETTLED_SECONDS):
                raise Failure(Ending.CRASH, self.program.ending())
            if now > deadline:
                raise Failure(ending, detail)
            time.sleep(POLL_SECONDS)

    def put(self, path: Path, text: str) -> None:
        """Write a file.  Raises Failure."""
        try:
            write_file(path, text)
        except OSError as error:
            raise Failure(Ending.CRASH, f"cannot write {path.name}: {error.strerror}") from None

    def path(self, ending: str) -> Path:
        """Return the path of the program's file with this ending."""
        return self.folder / f"{self.stem}.{ending}"

    def leave(self, last: dict[Path, str]) -> None:
        """Write the last files by path, give the program time to read them, and end it."""
        for path, text in last.items():
            try:
                self.put(path, text)
            except Failure:  # the directory is gone
                pass
        deadline = time.monotonic() + LEAVING_SECONDS
        while self.program and self.program.runs() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        if self.program:
            self.program.stop()
        self.program = None


class InOutSeat(FileSeat):
    """A program that reads NAME.in and writes NAME.out."""

    def __init__(self, path: Path, command: str, control: TimeControl, name: str = ""):
        super().__init__(path, command, control, name)
        self.last_text, self.changed_at = "", 0.0  # content of NAME.out, and time of its change

    def clean(self) -> None:
        """Remove NAME.in, NAME.out and NAME.end."""
        for ending in ("in", "out", "end"):
            remove_file(self.path(ending))

    def start(self, position: Position, colour: int) -> None:
        """Write its colour to NAME.in, and wait until the program reads it.  Raises Failure."""
        super().start(position, colour)
        self.put(self.path("in"), f"{FILE_COLOURS[colour]}\n")
        if not self.command:
            logging.getLogger(__name__).warning(
                "waiting for a program that reads %s", self.path("in"))
        self.wait(self.no_input, time.monotonic() + (HANDSHAKE if self.command else PATIENCE),
                  Ending.SILENCE, f"the program has not read {self.stem}.in")

    def no_input(self) -> Optional[str]:
        """Return "" if NAME.in is gone, else None."""
        return None if self.path("in").exists() else ""

    def ask(self, position: Position) -> Reply:
        """Write the last move to NAME.in, and read the move in NAME.out.  Raises Failure."""
        if position.history:
            if self.output() is not None:
                raise Failure(Ending.OUT_OF_TURN, f"{self.stem}.out was there before its turn")
            self.write_move(position)
        text = self.wait(self.output, time.monotonic() + self.limit + self.slack, Ending.TIME,
                         f"no move in {self.stem}.out")
        remove_file(self.path("out"))
        self.log(f"< {text.strip()[:200]}")
        move = file_move(position.lattice, text)
        if move is None or move[0] != self.colour:
            raise Failure(Ending.INVALID_MOVE, text.strip()[:200])
        return Reply(move[1], text.strip())

    def output(self) -> Optional[str]:
        """Return the content of NAME.out if it is complete or has not changed for two seconds."""
        text = read_file(self.path("out")) or ""
        if file_message_is_whole(text):
            return text
        if text != self.last_text:
            self.last_text, self.changed_at = text, time.monotonic()
        is_settled = time.monotonic() - self.changed_at > 2 * IDLE_SECONDS
        return text if text.strip() and is_settled else None

    def write_move(self, position: Position) -> None:
        """Write the last move to NAME.in."""
        last = position.moves[-1]
        text = f"({FILE_COLOURS[last.colour]} {file_text(position.lattice, last.point)})"
        self.log(f"> {text}")
        self.put(self.path("in"), text + "\n")

    def notices(self, position: Position, text: str, valid: bool) -> Optional[bool]:
        """Write the last move of the game to the loser's NAME.in.

        Returns None: the loser does not confirm the end of the game.
        """
        last = position.history[-1] if position.history else None
        if valid and last and last.colour != self.colour:
            try:
                self.write_move(position)
                self.wait(self.no_input, time.monotonic() + READING_SECONDS, Ending.SILENCE, "")
            except Failure:
                pass
        return None

    def stop(self, verdict: Verdict) -> None:
        """Write NAME.end, and remove the other files."""
        self.leave({self.path("end"): verdict.text + "\n"})
        for ending in ("in", "out") if self.command == "" else ("in", "out", "end"):
            remove_file(self.path(ending))


class MoveFileSeat(FileSeat):
    """A program that moves in move_file while NAME.go exists."""

    def clean(self) -> None:
        """Remove NAME.go and end_game, and empty move_file."""
        remove_file(self.path("go"))
        remove_file(self.folder / "end_game")
        self.put(self.folder / "move_file", "")

    def ask(self, position: Position) -> Reply:
        """Write the last move to move_file, create NAME.go and read the move.  Raises Failure."""
        shared = self.folder / "move_file"
        stones = position.moves
        last_move = ""
        if stones:
            words = (read_file(shared) or "").split()
            last = file_text(position.lattice, stones[-1].point)
            name = words[0] if words and words[0].lower() != self.stem.lower() else "opponent"
            last_move = f"{name} {last}\n"
        self.put(shared, last_move)
        self.log(f"> {last_move.strip()}")
        time.sleep(TURNS_APART)
        self.put(self.path("go"), "")
        before, since = last_move, time.monotonic()

        def new_move() -> Optional[str]:
            nonlocal before, since
            text = read_file(shared) or ""
            if text != before:
                before, since = text, time.monotonic()
            elif text.strip() and text != last_move:
                patience = SETTLED_SECONDS
                if len(text.split()) == 3:
                    patience = 0.0 if text.endswith("\n") else SETTLED_SECONDS / 3
                if time.monotonic() - since > patience:
                    return text
            return None

        text = self.wait(new_move, time.monotonic() + self.limit + self.slack, Ending.TIME,
                         "no move in move_file")
        remove_file(self.path("go"))
        self.log(f"< {text.strip()[:200]}")
        words = text.split()
        if len(words) == 3 and words[0].lower() != self.stem.lower():
            raise Failure(Ending.OUT_OF_TURN, text.strip()[:200], words[0])
        point = file_point(position.lattice, *words[1:]) if len(words) == 3 else None
        if point is None:
            raise Failure(Ending.INVALID_MOVE, text.strip()[:200])
        return Reply(point, text.strip())

    def stop(self, verdict: Verdict) -> None:
        """Write end_game, then NAME.go."""
        had_program = self.program is not None
        self.leave({self.folder / "end_game": f"END: {verdict.short}\n", self.path("go"): ""})
        if had_program:
            remove_file(self.path("go"))
