"""Makes the object files of kernels; start_compiler starts it in a process of its own.

A pickled list of Wanted comes in on standard input; when that is closed, this process ends.  Each
Code goes out on standard output, pickled.  What lies in the folder KNOWN is left out.

Numba finds the types and writes LLVM's language, function by function.  Then each kernel, with what
is inlined into it, is optimised and translated once, on all cores.  Left to itself Numba does so
for each function once more in each that calls it, and makes all of them callable from Python, which
took three times as long.
"""

import gc
import multiprocessing
import os
import pickle
import signal
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from importlib import import_module
from itertools import groupby
from multiprocessing.connection import wait
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Callable, Iterator, Optional

import numpy as np
from llvmlite import binding, ir
from numba import _dynfunc, types  # type: ignore[attr-defined]
from numba.core import callconv, cgutils, codegen, sigutils
from numba.core.datamodel import models
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.types import functions
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, lower_getattr_generic, register_model
from numba.np import arrayobj, numpy_support

from .cache import Code, Wanted, is_sound
from .native import WORD_OF_DATA, WORD_OF_SIZE, WORDS_OF_ARRAY, Intrinsic, Kernel, array_text

OPTIONS: dict = dict(
    nopython=True, boundscheck=None,
    nogil=True,
    error_model="numpy",  # kernels never raise, so that tests for zero divisors are spared
    _nrt=False,  # nor allocate, so that references to arrays need not be counted
    no_cpython_wrapper=True, no_cfunc_wrapper=True)

ENTRY = "gtp_engine.entry"  # until it gets its own name
UNRESOLVED = ".numba.unresolved$"  # begins what stands for a function that is not compiled yet
MOST_WORKERS = 4  # Numba does not write faster than so many translate
FORKS = sys.platform == "linux"  # elsewhere a process that is forked may not call everything


class _Library(codegen.JITCodeLibrary):
    # The code of one function as Numba has written it; nothing is optimised or linked yet.

    kernel: Any = None  # whose code it is
    result: Any = None  # what Numba knows of it

    def _optimize_functions(self, ll_module):
        ll_module.data_layout = self._codegen._data_layout

    def add_linking_library(self, library):
        self._linking_libraries.append(library)

    def finalize(self):
        self._finalized = True


class _Dispatcher(CPUDispatcher):
    # Compiles a kernel for each set of types of arguments.

    kernel: Any

    def get_call_template(self, args, kws):
        # 1 and a variable of the same type make one signature, not two.
        return super().get_call_template(tuple(map(types.unliteral, args)), kws)

    def add_overload(self, cres):
        super().add_overload(cres)
        cres.library.kernel, cres.library.result = self.kernel, cres

    def compile(self, sig):
        args, _ = sigutils.normalize_signature(sig)
        known = tuple(args) in self.overloads
        entry_point = super().compile(sig)
        if not known and not self.kernel.is_inlined:
            _Job.of_process.translate(self.overloads[tuple(args)])
        return entry_point


class _Arrays(types.Type):
    # A named tuple of arrays and of such tuples, which kernels get as a pointer to the words of
    # native.Kernel.

    def __init__(self, name: str, fields: dict[str, Any]):
        self.fields, self.starts, end = fields, {}, 0
        for field, part in fields.items():
            self.starts[field] = end
            end += 1 if isinstance(part, _Arrays) else WORDS_OF_ARRAY + 2 * part.ndim
        super().__init__(f"{name}({','.join(map(_text, fields.values()))})")


@register_model(_Arrays)
class _ArraysModel(models.PrimitiveModel):
    def __init__(self, manager, type_):
        super().__init__(manager, type_, ir.IntType(64).as_pointer())


@infer_getattr
class _ArraysFields(AttributeTemplate):
    key = _Arrays

    def generic_resolve(self, typ, attr):  # type: ignore[override]
        return typ.fields.get(attr)


