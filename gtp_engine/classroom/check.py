"""`check`: does an engine speak GTP as it should?  The dialogue is shown, faults are explained."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from random import Random
from typing import Callable, NamedTuple

from ..arena.process import stop_all
from ..command_line import add_game, add_time, size_of
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
    """What is sent, what a good reply is, and what is said of another one."""

    line: str
    good: Callable[[Reply], bool]
    fault: str


def is_success(reply: Reply) -> bool:
    """Does it begin with =?"""
    return reply.success


def is_empty(reply: Reply) -> bool:
    """Is it a success without a text?"""
    return reply.success and reply.text == ""


def says(text: str) -> Callable[[Reply], bool]:
    """Is this the text of the reply?"""
    return lambda reply: reply.text == text


def begins(text: str) -> Callable[[Reply], bool]:
    """Does the reply begin so?"""
    return lambda reply: reply.whole.startswith(text)


FRAMING = [
    Question("name", is_success, "`name` has to be answered by `= ` and the name of the program, "
             "and an empty line"),
    Question("7 name", begins("=7 "), "the number of a command has to be repeated: `=7 `, with a "
             "blank after it"),
    Question("\n  \n# a comment\n8 name", begins("=8 "), "empty lines and comments must not be "
             "answered: only `8 name` has to be, by `=8 `"),
    Question("9 name # a comment", begins("=9 "), "what follows a # in a line is a comment and has "
             "to be ignored: `=9 ` was to come"),
    Question("10 name\r", begins("=10 "), "a line may end with a carriage return: `=10 ` was to "
             "come"),
    Question("no_such_command", begins("?"), "an unknown command has to be answered by `? unknown "
             "command` and an empty line"),
    Question("boardsize x", begins("?"), "a size that is no number has to be answered by `? ` and "
             "a reason"),
]
RULES = [
    Question("boardsize 7", is_empty, "`boardsize 7` has to be answered by `= ` without a text"),
    Question("clear_board", is_empty, "`clear_board` has to be answered by `= ` without a text"),
    Question("gogui-rules_side_to_move", says("black"), "`black` moves first"),
    Question("play b a1", is_empty, "a legal move has to be answered by `= ` without a text"),
    Question("gogui-rules_side_to_move", says("white"), "after a move of Black `white` is to move"),
    Question("play x z99", says('illegal move: "x" wrong color'), "several things are wrong here; "
             'the colour comes first: `illegal move: "x" wrong color`'),
    Question("play w z99", says('illegal move: "z99" wrong coordinate'), "this point is not on the "
             'board: `illegal move: "z99" wrong coordinate`'),
    Question("play w i3", says('illegal move: "i3" wrong coordinate'), "there is no column I: "
             '`illegal move: "i3" wrong coordinate`'),
    Question("play w a1", says('illegal move: "a1" occupied'), "there is a stone on this point: "
             '`illegal move: "a1" occupied`'),
    Question("gogui-rules_side_to_move", says("white"), "an illegal move must change nothing: "
             "`white` is still to move"),
    Question("gogui-rules_final_result", says("unknown"), "while the game goes on its result is "
             "`unknown`"),
]


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
        check.fault(f"the dialogue has ended: {ended}; each reply has to be flushed and followed "
                    "by an empty line")
        return 2
    finally:
        stop_all()
    print(f"{len(check.faults)} faults" if check.faults else "all is well")
    return 1 if check.faults else 0


class Check:
    """The dialogue with an engine, and the faults that were found in it."""

    def __init__(self, limits: Limits):
        self.limits = limits
        self.faults: list[str] = []

    def hear(self, kind: str, line: str) -> None:
        """Show a line of the dialogue."""
        if kind == ERROR:
            print(f"! {shown(line)}", file=sys.stderr)
            return
        for part in line.split("\n"):
            print(f"{'>' if kind == SENT else '<'} {shown(part)}")
        if kind == INVALID:
            self.fault(f"`{line[:60]}` is no part of a reply, which begins with = or ?: what is "
                       "printed besides belongs to standard error")

    def fault(self, text: str) -> None:
        """Note a fault, and show it."""
        self.faults.append(text)
        print(f"FAULT: {shown(text)}", flush=True)

    def run(self, words: list[str], position: Position) -> None:
        """Ask everything.  Raises Ended."""
        engine = Engine(words, Path.cwd(), self.limits, self.hear)
        try:
            for question in FRAMING:
                self.ask(engine, question)
            commands = engine.ask("list_commands").text.split()
            for name in NEEDED:
                if name not in commands:
                    self.fault(f"`list_commands` does not name {name}")
            for question in RULES:
                self.ask(engine, question)
            self.play(engine, position)
            self.ask(engine, Question("quit", is_success, "`quit` has to be answered by `= ` "
                                      "before the program leaves"))
            engine.leave()
        finally:
            engine.end()

    def ask(self, engine: Engine, question: Question) -> None:
        """Ask a question, and note a fault if the reply is not good.  Raises Ended."""
        if not question.good(engine.ask(question.line)):
            self.fault(question.fault)

    def play(self, engine: Engine, position: Position) -> None:
        """Play a game, the engine first, then random moves of ours.  Raises Ended."""
        points, rng, own = GtpPoints(position.lattice), Random(1), position.side
        self.ask(engine, Question(f"boardsize {position.lattice.shown_size}", is_empty,
                                  "`boardsize` has to be answered by `= ` without a text"))
        while not position.outcome:
            colour = position.side
            letter = LETTERS[colour]
            legal = [point for point in points.name if not position.complaint(colour, point)]
            if colour == own:
                text = engine.ask(f"genmove {letter}").text
                move = points.point_of(text)
                if move not in legal:
                    self.fault(f"`genmove {letter}` has to be answered by a legal move, and "
                               f"`{text}` is none")
                    return
                if text != text.upper():
                    self.fault(f"GoGui wants points in upper case: {text.upper()}")
            else:
                move = rng.choice(legal)
                self.ask(engine, Question(
                    f"play {letter} {points.name[move]}", is_empty,
                    "this move is legal, and has to be answered by `= ` without a text"))
            position.play(colour, move)
        self.end(engine, position.outcome.winner)

    def end(self, engine: Engine, winner: int) -> None:
        """The game is over: ask who has won, and for one more move.  Raises Ended."""
        result = COLOUR_NAMES.get(winner, "draw")
        answer = "pass" if result == "draw" else "resign"
        loser = LETTERS[opponent(winner) if winner in LETTERS else BLACK]
        for question in (
                Question("gogui-rules_final_result", says(result), f"the result is `{result}`"),
                Question("gogui-rules_legal_moves", is_empty, "the game is over, so that no move "
                         "is legal: an empty text"),
                Question(f"genmove {loser}", says(answer), f"the game is over: `{answer}`")):
            self.ask(engine, question)
