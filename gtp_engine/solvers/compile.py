"""Fills the cache with the machine code of every kernel, so that no game has to wait for it."""

import sys
import time
from argparse import ArgumentParser, Namespace

from ..games import catalogue
from ..kernels import CACHE_FOLDER
from ..players.base import Settings
from ..players.registry import make_player
from .solve import load_proof

USED = [  # player, policy and game; together they need every kernel but those of the proof
    ("flat", "random", catalogue.GOMOKU),
    ("flat", "rule_based", catalogue.GOMOKU),
    ("flat", "rule_based", catalogue.QUBIC),
    ("alphabeta", "random", catalogue.GOMOKU),
    ("alphabeta", "random", catalogue.QUBIC),
]


def add_options(parser: ArgumentParser) -> None:
    """There is nothing to say."""


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Compile all kernels."""
    begun = time.monotonic()
    for player, policy, game in USED:
        make_player(player, Settings(policy)).load(game)
    load_proof()
    print(f"all kernels are in {CACHE_FOLDER} ({time.monotonic() - begun:.1f} s)", file=sys.stderr)
    return 0
