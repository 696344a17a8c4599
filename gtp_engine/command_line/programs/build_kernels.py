"""Build wheels of gtp_engine that contain the machine code, for computers without a compiler."""

import json
import os
import platform
import re
import subprocess
import sys
import sysconfig
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from ...kernels.machine import cache, linker, prebuilt
from ...kernels.machine.cache import Request
from ..terminal import progress_bar
from .compile import every_kernel, number_of_files

SOURCES = Path(__file__).resolve().parents[3]  # the folder of setup.cfg
EPOCH = "946684800"  # seconds: the time of all files, so that equal sources make equal wheels
# The packages of the compiler, which become those of the extra "compile".
COMPILER = re.compile(r"^Requires-Dist: ((?:numba|llvmlite)\b[^;\n]*)(;(?!.*extra ==).*)?$", re.M)
AS_EXTRA = r'Requires-Dist: \1; extra == "compile"'


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    levels = [level for family in prebuilt.LEVELS.values() for level in family]
    parser.add_argument("--system", choices=linker.SYSTEMS, action="append",
                        help="a system to build for; repeatable (default: this one)")
    parser.add_argument("--level", choices=levels, action="append",
                        help="a level of processors to build for; repeatable (default: all)")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("dist"),
                        help="the folder for the wheels (default: dist)")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Build the wheels and print their paths."""
    names = options.system or [linker.this_system()]
    if names[0] not in linker.SYSTEMS:
        parser.error(f"no levels to build for {platform.system()} on {platform.machine()}")
    if not (SOURCES / "setup.cfg").exists():
        parser.error("build-kernels needs the sources: run `python -m gtp_engine build-kernels` in "
                     "their folder")
    for name in names:
        levels = prebuilt.LEVELS[linker.SYSTEMS[name].family]
        if options.level and not set(options.level) & set(levels):
            parser.error(f"{name} has only the levels {', '.join(levels)}")
        if linker.command(name) is None:
            parser.error(f"no linker for {name}: {linker.HINT}")
    os.environ.setdefault("SOURCE_DATE_EPOCH", EPOCH)
    with TemporaryDirectory() as temporary:
        package = Path(temporary)
        try:
            plain = plain_wheel(package)
            build_libraries(package, every_kernel(), names, options.level)
            for name in names:
                print(packed(plain, package / name, name, options.out))
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return 1
    return 0


def plain_wheel(folder: Path) -> Path:
    """Build the wheel of the sources, which has no machine code."""
    done = subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps",
                           "--no-build-isolation", "--wheel-dir", str(folder), str(SOURCES)],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"the wheel of the sources failed:\n{done.stdout}{done.stderr}")
    return next(folder.glob("*.whl"))


def build_libraries(folder: Path, requests: list[Request], names: list[str],
                    levels: list[str]) -> None:
    """Build the package of machine code for each system, in a folder of its name."""
    places = [(name, level) for name in names
              for level in prebuilt.LEVELS[linker.SYSTEMS[name].family]
              if not levels or level in levels]
    results = {}
    targets = [linker.target(linker.SYSTEMS[name], level) for name, level in places]
    objects = [folder / "objects" / name / level for name, level in places]
    for place in objects:
        place.mkdir(parents=True)
    with progress_bar("compiling", number_of_files(requests) * len(targets)) as advance:
        for code in cache.compiled(requests, targets=targets):
            (objects[code.target] / f"{code.symbol}.o").write_bytes(code.object_file)
            results[code.symbol] = code.results
            advance(code.symbol)
    key = json.dumps({"sources": prebuilt.source_key(), "results": dict(sorted(results.items()))},
                     indent=1)
    for (name, level), place in zip(places, objects):
        package = folder / name / prebuilt.PACKAGE
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").write_text('"""Machine code for the kernels of gtp_engine."""\n')
        (package / prebuilt.KEY_FILE).write_text(key + "\n")
        linker.link(name, place, package / prebuilt.file_name(
            level, linker.SYSTEMS[name].platform))


def packed(plain: Path, folder: Path, name: str, out: Path) -> Path:
    """Add the files of a folder to a wheel for a system; returns the path of the new wheel."""
    from wheel.wheelfile import WheelFile
    with WheelFile(plain) as wheel:
        wheel.extractall(folder)
        info = folder / wheel.dist_info_path
    metadata = (info / "METADATA").read_text(encoding="utf-8")
    (info / "METADATA").write_text(COMPILER.sub(AS_EXTRA, metadata), encoding="utf-8")
    tag = linker.SYSTEMS[name].tag if linker.has_zig() else re.sub(
        r"[-.]", "_", sysconfig.get_platform())
    described = (info / "WHEEL").read_text().replace("Root-Is-Purelib: true",
                                                     "Root-Is-Purelib: false")
    (info / "WHEEL").write_text(described.replace("py3-none-any", f"py3-none-{tag}"))
    with (info / "top_level.txt").open("a") as file:
        file.write(f"{prebuilt.PACKAGE}\n")
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    out.mkdir(parents=True, exist_ok=True)
    path = out / plain.name.replace("-any.whl", f"-{tag}.whl")
    with WheelFile(path, "w") as wheel:
        wheel.write_files(folder)
    return path
