"""Prepares docstrings for the site: aligned lists of names become tables."""

import re

import griffe

ITEM = re.compile(r"^([\w, `*]+?) {2,}(\S.*)$")


def tabulated(text: str) -> str:
    """Return a docstring with its aligned lists of names and texts as tables of Markdown."""
    lines: list[str] = []
    in_table = False
    for line in text.split("\n"):
        item = ITEM.match(line)
        if item and not line.startswith(" "):
            if not in_table:
                lines += ["", "| | |", "| --- | --- |"]
            lines.append(f"| `{item[1]}` | {item[2]} |")
            in_table = True
        elif in_table and line.startswith("  ") and line.strip():
            lines[-1] = f"{lines[-1].removesuffix(' |')} {line.strip()} |"
        else:
            in_table = False
            lines.append(line)
    return "\n".join(lines)


class Docstrings(griffe.Extension):
    """Applies `tabulated` to every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Called for each object after it was read."""
        if obj.docstring:
            obj.docstring.value = tabulated(obj.docstring.value)