@lower_getattr_generic(_Arrays)
def _field(context, builder, type_, words, name):
    # Of its words, those that its type does not tell are loaded; they do not change meanwhile.
    array, start = type_.fields[name], type_.starts[name]
    word = ir.IntType(64)

    def load(place, wanted=word):
        address = builder.gep(words, [ir.Constant(ir.IntType(32), start + place)])
        loaded = builder.load(builder.bitcast(address, wanted.as_pointer()))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if isinstance(array, _Arrays):
        return load(0, word.as_pointer())
    made = context.make_helper(builder, array)
    size = ir.Constant(word, numpy_support.as_dtype(array.dtype).itemsize)
    shape = [load(WORDS_OF_ARRAY + i) for i in range(array.ndim)]
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    made.meminfo = made.parent = ir.Constant(ir.IntType(8).as_pointer(), None)
    made.nitems, made.itemsize = load(WORD_OF_SIZE), size
    made.data = load(WORD_OF_DATA, context.get_data_type(array.dtype).as_pointer())
    made.shape, made.strides = (cgutils.pack_array(builder, each) for each in (shape, strides))
    return made._getvalue()


# --- what Numba sees of kernels -----------------------------------------------------------------


@cache
def _dispatcher_of(kernel: Kernel) -> _Dispatcher:
    dispatcher = _Dispatcher(
        kernel.py_func, targetoptions=OPTIONS | {"forceinline": kernel.is_inlined})
    dispatcher.kernel = kernel
    return dispatcher


def _type_of_kernel(kernel: Kernel) -> types.Type:
    return types.Dispatcher(_dispatcher_of(kernel))


@cache
def _type_of_intrinsic(described: Intrinsic) -> types.Type:
    made = intrinsic(described.define)
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    return cpu_target.typing_context.resolve_value_type(made)


_texts: dict[types.Type, str] = {}  # of arrays of records


def _type_of(kind) -> Any:
    # Of an argument of that kind, see Wanted.
    if kind is int:
        return types.int64
    if kind is np.uint64:
        return types.uint64
    if isinstance(kind[0], np.dtype):
        made = types.Array(numpy_support.from_dtype(kind[0]), kind[1], "C")
        _texts[made] = array_text(*kind)
        return made
    return _Arrays(kind[0].__name__, {
        field: _type_of(part) for field, part in zip(kind[0]._fields, kind[1:])})


def _text(type_: Any) -> str:
    # As in the signatures of native.
    if isinstance(type_, types.Array):
        return _texts.get(type_) or array_text(
            numpy_support.as_dtype(type_.dtype), type_.ndim, type_.layout == "C")
    return str(type_)


def _symbol(library: _Library) -> str:
    signature = ",".join(map(_text, library.result.signature.args))
    return library.kernel.symbol(signature)


# --- from LLVM's language to object files -------------------------------------------------------


class _Job:
    # The work of this process: what is missing in a folder.

    of_process: "_Job"

    def __init__(self, known: Optional[Path], send: Callable[[Code], None]):
        self._known, self._send = known, send
        self._running: dict[str, Any] = {}
        self._workers: Any
        try:
            self._workers = ProcessPoolExecutor(
                min(os.cpu_count() or 1, MOST_WORKERS), _context(), _end_with_parent)
        except OSError:  # a system without semaphores
            self._workers = ThreadPoolExecutor(1)

    def translate(self, result) -> None:
        """Begin to make the machine code of a kernel, of which Numba has made this."""
        symbol = _symbol(result.library)
        if symbol in self._running or self._known and is_sound(self._known / symbol):
            return
        module, code = _linked(symbol, result)
        self._running[symbol] = self._workers.submit(_translated, module.as_bitcode(), code)
        self._running[symbol].add_done_callback(
            lambda future: future.exception() or self._send(future.result()))

    def finish(self) -> None:
        """All was sent afterwards."""
        self._workers.shutdown()
        for future in self._running.values():
            future.result()


def _context():
    return multiprocessing.get_context("fork" if FORKS else "spawn")


