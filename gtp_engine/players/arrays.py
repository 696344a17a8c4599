"""Files of arrays, as numpy.savez writes them."""

import zipfile
from collections.abc import Collection
from threading import Lock

import numpy as np

_reading = Lock()


def arrays_in(file, names: Collection[str]) -> dict[str, np.ndarray]:
    """The arrays of a file, given by its path or open, by name.

    Raises OSError, and ValueError if it is no such file or one of these names is missing.  Threads
    read one after the other: NumPy asks `ast` what an array is, and in Python 3.11 that raises
    SystemError now and then if two threads do so at the same time.
    """
    try:
        with _reading, np.load(file) as data:
            arrays = dict(data)
    except (EOFError, TypeError, ValueError, zipfile.BadZipFile):
        raise ValueError("not a file of arrays") from None
    if not all(isinstance(array, np.ndarray) for array in arrays.values()):
        raise ValueError("not a file of arrays")
    for name in names:
        if name not in arrays:
            raise ValueError(f"the file has no array {name} (it has: {' '.join(sorted(arrays))})")
    return arrays
