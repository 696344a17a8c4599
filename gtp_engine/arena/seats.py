"""One seat per protocol: start a program, ask it for moves, tell it those of the other side, stop
it.

Every seat keeps the time of its program by deadlines as of time.monotonic, and raises Failure with
the ending that its program has brought about.
"""

import sys
import time
from pathlib import Path
from random import Random
from typing import Callable, NamedTuple, Optional

from ..games.lattice import BLACK
from ..games.rules import Position
from ..players import Limits, Settings, make_player
from ..players.alphabeta import DEFAULT_SECONDS
from ..protocols.movefile import LETTERS, PAUSE, complete, read_file, remove_file, write_file
from ..protocols.notation import (
    PIPE_SYMBOLS, GtpPoints, file_move, file_point, file_text, pipe_move, pipe_text,
    piskvork_point, piskvork_text,
)
from ..protocols.pipe import ERROR, EXIT, GAMEOVER
from .ending import Ending
from .program import Died, Program, TooLate

HANDSHAKE = 60.0  # seconds for a program to be ready; the first start may compile
SLACK = 0.5  # seconds on top of the time for a move, of engines that are told the whole of it
FIRST_SLACK = 10.0  # of a GTP engine that loads what it needs when the first move is asked for
PISKVORK_RULES = {"Gomoku": 0, "Gomoku-exact": 1, "Caro": 8, "Caro-exact": 9}
GAP = 0.02  # seconds before a command after a move: some programs lose what comes sooner
ENDLESS = 2147483647
TURNS_APART = 0.1  # seconds without NAME.go, so that a program sees that its turn was over
LEAVING = 1.0  # seconds for a program to see that the game is over


class Failure(Exception):
    """How a program has failed: the ending, and the details."""

    def __init__(self, ending: Ending, detail: str):
        super().__init__(detail)
        self.ending, self.detail = ending, detail


class Reply(NamedTuple):
    """What a program answered: a point, or None if it resigned or passed; and its own words."""

    point: Optional[int]
    text: str


class Seat:
    """What every seat offers.

    name     for tables and verdicts
    colour   BLACK or WHITE, since `start`
    seconds  time for a move
    log      called with each line that was sent or read
    """

    name = ""
    colour = BLACK

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.log: Callable[[str], None] = lambda line: None

    def start(self, position: Position, colour: int) -> None:
        """Get ready to play from this position.  Raises Failure."""
        self.colour = colour

    def ask(self, position: Position) -> Reply:
        """The move for the position, in which this side is to move.  Raises Failure."""
        raise NotImplementedError

    def notices(self, position: Position, text: str, valid: bool) -> Optional[bool]:
        """After the last move, the other side's or ours, or an invalid one of the other side: does
        the program see that the game is over, or that the move is invalid?  None if its protocol
        does not say so."""
        return None

    def stop(self, verdict: str) -> None:
        """The game is over: say so as the protocol has it, and end the program."""


class PlayerSeat(Seat):
    """One of our players, in this process."""

    def __init__(self, name: str, settings: Settings, limit: Optional[float], seconds: float):
        super().__init__(seconds)
        self.name, self.limit = name, limit
        self.player = make_player(name, settings)

    def ask(self, position: Position) -> Reply:
        point = self.player.choose(position, Limits(bytearray(1), self.limit))
        return Reply(point, GtpPoints(position.lattice).name[point])


class PersonSeat(Seat):
    """A person at the terminal, who may resign."""

    name = "person"

    def ask(self, position: Position) -> Reply:
        points = GtpPoints(position.lattice)
        while True:
            print("your move (a point as D4, or resign): ", end="", flush=True, file=sys.stderr)
            text = sys.stdin.readline()
            if not text:
                raise Failure(Ending.CRASH, "the end of the input")
            point = points.point_of(text.strip())
            if text.strip().lower() == "resign":
                return Reply(None, "resign")
            if point and not position.complaint(position.side, point):
                return Reply(point, text.strip())
            reason = position.complaint(position.side, point) if point else "no such point"
            print(f"{text.strip()}: {reason}", file=sys.stderr)


