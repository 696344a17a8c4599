"""What a search shares with Python while it runs: what stops it, its limits, and what it has found.

Scores are from the point of view of the side to move.  A win in n plies, counted from the root,
scores MATE - n; whatever is beyond WON is a proven win.
"""

from typing import Any

import numpy as np

from . import inlined
from .bits import latest

MATE, WON = 30000, 29000
PLIES = 3  # place in the results of playouts, int64[4]: draws, wins of either colour, plies of all

CONTROL = np.dtype([
    ("nodes", np.int64),  # moves that were made
    ("node_limit", np.int64),  # how many may be
    ("stopped", np.int64),  # 1 once a flag or a limit has ended the search
    ("best", np.int64),  # the best move of the root
    ("score", np.int64),  # its score
    ("depth", np.int64),  # how deep the root is searched
    ("root", np.int64),  # the move of the root that is searched now
    ("barred", np.int64),  # how many points are no moves of the root, see plane.state
    ("threat_nodes", np.int64),  # moves that the present search for threats may still make
    ("threat_order", np.int64),  # 1 if that search tries first what the policy prefers
    ("off", np.int64),  # features that are off, see plane.features
    ("proof", np.int64),  # number of the proof whose positions are remembered, 0 if none are
    ("age", np.int64),  # of the transposition table
    ("known", np.int64, 2),  # how many wins of either colour are remembered
    ("phi", np.int64), ("delta", np.int64),  # what a search by proof numbers has found
    ("attacker_width", np.int64),  # moves that an attacker may try where nothing forces it; 0: all
    ("threats", np.int64),  # nodes that searches for threats had in all
])
"""The record that a search has as `control`, in an array of one."""


def shared(control: np.ndarray) -> Any:
    """The record for Python: its attributes are the numbers as they are now, also in a search."""
    return control.view(np.recarray)[0]


def clear(control: Any) -> None:
    """Forget limits and findings; the age of the table and what counts all searches stay."""
    for name in ("nodes", "node_limit", "stopped", "best", "score", "depth", "root", "barred",
                 "threat_nodes", "threat_order", "off", "proof"):
        control[name] = 0


@inlined
def stopped(stop):
    """Is one of the flags set (uint8[2]) that ask a kernel to come to its end?"""
    return latest(stop, 0) | latest(stop, 1)


@inlined
def out_of_time(search, stop):
    """Has the search to come to an end?  Then `stopped` is 1 in its record."""
    control = search.control[0]
    if stopped(stop) or control.nodes >= control.node_limit:
        control.stopped = 1
    return control.stopped
