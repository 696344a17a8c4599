"""`python -m gtp_engine PROGRAM ...`: the table of programs."""

import os
import sys
from argparse import RawDescriptionHelpFormatter
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Optional, Sequence

from . import __version__
from .command_line.terminal import Parser, harmless, import_error_text


class Program(NamedTuple):
    """A program: a module with `add_options` and `start`, and its purpose.

    needs  packages of extras that it needs to run, but not to show its options
    """

    module: str
    help: str
    needs: tuple[str, ...] = ()


VERSION = f"gtp_engine {__version__}"
SCRIPT = "gtp-engine"  # the console script of `main`
PROGRAMS = {
    "gtp": Program(".protocols.gtp.program", "play over GTP on standard input and output"),
    "pipe": Program(".protocols.qubic_pipe",
                    "play 4x4x4 for a referee that writes R or B, moves as R,0,3,1, and exit"),
    "movefile": Program(".protocols.gomoku_files", "play Go-moku with a colour swap over files"),
    "piskvork": Program(".protocols.gomocup",
                        "play for a Gomocup manager, as pbrain-gtpengine does"),
    "yixin": Program(".protocols.yixin", "play and analyse for Yixin-Board, as engine does"),
    "serve": Program(".command_line.programs.serve",
                     "play over GTP with a player of your own, written in Python"),
    "referee": Program(".arena.program",
                       "let two programs, players or people play a game against each other"),
    "tournament": Program(".tournament.program", "play many games: round robins, gauntlets, "
                          "sequential tests, with ratings and a report", ("psutil", "rich")),
    "regress": Program(".classroom.program", "run test files as gogui-regress does, by one engine "
                       "or by the submissions of a class", ("psutil", "jinja2")),
    "league": Program(".classroom.league", "let the submissions of a class play a tournament",
                      ("psutil", "rich", "jinja2")),
    "check": Program(".classroom.check", "check whether an engine speaks GTP correctly, and "
                     "explain its faults", ("psutil",)),
    "web": Program(".web.server.program", "open a board in the browser: play, analyse, watch",
                   ("starlette", "uvicorn", "websockets", "psutil")),
    "review": Program(".learn.program", "judge the moves of games: decisive mistakes and better "
                      "moves"),
    "learn": Program(".learn.practice", "try again where a game of yours went wrong"),
    "explore": Program(".command_line.programs.explore",
                       "show the answers of games to a position, with their results",
                       ("rich",)),
    "convert": Program(".command_line.programs.convert",
                       "write files of games in another format"),
    "puzzles": Program(".puzzles.program", "solve puzzles, make them from games, print them"),
    "explain": Program(".solvers.explain", "print the minimax tree of a tic-tac-toe position, and "
                       "the nodes that alpha-beta cuts off"),
    "solve-qubic": Program(".solvers.qubic.proof", "prove that the first player wins 4x4x4, and "
                           "write the table of its moves"),
    "verify-qubic": Program(".solvers.qubic.verify",
                            "try every reply to the table of winning moves of 4x4x4"),
    "solve-gomoku": Program(".solvers.gomoku.proof", "prove that Black wins Gomoku, and write "
                            "the moves", ("psutil",)),
    "verify-gomoku": Program(".solvers.gomoku.verify",
                             "try every answer to the moves of a proof of Gomoku"),
    "compile": Program(".command_line.programs.compile", "compile all kernels ahead of time"),
    "build-kernels": Program(".command_line.programs.build_kernels",
                             "build wheels with machine code, for computers without a compiler",
                             ("wheel",)),
    "completion": Program(".command_line.programs.completion",
                          "print a script that completes the programs and options in a shell",
                          ("shtab",)),
}


def main(words: Optional[Sequence[str]] = None) -> int:
    """Run the program that the first word names, or list all; return the exit status.

    Wrong options exit with status 2 and a line on standard error.
    """
    words = sys.argv[1:] if words is None else words
    script = Path(sys.argv[0]).name.removesuffix(".exe")
    prog = script if script == SCRIPT else "python -m gtp_engine"
    if words and words[0] in PROGRAMS:
        return run(words[0], f"{prog} {words[0]}", words[1:])
    width = max(map(len, PROGRAMS))
    table = "\n".join(f"  {name:{width}}  {program.help}" for name, program in PROGRAMS.items())
    parser = Parser(prog=prog, usage=f"{prog} PROGRAM ...",
                    formatter_class=RawDescriptionHelpFormatter,
                    description=f"An engine for k-in-a-row games.  The programs are:\n\n{table}",
                    epilog=f"`{prog} PROGRAM --help` lists the options of a program.")
    parser.add_argument("--version", action="version", version=VERSION)
    if words and not words[0].startswith("-"):
        from difflib import get_close_matches  # here, so that an engine starts faster
        close = get_close_matches(words[0], PROGRAMS, n=1)
        print(f"{prog}: {harmless(words[0])}: " + (
            f"did you mean {close[0]}?" if close else
            f"there is no such program; `{prog}` lists them all"), file=sys.stderr)
        return 2
    parser.parse_args(words)
    parser.print_help()
    return 0


def run(name: str, prog: str, words: Optional[Sequence[str]] = None) -> int:
    """Run a program under the name `prog`; return the exit status."""
    program = PROGRAMS[name]
    parser = Parser(prog=prog, description=program.help)
    parser.add_argument("--version", action="version", version=VERSION)
    try:
        module = import_module(program.module, __package__)
        module.add_options(parser)
        options = parser.parse_intermixed_args(words)
        for package in program.needs:
            import_module(package)
        return int(module.start(parser, options))
    except ImportError as error:
        parser.error(import_error_text(error))
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        print("not enough memory", file=sys.stderr)
        return 4
    except BrokenPipeError:  # the reader of the output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1


def gomoku3() -> int:
    """Run gomoku3, the engine for GoGui."""
    return run("gtp", "gomoku3")


def qubic() -> int:
    """Run qubic, the player for referees of 4x4x4."""
    return run("pipe", "qubic")


def pbrain() -> int:
    """Run pbrain-gtpengine, the player for Gomocup managers."""
    return run("piskvork", "pbrain-gtpengine")


def yixin() -> int:
    """Run yixin-gtpengine, the player for Yixin-Board."""
    return run("yixin", "yixin-gtpengine")


if __name__ == "__main__":
    sys.exit(main())
