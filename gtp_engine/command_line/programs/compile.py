"""`compile`: fill the cache with the machine code of every kernel, so that no game waits for it."""

import sys
import time
from argparse import ArgumentParser, Namespace

from ... import kernels
from ...games import catalogue
from ...kernels.machine import cache
from ...kernels.machine.cache import Request
from ...kernels.machine.native import Kernel, requests_for
from ...library.boards import calls_of_boards
from ...players.alphabeta.player import AlphaBeta
from ...players.base import Settings
from ...players.playouts import calls_of_playouts
from ...solvers.gomoku.compiled import calls_of_check
from ...solvers.solve import calls_of_proof
from ..terminal import progress_bar


def add_options(parser: ArgumentParser) -> None:
    """Add no arguments."""


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Compile all kernels."""
    begun, requests = time.monotonic(), every_kernel()
    with progress_bar("compiling", number_of_files(requests)) as advance:
        cache.provide(requests, advance)
    missing = [each.symbol for each in requests if not cache.is_stored(each.symbol)]
    seconds = time.monotonic() - begun
    if missing:
        print(f"cannot store {len(missing)} compiled kernels in the cache", file=sys.stderr)
        return 1
    print(f"all kernels are compiled ({seconds:.1f} s)", file=sys.stderr)
    return 0


def every_kernel() -> list[Request]:
    """Return the kernels that players and solvers call from Python."""
    plane = catalogue.start(catalogue.GOMOKU, 15)
    cube = catalogue.start(catalogue.QUBIC, catalogue.QUBIC.default_size)
    player = AlphaBeta(Settings())
    calls = [
        *calls_of_playouts(catalogue.GOMOKU, "random"),
        *calls_of_playouts(catalogue.GOMOKU, "rule_based"),
        *calls_of_playouts(catalogue.QUBIC, "rule_based"),
        *calls_of_playouts(catalogue.k_in_a_row(6), "random"), *calls_of_boards(),
        *player.calls(plane.rules), *player.calls(cube.rules),
        *calls_of_proof(plane), *calls_of_proof(cube), *calls_of_check(),
    ]
    return list({each.symbol: each for each in requests_for(calls)}.values())


def number_of_files(requests: list[Request]) -> int:
    """Return the number of files of these kernels and their callees, without inlined kernels."""
    called = {(value.__module__, value.__name__) for name, module in list(sys.modules.items())
              if name.startswith(kernels.__name__) for value in vars(module).values()
              if isinstance(value, Kernel) and not value.is_inlined}
    return len(called | {(each.module, each.name) for each in requests})
