"""Seats of programs behind pipes: GTP, Gomocup, R,x,y,z."""

import re
import time
from operator import attrgetter
from typing import Callable, Optional, TypeVar

from ...games import catalogue
from ...games.lattice import Lattice, sides, size_text
from ...games.rules import Position, Rules
from ...wire.clock import EXPECTED_MOVES
from ...wire.notation import (
    ERROR,
    EXIT,
    GAMEOVER,
    PIPE_SYMBOLS,
    GtpPoints,
    pipe_move,
    pipe_text,
    piskvork_point,
    piskvork_text,
)
from ...wire.search_info import NUMBERS, number
from ..process import LONGEST_LINE, Died, NoAnswer, Program, TooLate, missing
from ..verdict import Ending, Verdict
from .base import HANDSHAKE, Failure, Reply, Seat, TimeControl

NAME = re.compile('name *= *"([^"]*)"', re.IGNORECASE)  # in the answer to ABOUT
SHORTEST_INFO = len("< ev 1 x")  # shorter lines, most of all lines, have none
SLACK = 0.5  # extra seconds for a move; engines receive the full time as theirs
FIRST_SLACK = 10.0  # extra seconds for the first move, when programs load their data
PISKVORK_RULES = {"Gomoku": 0, "Gomoku-exact": 1, "Renju": 4, "Caro": 8,
                  "Caro-exact": 9}
CLAIMS = {ERROR: "no move was invalid", GAMEOVER: "the game is not over"}
GAP = 0.02  # seconds between commands: some programs lose a command that follows sooner
ENDLESS = 2147483647
MOST_LINES = 1000  # of a reply over GTP
CHAT = ("MESSAGE", "DEBUG", "UNKNOWN", "SUGGEST", "INFO", "DETAIL", "FORBID")  # no answers
NOTICING = 5.0  # seconds for a program to report the end of the game
LONGEST_PIPE_NAME = 9  # letters of a name in the 4x4x4 course
SILENT = 2.0  # seconds to wait for an early exit, as after an unknown option
ABOUT_PATIENCE = 1.0  # seconds for the answer to ABOUT; some programs do not support it

Result = TypeVar("Result")


