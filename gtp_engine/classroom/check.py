"""`check`: test whether an engine speaks GTP correctly, and explain each fault."""

import re
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from random import Random
from typing import Callable, NamedTuple, Optional

from ..arena.process import stop_all
from ..command_line.options import add_game, add_time, size_of
from ..games import catalogue
from ..games.lattice import BLACK, WHITE, opponent
from ..games.rules import Position
from ..wire.notation import COLOUR_NAMES, GtpPoints
from .dialogue import ERROR, INVALID, SENT, Ended, Engine, Limits, Reply, words_of
from .pages import printable

REQUIRED_COMMANDS = (
    "name", "version", "protocol_version", "known_command", "list_commands", "quit", "boardsize",
    "clear_board", "play", "genmove", "gogui-rules_legal_moves", "gogui-rules_side_to_move",
    "gogui-rules_final_result")
CHECK_SECONDS = 600.0  # seconds
LETTERS = {BLACK: "b", WHITE: "w"}


class Case(NamedTuple):
    """A command, the condition for a correct reply, and the fault to report otherwise.

    causes  other faults that would explain a wrong reply: once one is reported, this one is not
    """

    line: str
    is_correct: Callable[[Reply], bool]
    fault: str
    causes: tuple[str, ...] = ()


def is_success(reply: Reply) -> bool:
    """Return whether the reply begins with `=`."""
    return reply.success


def is_empty(reply: Reply) -> bool:
    """Return whether the reply is a success without a text."""
    return reply.success and text_of(reply) == ""


def has_text(text: str) -> Callable[[Reply], bool]:
    """Return a condition: the text of the reply equals `text`."""
    return lambda reply: text_of(reply) == text


def is_failure(reply: Reply) -> bool:
    """Return whether the reply begins with `?`."""
    return not reply.success


FRAMING = [  # {}: the number of the command, if the engine repeats numbers
    Case("\n  \n{} name", is_success, "empty lines must not be answered: reply to `{} name` only",
         ("empty",)),
    Case("# a comment\n{} name # a comment", is_success, "text after a # is a comment: ignore it, "
         "and reply to `{} name` only", ("comment", "empty")),
    Case("{} name\r", is_success, "a line may end with a carriage return"),
    Case("{} no_such_command", is_failure, "the reply to an unknown command must be `? unknown "
         "command` and an empty line"),
    Case("{} boardsize x", is_failure, "the reply to a size that is not a number must be `? ` and "
         "a reason"),
]
RULES = [
    Case("boardsize 9", is_empty, "the reply to `boardsize 9` must be `= ` without a text"),
    Case("clear_board", is_empty, "the reply to `clear_board` must be `= ` without a text"),
    Case("gogui-rules_side_to_move", has_text("black"), "`black` moves first", ("side",)),
    Case("play b a1", is_empty, "the reply to a legal move must be `= ` without a text"),
    Case("gogui-rules_side_to_move", has_text("white"), "after a move of Black `white` is to move",
         ("side",)),
    Case("play x z99", has_text('illegal move: "x" wrong color'), "this move has several errors; "
         'the colour comes first: `illegal move: "x" wrong color`', ("colour",)),
    Case("play w z99", has_text('illegal move: "z99" wrong coordinate'), "this point is not on the "
         'board: `illegal move: "z99" wrong coordinate`', ("coordinate",)),
    Case("play w i3", has_text('illegal move: "i3" wrong coordinate'), "there is no column I: "
         '`illegal move: "i3" wrong coordinate`', ("column", "coordinate")),
    Case("play w a1", has_text('illegal move: "a1" occupied'), "there is a stone on this point: "
         '`illegal move: "a1" occupied`', ("occupied",)),
    Case("gogui-rules_side_to_move", has_text("white"), "an illegal move must change nothing: "
         "`white` is still to move", ("side", "colour", "coordinate", "column", "occupied")),
    Case("gogui-rules_final_result", has_text("unknown"), "the result of an unfinished game is "
         "`unknown`", ("result",)),
]
NUMBERS = "the reply must repeat the number of the command: `=7 ` or `?7 `, with a blank after it"
TWICE = "`{}` was answered more than once: each command has one reply"
STRAY = ("`{}` is not part of a reply, which begins with = or ?: print other output to standard "
         "error")
