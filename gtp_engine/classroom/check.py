"""`check`: does an engine speak GTP as it should?  The dialogue is shown, faults are explained."""

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
from .pages import shown

NEEDED = ("name", "version", "protocol_version", "known_command", "list_commands", "quit",
          "boardsize", "clear_board", "play", "genmove", "gogui-rules_legal_moves",
          "gogui-rules_side_to_move", "gogui-rules_final_result")
WHOLE_CHECK = 600.0  # seconds
LETTERS = {BLACK: "b", WHITE: "w"}


class Question(NamedTuple):
    """A command, what a good reply is, and what is said of another one.

    causes  what else may be the reason of a bad reply: if one of these was named, this is not
    """

    line: str
    good: Callable[[Reply], bool]
    fault: str
    causes: tuple[str, ...] = ()


def is_success(reply: Reply) -> bool:
    """Does it begin with =?"""
    return reply.success


def is_empty(reply: Reply) -> bool:
    """Is it a success without a text?"""
    return reply.success and text_of(reply) == ""


def says(text: str) -> Callable[[Reply], bool]:
    """Is this the text of the reply?"""
    return lambda reply: text_of(reply) == text


def is_failure(reply: Reply) -> bool:
    """Does it begin with ?"""
    return not reply.success


FRAMING = [  # as numbered commands, if the engine repeats numbers
    Question("\n  \n{} name", is_success, "empty lines must not be answered: only `{} name` "
             "has to be", ("empty",)),
    Question("# a comment\n{} name # a comment", is_success, "what follows a # in a line is a "
             "comment and has to be ignored: only `{} name` has to be answered",
             ("comment", "empty")),
    Question("{} name\r", is_success, "a line may end with a carriage return"),
    Question("{} no_such_command", is_failure, "an unknown command has to be answered by `? "
             "unknown command` and an empty line"),
    Question("{} boardsize x", is_failure, "a size that is no number has to be answered by `? ` "
             "and a reason"),
]
RULES = [
    Question("boardsize 9", is_empty, "`boardsize 9` has to be answered by `= ` without a text"),
    Question("clear_board", is_empty, "`clear_board` has to be answered by `= ` without a text"),
    Question("gogui-rules_side_to_move", says("black"), "`black` moves first", ("side",)),
    Question("play b a1", is_empty, "a legal move has to be answered by `= ` without a text"),
    Question("gogui-rules_side_to_move", says("white"), "after a move of Black `white` is to move",
             ("side",)),
    Question("play x z99", says('illegal move: "x" wrong color'), "several things are wrong here; "
             'the colour comes first: `illegal move: "x" wrong color`', ("colour",)),
    Question("play w z99", says('illegal move: "z99" wrong coordinate'), "this point is not on the "
             'board: `illegal move: "z99" wrong coordinate`', ("coordinate",)),
    Question("play w i3", says('illegal move: "i3" wrong coordinate'), "there is no column I: "
             '`illegal move: "i3" wrong coordinate`', ("column", "coordinate")),
    Question("play w a1", says('illegal move: "a1" occupied'), "there is a stone on this point: "
             '`illegal move: "a1" occupied`', ("occupied",)),
    Question("gogui-rules_side_to_move", says("white"), "an illegal move must change nothing: "
             "`white` is still to move", ("side", "colour", "coordinate", "column", "occupied")),
    Question("gogui-rules_final_result", says("unknown"), "while the game goes on its result is "
             "`unknown`", ("result",)),
]
NUMBERS = "the number of a command has to be repeated: `=7 ` or `?7 `, with a blank after it"
TWICE = "`{}` was answered more than once: each command has one reply"
BESIDES = ("`{}` is no part of a reply, which begins with = or ?: what is printed besides belongs "
           "to standard error")
WITH_A_TEXT = "text"  # a cause: a text where there should be none
PAUSE = 0.1  # seconds in which a reply comes that nobody has asked for


def text_of(reply: Reply) -> str:
    """What follows the sign and the number, also without a blank after them."""
    return re.sub("^[=?][0-9]*", "", reply.whole).strip()


