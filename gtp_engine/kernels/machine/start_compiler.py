"""Start the compiler: `python -m gtp_engine.kernels.machine.start_compiler FOLDER`.

The compiler uses and replaces undocumented parts of Numba.  It does not start if this release of
Numba lacks one of them, or cannot be imported.  Then standard output is a pickled pair: the reason,
and the name of the missing package or None.
"""

import pickle
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Optional

# The parts of Numba, each with its purpose.
PARTS = {
    "numba._dynfunc.make_function": "replaced, since code is not called in this process",
    "numba.core.codegen.JITCodeLibrary": "subclassed: code is collected and not linked",
    "numba.core.registry.CPUDispatcher": "subclassed: kernels are compiled for given types",
    "numba.core.registry.cpu_target.typing_context": "finds the types of kernels",
    "numba.core.registry.cpu_target.target_context": "writes the code of kernels",
    "numba.core.types.functions.BaseFunction.get_call_type": "replaced: types are found once",
    "numba.np.arrayobj.fix_integer_index": "replaced: an index below 0 is out of bounds",
    "numba.core.callconv.CPUCallConv.decorate_function": "replaced: arguments do not overlap",
    "numba.core.cgutils.pack_array": "makes arrays from their words",
    "numba.core.sigutils.normalize_signature": "reads the types of arguments",
    "numba.core.datamodel.models.PrimitiveModel": "subclassed: named tuples are pointers",
    "numba.core.typing.templates.AttributeTemplate": "subclassed: the fields of named tuples",
    "numba.core.typing.templates.infer_getattr": "declares these fields to Numba",
    "numba.np.numpy_support.as_dtype": "converts Numba's types to NumPy's",
    "numba.np.numpy_support.from_dtype": "converts NumPy's types to Numba's",
}


def missing() -> list[str]:
    """The parts that this release of Numba lacks."""
    return [name for name in PARTS if not _exists(name)]


def _exists(name: str) -> bool:
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:length])
        try:
            value = import_module(module)
        except ModuleNotFoundError as error:
            if not f"{module}.".startswith(f"{error.name}."):
                raise
            continue
        for part in parts[length:]:
            if not hasattr(value, part):
                return False
            value = getattr(value, part)
        return True
    return False


def fault() -> Optional[ImportError]:
    """The reason why the compiler cannot start, None if it can."""
    try:
        import numba  # noqa: F401  first: its own error is the better reason
        lacking = missing()
    except ModuleNotFoundError as error:
        return ModuleNotFoundError(str(error), name=error.name)
    except Exception as error:
        return ImportError(f"Numba cannot be imported: {error or type(error).__name__}")
    if lacking:
        return ImportError(f"Numba {version('numba')} lacks {', '.join(lacking)}, which gtp_engine "
                           "needs: install a release that setup.cfg names, or a wheel with "
                           "machine code")
    return None


def main() -> int:
    """Compile the requests on standard input, see compiler; returns the exit status."""
    if error := fault():
        pickle.dump((str(error), error.name), sys.stdout.buffer)
        return 1
    from . import compiler
    compiler.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
