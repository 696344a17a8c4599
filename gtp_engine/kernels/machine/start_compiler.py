"""Starts the compiler: `python -m gtp_engine.kernels.machine.start_compiler KNOWN`.

The compiler changes and uses parts of Numba that Numba does not document.  It is not started if
this release of Numba lacks one of them.
"""

import sys
from importlib import import_module
from importlib.metadata import version

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
        try:
            found = import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def main() -> int:
    """Compile what standard input asks for, see compiler; the exit status."""
    lacking = missing()
    if lacking:
        print(f"Numba {version('numba')} lacks {', '.join(lacking)}, which gtp_engine needs: "
              "install a release that setup.cfg names, or the package gtp_engine_kernels",
              file=sys.stderr)
        return 1
    from . import compiler
    compiler.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
