"""The compiler of kernels; start_compiler starts it in a process of its own.

Standard input carries a pickled pair, a list of Request and a list of Target; the process ends when
it is closed.  Standard output carries each Code, pickled.  Code in the folder of the argument is
left out.

Numba infers the types and writes LLVM's language, function by function.  Then each kernel, with the
functions inlined into it, is optimised and translated once, on all cores.  Numba alone takes three
times as long: it translates each function again in each of its callers, and makes all of them
callable from Python.
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

from .cache import Code, Request, Target, is_sound
from .native import WORD_OF_DATA, WORD_OF_SIZE, WORDS_OF_ARRAY, Intrinsic, Kernel, array_text

OPTIONS: dict = dict(
    nopython=True, boundscheck=None,
    nogil=True,
    error_model="numpy",  # kernels never raise: no tests for zero divisors
    _nrt=False,  # kernels never allocate: no reference counts of arrays
    no_cpython_wrapper=True, no_cfunc_wrapper=True)

ENTRY = "gtp_engine.entry"  # the temporary name of an entry point
UNRESOLVED = ".numba.unresolved$"  # the prefix of a function that is not compiled yet
MOST_WORKERS = 4  # more translate no faster than Numba writes
FORKS = sys.platform == "linux"  # elsewhere a forked process must not call every function


class _Library(codegen.JITCodeLibrary):
    # The code of one function as Numba wrote it, neither optimised nor linked.

    kernel: Any = None  # the kernel of this code
    result: Any = None  # Numba's result of its compilation

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
        # Literals get the type of a variable, which saves a second signature.
        return super().get_call_template(tuple(map(types.unliteral, args)), kws)

    def add_overload(self, cres):
        super().add_overload(cres)
        cres.library.kernel, cres.library.result = self.kernel, cres

    def compile(self, sig):
        args, _ = sigutils.normalize_signature(sig)
        is_compiled = tuple(args) in self.overloads
        entry_point = super().compile(sig)
        if not is_compiled and not self.kernel.is_inlined:
            _Job.of_process.translate(self.overloads[tuple(args)])
        return entry_point


class _Arrays(types.Type):
    # A named tuple of arrays and of such tuples.  Kernels receive it as a pointer to its words, see
    # native.Arrays.

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
    # Load the words that do not follow from its type; they do not change during a call.
    array, start = type_.fields[name], type_.starts[name]
    word = ir.IntType(64)

    def load(place, type_of_word=word):
        address = builder.gep(words, [ir.Constant(ir.IntType(32), start + place)])
        loaded = builder.load(builder.bitcast(address, type_of_word.as_pointer()))
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if isinstance(array, _Arrays):
        return load(0, word.as_pointer())
    structure = context.make_helper(builder, array)
    size = ir.Constant(word, numpy_support.as_dtype(array.dtype).itemsize)
    shape = [load(WORDS_OF_ARRAY + i) for i in range(array.ndim)]
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    structure.meminfo = structure.parent = ir.Constant(ir.IntType(8).as_pointer(), None)
    structure.nitems, structure.itemsize = load(WORD_OF_SIZE), size
    structure.data = load(WORD_OF_DATA, context.get_data_type(array.dtype).as_pointer())
    structure.shape, structure.strides = (
        cgutils.pack_array(builder, each) for each in (shape, strides))
    return structure._getvalue()


# --- kernels for Numba --------------------------------------------------------------------------


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
    numba_intrinsic = intrinsic(described.define)
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    return cpu_target.typing_context.resolve_value_type(numba_intrinsic)


_texts: dict[types.Type, str] = {}  # the names of types of arrays of records


def _type_of(kind) -> Any:
    # The type of an argument of that kind, see Request.
    if kind is int:
        return types.int64
    if kind is np.uint64:
        return types.uint64
    if isinstance(kind[0], np.dtype):
        array = types.Array(numpy_support.from_dtype(kind[0]), kind[1], "C")
        _texts[array] = array_text(*kind)
        return array
    return _Arrays(kind[0].__name__, {
        field: _type_of(part) for field, part in zip(kind[0]._fields, kind[1:])})


def _text(type_: Any) -> str:
    # The name of a type, as in the signatures of native.
    if isinstance(type_, types.Array):
        return _texts.get(type_) or array_text(
            numpy_support.as_dtype(type_.dtype), type_.ndim, type_.layout == "C")
    return str(type_)


def _symbol(library: _Library) -> str:
    signature = ",".join(map(_text, library.result.signature.args))
    return library.kernel.symbol(signature)


# --- from LLVM's language to object files -------------------------------------------------------


class _Job:
    # The work of this process: the code that a folder lacks.

    of_process: "_Job"

    def __init__(self, targets: list[Target], existing: Optional[Path],
                 send: Callable[[Code], None]):
        self._targets, self._existing, self._send = targets, existing, send
        self._running: dict[tuple[str, int], Any] = {}
        self._workers: Any
        try:
            self._workers = ProcessPoolExecutor(
                min(os.cpu_count() or 1, MOST_WORKERS), _context(), _end_with_parent)
        except OSError:  # a system without semaphores
            self._workers = ThreadPoolExecutor(1)

    def translate(self, result) -> None:
        """Start the translation of a kernel from Numba's result to machine code."""
        symbol = _symbol(result.library)
        if (symbol, 0) in self._running or self._existing and is_sound(self._existing / symbol):
            return
        module, code = _linked(symbol, result)
        bitcode = module.as_bitcode()
        for number, target in enumerate(self._targets or [None]):
            future = self._workers.submit(
                _translated, bitcode, code._replace(target=number), target)
            future.add_done_callback(
                lambda future: future.exception() or self._send(future.result()))
            self._running[symbol, number] = future

    def finish(self) -> None:
        """Wait until all code has been sent."""
        self._workers.shutdown()
        for future in self._running.values():
            future.result()