WITH_A_TEXT = "text"  # a cause: a reply with a text that should be empty
EXTRA_REPLY_SECONDS = 0.1  # seconds to wait for a second reply to a command


def text_of(reply: Reply) -> str:
    """The text after the sign and the number, even without a blank after them."""
    return re.sub("^[=?][0-9]*", "", reply.whole).strip()


def number_of(reply: Reply) -> Optional[int]:
    """The command number in a reply; None without one."""
    match = re.match("[=?]([0-9]+)", reply.whole)
    return int(match[1]) if match else None


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = ("Exit status: 0 if all is well, 1 if there are faults, 2 if the dialogue "
                     "ended early.")
    parser.add_argument("engine", metavar="ENGINE", help="command of the engine")
    add_game(parser)
    add_time(parser, "for each command (default: %(default)s)", 10.0, "--seconds-per-command")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Run the check, print the dialogue and the faults; return the exit status."""
    words = words_of(options.engine)
    if not words:
        parser.error("no command")
    try:
        position = catalogue.start(options.game, size_of(options))
        if position.lattice.display_columns != position.lattice.display_rows:
            raise ValueError("the check plays on squares only: boardsize has one number")
    except ValueError as error:
        parser.error(str(error))
    check = Check(Limits(options.seconds_per_command, CHECK_SECONDS))
    try:
        check.run(words, position)
    except Ended as ended:
        text = f"the dialogue has ended: {ended}"
        if check.last_is_stray:
            print(text)
        else:
            check.fault(f"{text}; each reply must be flushed and followed by an empty line")
        return 2
    finally:
        stop_all()
    print(f"{len(check.faults)} faults" if check.faults else "all is well")
    return 1 if check.faults else 0


class Check:
    """The dialogue with an engine, and its faults.

    faults         by cause: one fault is reported for each cause
    missing        the commands that the engine does not list
    last_is_stray  whether the last line is not part of a reply
    """

    def __init__(self, limits: Limits):
        self.limits = limits
        self.faults: dict[str, str] = {}
        self.missing: set[str] = set()
        self.last_is_stray = False
        self._number: Optional[int] = None  # of the last command, if the engine repeats numbers

    def print_line(self, kind: str, line: str) -> None:
        """Print a line of the dialogue."""
        if kind == ERROR:
            print(f"! {printable(line)}", file=sys.stderr)
            return
        for part in line.split("\n"):
            print(f"{'>' if kind == SENT else '<'} {printable(part)}")
        self.last_is_stray = kind == INVALID
        if self.last_is_stray:
            self.fault(STRAY.format(line[:60]), STRAY)

    def fault(self, text: str, *causes: str) -> None:
        """Record and print a fault, unless one of its causes is already reported."""
        causes = causes or (text,)
        if not any(cause in self.faults for cause in causes):
            self.faults[causes[0]] = text
            print(f"FAULT: {printable(text)}", flush=True)

    def run(self, words: list[str], position: Position) -> None:
        """Run all cases.  Raises Ended."""
        engine = Engine(words, Path.cwd(), self.limits, self.print_line)
        try:
            self.check_numbers(engine)
            for case in FRAMING:
                self.check_framing(engine, case)
            self.check_commands(engine)
            for case in RULES:
                self.check(engine, case)
            self.play(engine, position)
            self.check(engine, Case("quit", is_success,
                                    "the reply to `quit` must be `= `, before the program exits"))
            engine.leave()
        finally:
            engine.end()

    def check_numbers(self, engine: Engine) -> None:
        """Check for one reply to a command, with the command's number.  Raises Ended."""
        self.check(engine, Case("name", is_success, "the reply to `name` must be `= ` and the name "
                                "of the program, and an empty line"))
        reply, others = self.replies(engine, "7 name")
        if others:
            self.fault(TWICE.format("7 name"), TWICE)
        if not reply.whole.startswith("=7 "):
            self.fault(NUMBERS)
        if number_of(reply) == 7:
            self._number = 7

    def check_framing(self, engine: Engine, case: Case) -> None:
        """Send a command with an unusual line format.  Raises Ended."""
        number = "" if self._number is None else f"{self._number + 1} "
        reply, others = self.replies(engine, case.line.replace("{} ", number), numbered=True)
        if others and TWICE not in self.faults or not case.is_correct(reply):
            self.fault(case.fault.replace("{} ", number), *case.causes)

    def check_commands(self, engine: Engine) -> None:
        """Check the list of commands.  Raises Ended."""
        reply = self.reply(engine, "list_commands")
        if not reply.success:
            self.fault("the reply to `list_commands` must be the names of the commands, one on "
                       "each line")
            return
        self.missing = {*REQUIRED_COMMANDS}.difference(text_of(reply).split())
        for name in REQUIRED_COMMANDS:
            if name in self.missing:
                self.fault(f"`list_commands` does not name {name}")

    def check(self, engine: Engine, case: Case) -> bool:
        """Send a command; record a fault and return False if the reply is wrong.  Raises Ended."""
        reply = self.reply(engine, case.line)
        if case.is_correct(reply):
            return True
        if reply.success or case.line.split()[0] not in self.missing:
            only_text = case.is_correct is is_empty and reply.success
            self.fault(case.fault, *((WITH_A_TEXT,) if only_text else case.causes))
        return False

    def reply(self, engine: Engine, line: str) -> Reply:
        """Send a command, numbered if the engine repeats numbers; return the reply.  Raises Ended.
        """
        sent = line if self._number is None else f"{self._number + 1} {line}"
        reply, others = self.replies(engine, sent, numbered=True)
        if others:
            self.fault(TWICE.format(line), TWICE)
        return reply

    def replies(self, engine: Engine, line: str, numbered: bool = False
                ) -> tuple[Reply, list[Reply]]:
        """Send a line; return its reply and any extra replies.  Raises Ended."""
        reply = engine.send(line)
        if self._number is None or not numbered:
            return reply, engine.more_replies(EXTRA_REPLY_SECONDS)
        self._number += 1
        replies = [reply]
        while self._number not in map(number_of, replies):
            later = ([engine.next_reply()] if number_of(replies[-1]) is not None else
                     engine.more_replies(EXTRA_REPLY_SECONDS))
            if not later:
                self.fault(NUMBERS)
                return replies.pop(), replies
            replies += later
        reply = next(each for each in replies if number_of(each) == self._number)
        replies.remove(reply)
        return reply, replies

    def play(self, engine: Engine, position: Position) -> None:
        """Play a game; the engine begins against random moves.  Raises Ended."""
        points, rng, engine_side = GtpPoints(position.lattice), Random(1), position.side
        self.check(engine, Case(f"boardsize {position.lattice.display_size}", is_empty,
                                "the reply to `boardsize` must be `= ` without a text"))
        if "column" in self.faults:
            print("no game is played: first correct the letters of the columns")
            return
        while not position.outcome:
            colour = position.side
            letter = LETTERS[colour]
            legal = [point for point in points.name if not position.complaint(colour, point)]
            if colour == engine_side:
                text = text_of(self.reply(engine, f"genmove {letter}"))
                move = points.point_of(text)
                if move not in legal:
                    if "genmove" not in self.missing:
                        self.fault(f"the reply to `genmove {letter}` must be a legal move; "
                                   f"`{text}` is not")
                    return
                if text != text.upper():
                    self.fault(f"GoGui requires points in upper case: {text.upper()}", "case")
            else:
                move = rng.choice(legal)
                accepted = self.check(engine, Case(
                    f"play {letter} {points.name[move]}", is_empty,
                    "this move is legal: the reply must be `= ` without a text"))
                if not accepted and WITH_A_TEXT not in self.faults:
                    return  # later faults would follow from this one
            position.play(colour, move)
        self.end(engine, position.outcome.winner)

    def end(self, engine: Engine, winner: int) -> None:
        """Check the replies after the end of the game.  Raises Ended."""
        result = COLOUR_NAMES.get(winner, "draw")
        answer = "pass" if result == "draw" else "resign"
        loser = LETTERS[opponent(winner) if winner in LETTERS else BLACK]
        for case in (
                Case("gogui-rules_final_result", has_text(result), f"the result is `{result}`",
                     ("over", "result")),
                Case("gogui-rules_legal_moves", has_text(""), "the game is over and no move is "
                     "legal: the reply must have an empty text", ("legal", "over")),
                Case(f"genmove {loser}", has_text(answer), f"the game is over: `{answer}`",
                     ("end", "over"))):
            self.check(engine, case)
