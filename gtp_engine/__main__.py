"""`python -m gtp_engine ROOM ...`: one room for each thing that can be started."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any, Callable, Optional, Sequence


def main(words: Optional[Sequence[str]] = None, prog: Optional[str] = None,
         room: str = "gtp") -> int:
    """Start the room that the first word names; returns the exit status.

    With `prog`, the name of a start script, it is `room` and all words are its options.  Wrong
    options leave with status 2 and a line on standard error.
    """
    if prog:
        parser = ArgumentParser(prog=prog, description=ROOMS[room].__doc__)
        ROOMS[room](parser)
    else:
        parser = ArgumentParser(prog="python -m gtp_engine", description="An engine for k-in-a-row "
                                "games.  `ROOM --help` lists the options of a room.")
        rooms = parser.add_subparsers(required=True, metavar="ROOM")
        for name, add_options in ROOMS.items():
            text = (add_options.__doc__ or "").strip()
            add_options(rooms.add_parser(name, help=text, description=text))
    options = parser.parse_args(words)
    try:
        return options.start(parser, options)
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        print("this needs more memory than there is", file=sys.stderr)
        return 4
    except BrokenPipeError:  # nobody reads what is printed
        import os
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def gomoku3() -> int:
    """The program gomoku3: the engine for GoGui."""
    return main(prog="gomoku3")


def qubic() -> int:
    """The program qubic: the player for referees of 4x4x4."""
    return main(prog="qubic", room="pipe")


def pbrain() -> int:
    """The program pbrain-gtpengine: the player for Gomocup managers."""
    return main(prog="pbrain-gtpengine", room="piskvork")


def gtp_room(parser: ArgumentParser) -> None:
    """play over GTP on standard input and output"""
    from .games import catalogue
    parser.set_defaults(start=gtp)
    parser.add_argument("--game", type=catalogue_row, default="Gomoku", metavar="NAME",
                        help=f"{', '.join(catalogue.GAMES)} (default: %(default)s)")
    parser.add_argument("--size", type=int, metavar="N",
                        help="length of a side of the board (default: the game's)")
    add_player_options(parser, "flat")
    add_time(parser, "time for a move (default: flat makes its simulations, alphabeta takes one "
                     "second)")
    parser.add_argument("--strict-gtp", action="store_true",
                        help="answer an illegal move with a failure, as GTP 2 says")
    parser.add_argument("--lower-case", action="store_true",
                        help="write points in lower case, as course files of 2019 expect them")
    parser.add_argument("--name", default="", metavar="NAME",
                        help="what the engine calls itself (default: gtp_engine, with the player "
                             "and the settings that differ from the default)")
    parser.add_argument("--log", metavar="FILE", help="append a transcript of the session to FILE")


def pipe_room(parser: ArgumentParser) -> None:
    """play 4x4x4 for a referee that writes R or B, moves as R,0,3,1, and exit"""
    parser.set_defaults(start=pipe)
    add_player_options(parser, "alphabeta")
    add_time(parser, "time for a move, of which the referee allows 60 (default: %(default)s)", 2.0)
    parser.add_argument("--no-padding", action="store_true",
                        help="do not fill messages up to ten bytes")


def piskvork_room(parser: ArgumentParser) -> None:
    """play for a Gomocup manager, as pbrain-gtpengine does"""
    parser.set_defaults(start=piskvork)
    add_time(parser, "longest time for a move (default: what the manager allows, 5 seconds if it "
                     "does not say)", 1e5)
    add_options(parser, "memory seed")


def movefile_room(parser: ArgumentParser) -> None:
    """play Go-moku with a colour swap over files"""
    parser.set_defaults(start=movefile)
    parser.add_argument("name", metavar="NAME", help="our name, that of our files")
    parser.add_argument("--protocol", choices=("in-out", "move-file"), default="in-out",
                        help="NAME.in and NAME.out, or move_file (default: %(default)s)")
    parser.add_argument("--dir", default=".", metavar="D",
                        help="where the files are (default: the working directory)")
    parser.add_argument("--colour", choices=("W", "B"),
                        help="with move-file, play this colour without a referee")
    parser.add_argument("--size", type=int, default=15, metavar="N",
                        help="length of a side of the board (default: %(default)s)")
    add_player_options(parser, "alphabeta")
    add_time(parser, "the limit for a move, of which a tenth and half a second are kept back "
                     "(default: 120, of which only 8 are used)")


def referee_room(parser: ArgumentParser) -> None:
    """let two programs, players or people play a game against each other"""
    parser.set_defaults(start=referee)
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
    parser.add_argument("--game", type=catalogue_row, default="Gomoku", metavar="NAME",
                        help="what is played (default: %(default)s)")
    parser.add_argument("--size", type=int, metavar="N",
                        help="length of a side of the board (default: the game's)")
    add_time(parser, "for a move of a program (default: 120 in Gomoku-swap, else 60, or none if "
                     "there is a time for the game)", name="--time-per-move")
    add_time(parser, "for all moves of a side together", name="--time-per-game")
    add_time(parser, "what is added to the time for the game after each move", 0.0, "--increment")
    add_options(parser, "seed")
    parser.add_argument("--record", metavar="DIR",
                        help="keep the game there, as SGF and as lines of JSON")
    parser.add_argument("--quiet", action="store_true", help="do not show the board")
    parser.add_argument("--verbose", action="store_true",
                        help="show on standard error what programs are told (>), answer (<) and "
                             "write to standard error (!)")
    add_time(parser, "wait so long after each move, for those who watch", 0.0, "--delay")


def explain_room(parser: ArgumentParser) -> None:
    """print the minimax tree of a tic-tac-toe position, and what alpha-beta spares"""
    parser.set_defaults(start=explain)
    parser.add_argument("rows", metavar="ROWS", help="the board from the top, as in ..O/XOO/..X")
    parser.add_argument("side", metavar="SIDE", choices=("X", "O"), help="who is to move: X or O")
    parser.add_argument("--depth", type=whole_option("depth"), default=9, metavar="N",
                        help="plies, after which the static value g counts")
    parser.add_argument("--alpha-beta", action="store_true",
                        help="show only what alpha-beta searches")
    parser.add_argument("--boards", action="store_true", help="draw the board of each position")


def solve_qubic_room(parser: ArgumentParser) -> None:
    """prove that the first player wins 4x4x4, and write the table of the moves that do"""
    parser.set_defaults(start=solve_qubic)
    parser.add_argument("--output", default="qubic.npz", metavar="FILE",
                        help="the table (default: %(default)s)")
    parser.add_argument("--work", default="qubic.jsonl", metavar="FILE",
                        help="what is proved so far; a later run goes on from there "
                             "(default: %(default)s)")
    add_processes(parser)


def verify_qubic_room(parser: ArgumentParser) -> None:
    """try every reply to the table of the moves that win 4x4x4"""
    parser.set_defaults(start=verify_qubic)
    parser.add_argument("table", nargs="?", metavar="FILE",
                        help="the table (default: the one that the engine plays by)")
    add_processes(parser)


def compile_room(parser: ArgumentParser) -> None:
    """compile all kernels ahead of time"""
    parser.set_defaults(start=compile_kernels)


ROOMS = {"gtp": gtp_room, "pipe": pipe_room, "movefile": movefile_room,
         "piskvork": piskvork_room, "referee": referee_room, "explain": explain_room,
         "solve-qubic": solve_qubic_room, "verify-qubic": verify_qubic_room,
         "compile": compile_room}


def add_player_options(parser: ArgumentParser, player: str) -> None:
    """The options that say who plays, by default `player`, and how."""
    add_options(parser, "player policy simulations threads memory depth nodes seed", player=player)


def add_options(parser: ArgumentParser, names: str, **defaults) -> None:
    """Options of the table, with its defaults unless others are given."""
    from .players.options import OPTIONS
    for option in map(OPTIONS.__getitem__, names.split()):
        default = defaults.get(option.name, option.default)
        parser.add_argument(
            f"--{option.name}", type=checked(option.parse), default=default,
            metavar=option.unit.upper() or ("NAME" if option.values else "N"),
            help=f"{', '.join(option.values)}{': ' if option.values else ''}{option.help}"
            + ("" if default is None else f" (default: {default})"))


def add_time(parser: ArgumentParser, text: str, default: Optional[float] = None,
             name: str = "--time") -> None:
    """An option that is a time, of more than 0 seconds unless that is its default."""
    from .players.options import seconds, time_above_0
    parser.add_argument(name, type=checked(seconds if default == 0 else time_above_0),
                        default=default, metavar="SECONDS", help=text)


def whole_option(name: str) -> Callable[[str], int]:
    """A parser of whole numbers from 1, for argparse."""
    from .players.options import whole
    return checked(whole(name, 10**9))


def checked(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """The parser, for argparse, which shows what it says."""
    def read(text: str) -> Any:
        try:
            return parse(text)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from None
    return read


def add_processes(parser: ArgumentParser) -> None:
    """The option that says how many processes work."""
    import os
    parser.add_argument("--processes", type=whole_option("processes"),
                        default=os.cpu_count() or 1, metavar="N",
                        help="how many work at a time (default: %(default)s)")


def catalogue_row(name: str):
    """The game of that name, for argparse."""
    from .games import catalogue
    try:
        return catalogue.find(name)
    except KeyError:
        raise ArgumentTypeError(
            f"no such game: {name} (available: {' '.join(catalogue.GAMES)})") from None


def gtp(parser: ArgumentParser, options: Namespace) -> int:
    """Serve GTP on standard input and output."""
    from io import FileIO

    from .games import catalogue
    from .protocols.analyze import AnalyzeCommands
    from .protocols.gogui import GoguiCommands
    from .protocols.gtp import Dispatcher, serve
    from .protocols.session import Session
    try:
        size = options.game.default_size if options.size is None else options.size
        position = catalogue.start(options.game, size)
        transcript = open_transcript(options.log) if options.log else None
        source, sink = FileIO(0, closefd=False), FileIO(1, "w", closefd=False)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    dispatcher = Dispatcher()
    session = Session(dispatcher, position, options.player, player_settings(options),
                      options.strict_gtp, options.time, options.lower_case,
                      " ".join(options.name.split()))
    GoguiCommands(dispatcher, session)
    AnalyzeCommands(dispatcher, session)
    sys.stdout = sys.stderr  # whatever is printed by mistake must not reach the controller
    serve(dispatcher, source, sink, transcript)
    return 0


def pipe(parser: ArgumentParser, options: Namespace) -> int:
    """Play one game of 4x4x4 on standard input and output."""
    import time

    from .games import catalogue
    from .players import Limits, make_player
    from .protocols.qubic_pipe import EXIT, MOST_SECONDS, PADDING, converse, padded
    started = time.monotonic()
    player, stop = make_player(options.player, player_settings(options)), bytearray(2)
    player.load(catalogue.QUBIC)

    def choose(position):
        left = MOST_SECONDS
        if len(position.history) < 2:  # what starting took may be part of the first move
            left -= time.monotonic() - started
        return player.choose(position, Limits(stop, max(0.1, min(options.time, left))))

    return answer(stop, lambda line: line.strip(PADDING.encode()) == EXIT.encode(), lambda lines: (
        f"{message}\n".encode() if options.no_padding else padded(message)
        for message in converse(lines, choose)))


def piskvork(parser: ArgumentParser, options: Namespace) -> int:
    """Serve a Gomocup manager on standard input and output."""
    from random import Random

    from .players import Settings
    from .protocols.gomocup import Brain
    stop = bytearray(2)
    brain = Brain(Settings(rng=Random(options.seed), memory=options.memory), options.time, stop)

    def replies(lines):
        for line in lines:
            for reply in brain.answers(line.decode("utf-8", "replace")):
                yield f"{reply}\r\n".encode()
            if brain.finished:
                return

    return answer(stop, lambda line: line.strip().upper() == b"END", replies)


def answer(stop: bytearray, is_last, replies) -> int:
    """Write what `replies` yields for the lines of standard input; `stop` is set by the last one.
    """
    from io import FileIO

    from .protocols.streams import read_ahead, write_all
    source, sink = FileIO(0, closefd=False), FileIO(1, "w", closefd=False)
    sys.stdout = sys.stderr  # whatever is printed by mistake must not reach the controller
    try:
        for message in replies(read_ahead(source, stop, is_last)):
            write_all(sink, message)
    except BrokenPipeError:  # nobody listens any more
        return 1
    return 0


def movefile(parser: ArgumentParser, options: Namespace) -> int:
    """Play one game over files; the exit status is 1 if it did not come to its end."""
    import os
    from pathlib import Path

    from .games import catalogue
    from .games.lattice import BLACK, WHITE
    from .players import Limits, make_player
    from .players.balanced import EVEN, even_opening
    from .protocols.gomoku_files import FilePlayer, GameEnded, remove_file, write_file
    settings, stop = player_settings(options), bytearray(2)
    limit = 8.0 if options.time is None else max(0.9 * options.time - 0.5, 0.5 * options.time)
    folder = Path(options.dir)
    if options.colour and options.protocol != "move-file":
        parser.error("--colour goes with --protocol move-file only")
    if not options.name.strip(". ") or {"/", os.sep} & {*options.name}:
        parser.error(f"not a name for files: {options.name}")
    if not folder.is_dir():
        parser.error(f"no such directory: {options.dir}")
    try:
        position = catalogue.start(catalogue.GOMOKU_SWAP, options.size)
        write_file(folder / f"{options.name}.try", "")
        remove_file(folder / f"{options.name}.try")
    except (ValueError, OSError) as error:
        parser.error(str(error))
    player = make_player(options.player, settings)
    player.load(catalogue.GOMOKU_SWAP)

    def choose(position):
        if not position.history and options.player != "random":
            return even_opening(position, settings.rng, stop, EVEN, 1, limit).history[0].point
        return player.choose(position, Limits(stop, limit))

    files = FilePlayer(options.name, folder, position, choose,
                       lambda line: print(line, flush=True),
                       lambda line: print(line, file=sys.stderr, flush=True))
    try:
        if options.colour:
            files.unrefereed({"W": WHITE, "B": BLACK}[options.colour])
        elif options.protocol == "in-out":
            files.in_out()
        else:
            files.move_file()
    except GameEnded as end:
        print(end)
        return 0 if position.outcome or end.by_verdict else 1
    except OSError as error:
        print(f"cannot write {error.filename2 or error.filename}: {error.strerror}",
              file=sys.stderr)
        return 1
    return 0


def referee(parser: ArgumentParser, options: Namespace) -> int:
    """Play one game between two seats."""
    import time
    import traceback
    from pathlib import Path
    from random import Random

    from .games import catalogue
    from .games.lattice import opponent
    rng = Random(options.seed)
    texts = options.seats or [options.first, options.second]
    if len(texts) != 2 or None in texts or options.seats and (options.first or options.second):
        parser.error("two seats are needed: two of them, or --first and --second")
    if options.seats:
        rng.shuffle(texts)
    if options.increment and options.time_per_game is None:
        parser.error("--increment needs --time-per-game")
    try:
        from .arena.display import show_on
        from .arena.referee import Record, interrupt_once, play_game
        from .arena.seat import TimeControl
        from .arena.seat_spec import check, seat_of
        import psutil  # noqa: F401
        size = options.game.default_size if options.size is None else options.size
        position = catalogue.start(options.game, size)
        per_move = options.time_per_move
        if per_move is None and options.time_per_game is None:
            per_move = 120.0 if options.game.swap else 60.0
        control = TimeControl(per_move, options.time_per_game, options.increment)
        seats = [seat_of(text, control, rng) for text in texts]
        check(seats, options.game)
        if options.record:
            Path(options.record).mkdir(parents=True, exist_ok=True)
        listen = (lambda line: sys.stderr.write(f"{line}\n")) if options.verbose else (
            lambda line: None)
        record = Record(Path(options.record) if options.record else None, listen)
    except ModuleNotFoundError as error:
        parser.error(f"the referee needs the package {error.name}: pip install '.[arena]'")
    except (ValueError, OSError) as error:
        parser.error(str(error))
    interrupt_once()
    draw = (lambda position: None) if options.quiet else show_on(sys.stdout)

    def show(position):
        draw(position)
        if position.history:
            time.sleep(options.delay)

    first = position.side
    try:
        verdict = play_game(position, seats[0], seats[1], record, show)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except Exception:
        traceback.print_exc()
        return 4
    print(verdict.text)
    return {first: 0, opponent(first): 1}.get(verdict.winner, 3)


def explain(parser: ArgumentParser, options: Namespace) -> int:
    """Print the tree of a tic-tac-toe position."""
    from .games import catalogue
    from .games.lattice import BLACK, WHITE
    from .protocols.notation import GtpPoints
    from .solvers.explain import count, impossible, lines, tree
    rows = options.rows.upper().split("/")
    if [len(row) for row in rows] != [3, 3, 3] or set("".join(rows)) - set("XO."):
        parser.error(f"not three rows of three X, O or .: {options.rows}")
    colours = {"X": BLACK, "O": WHITE}
    position = catalogue.start(catalogue.TIC_TAC_TOE, 3)
    placed = {position.lattice.point(x, 2 - y): row[x] for y, row in enumerate(rows)
              for x in range(3)}
    position.setup([(colours[held], point) for point, held in placed.items() if held != "."])
    position.set_side(colours[options.side])
    reason = impossible(position)
    if reason:
        parser.error(f"no such position: {reason}")
    root = tree(position, options.depth, list(placed))
    names = GtpPoints(position.lattice).name
    for line in lines(root, lambda point: names[point], not options.alpha_beta,
                      options.boards):
        print(line)
    every, searched = count(root)
    print(f"{every} positions below the root, {searched} of them searched by alpha-beta"
          + ("" if options.alpha_beta else " (the others are marked x)"))
    return 0


def solve_qubic(parser: ArgumentParser, options: Namespace) -> int:
    """Prove 4x4x4 and write the strategy."""
    from pathlib import Path

    from .solvers import qubic
    try:
        qubic.solve_qubic(Path(options.output), Path(options.work), options.processes,
                          lambda line: print(line, flush=True))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    return 0


def verify_qubic(parser: ArgumentParser, options: Namespace) -> int:
    """Check the strategy of 4x4x4; the exit status is 1 if it does not win."""
    from .players import strategy
    from .solvers.verify import Failure, verify
    try:
        table = strategy.read(options.table or strategy.FILE)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    try:
        count = verify(table, options.processes)
    except Failure as failure:
        print(f"the first player does not always win: {failure}")
        return 1
    print(f"The first player always wins.  {count.positions:,} positions of the table, "
          f"{count.replies:,} replies to them; after {count.forced:,} of these threats win, the "
          f"others lead to the table again.  At most {count.longest} stones.")
    return 0


def player_settings(options: Namespace):
    """The player's settings that the options ask for."""
    from .players.options import OPTIONS, settings_of
    return settings_of({name: value for name, value in vars(options).items() if name in OPTIONS})


