"""`python -m gtp_engine ROOM ...`: one room for each thing that can be started."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Optional, Sequence


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
    except BrokenPipeError:  # nobody reads what is printed
        import os
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def gtp_room(parser: ArgumentParser) -> None:
    """play over GTP on standard input and output"""
    from .games import catalogue
    parser.set_defaults(start=gtp)
    parser.add_argument("--game", type=catalogue_row, default="Gomoku", metavar="NAME",
                        help=f"{', '.join(catalogue.GAMES)} (default: %(default)s)")
    parser.add_argument("--size", type=int, metavar="N",
                        help="length of a side of the board (default: the game's)")
    add_player_options(parser, "flat")
    parser.add_argument("--time", type=seconds, metavar="SECONDS",
                        help="time for a move (default: flat makes its simulations, alphabeta "
                             "takes one second)")
    parser.add_argument("--strict-gtp", action="store_true",
                        help="answer an illegal move with a failure, as GTP 2 says")
    parser.add_argument("--log", metavar="FILE", help="append a transcript of the session to FILE")


def pipe_room(parser: ArgumentParser) -> None:
    """play 4x4x4 for a referee that writes R or B, moves as R,0,3,1, and exit"""
    parser.set_defaults(start=pipe)
    add_player_options(parser, "alphabeta")
    parser.add_argument("--time", type=seconds, default=2.0, metavar="SECONDS",
                        help="time for a move, of which the referee allows 60 (default: "
                             "%(default)s)")
    parser.add_argument("--no-padding", action="store_true",
                        help="do not fill messages up to ten bytes")


def piskvork_room(parser: ArgumentParser) -> None:
    """play for a Gomocup manager, as pbrain-gtpengine does"""
    from .players import Settings
    parser.set_defaults(start=piskvork)
    parser.add_argument("--time", type=seconds, default=1e5, metavar="SECONDS",
                        help="longest time for a move (default: what the manager allows, 5 seconds "
                             "if it does not say)")
    parser.add_argument("--memory", type=megabytes, default=Settings.memory, metavar="MB",
                        help="size of the transposition table, less if the manager allows less "
                             "(default: %(default)s)")
    parser.add_argument("--seed", type=int, metavar="N",
                        help="makes the choices that are left to chance the same in every run")


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
    parser.add_argument("--time", type=seconds, metavar="SECONDS",
                        help="the limit for a move, of which a tenth and half a second are kept "
                             "back (default: 120, of which only 8 are used)")


def referee_room(parser: ArgumentParser) -> None:
    """let two programs, players or people play a game against each other"""
    parser.set_defaults(start=referee)
    parser.epilog = ("A SEAT is person; random, flat or alphabeta, with settings as in "
                     "flat,policy=rule_based,time=1; gtp:COMMAND, gomocup:COMMAND or pipe:COMMAND; "
                     "in-out:DIR/NAME or move-file:DIR/NAME, with a blank and a COMMAND if the "
                     "program is to be started.  The exit status is 0 if the first player wins, 1 "
                     "if the second does, 3 for a draw, 130 after an interrupt.")
    parser.add_argument("seats", nargs="*", metavar="SEAT",
                        help="two seats; who moves first is drawn")
    parser.add_argument("--first", metavar="SEAT", help="who moves first")
    parser.add_argument("--second", metavar="SEAT", help="who moves second")
    parser.add_argument("--game", type=catalogue_row, default="Gomoku", metavar="NAME",
                        help="what is played (default: %(default)s)")
    parser.add_argument("--size", type=int, metavar="N",
                        help="length of a side of the board (default: the game's)")
    parser.add_argument("--time-per-move", type=seconds, metavar="S",
                        help="seconds for a move of a program (default: 120 in Gomoku-swap, else "
                             "60)")
    parser.add_argument("--seed", type=int, metavar="N", help="makes what is drawn repeatable")
    parser.add_argument("--record", metavar="DIR",
                        help="keep the game there, as SGF and as lines of JSON")
    parser.add_argument("--quiet", action="store_true", help="do not show the board")


def explain_room(parser: ArgumentParser) -> None:
    """print the minimax tree of a tic-tac-toe position, and what alpha-beta spares"""
    parser.set_defaults(start=explain)
    parser.add_argument("rows", metavar="ROWS", help="the board from the top, as in ..O/XOO/..X")
    parser.add_argument("side", metavar="SIDE", choices=("X", "O"), help="who is to move: X or O")
    parser.add_argument("--depth", type=positive, default=9, metavar="N",
                        help="plies, after which the static value g counts")
    parser.add_argument("--alpha-beta", action="store_true",
                        help="show only what alpha-beta searches")


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
    from .players import PLAYERS, POLICIES, Settings
    parser.add_argument("--player", choices=PLAYERS, default=player,
                        help="who chooses the moves (default: %(default)s)")
    parser.add_argument("--policy", choices=POLICIES, default=Settings.policy,
                        help="who chooses the moves in simulations (default: %(default)s)")
    parser.add_argument("--simulations", type=positive, default=Settings.simulations, metavar="N",
                        help="simulations for each legal move (default: %(default)s)")
    parser.add_argument("--threads", type=positive, default=Settings.threads, metavar="N",
                        help="threads that share the simulations of a move (default: %(default)s)")
    parser.add_argument("--memory", type=megabytes, default=Settings.memory, metavar="MB",
                        help="size of alphabeta's transposition table (default: %(default)s)")
    parser.add_argument("--depth", type=positive, metavar="N",
                        help="plies that alphabeta looks ahead at most")
    parser.add_argument("--nodes", type=positive, metavar="N",
                        help="moves that alphabeta tries at most before it answers")
    parser.add_argument("--seed", type=int, metavar="N",
                        help="makes every run with the same commands the same")


def add_processes(parser: ArgumentParser) -> None:
    """The option that says how many processes work."""
    import os
    parser.add_argument("--processes", type=positive, default=os.cpu_count() or 1, metavar="N",
                        help="how many work at a time (default: %(default)s)")


def catalogue_row(name: str):
    """The game of that name, for argparse."""
    from .games import catalogue
    try:
        return catalogue.find(name)
    except KeyError:
        raise ArgumentTypeError(
            f"no such game: {name} (available: {' '.join(catalogue.GAMES)})") from None


def positive(text: str) -> int:
    """A whole number of 1 to 10**9, for argparse."""
    number = int(text)
    if not 1 <= number <= 10**9:
        raise ValueError
    return number


def megabytes(text: str) -> int:
    """A whole number of 1 to 65,536, for argparse."""
    number = int(text)
    if not 1 <= number <= 1 << 16:
        raise ValueError
    return number


def seconds(text: str) -> float:
    """A time above 0, for argparse."""
    number = float(text)
    if not 0 < number < 1e6:
        raise ValueError
    return number


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
    session = Session(dispatcher, position, options.player, settings_of(options),
                      options.strict_gtp, options.time)
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
    from .protocols.pipe import EXIT, MOST_SECONDS, PADDING, converse, padded
    started = time.monotonic()
    player, stop = make_player(options.player, settings_of(options)), bytearray(2)
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
    from .protocols.piskvork import Brain
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
    from pathlib import Path

    from .games import catalogue
    from .games.lattice import BLACK, WHITE
    from .players import Limits, make_player
    from .players.openings import EVEN, even_opening
    from .protocols.movefile import FilePlayer, GameEnded
    settings, stop = settings_of(options), bytearray(2)
    limit = 8.0 if options.time is None else max(0.9 * options.time - 0.5, 0.5 * options.time)
    try:
        position = catalogue.start(catalogue.GOMOKU_SWAP, options.size)
    except ValueError as error:
        parser.error(str(error))
    if not Path(options.dir).is_dir():
        parser.error(f"no such directory: {options.dir}")
    player = make_player(options.player, settings)
    player.load(catalogue.GOMOKU_SWAP)

    def choose(position):
        if not position.history and options.player != "random":
            return even_opening(position, settings.rng, stop, EVEN, 1, limit).history[0].point
        return player.choose(position, Limits(stop, limit))

    files = FilePlayer(options.name, Path(options.dir), position, choose,
                       lambda line: print(line, flush=True))
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
    return 0


def referee(parser: ArgumentParser, options: Namespace) -> int:
    """Play one game between two seats."""
    import signal
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
    try:
        from .arena.referee import Record, play_game
        from .arena.seats import seat_of
        from .arena.show import show_on
        import psutil  # noqa: F401
        size = options.game.default_size if options.size is None else options.size
        position = catalogue.start(options.game, size)
        limit = options.time_per_move or (120.0 if options.game.swap else 60.0)
        seats = [seat_of(text, limit, rng) for text in texts]
        if options.record:
            Path(options.record).mkdir(parents=True, exist_ok=True)
        record = Record(Path(options.record) if options.record else None)
    except ModuleNotFoundError as error:
        parser.error(f"the referee needs the package {error.name}: pip install '.[arena]'")
    except (ValueError, OSError) as error:
        parser.error(str(error))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    first = position.side
    try:
        verdict = play_game(position, seats[0], seats[1], record,
                            (lambda position: None) if options.quiet else show_on(sys.stdout))
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
    from .solvers.explain import count, lines, tree
    rows = options.rows.upper().split("/")
    if [len(row) for row in rows] != [3, 3, 3] or set("".join(rows)) - set("XO."):
        parser.error(f"not three rows of three X, O or .: {options.rows}")
    colours = {"X": BLACK, "O": WHITE}
    position = catalogue.start(catalogue.TIC_TAC_TOE, 3)
    placed = {position.lattice.point(x, 2 - y): row[x] for y, row in enumerate(rows)
              for x in range(3)}
    position.setup([(colours[held], point) for point, held in placed.items() if held != "."])
    position.set_side(colours[options.side])
    root = tree(position, options.depth, list(placed))
    names = GtpPoints(position.lattice).name
    for line in lines(root, lambda point: names[point], not options.alpha_beta):
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


def settings_of(options: Namespace):
    """The player's settings that the options ask for."""
    from .players import Settings
    settings = Settings(options.policy, options.simulations, threads=options.threads,
                        memory=options.memory, depth=options.depth, nodes=options.nodes)
    settings.start_from(options.seed)
    return settings


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

    Raises OSError if the file cannot be written.
    """
    import logging
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(message)s"))
    logger = logging.getLogger("gtp_engine.transcript")
    logger.propagate = False
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    return lambda line: logger.info("%s", line)


if __name__ == "__main__":
    sys.exit(main())