class ProgramSeat(Seat):
    """A program behind pipes; `longest_line` is in bytes."""

    farewell: Optional[str] = None
    longest_line = LONGEST_LINE

    def __init__(self, command: str, control: TimeControl, name: str = ""):
        super().__init__(control, name)
        self.command = command
        self.set_name(command)
        self.program: Optional[Program] = None

    def complaint(self, rules: Rules, lattice: Lattice) -> Optional[str]:
        """Return the reason why it cannot start or play this game, or None."""
        return missing(self.command)

    def launch(self) -> None:
        """Start the program.  Raises Failure."""
        try:
            self.program = Program(self.command, log=self.log_line, longest_line=self.longest_line)
        except Died as died:
            raise Failure(Ending.CRASH, str(died)) from None

    def log_line(self, line: str) -> None:
        """Log a line, and store the search info in it unless the referee sent it (>)."""
        self.log(line)
        if line[0] != ">" and len(line) >= SHORTEST_INFO:
            for key, pattern in NUMBERS.items():
                if match := pattern.search(line):
                    self.search_info[key] = number(match)

    def exchange(self, talk: Callable[[Program], Result], ending: Ending = Ending.TIME) -> Result:
        """Return the result of `talk`.  Raises Failure, with `ending` if the program is late."""
        assert self.program is not None
        try:
            return talk(self.program)
        except Died as died:
            raise Failure(Ending.CRASH, str(died)) from None
        except NoAnswer as wrong:
            raise Failure(Ending.INVALID_MOVE if ending == Ending.TIME else ending,
                          str(wrong)) from None
        except TooLate as late:
            raise Failure(ending, str(late)) from None

    def send(self, line: str) -> None:
        """Write a line.  Raises Failure."""
        self.exchange(lambda program: program.send(line))

    def receive(self, deadline: float, ending: Ending = Ending.TIME) -> str:
        """Read a line.  Raises Failure, with `ending` if none arrives in time."""
        return self.exchange(lambda program: program.receive(deadline), ending)

    def deadline(self, first: bool) -> float:
        """Return the deadline of a move that is requested now."""
        self.loading = FIRST_SLACK if first else 0.0
        return time.monotonic() + self.limit + max(self.slack, self.loading)

    def refuse_early(self, is_answer: Callable[[str], object]) -> None:
        """Discard the lines that have arrived.  Raises Failure if one of them is an answer."""
        assert self.program is not None
        for line in filter(is_answer, self.program.waiting()):
            raise Failure(Ending.OUT_OF_TURN, f"it wrote {line[:200]!r} before its turn")

    def stop(self, verdict: Verdict) -> None:
        """Send the farewell of the protocol, and end the program."""
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
    slack = SLACK
    counts = ("nodes", "depth")

    def start(self, position: Position, colour: int) -> None:
        """Start the engine, and send the board, the rules and the time settings."""
        super().start(position, colour)
        self.launch()
        deadline = time.monotonic() + HANDSHAKE
        self.commands = self.command_reply(
            "list_commands", deadline, Ending.SILENCE).split()
        self.plies_sent = 0
        self.set_name(self.command_reply("name", deadline, Ending.SILENCE) or self.command)
        self.counts_down = "time_left" in self.commands
        columns, rows = sides(position.lattice.display_size)
        if columns != rows and "rectangular_boardsize" not in self.commands:
            raise Failure(Ending.SILENCE, "it does not support rectangular_boardsize")
        lines = [f"boardsize {columns}" if columns == rows else
                 f"rectangular_boardsize {columns} {rows}", "clear_board"]
        if "ruleset" in self.commands:
            lines.insert(0, f"ruleset {position.rules.name}")
        elif "," in position.rules.name:  # changed rules, which no program plays by itself
            raise Failure(Ending.SILENCE, "it does not support the command ruleset, which "
                                          f"{position.rules.name} needs")
        if "time_settings" in self.commands:
            main = self.control.per_game
            lines.append(f"time_settings 0 {self.limit:g} 1" if main is None else
                         f"time_settings {main:g} 0 0")
        lines += [f"param {key} {value}" for key, value in self.control.limits().items()]
        for line in lines:
            self.command_reply(line, deadline, Ending.SILENCE)

    def ask(self, position: Position) -> Reply:
        """Send the new moves and genmove; return the engine's move.  Raises Failure."""
        points = GtpPoints(position.lattice)
        self.refuse_early(is_reply)
        deadline = self.deadline(first=not self.plies_sent)
        for record in filter(attrgetter("point"), position.history[self.plies_sent:]):
            line = f"play {'bw'[record.colour - 1]} {points.name[record.point]}"
            reply = self.command_reply(line, deadline)
            if reply.lower().startswith("illegal move"):
                raise Failure(Ending.INVALID_MOVE, f"{line}: {reply}")
        if self.left is not None and self.counts_down:
            self.command_reply(f"time_left {'bw'[self.colour - 1]} {self.time_left()}", deadline)
        text = self.command_reply(f"genmove {'bw'[self.colour - 1]}", deadline)
        self.plies_sent = len(position.history) + 1
        point = points.point_of(text)
        if text.lower() in ("resign", "pass"):
            return Reply(None, text)
        if not point:
            raise Failure(Ending.INVALID_MOVE, f"not a point: {text}")
        return Reply(point, text)

    def time_left(self) -> str:
        """Return the seconds and stones of GTP's time_left.

        A tighter limit for a move is sent as a period of one stone.
        """
        left, per_move = self.left or 0.0, self.control.per_move
        if per_move is not None and per_move < left / EXPECTED_MOVES:
            return f"{max(1, int(per_move))} 1"
        return f"{int(max(left, 0.0))} 0"

    def command_reply(self, line: str, deadline: float, ending: Ending = Ending.TIME) -> str:
        """Send a command and return the text of its reply, of one or more lines.  Raises Failure.
        """
        first, *lines = self.exchange(lambda program: reply_lines(program, line, deadline), ending)
        if first.startswith("?"):
            raise Failure(Ending.INVALID_MOVE if ending == Ending.TIME else ending,
                          f"{line}: {first}")
        return "\n".join([first.lstrip("=?0123456789").strip(), *lines])