def _context():
    return multiprocessing.get_context("fork" if FORKS else "spawn")


def _linked(symbol: str, result) -> tuple[Any, Code]:
    # The module of a kernel with the functions inlined into it; its code without an object file.
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


def _translated(bitcode: bytes, code: Code, target: Optional[Target]) -> Code:
    # Optimise and translate the code; returns it with its object file.
    module = binding.parse_bitcode(bitcode)
    if target is None:
        machine = cpu_target.target_context.codegen()._tm
    else:
        machine = _machine(target)
        module.triple, module.data_layout = target.triple, str(machine.target_data)
        _hide(module, code)
    options = binding.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization, options.slp_vectorization = True, False
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    for function in module.functions:  # a symbol missing at link time would end the process
        name = function.name
        if function.is_declaration and name not in code.needs and not name.startswith("llvm."):
            if name.startswith(("numba_", "NRT_", "Py")) or not binding.address_of_symbol(name):
                raise RuntimeError(f"{code.symbol} calls {name}, which some processes lack")
    return code._replace(object_file=machine.emit_object(module))


@cache
def _machine(target: Target) -> binding.TargetMachine:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(target.triple).create_target_machine(
        target.processor, target.features, opt=3, reloc="pic", codemodel="default")


def _hide(module, code: Code) -> None:
    # Export only the entry point of a library; calls between kernels are then direct.
    for function in module.functions:
        if function.name == code.entry and "windows" in module.triple:
            function.storage_class = "dllexport"
        elif function.name in (code.symbol, *code.needs):
            function.visibility = "hidden"


def _inside(library: _Library) -> Iterator[_Library]:
    # The libraries that a library calls, directly or through inlined functions, each once.
    visited, stack = {library}, [library]
    while stack:
        for called in stack.pop()._linking_libraries:
            if called not in visited and isinstance(called, _Library):
                visited.add(called)
                yield called
                if called.kernel is None or called.kernel.is_inlined:
                    stack.append(called)


def _entry_module(result) -> tuple[Any, list[str]]:
    # The entry point: a function of pointers to the words of arguments and results that calls the
    # kernel.
    context, description = cpu_target.target_context, result.fndesc
    called = context.call_conv.get_function_type(description.restype, description.argtypes)
    module = ir.Module("entry")
    module.triple, module.data_layout = binding.get_process_triple(), context.codegen()._data_layout
    word, status = ir.IntType(64), ir.IntType(32)
    entry = ir.Function(module, ir.FunctionType(status, [word.as_pointer()] * 2), ENTRY)
    function = ir.Function(module, called, description.llvm_func_name)
    builder = ir.IRBuilder(entry.append_basic_block())
    words, results = entry.args

    def place(pointer, number):
        return builder.gep(pointer, [ir.Constant(word, number)])

    def argument(number, type_):
        value = builder.load(place(words, number))
        if isinstance(type_, ir.PointerType):
            return builder.inttoptr(value, type_)
        return value if type_.width == 64 else builder.trunc(value, type_)

    result_type = called.args[0].pointee
    returned = builder.alloca(result_type)
    builder.store(ir.Constant(result_type, None), returned)
    error = builder.alloca(called.args[1].pointee)
    code = builder.call(function, [returned, error, *(
        argument(i, type_) for i, type_ in enumerate(called.args[2:]))])
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
        builder.store(part, place(results, i))
    builder.ret(code)
    parsed = binding.parse_assembly(str(module))
    names = ["bool" if isinstance(kind, types.Boolean) else str(types.unliteral(kind))
             for kind in kinds]
    return parsed, names