def _linked(symbol: str, result) -> tuple[Any, Code]:
    # The module of a kernel and all that is inlined into it, and its code but for the object file.
    module, needs = result.library._final_module.clone(), {}
    if any(variable.name.startswith(UNRESOLVED) for variable in module.global_variables):
        raise RuntimeError(f"{symbol} calls a kernel that calls it: kernels may call themselves, "
                           "but not each other in a circle")
    for library in _inside(result.library):
        if library.kernel and not library.kernel.is_inlined:
            needs[library.result.fndesc.llvm_func_name] = _symbol(library)
        else:
            module.link_in(library._final_module, preserve=True)
    name = result.fndesc.llvm_func_name
    for function in module.functions:
        if not function.is_declaration and function.name != name:
            function.linkage = "internal"
    entry, results = _entry_module(result)
    module.link_in(entry)
    functions = {function.name: function for function in module.functions}
    for old, new in {**needs, name: symbol, ENTRY: f"{symbol}-entry"}.items():
        if old in functions:
            functions[old].name = new
    called = sorted(set(needs.values()) - {symbol})
    return module, Code(symbol, f"{symbol}-entry", results, called, b"")


def _translated(bitcode: bytes, code: Code) -> Code:
    # The code with its object file.
    machine = cpu_target.target_context.codegen()._tm
    module = binding.parse_bitcode(bitcode)
    options = binding.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization, options.slp_vectorization = True, False
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    for function in module.functions:  # what is not found when it is linked ends the process
        name = function.name
        if function.is_declaration and name not in code.needs and not name.startswith("llvm."):
            if name.startswith(("numba_", "NRT_", "Py")) or not binding.address_of_symbol(name):
                raise RuntimeError(f"{code.symbol} calls {name}, which not every process has")
    return code._replace(object_file=machine.emit_object(module))


def _inside(library: _Library) -> Iterator[_Library]:
    # The libraries that a library calls directly or by way of what is inlined, each once.
    seen, stack = {library}, [library]
    while stack:
        for called in stack.pop()._linking_libraries:
            if called not in seen and isinstance(called, _Library):
                seen.add(called)
                yield called
                if called.kernel is None or called.kernel.is_inlined:
                    stack.append(called)


def _entry_module(result) -> tuple[Any, list[str]]:
    # A function that gets pointers to the words of the arguments and results, and calls another.
    context, description = cpu_target.target_context, result.fndesc
    called = context.call_conv.get_function_type(description.restype, description.argtypes)
    module = ir.Module("entry")
    module.triple, module.data_layout = binding.get_process_triple(), context.codegen()._data_layout
    word, status = ir.IntType(64), ir.IntType(32)
    entry = ir.Function(module, ir.FunctionType(status, [word.as_pointer()] * 2), ENTRY)
    function = ir.Function(module, called, description.llvm_func_name)
    builder = ir.IRBuilder(entry.append_basic_block())
    words, found = entry.args

    def place(pointer, number):
        return builder.gep(pointer, [ir.Constant(word, number)])

    def argument(number, wanted):
        value = builder.load(place(words, number))
        if isinstance(wanted, ir.PointerType):
            return builder.inttoptr(value, wanted)
        return value if wanted.width == 64 else builder.trunc(value, wanted)

    result_type = called.args[0].pointee
    returned = builder.alloca(result_type)
    builder.store(ir.Constant(result_type, None), returned)
    error = builder.alloca(called.args[1].pointee)
    code = builder.call(function, [returned, error, *(
        argument(i, wanted) for i, wanted in enumerate(called.args[2:]))])
    kinds = description.restype
    kinds = [] if kinds == types.none else list(kinds) if isinstance(
        kinds, types.BaseTuple) else [kinds]
    value = builder.load(returned)
    for i, kind in enumerate(kinds):
        part = builder.extract_value(value, i) if isinstance(
            description.restype, types.BaseTuple) else value
        if part.type.width < 64:
            signed = getattr(kind, "signed", False)
            part = (builder.sext if signed else builder.zext)(part, word)
        builder.store(part, place(found, i))
    builder.ret(code)
    parsed = binding.parse_assembly(str(module))
    names = ["bool" if isinstance(kind, types.Boolean) else str(types.unliteral(kind))
             for kind in kinds]
    return parsed, names


