"""Makes the object files of kernels: `python -m gtp_engine.kernels.compiler FOLDER`.

A pickled list of (module, name, kinds of the arguments) comes in on standard input.  Numba finds
the types and writes LLVM's language, function by function.  Then each kernel, with what is inlined
into it, is optimised and translated once, on all cores.  (Left to itself Numba does so for each
function again in each that calls it, and makes it callable from Python, which took three times as
long.)
"""

import gc
import multiprocessing
import os
import pickle
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Iterator

import numpy as np
from llvmlite import binding, ir
from numba import _dynfunc, types
from numba.core import codegen, sigutils
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.types import functions
from numba.extending import intrinsic
from numba.np import numpy_support

from .cache import Code, pack
from .native import Intrinsic, Kernel, array_text, signature_of

OPTIONS: dict = dict(
    nopython=True, boundscheck=None,
    nogil=True,
    error_model="numpy",  # kernels never raise, so that tests for zero divisors are spared
    _nrt=False,  # nor allocate, so that references to arrays need not be counted
    no_cpython_wrapper=True, no_cfunc_wrapper=True)


class _Library(codegen.JITCodeLibrary):
    # The code of one function as Numba has written it; nothing is optimised or linked yet.

    def _optimize_functions(self, ll_module):
        ll_module.data_layout = self._codegen._data_layout

    def add_linking_library(self, library):
        self._linking_libraries.append(library)

    def finalize(self):
        self._finalized = True


class _Dispatcher(CPUDispatcher):
    # Compiles a kernel for each set of types of arguments.

    kernel: Kernel

    def get_call_template(self, args, kws):
        # 1 and a variable of the same type make one signature, not two.
        return super().get_call_template(tuple(map(types.unliteral, args)), kws)

    def add_overload(self, cres):
        super().add_overload(cres)
        cres.library.kernel, cres.library.result = self, cres

    def compile(self, sig):
        args, _ = sigutils.normalize_signature(sig)
        known = tuple(args) in self.overloads
        entry_point = super().compile(sig)
        if not known and not self.kernel.is_inlined:
            _Job.of_process.translate(self.overloads[tuple(args)])
        return entry_point


# --- what Numba sees of kernels -----------------------------------------------------------------


@cache
def _dispatcher_of(kernel: Kernel) -> _Dispatcher:
    dispatcher = _Dispatcher(
        kernel.py_func, targetoptions=OPTIONS | {"forceinline": kernel.is_inlined})
    dispatcher.kernel = kernel
    return dispatcher


def type_of_kernel(kernel: Kernel) -> types.Type:
    """What Numba takes a kernel for."""
    return types.Dispatcher(_dispatcher_of(kernel))


@cache
def type_of_intrinsic(described: Intrinsic) -> types.Type:
    """What Numba takes an intrinsic for."""
    made = intrinsic(described.define)
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    return cpu_target.typing_context.resolve_value_type(made)


_texts: dict[types.Type, str] = {}  # of arrays of records


def _type_of(kind) -> types.Type:
    # Of an argument of that kind, see native.kinds_of.
    if kind is int:
        return types.int64
    if kind is np.uint64:
        return types.uint64
    if isinstance(kind[0], np.dtype):
        made = types.Array(numpy_support.from_dtype(kind[0]), kind[1], "C")
        _texts[made] = array_text(*kind)
        return made
    return types.BaseTuple.from_types([_type_of(part) for part in kind[1:]], kind[0])


def _text(type_: types.Type) -> str:
    # As native.signature_of says it.
    if isinstance(type_, types.BaseNamedTuple):
        return f"{type_.instance_class.__name__}({','.join(map(_text, type_.types))})"
    if isinstance(type_, types.Array):
        return _texts.get(type_) or array_text(
            numpy_support.as_dtype(type_.dtype), type_.ndim, type_.layout == "C")
    return str(type_)


def _symbol(library: _Library) -> str:
    signature = ",".join(map(_text, library.result.signature.args))
    return library.kernel.kernel.symbol(signature)


# --- from LLVM's language to object files -------------------------------------------------------