def number_of(reply: Reply) -> Optional[int]:
    """The number that a reply repeats, None if it has none."""
    match = re.match("[=?]([0-9]+)", reply.whole)
    return int(match[1]) if match else None


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.epilog = ("The exit status is 0 if all is well, 1 if there are faults, 2 if the engine "
                     "could not be asked to the end.")
    parser.add_argument("engine", metavar="ENGINE", help="command of the engine")
    add_game(parser)
    add_time(parser, "for each command (default: %(default)s)", 10.0, "--seconds-per-command")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Ask the engine, show the dialogue and what is wrong; the exit status."""
    words = words_of(options.engine)
    if not words:
        parser.error("no command")
    try:
        position = catalogue.start(options.game, size_of(options))
    except ValueError as error:
        parser.error(str(error))
    check = Check(Limits(options.seconds_per_command, WHOLE_CHECK))
    try:
        check.run(words, position)
    except Ended as ended:
        said = f"the dialogue has ended: {ended}"
        if check.besides:
            print(said)
        else:
            check.fault(f"{said}; each reply has to be flushed and followed by an empty line")
        return 2
    finally:
        stop_all()
    print(f"{len(check.faults)} faults" if check.faults else "all is well")
    return 1 if check.faults else 0


class Check:
    """The dialogue with an engine, and the faults that were found in it.

    faults   each with what was seen as its cause: of one cause one fault is named
    missing  the commands that the engine does not list
    besides  whether what came last is no part of a reply
    """

    def __init__(self, limits: Limits):
        self.limits = limits
        self.faults: dict[str, str] = {}
        self.missing: set[str] = set()
        self.besides = False
        self._number: Optional[int] = None  # of the last command, if the engine repeats numbers

    def hear(self, kind: str, line: str) -> None:
        """Show a line of the dialogue."""
        if kind == ERROR:
            print(f"! {shown(line)}", file=sys.stderr)
            return
        for part in line.split("\n"):
            print(f"{'>' if kind == SENT else '<'} {shown(part)}")
        self.besides = kind == INVALID
        if self.besides:
            self.fault(BESIDES.format(line[:60]), BESIDES)

    def fault(self, text: str, *causes: str) -> None:
        """Note a fault and show it, unless one of the causes was named already."""
        causes = causes or (text,)
        if not any(cause in self.faults for cause in causes):
            self.faults[causes[0]] = text
            print(f"FAULT: {shown(text)}", flush=True)

    def run(self, words: list[str], position: Position) -> None:
        """Ask everything.  Raises Ended."""
        engine = Engine(words, Path.cwd(), self.limits, self.hear)
        try:
            self.ask_for_numbers(engine)
            for question in FRAMING:
                self.ask_framed(engine, question)
            self.ask_for_commands(engine)
            for question in RULES:
                self.ask(engine, question)
            self.play(engine, position)
            self.ask(engine, Question("quit", is_success, "`quit` has to be answered by `= ` "
                                      "before the program leaves"))
            engine.leave()
        finally:
            engine.end()

    def ask_for_numbers(self, engine: Engine) -> None:
        """Does it answer at all, once, and repeat the number of a command?  Raises Ended."""
        self.ask(engine, Question("name", is_success, "`name` has to be answered by `= ` and the "
                                  "name of the program, and an empty line"))
        reply, others = self.replies(engine, "7 name")
        if others:
            self.fault(TWICE.format("7 name"), TWICE)
        if not reply.whole.startswith("=7 "):
            self.fault(NUMBERS)
        if number_of(reply) == 7:
            self._number = 7

    def ask_framed(self, engine: Engine, question: Question) -> None:
        """Ask a question in an unusual form.  Raises Ended."""
        number = "" if self._number is None else f"{self._number + 1} "
        reply, others = self.replies(engine, question.line.replace("{} ", number), numbered=True)
        if others and TWICE not in self.faults or not question.good(reply):
            self.fault(question.fault.replace("{} ", number), *question.causes)

    def ask_for_commands(self, engine: Engine) -> None:
        """Which commands does it list?  Raises Ended."""
        reply = self.reply(engine, "list_commands")
        if not reply.success:
            self.fault("`list_commands` has to be answered by the names of the commands, each in a "
                       "line of its own")
            return
        self.missing = {*NEEDED}.difference(text_of(reply).split())
        for name in NEEDED:
            if name in self.missing:
                self.fault(f"`list_commands` does not name {name}")

    def ask(self, engine: Engine, question: Question) -> bool:
        """Ask a question; is the reply good?  If not, note a fault.  Raises Ended."""
        reply = self.reply(engine, question.line)
        if question.good(reply):
            return True
        if reply.success or question.line.split()[0] not in self.missing:
            only_text = question.good is is_empty and reply.success
            self.fault(question.fault, *((WITH_A_TEXT,) if only_text else question.causes))
        return False

    def reply(self, engine: Engine, line: str) -> Reply:
        """The reply to a command, which is numbered if the engine repeats numbers.  Raises Ended.
        """
        sent = line if self._number is None else f"{self._number + 1} {line}"
        reply, others = self.replies(engine, sent, numbered=True)
        if others:
            self.fault(TWICE.format(line), TWICE)
        return reply

    def replies(self, engine: Engine, line: str, numbered: bool = False
                ) -> tuple[Reply, list[Reply]]:
        """The reply to a line and those that nobody has asked for.  Raises Ended."""
        reply = engine.ask(line)
        if self._number is None or not numbered:
            return reply, engine.more_replies(PAUSE)
        self._number += 1
        found = [reply]
        while self._number not in map(number_of, found):
            later = ([engine.next_reply()] if number_of(found[-1]) is not None else
                     engine.more_replies(PAUSE))
            if not later:
                self.fault(NUMBERS)
                return found.pop(), found
            found += later
        reply = next(each for each in found if number_of(each) == self._number)
        found.remove(reply)
        return reply, found

    def play(self, engine: Engine, position: Position) -> None:
        """Play a game, the engine first, then random moves of ours.  Raises Ended."""
        points, rng, own = GtpPoints(position.lattice), Random(1), position.side
        self.ask(engine, Question(f"boardsize {position.lattice.shown_size}", is_empty,
                                  "`boardsize` has to be answered by `= ` without a text"))
        if "column" in self.faults:
            print("no game is played until the columns have the right letters")
            return
        while not position.outcome:
            colour = position.side
            letter = LETTERS[colour]
            legal = [point for point in points.name if not position.complaint(colour, point)]
            if colour == own:
                text = text_of(self.reply(engine, f"genmove {letter}"))
                move = points.point_of(text)
                if move not in legal:
                    if "genmove" not in self.missing:
                        self.fault(f"`genmove {letter}` has to be answered by a legal move, and "
                                   f"`{text}` is none")
                    return
                if text != text.upper():
                    self.fault(f"GoGui wants points in upper case: {text.upper()}", "case")
            else:
                move = rng.choice(legal)
                accepted = self.ask(engine, Question(
                    f"play {letter} {points.name[move]}", is_empty,
                    "this move is legal, and has to be answered by `= ` without a text"))
                if not accepted and WITH_A_TEXT not in self.faults:
                    return  # what follows would be the fault of that
            position.play(colour, move)
        self.end(engine, position.outcome.winner)

    def end(self, engine: Engine, winner: int) -> None:
        """The game is over: ask who has won, and for one more move.  Raises Ended."""
        result = COLOUR_NAMES.get(winner, "draw")
        answer = "pass" if result == "draw" else "resign"
        loser = LETTERS[opponent(winner) if winner in LETTERS else BLACK]
        for question in (
                Question("gogui-rules_final_result", says(result), f"the result is `{result}`",
                         ("over", "result")),
                Question("gogui-rules_legal_moves", says(""), "the game is over, so that no move "
                         "is legal: an empty text", ("legal", "over")),
                Question(f"genmove {loser}", says(answer), f"the game is over: `{answer}`",
                         ("end", "over"))):
            self.ask(engine, question)
