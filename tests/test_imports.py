"""The import map of the package, held against its sources."""

import ast
import re
import sys
from configparser import ConfigParser
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "gtp_engine"

# The packages of ours that a folder may import, besides itself; one that is not here, none.
# Modules beside a folder come before it, but for the player flat and the referee.
SHARED = {"command_line"}  # options and messages of programs
ALLOWED = {
    "kernels": {"kernels/machine"},
    "kernels/plane": {"kernels"},
    "kernels/lines": {"kernels"},
    "records": {"games"},
    "players": {"games", "kernels", "players/openings/balanced", "players/openings/book"},
    "players/proofs": {"games", "kernels", "players"},
    "players/openings": {"games", "records", "players"},
    "players/alphabeta": {"games", "kernels", "players", "players/openings", "players/proofs"},
    "command_line": {"games", "players", "records"},
    "wire": {"games", "players/base"},
    "solvers": {"games", "kernels", "players", *SHARED},
    "solvers/qubic": {"games", "kernels", "players", "wire", *SHARED},
    "solvers/gomoku": {"games", "kernels", "players", "wire", "arena/work", "arena/workers",
                       "solvers", "solvers/qubic/proof", *SHARED},
    "learn": {"games", "records", "players", "wire", "arena/work", "arena/cluster", "arena/page",
              "arena/picture", *SHARED},
    "puzzles": {"games", "records", "players", "wire", "learn", "arena", "tournament", *SHARED},
    "protocols": {"games", "players", "wire", *SHARED},
    "protocols/gtp": {"games", "records", "players", "solvers", "wire", "learn",
                      "puzzles/attempt", "puzzles/puzzle", "protocols", *SHARED},
    "arena": {"games", "records", "wire", "arena/seats", *SHARED},
    "arena/seats": {"games", "players", "wire", "arena", *SHARED},
    "tournament": {"games", "records", "players", "wire", "arena", "learn", *SHARED},
    "classroom": {"games", "players", "wire", "arena", "tournament", *SHARED},
    "web": {"games", "players", "wire", "arena"},
    "web/study": {"web", "games", "players", "solvers", "wire", "learn", "puzzles/attempt",
                  "puzzles/puzzle", "puzzles/score", *SHARED},
    "web/game": {"web", "web/study", "games", "players", "wire", "arena"},
    "web/lesson": {"web", "web/game", "games", "wire", "arena", "tournament"},
    "web/server": {"web", "web/server/messages", "web/study", "web/game", "web/lesson", "games",
                   "records", "players", "wire", "learn", "arena", "tournament", "puzzles/score",
                   *SHARED},
    "web/server/messages": {"web", "web/server/page", "web/study", "web/lesson", "games", "records",
                            "players", "wire", "puzzles/puzzle"},
    "__init__": {"games", "library", "players", "records"},
    "library": {"games", "records", "kernels", "players", "solvers", "wire", "learn", "arena",
                "tournament", "library/environments",
                "web/games", "protocols/gtp/program", *SHARED},
    "library/environments": {"games", "players", "wire", "library"},
    "command_line/programs": {"games", "records", "kernels", "players", "solvers", "wire", "learn",
                              "tournament", "library", "protocols/gtp/program", "__main__",
                              *SHARED},
}
# Modules that are neither ours nor Python's.
OUTSIDE = {
    "games": {"numpy"},
    "records": {"numpy"},
    "kernels": {"numpy", "numba", "llvmlite", "platformdirs", "filelock"},
    "players": {"numpy"},
    "solvers": {"numpy", "rich"},
    "learn": {"jinja2", "numpy"},
    "puzzles": {"jinja2"},
    "arena": {"distributed", "psutil", "rich"},
    "tournament": {"jinja2", "markupsafe", "matplotlib", "numpy", "rich"},
    "wire": {"platformdirs", "tomli", "tomllib"},
    "classroom": {"jinja2"},
    "library": {"numpy", "gymnasium", "pettingzoo"},
    "web": {"starlette", "uvicorn", "filelock"},
    "command_line": {"rich", "shtab", "wheel"},
}