class _Job:
    # The work of this process: the files that are missing in a folder.

    of_process: "_Job"

    def __init__(self, folder: Path):
        self.folder = folder
        self.codegen = cpu_target.target_context.codegen()
        self._running: list[Any] = []
        self._cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1

    def translate(self, result) -> None:
        """Begin to make the file of a kernel, of which Numba has made this."""
        symbol = _symbol(result.library)
        if (self.folder / symbol).exists():
            return
        if not hasattr(os, "fork"):
            self._make(symbol, result)
            return
        self._wait(self._cores - 1)
        process = multiprocessing.get_context("fork").Process(  # type: ignore[attr-defined]
            target=self._make, args=(symbol, result))
        process.start()
        self._running.append(process)

    def finish(self) -> None:
        """All files are there afterwards."""
        self._wait(0)

    def _wait(self, most: int) -> None:
        while len(self._running) > most:
            process = self._running.pop(0)
            process.join()
            if process.exitcode:
                sys.exit(1)

    def _make(self, symbol: str, result) -> None:
        temporary = self.folder / f"{symbol}.{os.getpid()}"
        temporary.write_bytes(pack(self._code(symbol, result)))
        temporary.replace(self.folder / symbol)

    def _code(self, symbol: str, result) -> Code:
        module, needs = result.library._final_module.clone(), {}
        for library in _inside(result.library):
            if library.kernel and not library.kernel.kernel.is_inlined:
                needs[library.result.fndesc.llvm_func_name] = _symbol(library)
            else:
                module.link_in(library._final_module, preserve=True)
        name = result.fndesc.llvm_func_name
        for function in module.functions:
            if not function.is_declaration and function.name != name:
                function.linkage = "internal"
        entry, results = _entry_module(result, self.codegen)
        module.link_in(entry)
        for old, new in {**needs, name: symbol}.items():
            if old in {function.name for function in module.functions}:
                module.get_function(old).name = new
        module.get_function(ENTRY).name = f"{symbol}-entry"
        self._optimise(module)
        self._check(module, needs.values())
        return Code(symbol, f"{symbol}-entry", results, sorted(set(needs.values()) - {symbol}),
                    self.codegen._tm.emit_object(module))

    def _optimise(self, module) -> None:
        options = binding.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization, options.slp_vectorization = True, False
        builder = binding.create_pass_builder(self.codegen._tm, options)
        builder.getModulePassManager().run(module, builder)

    def _check(self, module, needs) -> None:
        # What is not found when it is linked ends the whole process.
        for function in module.functions:
            name = function.name
            if function.is_declaration and name not in needs and not name.startswith("llvm."):
                if name.startswith(("numba_", "NRT_", "Py")) or not binding.address_of_symbol(name):
                    raise RuntimeError(f"kernels cannot call {name}")


def _inside(library: _Library) -> Iterator[_Library]:
    # The libraries that a library calls directly or by way of what is inlined, each once.
    seen, stack = {library}, [library]
    while stack:
        for called in stack.pop()._linking_libraries:
            if called not in seen and isinstance(called, _Library):
                seen.add(called)
                yield called
                if called.kernel is None or called.kernel.kernel.is_inlined:
                    stack.append(called)


_Library.kernel = _Library.result = None  # type: ignore[attr-defined]
ENTRY = "gtp_engine.entry"


def _entry_module(result, generator) -> tuple[Any, list[str]]:
    # A function that gets pointers to the words of the arguments and results, and calls another.
    context, description = cpu_target.target_context, result.fndesc
    called = context.call_conv.get_function_type(description.restype, description.argtypes)
    module = ir.Module("entry")
    module.triple, module.data_layout = binding.get_process_triple(), generator._data_layout
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
            signed = isinstance(kind, types.Integer) and kind.signed
            part = (builder.sext if signed else builder.zext)(part, word)
        builder.store(part, place(found, i))
    builder.ret(code)
    parsed = binding.parse_assembly(str(module))
    names = ["bool" if isinstance(kind, types.Boolean) else str(types.unliteral(kind))
             for kind in kinds]
    return parsed, names


# --- a faster Numba -----------------------------------------------------------------------------


def _prepare() -> None:
    # Numba writes code without translating it, and finds the type of an operation once.
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

    functions.BaseFunction.get_call_type = call_type


def main() -> None:
    """Compile what standard input asks for into the folder that the first argument names."""
    gc.disable()  # a quarter of the time; the process is a short one
    _prepare()
    _Job.of_process = job = _Job(Path(sys.argv[1]))
    for module, name, kinds in pickle.load(sys.stdin.buffer):
        kernel = getattr(import_module(module), name)
        _dispatcher_of(kernel).compile(tuple(map(_type_of, kinds)))
        for result in _dispatcher_of(kernel).overloads.values():
            job.translate(result)
    job.finish()


if __name__ == "__main__":
    # As a module of its package, not as __main__: kernels import it by that name.
    import_module(__spec__.name).main()
