"""Tables as CSV, without cells that a spreadsheet takes for formulas."""

import csv
from io import StringIO
from typing import Any, Iterable, Mapping

from ..command_line.terminal import harmless

FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # first characters of formulas


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the rows as CSV, below a heading with the keys of the first row."""
    lines = [*rows]
    stream = StringIO()
    writer = csv.DictWriter(stream, [*lines[0]] if lines else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in lines)
    return stream.getvalue()


def _cell(value: Any) -> Any:
    # Texts lose line ends, and get an apostrophe if they look like a formula.
    if not isinstance(value, str):
        return value
    return ("'" if value.startswith(FORMULAS) else "") + harmless(value)
