"""The parts of Numba that the compiler changes: each is there, and missed if it is not."""

import subprocess
import sys

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
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True,
                          timeout=PATIENCE)
    assert done.returncode == 1 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "lacks numba.core.codegen.JITCodeLibrary" in done.stderr