class ProgramSeat(Seat):
    """A program behind pipes."""

    farewell: Optional[str] = None

    def __init__(self, command: str, seconds: float, folder: Optional[Path] = None):
        super().__init__(seconds)
        self.command, self.folder = command, folder
        self.name = command
        self.program: Optional[Program] = None

    def launch(self) -> Program:
        """Start the program.  Raises Failure."""
        try:
            self.program = Program(self.command, self.folder, lambda line: self.log(line))
        except Died as died:
            raise Failure(Ending.CRASH, str(died)) from None
        return self.program

    def send(self, line: str, padded_to: int = 0) -> None:
        """Write a line.  Raises Failure."""
        assert self.program is not None
        try:
            self.program.send(line, padded_to)
        except Died as died:
            raise Failure(Ending.CRASH, str(died)) from None
        except TooLate as late:
            raise Failure(Ending.TIME, str(late)) from None

    def receive(self, deadline: float, ending: Ending = Ending.TIME) -> str:
        """Read a line.  Raises Failure, with this ending if none comes in time."""
        assert self.program is not None
        try:
            return self.program.receive(deadline)
        except Died as died:
            raise Failure(Ending.CRASH, str(died)) from None
        except TooLate as late:
            raise Failure(ending, str(late)) from None

    def stop(self, verdict: str) -> None:
        if self.program is None:
            return
        if self.farewell:
            try:
                self.program.send(self.farewell)
            except (Died, TooLate):
                pass
        self.program.stop()
        self.program = None


class GtpSeat(ProgramSeat):
    """A GTP engine."""

    farewell = "quit"

    def start(self, position: Position, colour: int) -> None:
        super().start(position, colour)
        self.launch()
        deadline = time.monotonic() + HANDSHAKE
        commands = self.command_reply("list_commands", deadline, Ending.SILENCE).split()
        self.seen = 0
        self.name = self.command_reply("name", deadline, Ending.SILENCE) or self.command
        wanted = [f"boardsize {position.lattice.shown_size}", "clear_board"]
        if "ruleset" in commands:
            wanted.insert(0, f"ruleset {position.rules.name}")
        if "time_settings" in commands:
            wanted.append(f"time_settings 0 {max(1, int(self.seconds))} 1")
        for line in wanted:
            self.command_reply(line, deadline, Ending.SILENCE)

    def ask(self, position: Position) -> Reply:
        points = GtpPoints(position.lattice)
        deadline = time.monotonic() + self.seconds + (SLACK if self.seen else FIRST_SLACK)
        stones = [record for record in position.history if record.point]
        for record in stones[self.seen:]:
            self.command_reply(f"play {'bw'[record.colour - 1]} {points.name[record.point]}",
                               deadline)
        text = self.command_reply(f"genmove {'bw'[self.colour - 1]}", deadline)
        self.seen = len(stones) + 1
        point = points.point_of(text)
        if text.lower() in ("resign", "pass"):
            return Reply(None, text)
        if not point:
            raise Failure(Ending.INVALID_MOVE, f"not a point: {text}")
        return Reply(point, text)

    def command_reply(self, line: str, deadline: float, ending: Ending = Ending.TIME) -> str:
        """The text of a reply, over several lines.  Raises Failure."""
        self.send(line)
        first = self.receive(deadline, ending)
        while not first.startswith(("=", "?")):
            first = self.receive(deadline, ending)
        lines = [first.lstrip("=?0123456789").strip()]
        while (more := self.receive(deadline, ending)):
            lines.append(more)
        if first.startswith("?"):
            raise Failure(Ending.INVALID_MOVE, f"{line}: {first}")
        return "\n".join(lines)


class GomocupSeat(ProgramSeat):
    """A program that speaks Gomocup's protocol."""

    farewell = "END"

    def start(self, position: Position, colour: int) -> None:
        super().start(position, colour)
        rule = PISKVORK_RULES.get(position.rules.name)
        if rule is None:
            raise Failure(Ending.SILENCE, f"Gomocup does not play {position.rules.name}")
        self.launch()
        self.sent = 0
        self.send(f"START {position.lattice.width}")
        deadline = time.monotonic() + HANDSHAKE
        while (text := self.receive(deadline, Ending.SILENCE)).upper() != "OK":
            if text.upper().startswith(("ERROR", "UNKNOWN")):
                raise Failure(Ending.SILENCE, text)
        for line in (f"INFO timeout_turn {int(self.seconds * 1000)}", "INFO timeout_match 0",
                     f"INFO time_left {ENDLESS}", "INFO max_memory 0", "INFO game_type 1",
                     f"INFO rule {rule}"):
            self.send(line)

    def ask(self, position: Position) -> Reply:
        assert self.program is not None
        self.program.waiting()
        stones = [record for record in position.history if record.point]
        time.sleep(GAP)
        deadline = time.monotonic() + self.seconds + SLACK
        if not stones:
            self.send("BEGIN")
        elif len(stones) == self.sent + 1:
            self.send(f"TURN {piskvork_text(position.lattice, stones[-1].point)}")
        else:
            self.send("BOARD")
            for record in stones:
                self.send(f"{piskvork_text(position.lattice, record.point)},"
                          f"{1 if record.colour == self.colour else 2}")
            self.send("DONE")
        while True:
            text = self.receive(deadline)
            if text.upper().startswith(("ERROR", "UNKNOWN")):
                raise Failure(Ending.INVALID_MOVE, text)
            if text[:1].isdigit() or text[:1] == "-":
                break
        point = piskvork_point(position.lattice, text)
        if point is None:
            raise Failure(Ending.INVALID_MOVE, f"no such point: {text}")
        self.sent = len(stones) + 1
        return Reply(point, text)