def compile_kernels(parser: ArgumentParser, options: Namespace) -> int:
    """Fill the cache with the machine code of every kernel, so that no game has to wait for it."""
    import time

    from .games import catalogue
    from .kernels import CACHE_FOLDER
    from .players import Settings, make_player
    from .solvers.solve import load_proof
    start = time.monotonic()
    for game, policy, player in (
            (catalogue.GOMOKU, "random", "flat"), (catalogue.GOMOKU, "rule_based", "flat"),
            (catalogue.QUBIC, "rule_based", "flat"), (catalogue.GOMOKU, "random", "alphabeta"),
            (catalogue.QUBIC, "random", "alphabeta")):
        make_player(player, Settings(policy)).load(game)
    load_proof()
    print(f"all kernels are in {CACHE_FOLDER} ({time.monotonic() - start:.1f} s)", file=sys.stderr)
    return 0


def open_transcript(path: str):
    """A function that appends a line to the file, with the time and the process.

    What cannot be written later is given up with a line on standard error.  Raises OSError if the
    file cannot be opened.
    """
    import logging

    class Transcript(logging.FileHandler):
        def handleError(self, record: logging.LogRecord) -> None:
            """Give up."""
            logger.removeHandler(self)
            logging.getLogger(__name__).error("the transcript %s cannot be written: %s", path,
                                              sys.exc_info()[1])
            try:
                self.close()
            except OSError:  # for what was not written yet
                pass

    handler = Transcript(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(message)s"))
    logger = logging.getLogger("gtp_engine.transcript")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return lambda line: logger.info("%s", line)


if __name__ == "__main__":
    sys.exit(main())
