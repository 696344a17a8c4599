"""An engine for k-in-a-row games: Gomoku, Pente and their relatives.

`python -m gtp_engine` lists the programs; as a library, see docs/api/index.md:

    import gtp_engine
    game = gtp_engine.Game("Gomoku", size=15)
    game.play("H8")
    print(gtp_engine.Engine("alphabeta", time=1).choose(game))
"""

import sys

if sys.version_info < (3, 10):  # before syntax that older versions reject
    sys.exit("gtp_engine needs Python 3.10 or newer, and this is " + sys.version.split()[0])

from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .games.lattice import Size
    from .games.rules import Rules
    from .library import env
    from .library.arguments import FileError
    from .library.boards import Boards
    from .library.collection import Answer, Collection, answers
    from .library.engine import Engine, EngineError, Info, Line, ReviewedMove, Solution
    from .library.game import GAMES, Game, Games, Outcome, Point
    from .library.match import Match, MatchGame, match
    from .library.player import serve
    from .library.tournament import Tournament, read_results
    from .players.base import Limits, PlayerFault
    from .records.collection import Found

__version__ = "2.0"
_MODULES = {
    "games.lattice": ("Size",), "games.rules": ("Rules",),
    "library.boards": ("Boards",),
    "library.collection": ("Answer", "Collection", "answers"),
    "library.engine": ("Engine", "EngineError", "Info", "Line", "ReviewedMove", "Solution"),
    "library.arguments": ("FileError",),
    "library.game": ("GAMES", "Game", "Games", "Outcome", "Point"),
    "library.match": ("Match", "MatchGame", "match"), "library.player": ("serve",),
    "library.tournament": ("Tournament", "read_results"),
    "players.base": ("Limits", "PlayerFault"), "records.collection": ("Found",)}
__all__ = ["GAMES", "Answer", "Boards", "Collection", "Engine", "EngineError", "FileError", "Found",
           "Game", "Games", "Info", "Limits", "Line", "Match", "MatchGame", "Outcome",
           "PlayerFault", "Point", "ReviewedMove", "Rules", "Size", "Solution", "Tournament",
           "answers", "env", "match", "read_results", "serve"]


def __getattr__(name: str) -> object:
    # Import names of the library at their first use, so that the engine itself starts fast.
    for module, names in _MODULES.items():
        if name in names:
            value = getattr(import_module(f".{module}", __name__), name)
            if getattr(value, "__module__", __name__) != __name__:
                _show_public_names()
            return value
    if name == "env":  # a module
        return import_module(".library.env", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _show_public_names() -> None:
    # Give the public classes and functions of the loaded modules this module as theirs, so that
    # tracebacks and pickles name gtp_engine.EngineError, not its place in the package.
    for module, names in _MODULES.items():
        loaded = sys.modules.get(f"{__name__}.{module}")
        for value in (getattr(loaded, name, None) for name in names):
            if isinstance(value, (type, FunctionType)):
                value.__module__ = __name__


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
