"""Shared libraries of kernels, also for other systems and processors than those of this computer.

The linker is Zig, whose package ziglang holds the C libraries of all systems, or else the C
compiler of this computer.
"""

import os
import platform
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Optional

from .cache import Target
from .prebuilt import architecture


class System(NamedTuple):
    """A system to build for.

    triple    LLVM's name
    zig       Zig's name, with the oldest release that the libraries run on
    family    the processors, a key of prebuilt.LEVELS
    platform  the value of sys.platform there
    tag       the platform of wheels for it
    """

    triple: str
    zig: str
    family: str
    platform: str
    tag: str


SYSTEMS = {
    "linux-x86_64": System("x86_64-unknown-linux-gnu", "x86_64-linux-gnu.2.28", "x86_64", "linux",
                           "manylinux_2_28_x86_64"),
    "linux-arm64": System("aarch64-unknown-linux-gnu", "aarch64-linux-gnu.2.28", "arm64", "linux",
                          "manylinux_2_28_aarch64"),
    "darwin-x86_64": System("x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", "x86_64", "darwin",
                            "macosx_11_0_x86_64"),
    "darwin-arm64": System("arm64-apple-macosx11.0.0", "aarch64-macos.11.0", "arm64", "darwin",
                           "macosx_11_0_arm64"),
    "windows-x86_64": System("x86_64-pc-windows-gnu", "x86_64-windows-gnu", "x86_64", "win32",
                             "win_amd64"),
}

LEVEL_SOURCE = "level.c"  # beside this file: the function of prebuilt.LEVEL
HINT = "python -m pip install ziglang installs one"
NAME = "kernels"  # the name of each library in its folder of object files, and for macOS
FLAGS = {  # of the linker; they leave out times and paths
    "linux": ["-Wl,--build-id=none", "-Wl,-z,defs"],
    "darwin": [f"-Wl,-install_name,{NAME}"],
    "win32": [],
}


def this_system() -> str:
    """The key of this system in SYSTEMS, if it is there."""
    return f"{platform.system().lower()}-{architecture()}"


def has_zig() -> bool:
    """Is Zig the linker?  Its libraries run on all releases that the tags of wheels promise."""
    return find_spec("ziglang") is not None


def target(system: System, level: str) -> Target:
    """The compiler's target for a level of processors."""
    return Target(system.triple, level, "+neon" if system.family == "arm64" else "")


def command(name: str) -> Optional[list[str]]:
    """The command that compiles C and links for a system, None if there is no such program."""
    if has_zig():
        return [sys.executable, "-m", "ziglang", "cc", "-target", SYSTEMS[name].zig]
    compiler = os.environ.get("CC") or shutil.which("cc")
    return compiler.split() if compiler and name == this_system() else None


def link(name: str, folder: Path, library: Path) -> None:
    """Link all object files of a folder to a library.

    Equal files make an equal library.  Raises FileNotFoundError if there is no linker, RuntimeError
    if it fails.
    """
    system, program = SYSTEMS[name], command(name)
    if program is None:
        raise FileNotFoundError(f"no linker for {name}: {HINT}")
    files = sorted(path.name for path in folder.glob("*.o"))
    if system.family == "x86_64":
        shutil.copyfile(Path(__file__).with_name(LEVEL_SOURCE), folder / LEVEL_SOURCE)
        files.append(LEVEL_SOURCE)
    done = subprocess.run([*program, "-shared", "-O2", "-s", "-o", NAME, *files,
                           *FLAGS[system.platform]], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"the linker failed:\n{done.stderr}")
    shutil.copyfile(folder / NAME, library)
