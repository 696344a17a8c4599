"""The files of the package, each with the first line of its docstring.

    python docs/files.py [FOLDER]     print the modules, such as those of players/alphabeta
    python docs/files.py --write      update the table of packages in docs/developers.md
"""

import ast
import sys
from pathlib import Path

TOP = Path(__file__).parent.parent
PACKAGE = TOP / "gtp_engine"
PAGE = TOP / "docs" / "developers.md"
BEGIN, END = "<!-- python docs/files.py --write -->\n\n", "\n<!-- end -->"


def summary(path):
    """The first line of a module's docstring, without the full stop."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].rstrip(".")


def modules(folder=""):
    """The modules below a folder of the package, as pairs of path and summary."""
    return [(path.relative_to(PACKAGE).as_posix(), summary(path))
            for path in sorted((PACKAGE / folder).rglob("*.py"))]


def table():
    """The packages as a table of Markdown."""
    rows = [(f"{path.removesuffix('__init__.py')}", text) for path, text in modules()
            if path.endswith("/__init__.py")]
    return "\n".join(["| folder | contents |", "| --- | --- |",
                      *(f"| {folder} | {text} |" for folder, text in rows), ""])


def page():
    """The text of the page with the current table.  Raises ValueError if a mark is missing."""
    text = PAGE.read_text(encoding="utf-8")
    begin = text.index(BEGIN) + len(BEGIN)
    return text[:begin] + table() + text[text.index(END, begin):]


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        for name, line in modules(*sys.argv[1:2]):
            print(f"{name:44} {line}")
