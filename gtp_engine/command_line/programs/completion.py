"""`completion`: print a script that completes programs, options and their values in a shell."""

from argparse import Action, ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path
from typing import Any

from ...__main__ import PROGRAMS, SCRIPT, VERSION
from ...games import catalogue
from ...players.options import OPTIONS
from ..terminal import Parser

SHELLS = ("bash", "zsh", "tcsh")


def add_options(parser: ArgumentParser) -> None:
    """Add the argument of the command."""
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS,
                        help=f"the shell that reads the script: {', '.join(SHELLS)}")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Print the script."""
    import shtab
    whole = whole_parser()
    for program in programs_of(whole).values():
        for action in program._actions:
            add_values(action, shtab.FILE, shtab.DIRECTORY)
    print(shtab.complete(whole, options.shell))
    return 0


def whole_parser() -> Parser:
    """Return a parser of the installed command, with a subparser for each program."""
    parser = Parser(prog=SCRIPT, description="An engine for k-in-a-row games.")
    parser.add_argument("--version", action="version", version=VERSION)
    programs = parser.add_subparsers(metavar="PROGRAM")
    for name, program in PROGRAMS.items():
        described = programs.add_parser(name, help=program.help, description=program.help)
        described.add_argument("--version", action="version", version=VERSION)
        import_module(program.module, "gtp_engine").add_options(described)
    return parser


def programs_of(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """Return the subparsers of a parser by name."""
    return next(action.choices for action in parser._actions
                if isinstance(action.choices, dict))


def add_values(action: Action, file: Any, folder: Any) -> None:
    """Add the values of an argument for shtab: names, or `file` or `folder`."""
    option, word = OPTIONS.get(action.dest), str(action.metavar)
    if action.dest == "game":
        action.choices = [*catalogue.GAMES]
    elif option and option.values and word == "NAME":
        action.choices = [*option.values]
    elif word.startswith("DIR"):
        action.complete = folder  # type: ignore[attr-defined]
    elif action.type is Path or word.startswith("FILE"):
        action.complete = file  # type: ignore[attr-defined]
