"""Kernels: functions that Numba compiles into object files, one for each, and LLVM loads.

A process that finds the object files imports no Numba and starts fast.

A kernel is called with integers, contiguous arrays and named tuples of them.  It has one object
file for each set of types of arguments, which its *signature* names; since all integers but
np.uint64 are int64 and sizes do not matter, there is hardly ever a second one.  Calls between
kernels are links between these files; what is `inlined` becomes part of its callers.

Arrays that are given one by one must be different ones if the kernel writes to any of them, and an
index is never below 0: machine code is made for that.
"""

import ctypes
import functools
import hashlib
from array import array
from threading import RLock
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Sequence, Union, cast

import numpy as np

if TYPE_CHECKING:
    from .cache import Code, Wanted

KERNELS_PACKAGE = __name__.removesuffix("machine.native")  # the package of all kernels, with a dot
MASK = (1 << 64) - 1

# An array is at least seven words, as Numba has them: two that are not used, the number of its
# elements, the size of one in bytes, the address; then the shape, and the strides in bytes.
WORD_OF_SIZE, WORD_OF_DATA, WORDS_OF_ARRAY = 2, 4, 5

CACHE_LINE_BYTES = 128  # bytes: processors fetch two lines of 64 at once


class Kernel:
    """A function with machine code, which Python and other kernels may call.

    py_func     the function as it was written
    is_inlined  it becomes part of the kernels that call it
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
        """The name of its machine code for arguments of these types."""
        module = self.__module__.removeprefix(KERNELS_PACKAGE)
        return f"{module}.{self.__name__}-{hashlib.sha256(signature.encode()).hexdigest()[:12]}"


class Intrinsic:
    """What kernels call and LLVM has an instruction for; told by a function as in Numba."""

    def __init__(self, define: Callable):
        self.define = define


class Call(NamedTuple):
    """A call of a kernel that has not been made."""

    kernel: Kernel
    args: tuple


def kernel(function: Callable) -> Kernel:
    """A decorator: this function is compiled by itself.

    It may call itself.  Kernels that call each other in a circle are refused by the compiler: the
    one that is compiled first has no name yet by which the others could call it.
    """
    return Kernel(function, False)


def inlined(function: Callable) -> Kernel:
    """A decorator: this function is compiled into those that call it."""
    return Kernel(function, True)


def intrinsic(define: Callable) -> Any:
    """A decorator, as Numba's: see Intrinsic."""
    return Intrinsic(define)


class Arrays:
    """Mixed into named tuples of arrays, which kernels get as pointers to all their words."""

    @functools.cached_property
    def in_words(self) -> array:
        """The words of its arrays; their address is what a kernel gets."""
        words: list[int] = []
        for part in cast(tuple, self):
            _flatten(part, words)
        return array("q", words)

    @functools.cached_property
    def signature(self) -> str:
        """A text for its type."""
        parts = cast(tuple, self)
        return f"{type(self).__name__}({','.join([_flatten(part, []) for part in parts])})"

    def __reduce__(self):
        return type(self), tuple(cast(tuple, self))  # a copy has other addresses


def zeros(shape: Union[int, tuple[int, ...]], dtype: Any) -> np.ndarray:
    """An array of zeros that shares no line of a processor's cache with other memory.

    Two threads slow each other down by writing to one line, even where each has words of its own.
    """
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(-size % CACHE_LINE_BYTES + size + CACHE_LINE_BYTES, np.uint8)
    first = -memory.ctypes.data % CACHE_LINE_BYTES
    return memory[first:first + size].view(dtype).reshape(shape)


def _flatten(arg, words: list[int]) -> str:
    # Append what the machine code gets for an argument, each word an int64; returns a text for its
    # type that is the same in every process.
    if type(arg) is int:
        words.append(arg)
        return "int64"
    if isinstance(arg, np.ndarray):
        flags, size = arg.flags, arg.size
        if not flags.c_contiguous:
            raise TypeError("an array for a kernel has to be contiguous, as numpy.zeros makes it")
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
    """A text for the type of an array."""
    name = dtype.name if dtype.fields is None else dtype.descr
    return f"{name}[{dimensions}]{'' if is_contiguous else 'A'}"


def _kind(arg) -> Any:
    # What the compiler is told of an argument.
    if isinstance(arg, np.ndarray):
        return arg.dtype, arg.ndim
    if isinstance(arg, Arrays):
        parts = cast(tuple, arg)
        return (type(arg), *map(_kind, parts))
    return np.uint64 if isinstance(arg, np.uint64) else int


# --- loading ------------------------------------------------------------------------------------

_lock = RLock()


def wanted_by(calls: Sequence[Call]) -> list["Wanted"]:
    """The machine code that these calls need."""
    from .cache import Wanted
    return [Wanted(call.kernel.symbol(_signature(call)), call.kernel.__module__,
                   call.kernel.__name__, tuple(map(_kind, call.args))) for call in calls]


def _signature(call: Call) -> str:
    return ",".join([_flatten(arg, []) for arg in call.args])


def load(calls: Sequence[Call]) -> None:
    """Load what these calls need, compiled now if it is not in the cache; nothing is called.

    Raises RuntimeError if the compiler fails.
    """
    with _lock:
        missing = [call for call in calls if _signature(call) not in call.kernel._loaded]
        if missing:
            from . import cache
            cache.provide(wanted_by(missing))
            for kernel_, signature in ((call.kernel, _signature(call)) for call in missing):
                kernel_._loaded[signature] = _entry(
                    kernel_.__name__, cache.find(kernel_.symbol(signature)))


def _entry(name: str, code: "Code") -> Callable:
    # What runs this machine code, given the words of the arguments.
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(_linker().add(code))
    results = code.results

    def run(words: list[int]):
        arguments, found = array("q", words), array("q", [0] * max(1, len(results)))
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
