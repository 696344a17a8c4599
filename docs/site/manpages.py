"""Manual pages for man(1), from the parsers of the programs.

`python docs/site/manpages.py [DIR]` writes them to build/man, with argparse-manpage.
"""

import sys
from argparse import ArgumentParser, HelpFormatter
from datetime import date
from functools import partial
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
TITLE = "Manual of gtp_engine"
# The other installed commands: the program of each.
COMMANDS = {"gomoku3": "gtp", "qubic": "pipe", "pbrain-gtpengine": "piskvork",
            "yixin-gtpengine": "yixin"}


def page(name: str, parser: ArgumentParser, summary: str, more: str) -> str:
    """Return a page in the language of man(1).

    name     the name of the page, such as gtp-engine-web
    summary  the line of the section NAME
    more     the last paragraph
    """
    from argparse_manpage.manpage import Manpage

    from gtp_engine.__main__ import VERSION
    parser.formatter_class = partial(HelpFormatter, width=100_000)  # man(1) breaks the lines
    parser.description, parser.epilog = f"{summary[0].upper()}{summary[1:]}.", None
    written = Manpage(parser)
    written.prog, written.description, written.manual = name, summary, TITLE
    written.source = VERSION
    written.date = f"{date.fromisoformat(written.date):%B %d, %Y}"  # mandoc cannot read "\\-"
    return f"{written}\n.SH SEE ALSO\n{more}\n".replace("\n\n", "\n")


def pages() -> dict[str, str]:
    """Return all pages by the names of their files."""
    from gtp_engine.__main__ import SCRIPT
    from gtp_engine.command_line.programs.completion import programs_of, whole_parser
    found = {}
    whole = whole_parser()
    programs = programs_of(whole)
    for command, name in (*((f"{SCRIPT} {name}", name) for name in programs), *COMMANDS.items()):
        parser = programs[name]
        parser.prog = command
        summary = parser.description
        title = command.replace(" ", "-")
        found[f"{title}.1"] = page(title, parser, summary, f".BR {SCRIPT} (1)")
        parser.description = summary
    others = sorted(file.removesuffix(".1") for file in found)
    found[f"{SCRIPT}.1"] = page(
        SCRIPT, whole, "play, analyse and teach k-in-a-row games",
        ",\n".join(f".BR {name} (1)" for name in others))
    return found


if __name__ == "__main__":
    sys.path.insert(0, str(TOP))
    folder = Path(*sys.argv[1:] or [TOP / "build" / "man"])
    folder.mkdir(parents=True, exist_ok=True)
    for file_name, text in pages().items():
        (folder / file_name).write_text(text, encoding="utf-8")
