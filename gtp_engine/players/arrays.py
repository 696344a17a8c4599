"""Files of arrays, as numpy.savez writes them; somebody else may have written them."""

from collections.abc import Mapping
from io import BytesIO
from os import PathLike
from threading import Lock
from typing import IO, Optional, Union

import numpy as np

LARGEST = 1 << 28  # bytes of all arrays of a file
Kind = tuple[type, tuple[Optional[int], ...]]  # type and shape of an array; None: any length

_reading = Lock()


def arrays_in(file: Union[str, "PathLike[str]", IO[bytes]], kinds: Mapping[str, Kind]
              ) -> dict[str, np.ndarray]:
    """The arrays of a file, given by its path or open, by name; nothing in it is ever run.

    Raises OSError, and ValueError if it is no such file, or one of these is missing or of another
    kind.  Threads read one after the other: NumPy asks `ast` what an array is, and in Python 3.11
    that raises SystemError now and then if two threads do so at the same time.
    """
    try:
        with _reading, np.load(file, allow_pickle=False) as data:
            size = sum(info.file_size for info in data.zip.infolist())
            arrays = dict(data) if size <= LARGEST else {}
    except OSError:
        raise
    except Exception:  # a damaged file brings about a dozen kinds, of five modules
        raise ValueError("not a file of arrays") from None
    if size > LARGEST:
        raise ValueError(f"the arrays have more than {LARGEST} bytes")
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        raise ValueError("not a file of arrays")
    check(arrays, kinds)
    return arrays


def packed(**arrays: np.ndarray) -> bytes:
    """The file of these arrays."""
    file = BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def check(arrays: Mapping[str, np.ndarray], kinds: Mapping[str, Kind]) -> None:
    """Raises ValueError if one of these arrays is missing or of another kind."""
    for name, (type_, shape) in kinds.items():
        if name not in arrays:
            known = " ".join(sorted(arrays))
            raise ValueError(f"the file has no array {name} (it has: {known[:200]})")
        array = arrays[name]
        lengths = [None if wanted is None else length
                   for length, wanted in zip(array.shape, shape)]
        if array.dtype != type_ or array.ndim != len(shape) or lengths != [*shape]:
            raise ValueError(f"the array {name} is {str(array.dtype)[:50]} of "
                             f"{_shape(array.shape)}, not {np.dtype(type_)} of {_shape(shape)}")


def _shape(shape: tuple[Optional[int], ...]) -> str:
    return " x ".join("n" if length is None else str(length) for length in shape) or "no length"
