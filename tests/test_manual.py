"""docs/developers.md: what it adds, added to a copy; the files it names.  The ladder of
docs/tournaments.md: it can be played.  docs/commands.md: the table is that of the code.  The
readmes: both have the same two commands."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from random import Random

import pytest

from gtp_engine import __version__
from gtp_engine.arena.seats.spec import check, seat_of
from gtp_engine.tournament.contest import contest_of
from gtp_engine.wire.files import read_toml
from tests.engine import PATIENCE

TOP = Path(__file__).parent.parent
TEXT = (TOP / "docs" / "developers.md").read_text()


def blocks(heading, text=TEXT):
    """The blocks of code after this heading."""
    return re.findall(r"^```[a-z]*\n(.*?)\n```$", text[text.index(heading):],
                      flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def copy(tmp_path):
    """A copy of the sources."""
    for name in ("gtp_engine", "gomoku3.py"):
        (shutil.copytree if (TOP / name).is_dir() else shutil.copy)(TOP / name, tmp_path / name)
    return tmp_path / "gtp_engine"


def change(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new))


def answers(copy, lines, *words):
    out = subprocess.run([sys.executable, "-m", "gtp_engine", *words], input=lines, text=True,
                         capture_output=True, cwd=copy.parent, timeout=PATIENCE)
    assert out.returncode == 0 and out.stderr == "", out.stderr
    return out.stdout


def test_a_game(copy):
    row, = blocks("How to add a game")[:1]
    change(copy / "games" / "catalogue.py", "\nGAMES = {", f"{row}\n\nGAMES = {{")
    change(copy / "games" / "catalogue.py", "TIC_TAC_TOE)}", f"TIC_TAC_TOE, {row.split()[0]})}}")
    captures = "".join(f"play b {c}1\nplay w {c}2\nplay w {c}3\nplay b {c}4\n" for c in "acf")
    replies = answers(  # two moves of Black end its restricted opening
        copy, f"boardsize 9\nplay b e5\nplay b a9\n{captures}final_score\n", "gtp", "--game",
        "pente-SHORT", "--player", "random")
    assert replies.endswith("= B+R\n\n"), "three pairs are captured"


def test_a_player(copy):
    module, row = blocks("How to add a player")[:2]
    (copy / "players" / "first_player.py").write_text(
        f"from .base import Report, candidates\n\n\n{module}\n")
    change(copy / "players" / "registry.py", '"alphabeta": (', f'{row} "alphabeta": (')
    assert answers(copy, "genmove b\nname\nmove_values\n", "gtp", "--player", "first") == (
        "= A1\n\n= gtp_engine first\n\n= TEXT no values by first\n\n")


def test_a_command(copy):
    method, = blocks("How to add a command")[:1]
    path = copy / "protocols" / "gtp" / "session.py"
    change(path, "    # --- the player --", textwrap.indent(method, "    ")
           + "\n\n    # --- the player --")
    change(path, "self.komi,", "self.komi, self.count_stones,")
    assert answers(copy, "play b a1\ncount_stones b\nhelp count_stones\ncount_stones x\n", "gtp"
                   ).split("\n\n")[1:4] == [
        "= 1", "= count_stones COLOUR\nThe number of stones of COLOUR on the board.",
        "? invalid color: x"]


def test_a_protocol(copy):
    module, row = blocks("How to add a protocol")[:2]
    (copy / "protocols" / "chat.py").write_text(
        "from ..command_line.options import add_player_options, add_time, player_settings\n"
        "from ..games import catalogue\nfrom ..games.lattice import BLACK, WHITE\n"
        "from ..wire.clock import Clock\nfrom ..wire.notation import GtpPoints\n"
        "from ..wire.streams import serve_lines\nfrom .engine import Engine\n\n\n"
        f"{module}\n")
    change(copy / "__main__.py", "PROGRAMS = {", f"PROGRAMS = {{\n    {row}")
    moves = answers(copy, "H8\nH9\nbye\n", "chat", "--player", "random", "--seed", "1").split()
    assert len(moves) == 2 and all(re.fullmatch("[A-P][0-9]+", move) for move in moves)


def test_the_ladder(tmp_path):
    """Its seats can play, and those of the file and its anchors are those of the table."""
    text = (TOP / "docs" / "tournaments.md").read_text()
    table, file = blocks("Rungs with a known Elo", text)[:2]
    (tmp_path / "x.toml").write_text(file)
    contest = contest_of(read_toml(tmp_path / "x.toml"))
    rows = [line.split() for line in table.splitlines()[1:]]
    rungs = {name: (seat, float(elo)) for name, seat, elo, *_ in rows}
    assert len(rungs) == 9 and contest.openings == "even"
    assert contest.anchor == {name: rungs[name][1] for name in contest.anchor} != {}
    mine, *others = contest.players
    for name, seat in [*((name, seat) for name, (seat, _) in rungs.items()),
                       *((each.name, each.seat) for each in others)]:
        assert seat == rungs[name][0]
        check([seat_of(seat, mine.control, Random(1))], contest.rules, with_opening=True)
    assert contest.with_names([each.name for each in contest.players]).games == 10 * 2 * 20


def test_the_files_that_are_named():
    named = set(re.findall(r"\b(?:gtp_engine/)?(?:[a-z]+/)*[a-z_0-9-]+\.(?:py|md)\b", TEXT))
    named -= {"first_player.py", "chat.py"}
    assert len(named) > 25
    for name in named:
        assert any((folder / name).exists() for folder in (
            TOP, TOP / "docs", TOP / "gtp_engine", TOP / "gtp_engine" / "protocols" / "gtp")), name


def test_the_table_of_packages_is_that_of_the_sources():
    files = runpy.run_path(str(TOP / "docs" / "files.py"))
    assert files["page"]() == TEXT, "run python docs/files.py --write"
    assert [name for name, line in files["modules"]() if not line] == []


def test_the_version():
    """The changelog and the citation have that of the package, and the same date."""
    date = re.match(rf".*?## {re.escape(__version__)} \((\d{{4}}-\d\d-\d\d)\)\n",
                    (TOP / "changelog.md").read_text(), re.DOTALL)[1]
    citation = (TOP / "CITATION.cff").read_text()
    assert f'\nversion: "{__version__}"\ndate-released: {date}\n' in citation


PAGES = [TOP / "changelog.md", TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]


def test_every_page_is_listed():
    for page in PAGES[2:]:
        index = (page.parent / "index.md").read_text()
        assert page.name == "index.md" or f"]({page.name})" in index, page


def anchors(text):
    """The anchors of a page's headings."""
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    """Pages, pictures and sections that are linked exist; pages that the readme names do, too."""
    text = page.read_text()
    for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]*)\)", text):
        there = (page.parent / target).read_text() if target else text
        assert anchor in anchors(there), (target, anchor)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target
    for name in re.findall(r"\bdocs/[a-z/]+\.[a-z]+\b", text + (TOP / "readme.txt").read_text()):
        assert (TOP / name).exists(), name


