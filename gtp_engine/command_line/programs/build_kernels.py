"""Build gtp_engine_kernels: a wheel with machine code, for computers that do not compile."""

import platform
import sys
import sysconfig
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from ... import __version__
from ...kernels.machine import cache, companion
from ..terminal import progress_bar
from .compile import every_kernel, number_of_files

FEATURES = {"x86_64": "+sse2", "arm64": "+neon"}  # features of every processor of the family

METADATA = """Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: Machine code for the kernels of gtp_engine
License: MIT
"""
WHEEL = """Wheel-Version: 1.0
Generator: gtp_engine {version}
Root-Is-Purelib: false
Tag: {tag}
"""


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    levels = list(companion.LEVELS.get(companion.architecture(), {}))
    parser.add_argument("--level", choices=levels, action="append",
                        help="a level of processors to build for; repeatable (default: all)")
    parser.add_argument("--out", metavar="DIR", type=Path, default=Path("."),
                        help="the folder for the wheel (default: the working directory)")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Build the wheel and print its path."""
    from wheel.wheelfile import WheelFile
    levels = options.level or list(companion.LEVELS.get(companion.architecture(), {}))
    if not levels:
        parser.error(f"{platform.machine()} has no levels to build for")
    if not options.out.is_dir():
        parser.error(f"no such directory: {options.out}")
    requests = every_kernel()
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    path = options.out / f"{companion.PACKAGE}-{__version__}-{tag}.whl"
    with TemporaryDirectory() as temporary:
        package = Path(temporary) / companion.PACKAGE
        with progress_bar("compiling", number_of_files(requests) * len(levels)) as advance:
            for level in levels:
                folder = package / companion.folder_of(platform.system(), level)
                folder.mkdir(parents=True)
                for code in cache.compiled(requests, settings={
                        "NUMBA_CPU_NAME": level,
                        "NUMBA_CPU_FEATURES": FEATURES[companion.architecture()]}):
                    (folder / code.symbol).write_bytes(cache.pack(code))
                    advance(code.symbol)
        (package / "__init__.py").write_text('"""Machine code for the kernels of gtp_engine."""\n')
        (package / companion.KEY_FILE).write_text(companion.source_key())
        info = Path(temporary) / f"{companion.PACKAGE}-{__version__}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            METADATA.format(name=companion.PACKAGE, version=__version__))
        (info / "WHEEL").write_text(WHEEL.format(version=__version__, tag=tag))
        with WheelFile(path, "w") as wheel:
            wheel.write_files(temporary)
    print(path)
    print(f"levels: {', '.join(levels)}", file=sys.stderr)
    return 0
