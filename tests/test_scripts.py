"""The page's scripts without a browser, in node; skipped where that is missing."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from gtp_engine.games import catalogue
from gtp_engine.games.renju import DOUBLE_FOUR, DOUBLE_THREE, OVERLINE
from gtp_engine.web.server.pictures import picture_of
from tests.engine import PATIENCE

HERE = Path(__file__).parent
STATIC = [HERE.parent / "gtp_engine" / room / "static" for room in ("arena", "web")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the scripts and their tests, where node takes them for modules."""
    if shutil.which("node") is None:
        pytest.skip("there is no node")
    found = tmp_path_factory.mktemp("scripts")
    for path in STATIC:
        shutil.copytree(path, found / "static", dirs_exist_ok=True)
    shutil.copytree(HERE / "js", found / "js")
    (found / "package.json").write_text(json.dumps({"type": "module"}), encoding="ascii")
    return found


def test_scripts(folder):
    """All of tests/js in one process of node."""
    names = sorted(path.name for path in (HERE / "js").glob("*.mjs"))
    (folder / "js" / "all.mjs").write_text(
        "".join(f"import './{name}';\n" for name in names), encoding="utf-8")
    done = subprocess.run(["node", "--test", "js/all.mjs"], cwd=folder, capture_output=True,
                          text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"^# tests (\d+)$", done.stdout, re.MULTILINE)[1]) > len(names)


def test_every_game_has_its_rules_in_the_page(folder):
    names = json.dumps([*catalogue.GAMES])
    (folder / "js" / "rules.mjs").write_text(
        "import { rulesOf } from '../static/game/rules.js';\n"
        f"console.log({names}.filter((name) => !rulesOf(name).short).join(' '));\n",
        encoding="utf-8")
    done = subprocess.run(["node", "js/rules.mjs"], cwd=folder, capture_output=True, text=True,
                          timeout=PATIENCE)
    assert (done.stdout, done.stderr) == ("\n", "")


def test_crosses_in_the_rules_of_renju(folder):
    """They stand on all the points that the rules forbid; the manual has the same picture."""
    (folder / "js" / "renju.mjs").write_text(
        "import { pictureAddress } from '../static/server/picture.js';\n"
        "import { rulesOf } from '../static/game/rules.js';\n"
        "const shown = rulesOf('Renju').position;\n"
        "console.log(JSON.stringify([shown, pictureAddress(shown)]));\n", encoding="utf-8")
    done = subprocess.run(["node", "js/renju.mjs"], cwd=folder, capture_output=True, text=True,
                          timeout=PATIENCE)
    shown, address = json.loads(done.stdout)
    picture = picture_of(dict(parse_qsl(address.removeprefix("picture.svg?"))))
    in_manual = HERE.parent / "docs" / "pictures" / "forbidden.svg"
    assert in_manual.read_text(encoding="utf-8") == picture, (
        "run python docs/pictures/pictures.py forbidden")
    position = catalogue.start(catalogue.RENJU, shown["size"])
    points = position.lattice.points
    position.setup([(int(held), point) for held, point in zip(shown["cells"], points)
                    if held != "0"])
    assert {*position.forbidden_points().values()} == {OVERLINE, DOUBLE_FOUR, DOUBLE_THREE}
    assert [points[place] for place in shown["crosses"]] == [*position.forbidden_points()]


def test_every_script_and_style_is_packed():
    """What the page loads is there, and nothing lies there that it does not load."""
    files = {path.relative_to(folder).as_posix(): path for folder in STATIC
             for path in folder.rglob("*.*") if path.parent.name != "texts"}
    used, seen = {"index.html"}, set()
    while used - seen:
        name = (used - seen).pop()
        seen.add(name)
        if name.endswith((".html", ".js", ".json")):
            text = files[name].read_text(encoding="utf-8")
            used |= {*re.findall(r"(?:\"static/|\"src\": \")([\w.-]+)\"", text)}
            used |= {os.path.normpath(f"{os.path.dirname(name)}/{other}").lstrip("/")
                     for other in re.findall(r"from \"(\.[\w./-]+)\"", text)}
    assert seen == {*files}
