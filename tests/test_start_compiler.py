"""The parts of Numba that the compiler changes: each is there, and missed if it is not."""

import ast
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine.kernels.machine import start_compiler
from tests.engine import PATIENCE
from tests.programs import TOP


@pytest.mark.parametrize("name", start_compiler.PARTS)
def test_each_part_is_missed(name, monkeypatch):
    """It is there; one beside it or in a module that does not exist is not."""
    others = [f"{name}_of_later", name.replace("numba.", "numba.later.")]
    monkeypatch.setattr(start_compiler, "PARTS", [name, *others])
    assert start_compiler.missing() == others


def test_another_numba_is_refused_in_a_line():
    code = ("from numba.core import codegen; del codegen.JITCodeLibrary\n"
            "from gtp_engine.kernels.machine.start_compiler import main; raise SystemExit(main())")
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True,
                          timeout=PATIENCE)
    assert done.returncode == 1 and done.stderr == b""
    text, package = pickle.loads(done.stdout)
    assert "lacks numba.core.codegen.JITCodeLibrary" in text and package is None


def private_parts_used():
    """The parts of numba.core, numba.np and numba._dynfunc that the compiler names, dotted."""
    source = Path(start_compiler.__file__).with_name("compiler.py")
    tree = ast.parse(source.read_text(encoding="utf-8"))
    modules, used = {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name.startswith(("numba.core.", "numba.np.", "numba._")):
                    modules[alias.asname or alias.name] = name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in modules:
                used.add(f"{modules[node.value.id]}.{node.attr}")
    named = {name.rpartition(".")[0] for name in used}
    return used | {name for name in modules.values() if name not in named}


def test_no_part_is_left_out():
    """What the compiler takes from inside Numba is asked for before it is started."""
    used = private_parts_used()
    assert len(used) > 10
    for name in used:
        assert any(f"{part}.".startswith(f"{name}.") for part in start_compiler.PARTS), name
