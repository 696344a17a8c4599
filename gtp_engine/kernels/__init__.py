"""Compiled functions on arrays and numbers; they use no text, no clock and no player.

Importing this package imports neither Numba nor LLVM: see machine.native and machine.compiler.
"""

from .machine.native import Arrays, Call, inlined, intrinsic, kernel, load, zeros

__all__ = ["Arrays", "Call", "inlined", "intrinsic", "kernel", "load", "zeros"]
