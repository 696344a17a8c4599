"""An engine for k-in-a-row games: Gomoku, Pente and their relatives.

`python -m gtp_engine` lists the programs; as a library, see docs/api.md:

    import gtp_engine
    game = gtp_engine.Game("Gomoku", size=15)
    game.play("H8")
    print(gtp_engine.Engine("alphabeta", time=1).choose(game))
"""

import sys

if sys.version_info < (3, 10):  # before syntax that older versions reject
    sys.exit("gtp_engine needs Python 3.10 or newer, and this is " + sys.version.split()[0])

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .library.collection import Answer, Collection, Found, answers
    from .library.engine import Engine, Line, ReviewedMove, Solution
    from .library.game import GAMES, Game, Outcome
    from .library.match import MatchGame, match, read_results

__version__ = "1.1"
_MODULES = {"collection": ("Answer", "Collection", "Found", "answers"),
            "engine": ("Engine", "Line", "ReviewedMove", "Solution"),
            "game": ("GAMES", "Game", "Outcome"),
            "match": ("MatchGame", "match", "read_results")}
__all__ = ["GAMES", "Answer", "Collection", "Engine", "Found", "Game", "Line", "MatchGame",
           "Outcome", "ReviewedMove", "Solution", "answers", "match", "read_results"]


def __getattr__(name: str) -> object:
    # Import names of the library at their first use, so that the engine itself starts fast.
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f".library.{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
