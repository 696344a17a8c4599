"""Pack the board in the browser for players without Python: an archive for the system that runs it.

    python .ci/zip.py WHEEL [DIR]

WHEEL has machine code: `build-kernels` makes it.  The archive appears in DIR (default: dist), and
contains Python, but neither Numba nor LLVM.
"""

import shutil
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

NAME, KERNELS = "gtp_engine", "gtp_engine_kernels"
PROGRAM = f'''
import multiprocessing
import runpy
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    words = sys.argv[1:]
    if words[:1] == ["-m"] and words[1:]:  # how the server starts its helpers
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    else:
        from {NAME}.__main__ import main
        sys.exit(main(words or ["web"]))
'''
# The modules stay files, since helpers and caches read them.
SPEC = f'''
from PyInstaller.utils.hooks import collect_data_files, collect_dynamic_libs, collect_submodules

analysis = Analysis(
    ["start.py"], excludes=["llvmlite", "matplotlib", "numba", "setuptools", "tkinter"],
    binaries=collect_dynamic_libs("{KERNELS}"),
    datas=collect_data_files("{NAME}") + collect_data_files("{KERNELS}"),
    hiddenimports=[module for package in ("{NAME}", "{KERNELS}", "uvicorn", "websockets")
                   for module in collect_submodules(package)],
    module_collection_mode={{"{NAME}": "py", "{KERNELS}": "py"}})
program = EXE(PYZ(analysis.pure), analysis.scripts, exclude_binaries=True, name="gtp-engine")
COLLECT(program, analysis.binaries, analysis.datas, name="{NAME}")
'''
DESKTOP = """[Desktop Entry]
Type=Application
Name=gtp_engine
Comment=Play Gomoku, Renju and their relatives in the browser
Exec=sh -c 'exec "$(dirname "$1")/gtp-engine"' sh %k
Terminal=true
"""
TEXT = """gtp_engine: the board in the browser

Linux:    run ./gtp-engine in a terminal, or double-click gtp-engine.desktop (permit it to start).
Windows:  double-click gtp-engine.exe.

The board opens in your browser.  Ctrl-C in the terminal ends the program, and games are saved.
"""


def main(wheel: Path, folder: Path) -> None:
    """Build the archive, and let its program play a move."""
    with TemporaryDirectory() as temporary:
        work = Path(temporary)
        venv.create(work / "venv", with_pip=True)
        programs = work / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run([programs / "python", "-m", "pip", "install", "--quiet", "pyinstaller",
                        f"{wheel.resolve()}[web]"], check=True)
        (work / "start.py").write_text(PROGRAM, encoding="utf-8")
        (work / "board.spec").write_text(SPEC, encoding="utf-8")
        subprocess.run([programs / "pyinstaller", "--log-level", "ERROR", "board.spec"], cwd=work,
                       check=True)
        packed = work / "dist" / NAME
        (packed / "readme.txt").write_text(TEXT, encoding="utf-8")
        if sys.platform == "linux":
            (packed / "gtp-engine.desktop").write_text(DESKTOP, encoding="utf-8")
            (packed / "gtp-engine.desktop").chmod(0o755)
        played = subprocess.run([packed / "gtp-engine", "gtp", "--player", "alphabeta", "--time",
                                 "0.5"], input="genmove b\nquit\n", text=True, check=True,
                                capture_output=True)
        if not played.stdout.startswith("= "):
            sys.exit(f"the program plays no move: {played.stdout}{played.stderr}")
        version = subprocess.run([packed / "gtp-engine", "--version"], capture_output=True,
                                 text=True, check=True).stdout.split()[1]
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{NAME}-{version}-{'windows' if sys.platform == 'win32' else sys.platform}"
        # A zip file of Python has no permissions to execute; a tar file has.
        kind = "zip" if sys.platform == "win32" else "gztar"
        print(shutil.make_archive(str(folder / name), kind, packed.parent, NAME))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(*sys.argv[2:3] or ["dist"]))
