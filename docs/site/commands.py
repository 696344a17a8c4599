"""Tables of the GTP commands for docs/commands.md, from the docstrings of the handlers.

`python docs/site/commands.py` writes them into the page.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "docs" / "commands.md"
TABLES = re.compile(r"(?<=<!-- tables -->\n).*?(?=<!-- end of tables -->\n)", re.DOTALL)
TITLES = {"Dispatcher": "Game and player", "Session": "Game and player",
          "AnalyzeCommands": "Displays and settings", "OpeningCommands": "Openings by a rule",
          "PuzzleCommands": "Puzzles"}
STANDARD = {  # commands with the meaning that GTP 2 gives them; listed without a purpose
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize",
    "clear_board", "komi", "play", "genmove", "undo", "showboard", "final_score", "reg_genmove",
    "loadsgf", "time_settings", "time_left"}


def summary(text: str) -> str:
    """Return the first sentence of a docstring, up to its first colon or semicolon.

    Two blanks or a line end separate sentences.
    """
    match = re.match(r".*?(?=[.](?:  |\s*\n|\s*$)|[:;]\s)", text.strip(), re.DOTALL)
    return " ".join((match[0] if match else text).split()) + "."


def tables() -> str:
    """Return lists of the commands of GTP and of GoGui, and tables of the others.

    A table has the usage and summary of each command.
    """
    from gtp_engine.games import catalogue
    from gtp_engine.players.options import Settings
    from gtp_engine.protocols.gtp.analyze import AnalyzeCommands
    from gtp_engine.protocols.gtp.dispatcher import Dispatcher, documentation
    from gtp_engine.protocols.gtp.gogui import GoguiCommands
    from gtp_engine.protocols.gtp.opening_commands import OpeningCommands
    from gtp_engine.protocols.gtp.puzzle_commands import PuzzleCommands
    from gtp_engine.protocols.gtp.session import Session
    dispatcher = Dispatcher()
    session = Session(dispatcher, catalogue.start(catalogue.GOMOKU, 7), "random", Settings())
    for commands in (GoguiCommands, AnalyzeCommands, OpeningCommands, PuzzleCommands):
        commands(dispatcher, session)
    lists: dict[str, list[str]] = {"GTP 2": [], "GoGui": []}
    rows: dict[str, list[str]] = {title: [] for title in TITLES.values()}
    for name, handler in dispatcher.handlers.items():
        usage, _, text = documentation(handler).partition("\n")
        code = f"<code>{usage.replace('|', '&#124;')}</code>" if "|" in usage else f"`{usage}`"
        if name in STANDARD or name.startswith("gogui-"):
            lists["GTP 2" if name in STANDARD else "GoGui"].append(code)
        else:
            rows[TITLES[type(handler.__self__).__name__]].append(f"| {code} | {summary(text)} |")
    return "".join(
        [f"\n### {title}\n\n{', '.join(codes)}\n" for title, codes in lists.items()]
        + [f"\n### {title}\n\n| command | purpose |\n| --- | --- |\n" + "\n".join(lines) + "\n"
           for title, lines in rows.items()]) + "\n"


if __name__ == "__main__":
    sys.path.insert(0, str(TOP))
    PAGE.write_text(TABLES.sub(lambda _: tables(), PAGE.read_text(encoding="utf-8")),
                    encoding="utf-8")