# --- a faster Numba -----------------------------------------------------------------------------


def _prepare() -> None:
    # Patch Numba: it accepts kernels, writes code without translating it, and infers types once.  A
    # negative index does not count from the end, and arguments do not overlap.
    Kernel._numba_type_ = property(_type_of_kernel)  # type: ignore[attr-defined]
    Intrinsic._numba_type_ = property(_type_of_intrinsic)  # type: ignore[attr-defined]
    context = cpu_target.target_context
    context.refresh()
    context.codegen()._library_class = _Library

    def executable(library, fndesc, env):
        return _dynfunc.make_function(
            fndesc.lookup_module(), fndesc.qualname, "", 1, env, (library,))  # serves only as a key

    context.get_executable = executable
    resolve, cached = functions.BaseFunction.get_call_type, {}

    def call_type(self, typing_context, args, kws):
        if kws:
            return resolve(self, typing_context, args, kws)
        key = self, tuple(args)
        if key not in cached:
            cached[key] = resolve(self, typing_context, args, kws)
        return cached[key]

    functions.BaseFunction.get_call_type = call_type  # type: ignore[method-assign]

    def index(context, builder, type_, number, size):
        return context.cast(builder, number, type_, types.intp)

    arrayobj.fix_integer_index = index
    decorate = callconv.CPUCallConv.decorate_function

    def decorated(self, function, names, types_, noalias):
        decorate(self, function, names, types_, noalias=True)

    callconv.CPUCallConv.decorate_function = decorated  # type: ignore[assignment,method-assign]


def _end_with_parent() -> None:
    # End a worker with its parent: after the parent was killed, it would wait for work for ever.
    parent = multiprocessing.parent_process()

    def end() -> None:
        if parent and wait([parent.sentinel]):
            os._exit(1)

    Thread(target=end, daemon=True).start()


def _end_with(end: int) -> None:
    os.read(end, 1)  # not sys.stdin, which is closed in a forked process
    os._exit(1)


def _compile(requests: list[Request], targets: list[Target], existing: Optional[Path],
             send: Callable[[Code], None], end: int) -> None:
    Thread(target=_end_with, args=(end,), daemon=True).start()
    _Job.of_process = job = _Job(targets, existing, send)
    for each in requests:
        dispatcher = _dispatcher_of(getattr(import_module(each.module), each.name))
        dispatcher.compile(tuple(map(_type_of, each.kinds)))
        for result in dispatcher.overloads.values():
            job.translate(result)  # also a function that is inlined elsewhere
    job.finish()


def main() -> None:
    """Compile the requests on standard input, except for code in the folder of the argument."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # it takes a quarter of the time of this short process
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # keeps other output out of the code
    requests, targets = pickle.load(sys.stdin.buffer)
    end = os.dup(sys.stdin.fileno())
    existing = Path(sys.argv[1]) if sys.argv[1] else None
    try:
        forks, lock = FORKS, _context().Lock()
    except OSError:
        forks, lock = False, Lock()

    def send(code: Code) -> None:
        with lock:
            pickle.dump(code, output)
            output.flush()

    _prepare()
    # Packages of kernels have little in common.
    packages = [list(package) for _, package in groupby(
        sorted(requests, key=_package), key=_package)]
    others = []
    if forks:
        others = [_context().Process(target=_compile, args=(package, targets, existing, send, end))
                  for package in packages[1:]]
        packages = packages[:1]
    for other in others:
        other.start()
    for package in packages:
        _compile(package, targets, existing, send, end)
    for other in others:
        other.join()
        if other.exitcode:
            sys.exit(1)


def _package(request: Request) -> str:
    return request.module.rpartition(".")[0]
