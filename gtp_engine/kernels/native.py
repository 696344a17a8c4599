"""Kernels: functions that Numba compiles into object files, one for each, and LLVM loads.

A process that finds the object files imports no Numba and starts fast.

A kernel is called with integers, contiguous arrays and named tuples of them.  It has one object
file for each set of types of arguments, which its *signature* names; since all integers but
np.uint64 are int64 and sizes do not matter, there is hardly ever a second one.  Calls between
kernels are links between these files; what is `inlined` becomes part of its callers.
"""

import ctypes
import functools
import hashlib
from array import array
from threading import RLock
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Sequence

import numpy as np

if TYPE_CHECKING:
    from .cache import Code

MASK = (1 << 64) - 1

# An array is at least seven words, as Numba has them: two that are not used, the number of its
# elements, the size of one in bytes, the address; then the shape, and the strides in bytes.
WORD_OF_SIZE, WORD_OF_DATA, WORDS_OF_ARRAY = 2, 4, 5


class Kernel:
    """A function with machine code, which Python and other kernels may call.

    py_func     the function as it was written
    is_inlined  it becomes part of the kernels that call it
    """

    __name__: str

    def __init__(self, function: Callable, is_inlined: bool):
        functools.update_wrapper(self, function)
        self.py_func, self.is_inlined = function, is_inlined
        self._loaded: dict[tuple, Callable] = {}

    def __call__(self, *args):
        words: list[int] = []
        alive: list[array] = []
        kinds = tuple([_flatten(arg, words, alive) for arg in args])
        run = self._loaded.get(kinds)
        if run is None:
            load([Call(self, args)])
            run = self._loaded[kinds]
        return run(words)

    @property
    def _numba_type_(self):
        from .compiler import type_of_kernel
        return type_of_kernel(self)

    def symbol(self, signature: str) -> str:
        """The name of its machine code for arguments of these types."""
        module = self.__module__.removeprefix(f"{__package__}.")
        return f"{module}.{self.__name__}-{hashlib.sha256(signature.encode()).hexdigest()[:12]}"


class Intrinsic:
    """What kernels call and LLVM has an instruction for; told by a function as in Numba."""

    def __init__(self, define: Callable):
        self.define = define

    @property
    def _numba_type_(self):
        from .compiler import type_of_intrinsic
        return type_of_intrinsic(self)


class Call(NamedTuple):
    """A call of a kernel that has not been made."""

    kernel: Kernel
    args: tuple


def kernel(function: Callable) -> Kernel:
    """A decorator: this function is compiled by itself."""
    return Kernel(function, False)


def inlined(function: Callable) -> Kernel:
    """A decorator: this function is compiled into those that call it."""
    return Kernel(function, True)


def intrinsic(define: Callable) -> Any:
    """A decorator, as Numba's: see Intrinsic."""
    return Intrinsic(define)


def _flatten(arg, words: list[int], alive: list[array]):
    # Append what the machine code gets for an argument, each word an int64; returns its kind.
    # What lies in `alive` has to be there until the kernel ends.
    if isinstance(arg, np.ndarray):
        if not arg.flags.c_contiguous:
            raise TypeError("an array for a kernel has to be contiguous, as numpy.zeros makes it")
        words += (0, 0, arg.size, arg.itemsize, arg.ctypes.data, *arg.shape, *arg.strides)
        return arg.dtype, arg.ndim
    if isinstance(arg, tuple):
        parts: list[int] = []
        kinds = [_flatten(part, parts, alive) for part in arg]
        alive.append(array("q", parts))
        words.append(alive[-1].buffer_info()[0])
        return (type(arg), *kinds)
    if isinstance(arg, np.uint64):
        value = int(arg)
        words.append(value - (1 << 64) if value >> 63 else value)
        return np.uint64
    words.append(int(arg))
    return int


def signature_of(kinds: tuple) -> str:
    """A text for these types, the same in every process."""
    return ",".join(map(_text, kinds))


def _text(kind) -> str:
    if kind is int:
        return "int64"
    if kind is np.uint64:
        return "uint64"
    if isinstance(kind[0], np.dtype):
        return array_text(*kind)
    return f"{kind[0].__name__}({signature_of(kind[1:])})"


def array_text(dtype: np.dtype, dimensions: int, is_contiguous: bool = True) -> str:
    """A text for the type of an array."""
    name = dtype.name if dtype.fields is None else dtype.descr
    return f"{name}[{dimensions}]{'' if is_contiguous else 'A'}"


# --- loading ------------------------------------------------------------------------------------

_lock = RLock()


class Wanted(NamedTuple):
    """A kernel and the types of its arguments; what asks the compiler for machine code."""

    kernel: Kernel
    kinds: tuple

    @property
    def symbol(self) -> str:
        """The name of the machine code."""
        return self.kernel.symbol(signature_of(self.kinds))


def wanted_by(calls: Sequence[Call]) -> list[Wanted]:
    """What these calls need."""
    return [Wanted(call.kernel, tuple([_flatten(arg, [], []) for arg in call.args]))
            for call in calls]


def load(calls: Sequence[Call]) -> None:
    """Load what these calls need, compiled now if it is not in the cache; nothing is called.

    Raises RuntimeError if the compiler fails.
    """
    with _lock:
        missing = [each for each in wanted_by(calls) if each.kinds not in each.kernel._loaded]
        if missing:
            from . import cache
            cache.provide(missing)
            for kernel_, kinds in missing:
                code = cache.find(kernel_.symbol(signature_of(kinds)))
                kernel_._loaded[kinds] = _entry(kernel_.__name__, code)


def _entry(name: str, code: "Code") -> Callable:
    # What runs this machine code, given the words of the arguments.
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(_linker().add(code))
    results = code.results

    def run(words: list[int]):
        arguments, found = array("q", words), array("q", bytes(8 * len(results) or 8))
        status = function(arguments.buffer_info()[0], found.buffer_info()[0])
        if status > 0:
            raise IndexError(f"the kernel {name} left its arrays")
        values = [_convert(word, kind) for word, kind in zip(found, results)]
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
    # The machine code of this process.

    def __init__(self) -> None:
        from llvmlite import binding
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        target = binding.Target.from_triple(binding.get_process_triple())
        machine = target.create_target_machine(jit=True)
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        self._binding = binding
        self._added: set[str] = set()

    def add(self, code: "Code") -> int:
        """The address where the code is entered, after it and all that it calls were linked."""
        self._link(code)
        return self._engine.get_function_address(code.entry)

    def _link(self, code: "Code") -> None:
        from . import cache
        if code.symbol in self._added:
            return
        self._added.add(code.symbol)
        self._engine.add_object_file(self._binding.ObjectFileRef.from_data(code.object_file))
        for symbol in code.needs:
            self._link(cache.find(symbol))
