"""Scripts and styles of boards for pages that need no other file."""

import re
from importlib.resources import files

SHARED = files("gtp_engine.arena") / "static"
IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:class|const|function) (\w+))", re.MULTILINE)


def styles() -> str:
    """The colours and the styles of boards."""
    return "".join(_text(name) for name in ("themes.css", "board.css"))


def script(text: str) -> str:
    """A module of JavaScript and all that it imports of boards, as one script without imports."""
    modules: dict[str, str] = {}

    def collect(name: str, text: str) -> None:
        for _, other in IMPORT.findall(text):
            if other not in modules:
                collect(other, _text(f"{other}.js"))
        exported = ", ".join(EXPORT.findall(text))
        body = EXPORT.sub("", IMPORT.sub(r"const \1 = $\2;", text))
        modules[name] = f"const ${name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"

    collect("page", text)
    return '"use strict";\n' + "".join(modules.values())


def _text(name: str) -> str:
    return (SHARED / name).read_text(encoding="utf-8")