def is_reply(line: str) -> bool:
    """Does this line begin a reply over GTP?"""
    return line.startswith(("=", "?"))


def reply_lines(program: Program, line: str, deadline: float) -> list[str]:
    """Return the lines of a GTP reply without the empty one.  Raises Died and TooLate."""
    program.send(line)
    lines = [program.answer(is_reply, deadline)]
    quote = f"{lines[0]} (without an empty line after it)"
    while more := program.answer(lambda line: True, deadline, wrong=quote):
        lines.append(more)
        if len(lines) > MOST_LINES:
            raise TooLate("a reply without an end")
    return lines


class GomocupSeat(ProgramSeat):
    """A program with Gomocup's protocol."""

    farewell = "END"
    slack = SLACK
    counts = ("nodes", "depth")

    def complaint(self, rules: Rules, lattice: Lattice) -> Optional[str]:
        """Return the reason why it cannot start or play this game, or None."""
        if rules.name not in PISKVORK_RULES:
            return f"programs for Gomocup do not play {rules.name}"
        if lattice.width != lattice.height:
            return (f"programs for Gomocup play on square boards, not on "
                    f"{size_text(lattice.display_size)}")
        return super().complaint(rules, lattice)

    def start(self, position: Position, colour: int) -> None:
        """Start the program; send START and the INFO lines of a manager.  Raises Failure."""
        super().start(position, colour)
        rule = PISKVORK_RULES[position.rules.name]
        self.launch()
        self.plies_sent = 0
        self.send(f"START {position.lattice.width}")
        deadline = time.monotonic() + HANDSHAKE
        text = self.answer(is_ready, deadline, Ending.SILENCE)
        if not text.upper().startswith("OK"):
            raise Failure(Ending.SILENCE, text)
        for line in (f"INFO timeout_turn {milliseconds(self.limit)}",
                     f"INFO timeout_match {milliseconds(self.control.per_game or 0)}",
                     self.time_left(), "INFO max_memory 0", "INFO game_type 1",
                     *(f"INFO max_{key.removesuffix('s')} {value}"
                       for key, value in self.control.limits().items()), f"INFO rule {rule}"):
            self.send(line)
        if not self.fixed_name:
            self.set_name(self.about() or self.command)

    def time_left(self) -> str:
        """Return the INFO line with the time for the rest of the game."""
        return f"INFO time_left {ENDLESS if self.left is None else milliseconds(self.left)}"

    def answer(self, is_answer: Callable[[str], object], deadline: float,
               ending: Ending = Ending.TIME) -> str:
        """Return the next line that is an answer.  Raises Failure."""
        return self.exchange(lambda program: program.answer(is_answer, deadline, is_chat), ending)

    def about(self) -> str:
        """Return the name in the answer to ABOUT, "" if there is no answer within a second."""
        time.sleep(GAP)
        self.send("ABOUT")
        try:
            line = self.answer(NAME.search, time.monotonic() + ABOUT_PATIENCE, Ending.SILENCE)
        except Failure as failure:
            if failure.ending == Ending.CRASH:
                raise
            self.log(f"! ABOUT: {failure.detail}")
            return ""
        return str(NAME.findall(line)[0])

    def ask(self, position: Position) -> Reply:
        """Send BEGIN, TURN or BOARD; return the first line that is a point.  Raises Failure."""
        stones = position.moves
        time.sleep(GAP)
        self.refuse_early(is_point)
        deadline = self.deadline(first=not self.plies_sent)
        if self.left is not None:
            self.send(self.time_left())
        if not stones:
            self.send("BEGIN")
        elif len(stones) == self.plies_sent + 1:
            self.send(f"TURN {piskvork_text(position.lattice, stones[-1].point)}")
        else:
            self.send("BOARD")
            for record in stones:
                self.send(f"{piskvork_text(position.lattice, record.point)},"
                          f"{1 if record.colour == self.colour else 2}")
            self.send("DONE")
        text = self.answer(lambda line: is_point(line) or is_error(line), deadline)
        if is_error(text):
            raise Failure(Ending.INVALID_MOVE, text)
        point = piskvork_point(position.lattice, text)
        if point is None:
            raise Failure(Ending.INVALID_MOVE, f"no such point: {text}")
        self.plies_sent = len(stones) + 1
        return Reply(point, text)