def test_the_architecture_is_that_of_the_sources():
    drawn = runpy.run_path(str(TOP / "docs" / "pictures" / "architecture.py"))
    assert (TOP / "docs" / "pictures" / "architecture.svg").read_text() == drawn["drawing"](
        drawn["imports"]())
    with pytest.raises(ValueError, match="^rooms import each other: b c$"):
        drawn["layers"]({"a": set(), "b": {"a", "c"}, "c": {"b"}})


def test_every_picture_is_on_a_page():
    """None is large; those of pages have a digest of the page, which `--check` compares."""
    made = runpy.run_path(str(TOP / "docs" / "pictures" / "pictures.py"))
    text = "".join(page.read_text() for page in PAGES)
    found = {path.name: path.stat().st_size for path in made["HERE"].iterdir()
             if path.suffix in (".png", ".svg", ".webp")}
    assert {name for name in found if f"pictures/{name}" not in text} == set()
    assert {name for name, size in found.items() if size > (
        made["LARGEST_MOVING"] if name.endswith(".webp") else made["LARGEST"])} == set()
    assert json.loads(made["DIGESTS"].read_text()).keys() == {
        name for name in found if not name.endswith(".svg")}


def test_the_commands_are_those_of_the_code():
    page = runpy.run_path(str(TOP / "docs" / "site" / "commands.py"))
    text = page["PAGE"].read_text(encoding="utf-8")
    assert page["TABLES"].findall(text) == [page["tables"]()], "python docs/site/commands.py"


def test_both_readmes_have_the_same_commands():
    """`.ci/run` takes them from readme.txt."""
    commands = re.findall("^    (python3 -m venv .*)$", (TOP / "readme.txt").read_text(), re.M)
    assert len(commands) == 2
    assert re.findall("^python3 -m venv .*$", (TOP / "README.md").read_text(), re.M) == commands