class PipeSeat(ProgramSeat):
    """A program of the 4x4x4 course: R,x,y,z."""

    farewell = EXIT

    def start(self, position: Position, colour: int) -> None:
        super().start(position, colour)
        if not position.rules.cube:
            raise Failure(Ending.SILENCE, f"R,x,y,z does not fit {position.rules.name}")
        self.launch()
        self.send(PIPE_SYMBOLS[colour])
        self.told = 0

    def ask(self, position: Position) -> Reply:
        assert self.program is not None
        early = self.program.waiting()
        if early:
            raise Failure(Ending.OUT_OF_TURN, f"it wrote {early[0]!r} before its turn")
        self.tell(position)
        text = self.receive(time.monotonic() + self.seconds)
        move = pipe_move(position.lattice, text)
        if move is None or move[0] != self.colour:
            raise Failure(Ending.INVALID_MOVE, text)
        self.told += 1
        return Reply(move[1], text)

    def tell(self, position: Position) -> None:
        """Write the last move if it is the other side's.  Raises Failure."""
        stones = [record for record in position.history if record.point]
        for record in stones[self.told:]:
            self.send(pipe_text(position.lattice, record.colour, record.point))
        self.told = len(stones)

    def notices(self, position: Position, text: str, valid: bool) -> Optional[bool]:
        try:
            if valid:
                self.tell(position)
            else:
                self.send(text[:9])
            answer = self.receive(time.monotonic() + min(self.seconds, 5.0))
        except Failure:
            return False
        return answer == (GAMEOVER if valid else ERROR)


class FileSeat(Seat):
    """A program in a directory; without a command, a person starts it there."""

    def __init__(self, path: Path, command: str, seconds: float):
        super().__init__(seconds)
        self.name, self.folder, self.command = path.name, path.parent, command
        self.program: Optional[Program] = None

    def start(self, position: Position, colour: int) -> None:
        super().start(position, colour)
        if position.lattice.depth > 1:
            raise Failure(Ending.SILENCE, f"files do not fit {position.rules.name}")
        self.clean()
        if self.command:
            try:
                self.program = Program(self.command, self.folder, lambda line: self.log(line))
            except Died as died:
                raise Failure(Ending.CRASH, str(died)) from None

    def clean(self) -> None:
        """Remove what a game before has left."""

    def wait(self, condition: Callable[[], Optional[str]], deadline: float, ending: Ending,
             what: str) -> str:
        """Look until the condition gives a text.  Raises Failure."""
        while True:
            found = condition()
            if found is not None:
                return found
            if time.monotonic() > deadline:
                raise Failure(ending, what)
            if self.program:
                self.program.waiting()  # what it prints is for people
                if not self.program.runs():
                    found = condition()
                    if found is not None:
                        return found
                    raise Failure(Ending.CRASH, self.program.ending())
            time.sleep(PAUSE)

    def path(self, ending: str) -> Path:
        """The file of the program with that ending."""
        return self.folder / f"{self.name}.{ending}"

    def stop(self, verdict: str) -> None:
        if self.program is None:
            return
        self.program.stop()
        self.program = None


