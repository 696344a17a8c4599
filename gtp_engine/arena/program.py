"""One game between two seats, from the command line."""

import sys
import time
import traceback
from argparse import ArgumentParser, Namespace
from pathlib import Path
from random import Random

from ..command_line import add_game, add_options_of, add_time, size_of
from ..games import catalogue
from ..games.lattice import opponent
from ..games.rules import Position
from ..terminal import harmless
from .display import show_on
from .referee import interrupt_once, play_game
from .record import GameRecord
from .seats.base import usual_time
from .seats.spec import check, seat_of


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.epilog = ("A SEAT is person; random, flat or alphabeta, with settings as in "
                     "flat,policy=rule_based,time=1; gtp:COMMAND, gomocup:COMMAND or pipe:COMMAND; "
                     "in-out:DIR/NAME or move-file:DIR/NAME, with a blank and a COMMAND if the "
                     "program is to be started.  NAME= may stand before it, as in "
                     "'Ann=gtp:./ann --fast'.  The exit status is 0 if the first player wins, 1 "
                     "if the second does, 3 for a draw, 130 after an interrupt.")
    parser.add_argument("seats", nargs="*", metavar="SEAT",
                        help="two seats; who moves first is drawn")
    parser.add_argument("--first", metavar="SEAT", help="who moves first")
    parser.add_argument("--second", metavar="SEAT", help="who moves second")
    add_game(parser)
    add_time(parser, "for a move of a program (default: 120 in Gomoku-swap, else 60, or none if "
                     "there is a time for the game)", name="--time-per-move")
    add_time(parser, "for all moves of a side together", name="--time-per-game")
    add_time(parser, "what is added to the time for the game after each move", 0.0, "--increment")
    add_options_of(parser, "seed")
    parser.add_argument("--record", metavar="DIR",
                        help="keep the game there, as SGF and as lines of JSON")
    parser.add_argument("--quiet", action="store_true", help="do not show the board")
    parser.add_argument("--verbose", action="store_true",
                        help="show on standard error what programs are told (>), answer (<) and "
                             "write to standard error (!)")
    add_time(parser, "wait so long after each move, for those who watch", 0.0, "--delay")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Play the game; the exit status says who has won."""
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
        control = usual_time(options.game)._replace(
            per_move=options.time_per_move, per_game=options.time_per_game,
            increment=options.increment)
        seats = [seat_of(text, control, rng) for text in texts]
        check(seats, options.game)
        if options.record:
            Path(options.record).mkdir(parents=True, exist_ok=True)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    interrupt_once()
    draw = (lambda position: None) if options.quiet else show_on(sys.stdout)

    def show(position: Position) -> None:
        draw(position)
        if position.history:
            time.sleep(options.delay)

    first = position.side
    listen = (lambda line: sys.stderr.write(f"{harmless(line)}\n")) if options.verbose else None
    try:
        try:
            for seat in seats:
                seat.meet(position)
            record = GameRecord(Path(options.record) if options.record else None, listen)
        except (ValueError, OSError) as error:
            parser.error(str(error))
        verdict = play_game(position, seats[0], seats[1], record, show)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except Exception:
        traceback.print_exc()
        return 4
    print(harmless(verdict.text))
    return {first: 0, opponent(first): 1}.get(verdict.winner, 3)
