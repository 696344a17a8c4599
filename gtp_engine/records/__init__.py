"""Files of games: a module for each format, one reader."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .reader import read, write

__all__ = ["read", "write"]


def __getattr__(name: str) -> Any:
    # The formats are loaded at the first use, since every engine imports this package.
    if name in __all__:
        from . import reader
        return getattr(reader, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
