"""The scripts and styles of boards for self-contained pages."""

import re
from importlib.resources import files

SHARED = files("gtp_engine.arena") / "static"
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:class|const|function) (\w+))", re.MULTILINE)


def styles() -> str:
    """Return the colours and styles of boards."""
    return "".join(_text(name) for name in ("themes.css", "board.css"))


def script(text: str) -> str:
    """Bundle a JavaScript module and the board modules that it imports into one script."""
    modules: dict[str, str] = {}

    def collect(name: str, text: str) -> None:
        for _, other in IMPORT.findall(text):
            if other not in modules:
                collect(other, _text(f"{other}.js"))
        exports = ", ".join(EXPORT.findall(text))
        body = EXPORT.sub("", IMPORT.sub(r"const \1 = $\2;", text))
        modules[name] = f"const ${name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"

    collect("page", text)
    return '"use strict";\n' + "".join(modules.values())


def _text(name: str) -> str:
    return (SHARED / name).read_text(encoding="utf-8")
