"""An engine for k-in-a-row games: Gomoku, Pente and their relatives.

`python -m gtp_engine` lists the programs; as a library, see docs/api.md:

    import gtp_engine
    game = gtp_engine.Game("Gomoku", size=15)
    game.play("H8")
    print(gtp_engine.Engine("alphabeta", time=1).choose(game))
"""

import sys

if sys.version_info < (3, 10):  # before what an older one cannot read
    sys.exit("gtp_engine needs Python 3.10 or newer, and this is " + sys.version.split()[0])

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api import (
        GAMES,
        Answer,
        Engine,
        Game,
        Line,
        MatchGame,
        Outcome,
        ReviewedMove,
        Solution,
        answers,
        match,
        read_results,
    )

__version__ = "1.1"
__all__ = ["GAMES", "Answer", "Engine", "Game", "Line", "MatchGame", "Outcome", "ReviewedMove",
           "Solution", "answers", "match", "read_results"]


def __getattr__(name: str) -> object:
    # What the library offers is imported when it is asked for: the engine itself starts fast.
    if name in __all__:
        return getattr(import_module(".api", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
