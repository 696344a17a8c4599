"""Kernels: functions that Numba compiles to machine code.

The code is in a shared library of the package gtp_engine_kernels.  Without it, Numba compiles an
object file for each kernel and LLVM loads these files.  A process that finds the code does not
import Numba and starts fast; with a shared library it needs neither Numba nor LLVM.

The arguments of a kernel are integers, contiguous arrays and named tuples of them.  A kernel has
one object file for each *signature*, the types of its arguments.  Most have only one signature,
since all integers but np.uint64 are int64 and the sizes of arrays do not matter.  Calls between
kernels are links between these files; `inlined` functions become part of their callers.

The compiler relies on two rules.  Arrays passed as separate arguments must not overlap if the
kernel writes to any of them, and an index is never negative.
"""

import ctypes
import functools
import hashlib
from array import array
from threading import RLock
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Sequence, Union, cast

import numpy as np

from . import prebuilt

if TYPE_CHECKING:
    from .cache import Code, Request

KERNELS_PACKAGE = __name__.removesuffix("machine.native")  # the package of all kernels, with a dot
MASK = (1 << 64) - 1

# Numba describes an array by at least seven words: two unused ones, the number of elements, the
# size of one in bytes and the address; then the shape, and the strides in bytes.
WORD_OF_SIZE, WORD_OF_DATA, WORDS_OF_ARRAY = 2, 4, 5

CACHE_LINE_BYTES = 128  # bytes: processors fetch two lines of 64 bytes at once


class Kernel:
    """A function with machine code, which Python and other kernels may call.

    py_func     the Python function
    is_inlined  does it become part of the kernels that call it?
    """

    __name__: str

    def __init__(self, function: Callable, is_inlined: bool):
        functools.update_wrapper(self, function)
        self.py_func, self.is_inlined = function, is_inlined
        self._loaded: dict[str, Callable] = {}

    def __call__(self, *args):
        words: list[int] = []
        signature = ",".join([_flatten(arg, words) for arg in args])
        run = self._loaded.get(signature)
        if run is None:
            load([Call(self, args)])
            run = self._loaded[signature]
        return run(words)

    def symbol(self, signature: str) -> str:
        """The name of the machine code for arguments of these types."""
        module = self.__module__.removeprefix(KERNELS_PACKAGE)
        return f"{module}.{self.__name__}-{hashlib.sha256(signature.encode()).hexdigest()[:12]}"


class Intrinsic:
    """An LLVM instruction that kernels may call; `define` describes it as in Numba."""

    def __init__(self, define: Callable):
        self.define = define


class Call(NamedTuple):
    """A kernel with the arguments of a call."""

    kernel: Kernel
    args: tuple


def kernel(function: Callable) -> Kernel:
    """Decorate a function as a kernel with machine code of its own.

    It may call itself.  The compiler rejects kernels that call each other in a circle, since the
    first one to be compiled has no name yet for calls by the others.
    """
    return Kernel(function, False)


def inlined(function: Callable) -> Kernel:
    """Decorate a function as part of the machine code of its callers."""
    return Kernel(function, True)


def intrinsic(define: Callable) -> Any:
    """Decorate the definition of an Intrinsic, as in Numba."""
    return Intrinsic(define)


class Arrays:
    """A mixin for named tuples of arrays, which kernels receive as pointers to all their words."""

    @functools.cached_property
    def in_words(self) -> array:
        """The words of its arrays; kernels receive their address."""
        words: list[int] = []
        for part in cast(tuple, self):
            _flatten(part, words)
        return array("q", words)

    @functools.cached_property
    def signature(self) -> str:
        """The name of its type."""
        parts = cast(tuple, self)
        return f"{type(self).__name__}({','.join([_flatten(part, []) for part in parts])})"

    def __reduce__(self):
        return type(self), tuple(cast(tuple, self))  # copies have other addresses


def zeros(shape: Union[int, tuple[int, ...]], dtype: Any) -> np.ndarray:
    """An array of zeros that shares no line of a processor's cache with other memory.

    Two threads slow each other down by writing to one line, even where each has words of its own.
    """
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(-size % CACHE_LINE_BYTES + size + CACHE_LINE_BYTES, np.uint8)
    first = -memory.ctypes.data % CACHE_LINE_BYTES
    return memory[first:first + size].view(dtype).reshape(shape)


