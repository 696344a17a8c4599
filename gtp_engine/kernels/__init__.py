"""Everything compiled: arrays in, numbers out; knows no text, no clock, no player.

Importing this package imports neither Numba nor LLVM: see native and compiler.
"""

from .machine.native import Arrays, Call, inlined, intrinsic, kernel, load, zeros

__all__ = ["Arrays", "Call", "inlined", "intrinsic", "kernel", "load", "zeros"]
