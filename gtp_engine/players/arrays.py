"""Files of arrays in the format of numpy.savez, read safely from untrusted sources."""

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
    """Read the arrays, by name, of a file given by its path or open; executes nothing from it.

    Raises OSError, and ValueError if the file has another format, or if one of the arrays in
    `kinds` is missing or of another kind.

    Threads read one after the other.  NumPy parses the type of an array with `ast`, which in Python
    3.11 sometimes raises SystemError in two threads at once.
    """
    try:
        with _reading, np.load(file, allow_pickle=False) as data:
            size = sum(info.file_size for info in data.zip.infolist())
            arrays = dict(data) if size <= LARGEST else {}
    except OSError:
        raise
    except Exception:  # a damaged file raises a dozen types of exceptions, from five modules
        raise ValueError("not a file of arrays") from None
    if size > LARGEST:
        raise ValueError(f"the arrays have more than {LARGEST} bytes")
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        raise ValueError("not a file of arrays")
    check(arrays, kinds)
    return arrays


def packed(**arrays: np.ndarray) -> bytes:
    """The content of a file with these arrays."""
    file = BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def check(arrays: Mapping[str, np.ndarray], kinds: Mapping[str, Kind]) -> None:
    """Raises ValueError if one of these arrays is missing or of another kind."""
    for name, (type_, shape) in kinds.items():
        if name not in arrays:
            names = " ".join(sorted(arrays))
            raise ValueError(f"the file has no array {name} (it has: {names[:200]})")
        array = arrays[name]
        lengths = [None if expected is None else length
                   for length, expected in zip(array.shape, shape)]
        if array.dtype != type_ or array.ndim != len(shape) or lengths != [*shape]:
            raise ValueError(f"the array {name} is {str(array.dtype)[:50]} of "
                             f"{_shape(array.shape)}, not {np.dtype(type_)} of {_shape(shape)}")


def _shape(shape: tuple[Optional[int], ...]) -> str:
    return " x ".join("n" if length is None else str(length) for length in shape) or "no length"
