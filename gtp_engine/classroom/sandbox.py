"""Where programs of others run: what they see, what they may use, how they are kept from the rest.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, Sequence

from ..command_line.terminal import harmless
from ..wire.files import write_file
from .keeper import SAYS

BWRAP, NAMESPACES, LIMITS = "bwrap", "namespaces", "limits"
KINDS = (BWRAP, NAMESPACES, LIMITS)
KEEPER = Path(__file__).with_name("keeper.py")
MB = 1 << 20
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Of /etc what programs need to start; nothing that says who may do what.
SETTINGS = ("alternatives", "fonts", "group", "hosts", "java-*", "jvm*", "ld.so.cache",
            "ld.so.conf", "ld.so.conf.d", "locale.alias", "localtime", "mime.types",
            "nsswitch.conf", "passwd", "python3*", "timezone")
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")  # of our environment
MOST_LINKS = 40
PATIENCE = 20.0  # seconds for a trial


class Use(NamedTuple):
    """What a program may use: MB of memory and of files, and processes."""

    memory: int
    disk: int
    processes: int


def refusal(kind: str, scratch: Path) -> str:
    """Why this system does not allow that kind of sandbox, "" if it does.

    It is tried, in that folder.  Raises OSError if nothing can be written there.
    """
    if kind == LIMITS:
        return ""
    if sys.platform != "linux":
        return "this system is not Linux"
    if kind == BWRAP and not shutil.which("bwrap"):
        return "bubblewrap is not installed"
    (scratch / "trial").mkdir(parents=True, exist_ok=True)
    words = prepare(kind, ["true"], scratch / "trial", scratch, Use(1024, 16, 16), ())
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return f"it does not come to an end within {PATIENCE:g} seconds"
    if done.returncode == 0:
        return ""
    return harmless("; ".join(done.stderr.splitlines()[-2:]) or f"status {done.returncode}")


class Broken(Exception):
    """The sandbox does not run programs as it should; the message says why."""


def failure(ending: str) -> str:
    """Why a sandbox failed, from the words in which its end was reported."""
    _, _, reason = ending.partition(f"{SAYS}: ")
    return reason or ending.removeprefix("Program died: ").replace("the program", "the sandbox")


def best(scratch: Path) -> str:
    """The safest kind of sandbox that this system allows.

    Raises ValueError if that is limits alone and the programs would be root's.
    """
    kind = next(kind for kind in KINDS if not refusal(kind, scratch))
    if kind == LIMITS and hasattr(os, "geteuid") and os.geteuid() == 0:
        raise ValueError("this system allows no sandbox, and limits alone do not hold back what "
                         "root runs: install bubblewrap, or start this as another user")
    return kind


def prepare(kind: str, command: Sequence[str], origin: Path, scratch: Path, use: Use,
            readable: Sequence[str]) -> list[str]:
    """The command that runs this one in a sandbox, in a fresh copy of the folder `origin`.

    The folder `scratch` holds what that needs.  Raises OSError.
    """
    root = scratch / "root"
    root.mkdir(parents=True, exist_ok=True)
    spec = {"kind": kind, "words": [*command], "origin": str(origin.absolute()),
            "scratch": str(root.absolute()), "visible": visible(command[0], readable),
            "environment": {key: os.environ[key] for key in KEPT if key in os.environ}
            | {"PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"},
            "memory": use.memory * MB, "disk": use.disk * MB, "processes": use.processes}
    write_file(scratch / "spec.json", json.dumps(spec))
    return [sys.executable, "-I", str(KEEPER), str((scratch / "spec.json").absolute())]


def visible(program: str, readable: Sequence[str]) -> list[str]:
    """The paths that a program may read: the system's, those of its interpreter, and these."""
    paths = [*SYSTEM]
    for pattern in SETTINGS:
        paths += map(str, sorted(Path("/etc").glob(pattern)))
    found = shutil.which(program)
    if found and "/" not in program or program.startswith("/"):
        paths += installation(Path(found or program))
    shown: list[str] = []
    for each in (part for path in [*paths, *readable] for part in links_of(Path(path))):
        if os.path.lexists(each) and not any(
                each == path or each.startswith(f"{path}/") and not os.path.islink(path)
                for path in shown):
            shown.append(each)
    return shown


def links_of(path: Path) -> list[str]:
    """The links that a whole path goes through, and where it leads to."""
    links: list[str] = []
    here, rest = Path("/"), [*path.parts[1:]]
    while rest and len(links) < MOST_LINKS:
        here /= rest.pop(0)
        if here.is_symlink():
            links.append(str(here))
            target = Path(os.path.normpath(here.parent / os.readlink(here)))
            here, rest = Path("/"), [*target.parts[1:], *rest]
    return [*links, str(here / Path(*rest))]


def installation(program: Path) -> list[str]:
    """Where a program is installed, outside the system's folders: itself, its virtual environment,
    and the Python that this is made from."""
    paths, home = [str(program)], Path(os.path.expanduser("~"))
    for _ in range(MOST_LINKS):
        folder = program.parent.parent
        is_python = (folder / "pyvenv.cfg").exists() or any(folder.glob("lib*/python3*"))
        by_pyenv = program.parent.name == "shims"  # scripts that look for the version to start
        if (program.parent.name == "bin" and is_python or by_pyenv) and (
                folder not in (home, *home.parents)):
            paths.append(str(folder))
        if not program.is_symlink():
            break
        program = Path(os.path.normpath(program.parent / os.readlink(program)))
        paths.append(str(program))
    return paths[::-1]
