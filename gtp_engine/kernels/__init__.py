"""Everything compiled: arrays in, numbers out; knows no text, no clock, no player.

Importing this package imports Numba.
"""

from .cache import CACHE_FOLDER, inlined, is_compiled, kernel

__all__ = ["CACHE_FOLDER", "inlined", "is_compiled", "kernel"]