# --- a faster Numba -----------------------------------------------------------------------------


def _prepare() -> None:
    # Numba knows kernels, writes code without translating it, and finds types only once.  An index
    # below 0 does not count from the end, and arguments do not overlap.
    Kernel._numba_type_ = property(_type_of_kernel)  # type: ignore[attr-defined]
    Intrinsic._numba_type_ = property(_type_of_intrinsic)  # type: ignore[attr-defined]
    context = cpu_target.target_context
    context.refresh()
    context.codegen()._library_class = _Library

    def executable(library, fndesc, env):
        return _dynfunc.make_function(
            fndesc.lookup_module(), fndesc.qualname, "", 1, env, (library,))  # a mere key

    context.get_executable = executable
    resolve, known = functions.BaseFunction.get_call_type, {}

    def call_type(self, typing_context, args, kws):
        if kws:
            return resolve(self, typing_context, args, kws)
        key = self, tuple(args)
        if key not in known:
            known[key] = resolve(self, typing_context, args, kws)
        return known[key]

    functions.BaseFunction.get_call_type = call_type  # type: ignore[method-assign]

    def index(context, builder, type_, number, size):
        return context.cast(builder, number, type_, types.intp)

    arrayobj.fix_integer_index = index
    decorate = callconv.CPUCallConv.decorate_function

    def decorated(self, function, names, types_, noalias):
        decorate(self, function, names, types_, noalias=True)

    callconv.CPUCallConv.decorate_function = decorated  # type: ignore[assignment,method-assign]


def _end_with_parent() -> None:
    # A worker of a process that has ended at once waits for work for ever.
    parent = multiprocessing.parent_process()

    def end() -> None:
        if parent and wait([parent.sentinel]):
            os._exit(1)

    Thread(target=end, daemon=True).start()


def _end_with(end: int) -> None:
    os.read(end, 1)  # not sys.stdin, which a process that was forked has lost
    os._exit(1)


def _compile(wanted: list[Wanted], known: Optional[Path],
             send: Callable[[Code], None], end: int) -> None:
    Thread(target=_end_with, args=(end,), daemon=True).start()
    _Job.of_process = job = _Job(known, send)
    for each in wanted:
        dispatcher = _dispatcher_of(getattr(import_module(each.module), each.name))
        dispatcher.compile(tuple(map(_type_of, each.kinds)))
        for result in dispatcher.overloads.values():
            job.translate(result)  # also what is inlined elsewhere
    job.finish()


def main() -> None:
    """Compile what standard input asks for, but for what lies in the folder that is named."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # it took a quarter of the time of this short process
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else is written among the code
    wanted, end = pickle.load(sys.stdin.buffer), os.dup(sys.stdin.fileno())
    known = Path(sys.argv[1]) if sys.argv[1] else None
    try:
        forks, lock = FORKS, _context().Lock()
    except OSError:
        forks, lock = False, Lock()

    def send(code: Code) -> None:
        with lock:
            pickle.dump(code, output)
            output.flush()

    _prepare()
    # Rooms of kernels have little in common.
    rooms = [list(room) for _, room in groupby(sorted(wanted, key=_room), key=_room)]
    others = []
    if forks:
        others = [_context().Process(target=_compile, args=(room, known, send, end))
                  for room in rooms[1:]]
        rooms = rooms[:1]
    for other in others:
        other.start()
    for room in rooms:
        _compile(room, known, send, end)
    for other in others:
        other.join()
        if other.exitcode:
            sys.exit(1)


def _room(wanted: Wanted) -> str:
    return wanted.module.rpartition(".")[0]
