"""One game between two seats, from the command line."""

import os
import sys
import time
import traceback
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from random import Random
from typing import Optional, Sequence

from ..command_line.options import add_game, add_options_of, add_time, size_of
from ..command_line.terminal import harmless
from ..games import catalogue
from ..games.lattice import EMPTY, opponent
from ..games.opening_rules import RULES, Agreement, OpeningRule, find
from ..games.rules import Position
from .agree import Disagreement, agree
from .display import show_on
from .record import GameRecord
from .referee import interrupt_once, play_game
from .seats.base import Seat, usual_time
from .seats.spec import check, seat_of
from .verdict import Verdict


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the program to its parser."""
    parser.epilog = ("A SEAT is a person, a player (random, flat or alphabeta, with settings as in "
                     "flat,policy=rule_based,time=1) or a program: gtp:COMMAND, gomocup:COMMAND or "
                     "pipe:COMMAND.  Programs over files are in-out:DIR/NAME and "
                     "move-file:DIR/NAME, with a blank and a COMMAND if the referee starts them.  "
                     "NAME= may stand before a SEAT, as in 'Ann=gtp:./ann --fast'.  The exit "
                     "status is 0 if the first player wins, 1 if the second does, 3 for a draw, "
                     "130 after an interrupt.")
    parser.add_argument("seats", nargs="*", metavar="SEAT",
                        help="two seats; chance decides who moves first")
    parser.add_argument("--first", metavar="SEAT", help="who moves first")
    parser.add_argument("--second", metavar="SEAT", help="who moves second")
    add_game(parser)
    add_time(parser, "for a move of a program (default: 120 in Gomoku-swap, else 60, or none if "
                     "there is a time for the game)", name="--time-per-move")
    add_time(parser, "for all moves of a side together", name="--time-per-game")
    add_time(parser, "seconds added to the time for the game after each move", 0.0, "--increment")
    add_options_of(parser, "seed")
    parser.add_argument("--opening-rule", metavar="X", type=opening_rule,
                        help="the first player opens, and both agree on colours, by one of: "
                             f"{', '.join(RULES)}; for persons and our players")
    parser.add_argument("--forbidden", choices=("refused", "loses"), default="refused",
                        help="after a forbidden move a person is asked again, or loses the game as "
                             "a program does (default: refused)")
    parser.add_argument("--record", metavar="DIR",
                        help="keep the game there, as SGF and as lines of JSON")
    parser.add_argument("--quiet", action="store_true", help="do not show the board")
    parser.add_argument("--verbose", action="store_true",
                        help="show the lines to programs (>), their answers (<) and their "
                             "standard error (!) on standard error")
    add_time(parser, "wait after each move, for spectators", 0.0, "--delay")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Play the game; the exit status names the winner."""
    rng = Random(options.seed)
    texts = options.seats or [options.first, options.second]
    if len(texts) != 2 or None in texts or options.seats and (options.first or options.second):
        parser.error("two seats are needed: two of them, or --first and --second")
    if options.seats:
        rng.shuffle(texts)
    if options.increment and options.time_per_game is None:
        parser.error("--increment needs --time-per-game")
    try:
        position = catalogue.start(options.game, size_of(options))
        seats = _seats(texts, options, rng)
        opening = Agreement(options.opening_rule, position) if options.opening_rule else None
        if options.record:
            Path(options.record).mkdir(parents=True, exist_ok=True)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    interrupt_once()
    first = position.side
    try:
        black, white, verdict = _play(parser, options, position, seats, opening)
    except Disagreement as disagreement:
        print(harmless(disagreement.verdict.text))
        return 0 if disagreement.won_by_first else 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except ImportError:
        raise
    except Exception:
        traceback.print_exc()
        return 4
    print(harmless(verdict.text))
    if verdict.winner == EMPTY:
        return 3
    return 0 if {first: black, opponent(first): white}[verdict.winner] is seats[0] else 1


def _seats(texts: Sequence[str], options: Namespace, rng: Random) -> list[Seat]:
    # The seats for a game by these options.  Raises ValueError.
    control = usual_time(options.game)._replace(
        per_move=options.time_per_move, per_game=options.time_per_game,
        increment=options.increment)
    seats = [seat_of(text, control, rng) for text in texts]
    check(seats, options.game, size=size_of(options))
    for seat in seats:
        seat.forbidden_loses = options.forbidden == "loses"
        if options.opening_rule and not seat.agrees:
            raise ValueError(f"{seat.name}: it supports no opening rules")
    return seats


def _play(parser: ArgumentParser, options: Namespace, position: Position, seats: list[Seat],
          opening: Optional[Agreement]) -> tuple[Seat, Seat, Verdict]:
    # Play the game between two seats; return Black's seat, White's and the verdict.
    draw = (lambda position: None) if options.quiet else show_on(sys.stdout)

    def show(position: Position) -> None:
        draw(position)
        if position.history:
            time.sleep(options.delay)

    try:
        for seat in seats:
            seat.probe(position)
        record = GameRecord(Path(options.record) if options.record else None,
                            tell if options.verbose else None)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    black, white = seats
    if opening:
        black, white = agree(opening, seats[0], seats[1], say, lambda: show(position))
    return black, white, play_game(position, black, white, record, show)


def opening_rule(name: str) -> OpeningRule:
    """The opening rule of that name.  Raises ArgumentTypeError."""
    try:
        return find(name)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def tell(line: str) -> None:
    """Print a line of a program on standard error.  Raises OSError if that fails."""
    try:
        print(harmless(line), file=sys.stderr)
    except OSError:  # Python would try again at the end, and end with another status
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        raise


def say(text: str) -> None:
    """Print a line of the opening on standard error."""
    print(harmless(text), file=sys.stderr)
