"""Starts the compiler: `python -m gtp_engine.kernels.machine.start_compiler KNOWN`.

The compiler changes and uses parts of Numba that Numba does not document.  It is not started if
this release of Numba lacks one of them, or cannot be imported: then standard output has a pickled
pair of the reason and the name of the package that is missing, None if none is.
"""

import pickle
import sys
from importlib import import_module
from importlib.metadata import version
from typing import Optional

# Each part, and what it is for.
PARTS = {
    "numba._dynfunc.make_function": "replaced, since code is not entered from here",
    "numba.core.codegen.JITCodeLibrary": "subclassed: code is kept and not linked",
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
    "numba.core.typing.templates.infer_getattr": "tells Numba of these fields",
    "numba.np.numpy_support.as_dtype": "says of the types of arrays what NumPy calls them",
    "numba.np.numpy_support.from_dtype": "the other way",
}


def missing() -> list[str]:
    """The parts that this release of Numba lacks."""
    return [name for name in PARTS if not _is_there(name)]


def _is_there(name: str) -> bool:
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        module = ".".join(parts[:length])
        try:
            found = import_module(module)
        except ModuleNotFoundError as error:
            if not f"{module}.".startswith(f"{error.name}."):
                raise
            continue
        for part in parts[length:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def fault() -> Optional[ImportError]:
    """Why the compiler cannot be started, None if it can."""
    try:
        import numba  # noqa: F401  first: what hinders it is not that a part is missing
        lacking = missing()
    except ModuleNotFoundError as error:
        return ModuleNotFoundError(str(error), name=error.name)
    except Exception as error:
        return ImportError(f"Numba cannot be imported: {error or type(error).__name__}")
    if lacking:
        return ImportError(f"Numba {version('numba')} lacks {', '.join(lacking)}, which gtp_engine "
                           "needs: install a release that setup.cfg names, or the package "
                           "gtp_engine_kernels")
    return None


def main() -> int:
    """Compile what standard input asks for, see compiler; the exit status."""
    if error := fault():
        pickle.dump((str(error), error.name), sys.stdout.buffer)
        return 1
    from . import compiler
    compiler.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