def name_of(path):
    """The module in a file, as in gtp_engine.kernels.bits."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def parsed(name):
    """The syntax tree of a module of ours."""
    return ast.parse(FILES[name].read_text(encoding="utf-8"))


def imported(name):
    """The modules that a module of ours imports, anywhere in its text."""
    return (target for target, _ in imported_at(name))


def imported_at(name):
    """The same, each with its line."""
    path = FILES[name]
    package = name.split(".") if path.stem == "__init__" else name.split(".")[:-1]
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[:len(package) - node.level + 1] if node.level else []
            base = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield whole if whole in FILES else base, node.lineno


def room_of(name):
    """The folder of a module of ours, with a folder inside it; the module where there is none."""
    path = FILES[name].relative_to(PACKAGE).with_suffix("")
    return str(path.parent.as_posix()) if len(path.parts) > 1 else path.name


def is_allowed(room, target):
    """May a module of that room import this module of ours?"""
    other, module = room_of(target), target.removeprefix("gtp_engine.").replace(".", "/")
    return other in ("__init__", room) or any(
        allowed in (other, module) or other.startswith(f"{allowed}/")
        and room.split("/")[0] != allowed.split("/")[0] for allowed in ALLOWED.get(room, ()))


def test_imports():
    for name in FILES:
        room = room_of(name)
        if room == "__main__":
            continue  # it imports what it starts, when it starts it
        for target in imported(name):
            if target in FILES:
                assert is_allowed(room, target), (name, target)
            else:
                module = target.split(".")[0]
                others = OUTSIDE.get(room.split("/")[0], set())
                assert module in sys.stdlib_module_names | others, (name, module)


def test_what_the_map_forbids():
    for room, target in (("games", "gtp_engine.kernels.bits"),
                         ("kernels", "gtp_engine.kernels.plane.board"),
                         ("kernels/lines", "gtp_engine.kernels.plane.board"),
                         ("players", "gtp_engine.protocols.engine"),
                         ("protocols", "gtp_engine.kernels.bits"),
                         ("arena", "gtp_engine.protocols.engine"),
                         ("arena", "gtp_engine.tournament.results"),
                         ("wire", "gtp_engine.protocols.engine"),
                         ("learn", "gtp_engine.protocols.engine"),
                         ("players", "gtp_engine.learn.review"),
                         ("arena", "gtp_engine.web.server.site"),
                         ("arena", "gtp_engine.classroom.course"),
                         ("web", "gtp_engine.kernels.bits")):
        assert not is_allowed(room, target)
    assert is_allowed("players", "gtp_engine.kernels.plane.board")


def test_there_are_no_circles():
    """Neither between rooms nor inside one: every module comes after all that it imports.

    The package itself imports names of the library at their first use.
    """
    assert "gtp_engine.kernels.plane.board" in set(imported("gtp_engine.kernels.plane.moves"))
    order = TopologicalSorter({name: {target for target in imported(name) if target in FILES}
                               for name in FILES if name != "gtp_engine"}).static_order()
    assert {*order} >= {*FILES}


def needed(name, seen):
    """The modules of others that importing a module of ours imports, at the top of files."""
    seen.add(name)
    top = {node.lineno for node in parsed(name).body}
    for target, line in imported_at(name):
        if line in top and target in FILES and target not in seen:
            yield from needed(target, seen)
        elif line in top and target not in FILES:
            yield target.split(".")[0]


@pytest.mark.parametrize("room, extra", [
    ("classroom", "classroom"), ("web", "web"), ("library", None),
    ("library/environments", "env"), ("protocols/gtp", None)])
@pytest.mark.few(2)
def test_extras(room, extra):
    """What pip installs for it, or without any extra, is all that a room needs."""
    settings = ConfigParser()
    settings.read(ROOT / "setup.cfg")
    listed = settings["options"]["install_requires"]
    if extra:
        listed += settings["options.extras_require"][extra]
    packages = set(re.findall("^[a-z0-9]+", listed, re.MULTILINE))
    names = [name for name in FILES if room_of(name) == room]
    assert names
    for name in names:
        assert set(needed(name, set())) <= packages | set(sys.stdlib_module_names), name
