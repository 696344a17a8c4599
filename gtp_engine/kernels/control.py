"""The record that a running search shares with Python: stop flag, limits and results.

Scores are from the point of view of the side to move.  A win in n plies, counted from the root,
scores MATE - n; a score above WON is a proven win.
"""

from typing import Any

import numpy as np

from . import inlined
from .bits import latest

MATE, WON = 30000, 29000
PLIES = 3  # column of playout results, int64[4]: draws, wins of either colour, total plies

CONTROL = np.dtype([
    ("nodes", np.int64),  # moves made
    ("node_limit", np.int64),  # most moves that may be made
    ("stopped", np.int64),  # 1 after a flag or a limit has ended the search
    ("best", np.int64),  # the best move of the root
    ("score", np.int64),  # its score
    ("depth", np.int64),  # the depth of the root's search
    ("root", np.int64),  # the root move being searched
    ("barred", np.int64),  # number of points excluded at the root, see plane.state
    ("threat_nodes", np.int64),  # moves left to the current threat search
    ("passed", np.uint64),  # the hash of a stone that earlier threat searches lacked; 0: none
    ("off", np.int64),  # disabled features, see plane.features
    ("proof", np.int64),  # number of the proof whose positions are stored, 0 for none
    ("age", np.int64),  # of the transposition table
    ("stored_wins", np.int64, 2),  # number of wins in plane.win_table, by colour
    ("phi", np.int64), ("delta", np.int64),  # results of a proof-number search
    ("attacker_width", np.int64),  # unforced moves that an attacker may try; 0: all
    ("threats", np.int64),  # total nodes of all threat searches
])
"""The type of a search's `control`, an array of one record."""


def shared(control: np.ndarray) -> Any:
    """The record with the fields as attributes; they are up to date even while a search runs."""
    return control.view(np.recarray)[0]


def clear(control: Any) -> None:
    """Reset limits and results; keep the age of the table and the totals of all searches."""
    for name in ("nodes", "node_limit", "stopped", "best", "score", "depth", "root", "barred",
                 "threat_nodes", "passed", "off", "proof"):
        control[name] = 0


@inlined
def stopped(stop):
    """Is one of the stop flags, uint8[2], set?"""
    return latest(stop, 0) | latest(stop, 1)


@inlined
def out_of_time(search, stop):
    """Must the search end?  Sets `stopped` in its record if so."""
    control = search.control[0]
    if stopped(stop) or control.nodes >= control.node_limit:
        control.stopped = 1
    return control.stopped
