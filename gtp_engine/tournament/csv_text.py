"""Tables as CSV that a spreadsheet shows and does not calculate."""

import csv
from io import StringIO
from typing import Any, Iterable, Mapping

from ..command_line.terminal import harmless

FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a table calculates


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows as CSV, under a line with the keys of the first one."""
    lines = [*rows]
    stream = StringIO()
    writer = csv.DictWriter(stream, [*lines[0]] if lines else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in lines)
    return stream.getvalue()


def _cell(value: Any) -> Any:
    # What no table takes for a formula or for several rows; numbers are numbers.
    if not isinstance(value, str):
        return value
    return ("'" if value.startswith(FORMULAS) else "") + harmless(value)
