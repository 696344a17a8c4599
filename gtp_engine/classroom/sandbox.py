"""Sandboxes for untrusted programs: visible paths, limits and kinds of isolation."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, Sequence

from ..command_line.terminal import harmless
from ..wire.files import write_file
from .keeper import PREFIX

BWRAP, NAMESPACES, LIMITS = "bwrap", "namespaces", "limits"
KINDS = (BWRAP, NAMESPACES, LIMITS)
KEEPER = Path(__file__).with_name("keeper.py")
MB = 1 << 20
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Entries of /etc that programs need to start; no passwords or permissions.
SETTINGS = ("alternatives", "fonts", "group", "hosts", "java-*", "jvm*", "ld.so.cache",
            "ld.so.conf", "ld.so.conf.d", "locale.alias", "localtime", "mime.types",
            "nsswitch.conf", "passwd", "python3*", "timezone")
ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "LD_LIBRARY_PATH")  # passed on
MOST_LINKS = 40
TRIAL_SECONDS = 20.0


class Resources(NamedTuple):
    """Limits of a program: MB of memory, MB of files, and processes."""

    memory: int
    disk: int
    processes: int


def refusal(kind: str, scratch: Path) -> str:
    """Try a kind of sandbox in a folder; return why the system does not allow it, or "".

    Raises OSError if the folder cannot be written to.
    """
    if kind == LIMITS:
        return ""
    if sys.platform != "linux":
        return "this system is not Linux"
    if kind == BWRAP and not shutil.which("bwrap"):
        return "bubblewrap is not installed"
    (scratch / "trial").mkdir(parents=True, exist_ok=True)
    words = prepare(kind, ["true"], scratch / "trial", scratch, Resources(1024, 16, 16), ())
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace", timeout=TRIAL_SECONDS)
    except subprocess.TimeoutExpired:
        return f"it does not end within {TRIAL_SECONDS:g} seconds"
    if done.returncode == 0:
        return ""
    return harmless("; ".join(done.stderr.splitlines()[-2:]) or f"status {done.returncode}")


class Broken(Exception):
    """The sandbox does not run programs correctly; the message has the reason."""


def failure(ending: str) -> str:
    """Extract the reason for a sandbox failure from the message about the end of its process."""
    _, _, reason = ending.partition(f"{PREFIX}: ")
    return reason or ending.removeprefix("Program died: ").replace("the program", "the sandbox")


def best(scratch: Path) -> str:
    """The safest kind of sandbox that this system allows.

    Raises ValueError if that is `limits`, and programs would run as root.
    """
    kind = next(kind for kind in KINDS if not refusal(kind, scratch))
    if kind == LIMITS and hasattr(os, "geteuid") and os.geteuid() == 0:
        raise ValueError("this system allows no sandbox, and limits alone do not restrain programs "
                         "of root: install bubblewrap, or start this as another user")
    return kind


def prepare(kind: str, command: Sequence[str], origin: Path, scratch: Path, limits: Resources,
            readable: Sequence[str]) -> list[str]:
    """Return the words that run a command in a sandbox, in a fresh copy of the folder `origin`.

    Writes working files to the folder `scratch`.  Raises OSError.
    """
    root = scratch / "root"
    root.mkdir(parents=True, exist_ok=True)
    spec = {"kind": kind, "words": [*command], "origin": str(origin.absolute()),
            "scratch": str(root.absolute()), "visible": visible(command[0], readable),
            "environment": {key: os.environ[key] for key in ENVIRONMENT if key in os.environ}
            | {"PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"},
            "memory": limits.memory * MB, "disk": limits.disk * MB, "processes": limits.processes}
    write_file(scratch / "spec.json", json.dumps(spec))
    return [sys.executable, "-I", str(KEEPER), str((scratch / "spec.json").absolute())]


def visible(program: str, readable: Sequence[str]) -> list[str]:
    """The paths that a program can read: the system's, its interpreter's, and `readable`."""
    paths = [*SYSTEM]
    for pattern in SETTINGS:
        paths += map(str, sorted(Path("/etc").glob(pattern)))
    executable = shutil.which(program)
    if executable and "/" not in program or program.startswith("/"):
        paths += installation(Path(executable or program))
    distinct: list[str] = []
    for each in (part for path in [*paths, *readable] for part in links_of(Path(path))):
        if os.path.lexists(each) and not any(
                each == path or each.startswith(f"{path}/") and not os.path.islink(path)
                for path in distinct):
            distinct.append(each)
    return distinct


def links_of(path: Path) -> list[str]:
    """The links along an absolute path, and its target."""
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
    """The paths of a program outside the system's folders: the program, its virtual environment,
    and the Python installation behind that."""
    paths, home = [str(program)], Path(os.path.expanduser("~"))
    for _ in range(MOST_LINKS):
        folder = program.parent.parent
        is_python = (folder / "pyvenv.cfg").exists() or any(folder.glob("lib*/python3*"))
        by_pyenv = program.parent.name == "shims"  # scripts that start the selected version
        if (program.parent.name == "bin" and is_python or by_pyenv) and (
                folder not in (home, *home.parents)):
            paths.append(str(folder))
        if not program.is_symlink():
            break
        program = Path(os.path.normpath(program.parent / os.readlink(program)))
        paths.append(str(program))
    return paths[::-1]