def is_point(line: str) -> bool:
    """Is the line a move of a program for Gomocup?"""
    return re.fullmatch("-?[0-9]+ *, *-?[0-9]+", line) is not None


def is_error(line: str) -> bool:
    """Is the line an error message of a program for Gomocup?"""
    return line.upper().startswith("ERROR")


def is_ready(line: str) -> bool:
    """Is the line an answer to START of a program for Gomocup?"""
    return is_error(line) or line.upper().startswith("OK")


def is_chat(line: str) -> bool:
    """Is the line a message of a program for Gomocup that is no answer?"""
    return line == "" or line.upper().startswith(CHAT) or any(
        pattern.search(line) for pattern in NUMBERS.values())


class PipeSeat(ProgramSeat):
    """A program of the 4x4x4 course, with moves R,x,y,z."""

    farewell = EXIT
    opens = False

    def complaint(self, rules: Rules, lattice: Lattice) -> Optional[str]:
        """Return the reason why it cannot start or play this game, or None."""
        if rules != catalogue.QUBIC:
            return f"programs behind pipe: play Qubic, not {rules.name}"
        if len(self.fixed_name) > LONGEST_PIPE_NAME or len(self.fixed_name.split()) > 1:
            return f"a name in its course is one word of at most {LONGEST_PIPE_NAME} letters"
        return super().complaint(rules, lattice)

    def start(self, position: Position, colour: int) -> None:
        """Start the program and send its symbol.  Raises Failure."""
        super().start(position, colour)
        self.launch()
        self.send(PIPE_SYMBOLS[colour])
        self.plies_sent = 0

    def linger(self) -> None:
        """Check that the program does not exit at once.  Raises Failure.

        It writes nothing before its first move.
        """
        deadline = time.monotonic() + SILENT
        try:
            while True:
                self.receive(deadline)
        except Failure as failure:
            if failure.ending == Ending.CRASH:
                raise

    def ask(self, position: Position) -> Reply:
        """Send the opponent's last move, and read the program's.  Raises Failure."""
        if position.history:
            self.refuse_early(lambda line: True)
        self.send_moves(position)
        text = self.receive(time.monotonic() + self.limit + self.slack)
        if text in CLAIMS:
            raise Failure(Ending.FALSE_CLAIM, f"it said {text}, but {CLAIMS[text]}")
        move = pipe_move(position.lattice, text)
        if move is None or move[0] != self.colour:
            raise Failure(Ending.INVALID_MOVE, text)
        self.plies_sent += 1
        return Reply(move[1], text)

    def send_moves(self, position: Position) -> None:
        """Send the moves that the program has not received.  Raises Failure."""
        stones = position.moves
        for record in stones[self.plies_sent:]:
            self.send(pipe_text(position.lattice, record.colour, record.point))
        self.plies_sent = len(stones)

    def notices(self, position: Position, text: str, valid: bool) -> Optional[bool]:
        """Send the last move or the invalid text; return True for the answer GAMEOVER or ERROR."""
        try:
            if valid:
                self.send_moves(position)
            else:
                self.send(text[:9])
            answer = self.receive(time.monotonic() + min(max(self.limit, 1.0), NOTICING))
        except Failure:
            return False
        return answer == (GAMEOVER if valid else ERROR)


def milliseconds(seconds: float) -> int:
    """Convert seconds to milliseconds, the unit of Gomocup's protocol."""
    return int(seconds * 1000)
