"""Arguments of the library: each is converted, or refused by a ValueError that names it."""

from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Optional, TypeVar, Union

from ..games.lattice import Size, as_size

Kind = TypeVar("Kind")
AnyPath = Union[str, "PathLike[str]"]


class FileError(OSError, ValueError):
    """A file that cannot be read or written; the text names it and the reason."""


def file_error(error: OSError) -> FileError:
    """Return the error for a file, in one line."""
    name = f"{error.filename}: " if error.filename else ""
    return FileError(f"{name}{error.strerror or error}")


def a_path(path: Any) -> Path:
    """Return a path."""
    try:
        return Path(fspath(path))
    except TypeError:
        raise ValueError(f"not a path: {path!r}") from None


def paths_of(paths: Any) -> list[Path]:
    """Return one path, or several, as a list."""
    several = isinstance(paths, Iterable) and not isinstance(paths, (str, PathLike))
    return [*map(a_path, paths)] if several else [a_path(paths)]


def a_size(size: Any) -> Size:
    """Return a size: a number, a text such as 12x10, or (columns, rows)."""
    if isinstance(size, (tuple, list)):
        size = [int(side) if is_whole(side) else side for side in size]
    return as_size(int(size) if is_whole(size) else size)


def instance_of(kind: type[Kind], value: Any) -> Kind:
    """Return a value that is an instance of a class of the library."""
    if not isinstance(value, kind):
        raise ValueError(f"not a {kind.__name__}: {value!r}")
    return value


def a_whole(name: str, value: Any, least: int = 1) -> int:
    """Return a whole number of at least `least`."""
    if not is_whole(value) or value < least:
        raise ValueError(f"{name} must be a whole number of {least} or more, not {value!r}")
    return int(value)


def a_number(name: str, value: Any) -> float:
    """Return a number that is not negative."""
    if isinstance(value, (bool, str)) or not hasattr(value, "__float__") or not value >= 0:
        raise ValueError(f"{name} must be a number of 0 or more, not {value!r}")
    return float(value)


def a_value(value: Any) -> float:
    """Return a value of a position, from -1 to 1."""
    if isinstance(value, (bool, str)) or not hasattr(value, "__float__") or not -1 <= value <= 1:
        raise ValueError(f"a value must be a number from -1 to 1, not {value!r}")
    return float(value)


def a_mapping(name: str, value: Any) -> Mapping[Any, Any]:
    """Return a mapping; an empty one for None."""
    if value is not None and not isinstance(value, Mapping):
        raise ValueError(f"{name} must be a mapping by point, not {value!r}")
    return value or {}


def is_whole(value: Optional[Any]) -> bool:
    """Is a value a whole number?  Those of NumPy are; a bool is none."""
    return not isinstance(value, bool) and hasattr(value, "__index__")