def _flatten(arg, words: list[int]) -> str:
    # Append the words, int64 each, that the machine code receives for an argument.  Returns the
    # name of its type, which is the same in every process.
    if type(arg) is int:
        words.append(arg)
        return "int64"
    if isinstance(arg, np.ndarray):
        flags, size = arg.flags, arg.size
        if not flags.c_contiguous:
            raise TypeError("an array for a kernel must be contiguous, as from numpy.zeros")
        if size and flags.writeable:  # the faster way
            address = ctypes.addressof(ctypes.c_char.from_buffer(arg))  # type: ignore[arg-type]
        else:
            address = arg.ctypes.data
        words += (0, 0, size, arg.itemsize, address, *arg.shape, *arg.strides)
        return array_text(arg.dtype, arg.ndim)
    if isinstance(arg, Arrays):
        words.append(arg.in_words.buffer_info()[0])
        return arg.signature
    if isinstance(arg, np.uint64):
        value = int(arg)
        words.append(value - (1 << 64) if value >> 63 else value)
        return "uint64"
    words.append(int(arg))
    return "int64"


@functools.cache
def array_text(dtype: np.dtype, dimensions: int, is_contiguous: bool = True) -> str:
    """The name of the type of an array."""
    name = dtype.name if dtype.fields is None else dtype.descr
    return f"{name}[{dimensions}]{'' if is_contiguous else 'A'}"


def _kind(arg) -> Any:
    # The kind of an argument, see cache.Request.
    if isinstance(arg, np.ndarray):
        return arg.dtype, arg.ndim
    if isinstance(arg, Arrays):
        parts = cast(tuple, arg)
        return (type(arg), *map(_kind, parts))
    return np.uint64 if isinstance(arg, np.uint64) else int


# --- loading ------------------------------------------------------------------------------------

_lock = RLock()


def requests_for(calls: Sequence[Call]) -> list["Request"]:
    """Requests for the machine code that these calls need."""
    from .cache import Request
    return [Request(_symbol(call), call.kernel.__module__, call.kernel.__name__,
                    tuple(map(_kind, call.args))) for call in calls]


def _signature(call: Call) -> str:
    return ",".join([_flatten(arg, []) for arg in call.args])


def _symbol(call: Call) -> str:
    return call.kernel.symbol(_signature(call))


def load(calls: Sequence[Call]) -> None:
    """Load the machine code for these calls, and compile it if the cache lacks it.

    Nothing is called.  Raises RuntimeError if the compiler fails.
    """
    with _lock:
        missing = [call for call in calls if _signature(call) not in call.kernel._loaded]
        if missing:
            others = [call for call in missing if not prebuilt.has(_symbol(call))]
            if others:
                from . import cache  # slow
                cache.provide(requests_for(others))
            for call in missing:
                call.kernel._loaded[_signature(call)] = _runner(call.kernel.__name__, _symbol(call))


def _runner(name: str, symbol: str) -> Callable:
    # A function that runs this machine code on the words of the arguments.
    function, results = prebuilt.find(symbol) or _linker().add(symbol)
    function.restype, function.argtypes = ctypes.c_int, (ctypes.c_void_p, ctypes.c_void_p)

    def run(words: list[int]):
        arguments, returned = array("q", words), array("q", [0] * max(1, len(results)))
        status = function(arguments.buffer_info()[0], returned.buffer_info()[0])
        if status > 0:
            raise IndexError(f"the kernel {name} accessed memory outside its arrays")
        values = [_convert(word, kind) for word, kind in zip(returned, results)]
        return tuple(values) if len(values) > 1 else values[0] if values else None
    return run


def _convert(word: int, kind: str):
    if kind == "bool":
        return bool(word)
    return word & MASK if kind == "uint64" else word


@functools.cache
def _linker() -> "_Linker":
    return _Linker()


class _Linker:
    # The machine code that Numba compiled on this computer.

    def __init__(self) -> None:
        from llvmlite import binding
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        target = binding.Target.from_triple(binding.get_process_triple())
        machine = target.create_target_machine(jit=True)
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        self._binding = binding
        self._added: set[str] = set()

    def add(self, symbol: str) -> prebuilt.Entry:
        """Link the code and the kernels that it calls; returns its entry point."""
        code = self._link(symbol)
        address = self._engine.get_function_address(code.entry)
        return prebuilt.Entry(ctypes.CFUNCTYPE(ctypes.c_int)(address), code.results)

    def _link(self, symbol: str) -> "Code":
        from .cache import find
        code = find(symbol)
        if symbol not in self._added:
            self._added.add(symbol)
            self._engine.add_object_file(self._binding.ObjectFileRef.from_data(code.object_file))
            for needed in code.needs:
                self._link(needed)
        return code
