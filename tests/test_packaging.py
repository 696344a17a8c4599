"""Shell completion, manual pages and the description for package indexes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gtp_engine.__main__ import PROGRAMS
from tests.engine import PATIENCE

TOP = Path(__file__).parent.parent
COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
$(complete -p gtp-engine | sed 's/.* -F //; s/ .*//')
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def bash_script(tmp_path_factory):
    """The path of the script for bash."""
    pytest.importorskip("shtab")
    path = tmp_path_factory.mktemp("completion") / "gtp-engine"
    with path.open("w") as output:
        subprocess.run([sys.executable, "-m", "gtp_engine", "completion", "bash"], cwd=TOP,
                       stdout=output, check=True, timeout=PATIENCE)
    return path


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
@pytest.mark.parametrize("words, completions", [
    ("tour", "tournament"), ("verify-", "verify-qubic verify-gomoku"),
    ("referee --forb", "--forbidden"), ("referee --forbidden ", "refused loses"),
    ("gtp --player ", "flat random alphabeta"), ("gtp --game Ren", "Renju"),
    ("completion z", "zsh")])
def test_bash_completes(bash_script, words, completions):
    done = subprocess.run(["bash", "-c", COMPLETE, "bash", bash_script, "gtp-engine",
                           *words.split(" ")], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout.split(), done.stderr) == (completions.split(), "")


def test_bash_completes_files(bash_script, tmp_path):
    (tmp_path / "games.pgn").touch()
    (tmp_path / "folder").mkdir()
    for option, names in (("--collection", {"games.pgn", "folder"}), ("--data", {"folder"})):
        done = subprocess.run(["bash", "-c", COMPLETE, "bash", bash_script, "gtp-engine", "web",
                               option, f"{tmp_path}/"], capture_output=True, text=True)
        assert {Path(line).name for line in done.stdout.split()} == names


def test_manual_pages(tmp_path):
    pytest.importorskip("argparse_manpage")
    subprocess.run([sys.executable, TOP / "docs" / "site" / "manpages.py", tmp_path], check=True,
                   timeout=PATIENCE)
    pages = sorted(tmp_path.iterdir())
    assert {f"gtp-engine-{name}.1" for name in PROGRAMS} < {page.name for page in pages}
    text = (tmp_path / "gtp-engine-web.1").read_text(encoding="utf-8")
    assert r"\fB\-\-watch\-only\fR" in text and '"gtp_engine ' in text.split("\n")[0]
    for checker, number in ((["mandoc", "-T", "lint", "-W", "warning"], len(pages)),
                            (["man", "--warnings", "-E", "UTF-8", "-l"], 3)):
        if shutil.which(checker[0]):
            done = subprocess.run([*checker, *pages[:number]], capture_output=True, text=True,
                                  timeout=PATIENCE, env={**os.environ, "MANWIDTH": "120"})
            faults = done.stderr + (done.stdout if checker[0] == "mandoc" else "")
            assert faults == "", faults


def test_the_description_for_package_indexes():
    """It has no pictures, and its links lead to the site or the sources."""
    code = ("import sys, setuptools; sys.argv[1:] = ['-q', 'check']; "
            "import runpy; print(runpy.run_path('setup.py')['description']())")
    pytest.importorskip("setuptools")
    done = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, text=True,
                          check=True, timeout=PATIENCE)
    links = re.findall(r"\]\(([^)]*)\)", done.stdout)
    assert len(links) > 10 and all(link.startswith("https://") for link in links)
    assert "![" not in done.stdout and "# gtp_engine" in done.stdout
