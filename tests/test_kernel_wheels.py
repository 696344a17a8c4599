"""Wheels with machine code: shared libraries that are used without Numba."""

import ctypes
import os
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from gtp_engine.command_line.programs import build_kernels
from gtp_engine.games import catalogue
from gtp_engine.kernels import Call
from gtp_engine.kernels.machine import linker, prebuilt
from gtp_engine.kernels.machine.native import requests_for
from gtp_engine.players.playouts import calls_of_playouts
from tests.engine import PATIENCE, SCRIPT
from tests.programs import TOP
from tests.test_cache import bits_and_sum, largest

pytestmark = pytest.mark.skipif(
    linker.this_system() not in linker.SYSTEMS or linker.command(linker.this_system()) is None,
    reason="there is no linker for this system")

CALLS = [
    Call(bits_and_sum, (np.array([3, -5, 2**62], np.int64), np.array([3], np.uint8), -7)),
    Call(bits_and_sum, (np.zeros(0, np.int64), np.array([2, 3], np.uint8), True)),
    Call(largest, (np.arange(12, dtype=np.uint16).reshape(3, 4),))]
# Features of each level, by LLVM's names (x86-64 psABI, 3.1).
FEATURES = {
    "x86-64-v2": {"cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"},
    "x86-64-v3": {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"},
    "x86-64-v4": {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"}}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with a package of some kernels, and the folder of their object files."""
    folder, name = tmp_path_factory.mktemp("built"), linker.this_system()
    requests = requests_for([*CALLS, *calls_of_playouts(catalogue.GOMOKU, "random")])
    build_kernels.build_libraries(folder, requests, [name], [])
    return folder / name, folder / "objects" / name


@pytest.fixture
def site(built, tmp_path):
    """A copy of that folder, which a test may change."""
    return shutil.copytree(built[0], tmp_path / "site")


def level_of_host(package):
    """The level that the lowest library returns; None on processors without levels."""
    if prebuilt.architecture() != "x86_64":
        return None
    lowest = prebuilt.file_name(prebuilt.LEVELS["x86_64"][0])
    return ctypes.CDLL(str(package / lowest))[prebuilt.LEVEL]()


def test_the_level_of_the_processor(built):
    from llvmlite import binding
    features = {name for name, has in binding.get_host_cpu_features().items() if has}
    level = prebuilt.LOWEST_X86 - 1
    for needed in FEATURES.values():
        if not needed <= features:
            break
        level += 1
    assert level_of_host(built[0] / prebuilt.PACKAGE) in (None, level)


@pytest.mark.parametrize("level", prebuilt.LEVELS.get(prebuilt.architecture(), ()))
def test_results_are_those_of_numba(level, built, monkeypatch):
    package = built[0] / prebuilt.PACKAGE
    highest = level_of_host(package)
    if highest is not None and level[-1:] > str(highest):
        pytest.skip("this processor has a lower level")
    expected = [call.kernel(*call.args) for call in CALLS]
    for kernel in (bits_and_sum, largest):
        monkeypatch.setattr(kernel, "_loaded", {})
    library = ctypes.CDLL(str(package / prebuilt.file_name(level)))
    with monkeypatch.context() as patch:
        patch.setattr(prebuilt, "_library", lambda folder: library)
        patch.syspath_prepend(built[0])
        prebuilt._state.cache_clear()
        assert prebuilt.complaint() is None
        assert all(prebuilt.has(each.symbol) for each in requests_for(CALLS))
        assert [call.kernel(*call.args) for call in CALLS] == expected
    prebuilt._state.cache_clear()
    assert not prebuilt.has(requests_for(CALLS)[0].symbol)


def first_move(folder, *words, without=(), **variables):
    """The output of the engine for its first move, with a cache folder of its own."""
    blocked = "".join(f"sys.modules[{name!r}] = None; " for name in without)
    program = f"import sys; {blocked}from gtp_engine.__main__ import gomoku3; sys.exit(gomoku3())"
    return subprocess.run([sys.executable, "-c", program, *words], input="genmove b\n", text=True,
                          capture_output=True, timeout=PATIENCE, cwd=SCRIPT.parent,
                          env=os.environ | {"XDG_CACHE_HOME": str(folder)} | variables)


def test_an_engine_without_numba(site, tmp_path):
    """It plays with the machine code of the package; a kernel that is not there needs Numba."""
    cache, without = tmp_path / "cache", ("numba", "llvmlite", "rich")
    done = first_move(cache, "--policy", "random", without=without, PYTHONPATH=str(site))
    assert done.stdout.startswith("= ") and done.stderr == ""
    done = first_move(cache, "--player", "alphabeta", without=without, PYTHONPATH=str(site))
    assert done.stdout.startswith("? ") and (
        "needs the package numba, which is not installed: python -m pip install '.[compile]' in "
        "the folder of the sources installs it") in done.stdout
    program = ("import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None\n"
               "import gtp_engine.kernels.renju as renju; renju.verdict(0)")
    failed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                            timeout=PATIENCE, cwd=SCRIPT.parent,
                            env=os.environ | {"PYTHONPATH": str(site)})
    assert failed.stderr.endswith(
        "ModuleNotFoundError: verdict needs the compiler, which is not installed: python -m pip "
        "install 'gtp_engine[compile]' installs it\n")
    (site / prebuilt.PACKAGE / prebuilt.KEY_FILE).write_text('{"sources": "", "results": {}}')
    done = first_move(cache, "--policy", "random", without=without, PYTHONPATH=str(site))
    assert done.stdout.startswith("? ") and "needs the package numba" in done.stdout
    assert "gtp_engine_kernels belongs to another version of the kernels" in done.stderr
    assert not cache.exists()


@pytest.mark.thorough
def test_a_package_that_does_not_fit(site, tmp_path):
    """It is not used; a line reports it once, and the kernels are compiled."""
    package = site / prebuilt.PACKAGE
    refused(site, "compiling race", NUMBA_OPT="2")
    for path in package.glob("*"):
        if path.name not in ("__init__.py", prebuilt.KEY_FILE) and path.is_file():
            path.rename(site / path.name)
    refused(site, "gtp_engine_kernels has nothing for this system and processor and is not used")
    (package / prebuilt.KEY_FILE).write_text('{"sources": "0123", "results": {}}')
    refused(site, "gtp_engine_kernels belongs to another version of the kernels and is not used")


def refused(site, warning, **settings):
    """The engine prints this warning at its first start, and compiles."""
    folder = site.parent / "own"
    words = "--policy", "random"
    done = first_move(folder, *words, PYTHONPATH=str(site), **settings)
    assert done.stderr.startswith(warning) and "compiling race" in done.stderr
    assert first_move(folder, *words, PYTHONPATH=str(site), **settings).stderr == ""
    shutil.rmtree(folder)


def test_links_are_reproducible(built, tmp_path):
    libraries = []
    level = prebuilt.LEVELS[prebuilt.architecture()][0]
    for name in ("a", "another"):
        objects = shutil.copytree(built[1] / level, tmp_path / name / "objects")
        linker.link(linker.this_system(), objects, tmp_path / name / "library")
        libraries.append((tmp_path / name / "library").read_bytes())
    assert libraries[0] == libraries[1]
    assert str(built[1]).encode() not in libraries[0] and b"/tmp" not in libraries[0]


@pytest.mark.thorough
def test_a_wheel(built, tmp_path, monkeypatch):
    """It needs no Numba, has a tag, is reproducible, and is used once it is installed."""
    pytest.importorskip("wheel")
    sources = tmp_path / "sources"
    shutil.copytree(TOP / "gtp_engine", sources / "gtp_engine",
                    ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("setup.py", "setup.cfg", "pyproject.toml", "README.md", "readme.txt", "LICENSE"):
        shutil.copy(TOP / name, sources)
    monkeypatch.setattr(build_kernels, "SOURCES", sources)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", build_kernels.EPOCH)
    wheels = []
    for name in ("a", "another"):
        (tmp_path / name).mkdir()
        plain = build_kernels.plain_wheel(tmp_path / name)
        folder = shutil.copytree(built[0], tmp_path / name / "folder")
        wheels.append(build_kernels.packed(plain, folder, linker.this_system(),
                                           tmp_path / name / "dist"))
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    assert not wheels[0].name.endswith("-any.whl")
    with zipfile.ZipFile(wheels[0]) as file:
        metadata, = (name for name in file.namelist() if name.endswith("/METADATA"))
        required = [line.partition(": ")[2] for line in file.read(metadata).decode().splitlines()
                    if line.startswith("Requires-Dist: ")]
    assert {name for name in required if ";" not in name} == {"filelock", "numpy", "platformdirs"}
    compiler = [name for name in required if name.startswith(("numba", "llvmlite"))]
    assert len(compiler) == 2 and all(name.endswith('; extra == "compile"') for name in compiler)

    target = tmp_path / "target"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                    "--target", str(target), str(wheels[0])], check=True, timeout=PATIENCE)
    program = ("import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None; "
               "from gtp_engine.__main__ import gomoku3; sys.exit(gomoku3())")
    for words, answer in ((["--policy", "random"], "= "), (["--player", "alphabeta"], "? ")):
        done = subprocess.run([sys.executable, "-c", program, *words], input="genmove b\n",
                              text=True, capture_output=True, timeout=PATIENCE, cwd=tmp_path,
                              env=os.environ | {"PYTHONPATH": str(target)})
        assert done.stdout.startswith(answer), done
    assert "python -m pip install 'gtp_engine[compile]' installs it" in done.stdout


@pytest.mark.parametrize("line, changed", [
    ("Requires-Dist: numba<0.69,>=0.61; python_version >= \"3.10\"",
     "Requires-Dist: numba<0.69,>=0.61; extra == \"compile\""),
    ("Requires-Dist: llvmlite", "Requires-Dist: llvmlite; extra == \"compile\""),
    ("Requires-Dist: numba; extra == \"test\"", "Requires-Dist: numba; extra == \"test\""),
    ("Requires-Dist: numpy", "Requires-Dist: numpy")])
def test_the_compiler_becomes_an_extra(line, changed):
    text = f"Name: gtp_engine\n{line}\nRequires-Dist: rich\n"
    assert build_kernels.COMPILER.sub(build_kernels.AS_EXTRA, text) == text.replace(line, changed)


def test_a_level_of_other_processors():
    """A wheel without any library would need Numba, and not say so."""
    done = subprocess.run([sys.executable, "-m", "gtp_engine", "build-kernels", "--system",
                           "linux-arm64", "--level", "x86-64-v2"], cwd=TOP, capture_output=True,
                          text=True, timeout=PATIENCE)
    assert done.returncode == 2
    assert done.stderr.endswith("linux-arm64 has only the levels generic\n")