class InOutSeat(FileSeat):
    """NAME.in and NAME.out."""

    def clean(self) -> None:
        for ending in ("in", "out", "end"):
            remove_file(self.path(ending))

    def start(self, position: Position, colour: int) -> None:
        super().start(position, colour)
        write_file(self.path("in"), f"{LETTERS[colour]}\n")
        self.wait(self.taken, time.monotonic() + HANDSHAKE, Ending.SILENCE,
                  f"nobody has read {self.name}.in")

    def taken(self) -> Optional[str]:
        """A text once NAME.in is gone."""
        return None if self.path("in").exists() else ""

    def ask(self, position: Position) -> Reply:
        stones = [record for record in position.history if record.point]
        if stones:
            self.give(position)
        text = self.wait(self.written, time.monotonic() + self.seconds, Ending.TIME,
                         f"no move in {self.name}.out")
        remove_file(self.path("out"))
        self.log(f"< {text.strip()[:200]}")
        move = file_move(position.lattice, text)
        if move is None or move[0] != self.colour:
            raise Failure(Ending.INVALID_MOVE, text.strip()[:200])
        return Reply(move[1], text.strip())

    def written(self) -> Optional[str]:
        """What is in NAME.out, once it is whole."""
        text = read_file(self.path("out"))
        return text if text is not None and complete(text) else None

    def give(self, position: Position) -> None:
        """Write the last move to NAME.in."""
        last = next(record for record in reversed(position.history) if record.point)
        text = f"({LETTERS[last.colour]} {file_text(position.lattice, last.point)})"
        self.log(f"> {text}")
        write_file(self.path("in"), text + "\n")

    def notices(self, position: Position, text: str, valid: bool) -> Optional[bool]:
        last = position.history[-1] if position.history else None
        if valid and last and last.colour != self.colour:
            self.give(position)
            try:
                self.wait(self.taken, time.monotonic() + 5.0, Ending.SILENCE, "")
            except Failure:
                pass
        return None

    def stop(self, verdict: str) -> None:
        write_file(self.path("end"), verdict + "\n")
        if self.program:
            deadline = time.monotonic() + LEAVING
            while self.program.runs() and time.monotonic() < deadline:
                time.sleep(PAUSE)
        super().stop(verdict)
        for ending in ("in", "out") if self.command == "" else ("in", "out", "end"):
            remove_file(self.path(ending))


class MoveFileSeat(FileSeat):
    """NAME.go and move_file."""

    def clean(self) -> None:
        remove_file(self.path("go"))
        remove_file(self.folder / "end_game")
        write_file(self.folder / "move_file", "")

    def ask(self, position: Position) -> Reply:
        shared = self.folder / "move_file"
        stones = [record for record in position.history if record.point]
        given = ""
        if stones:
            words = (read_file(shared) or "").split()
            last = file_text(position.lattice, stones[-1].point)
            name = words[0] if words and words[0] != self.name else "opponent"
            given = f"{name} {last}\n"
            write_file(shared, given)
        self.log(f"> {given.strip()}")
        time.sleep(TURNS_APART)
        write_file(self.path("go"), "")
        found: list[str] = []

        def written() -> Optional[str]:
            text = read_file(shared) or ""
            found.append(text)
            if text == given or len(found) < 2 or found[-2] != text:
                return None
            return text if text.strip() else None

        text = self.wait(written, time.monotonic() + self.seconds, Ending.TIME,
                         "no move in move_file")
        remove_file(self.path("go"))
        self.log(f"< {text.strip()[:200]}")
        words = text.split()
        if len(words) == 3 and words[0] != self.name:
            raise Failure(Ending.OUT_OF_TURN, text.strip()[:200])
        point = file_point(position.lattice, *words[1:]) if len(words) == 3 else None
        if point is None:
            raise Failure(Ending.INVALID_MOVE, text.strip()[:200])
        return Reply(point, text.strip())

    def stop(self, verdict: str) -> None:
        write_file(self.folder / "end_game", verdict + "\n")
        write_file(self.path("go"), "")
        if self.program:
            deadline = time.monotonic() + LEAVING
            while self.program.runs() and time.monotonic() < deadline:
                time.sleep(PAUSE)
            super().stop(verdict)
            remove_file(self.path("go"))


def seat_of(text: str, seconds: float, rng: Random) -> Seat:
    """The seat that a text describes.  Raises ValueError.

    person; the name of one of our players, with settings as in flat,policy=rule_based,time=1;
    gtp:COMMAND, gomocup:COMMAND or pipe:COMMAND; in-out:DIR/NAME or move-file:DIR/NAME, with a
    blank and a COMMAND if the referee is to start the program.
    """
    kind, colon, rest = text.partition(":")
    programs = {"gtp": GtpSeat, "gomocup": GomocupSeat, "pipe": PipeSeat}
    files = {"in-out": InOutSeat, "move-file": MoveFileSeat}
    if text == "person":
        return PersonSeat(seconds)
    if colon and kind in programs and rest.strip():
        return programs[kind](rest.strip(), seconds)
    if colon and kind in files and rest.strip():
        path, _, command = rest.strip().partition(" ")
        if not Path(path).parent.is_dir():
            raise ValueError(f"no such directory: {Path(path).parent}")
        return files[kind](Path(path).absolute(), command, seconds)
    name, *words = text.split(",")
    try:
        options = dict(word.split("=", 1) for word in words)
        given = options.pop("time", None)
        limit = None  # what the player does without a time
        if given is not None or name == "alphabeta":
            limit = min(float(given or DEFAULT_SECONDS), seconds)
        settings = Settings(rng=Random(rng.getrandbits(64)), **{
            key: value if key == "policy" else int(value)  # type: ignore[arg-type]
            for key, value in options.items()})
        return PlayerSeat(name, settings, limit, seconds)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"no such seat: {text}") from None
