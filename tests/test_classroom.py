"""Test files, submissions that do harm, and what comes out for a class, as real processes."""

import csv
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gtp_engine.classroom import dialogue, sandbox
from gtp_engine.classroom.course import read_course
from gtp_engine.classroom.dialogue import words_of
from gtp_engine.classroom.patterns import compiled
from gtp_engine.classroom.submissions import submissions_in
from gtp_engine.classroom.testfile import BadFormat, expand, steps_of
from gtp_engine.classroom.unpack import BadSubmission, unpack
from tests.programs import TOP, is_harmless, marked, running, until
from tests.school import COURSE, KEEPING_APART, Class, fakes, gtp_engine, need

STUB = f"{sys.executable} {TOP / 'tests' / 'data' / 'stub.py'}"


# --- patterns ------------------------------------------------------------------------------------

PATTERNS = [  # of Java, what it matches, what it does not
    (".*", ["", "a\nb"], []), ("a(?i)B|c", ["aB", "ab", "C"], ["AB"]),
    ("(a(?i)b|c)d", ["aBd", "Cd"], ["abD"]), ("[a-c[x-z]]+", ["axbz"], ["d", "["]),
    ("[a-z&&[^b]]+", ["ac"], ["b", "&"]), ("[^a[bc]]", ["d"], ["a", "b", "c"]),
    ("[]a]+", ["]a"], ["b"]), (r"\Qa.b\E+", ["a.b", "a.bb"], ["axb"]),
    (r"[\Q]\E]", ["]"], ["Q"]), ("x{2,3}", ["xx"], ["x"]), (r"\p{Alpha}+", ["aZ"], ["é", "1"]),
    (r"\pL+", ["é"], ["1"]), (r"\P{Alpha}", ["1"], ["a"]), (r"[\p{Alpha}\d]+", ["a1"], ["-"]),
    (r"\h", [" ", "\t"], ["\n"]), (r"\R", ["\n", "\x0b"], ["a"]), (r"a\z", ["a"], ["a\n"]),
    ("^a$\n^b$", ["a\nb"], ["ab"]), ("^", [], [""]), ("(?<n>a)\\k<n>", ["aa"], ["a"]),
    (r"\x41\u0042\x{43}\0104", ["ABCD"], []), ("(?>a+)b|c*+", ["aab", "cc"], ["ab c"]),
    (r"\w+", ["a_1"], ["é"]), ("a]", ["a]"], []), ("a}", ["a}"], []), ("a|b|", ["", "a"], ["c"]),
    ("(?s)(?-s)a.b", ["axb"], ["a\nb"]),
]


@pytest.mark.parametrize("pattern, good, bad", PATTERNS)
def test_patterns(pattern, good, bad):
    assert [text for text in good + bad if compiled(pattern).fullmatch(text)] == good


@pytest.mark.parametrize("pattern", [
    "(a", "a)", "[a", "*a", "a**", "{a", "a{", "x{,3}", r"\y", "(?P<n>a)", "(?#x)", "\\",
    r"\p{X y}", "[z-a]", r"\k", "a{3,2}"])
def test_what_java_does_not_know(pattern):
    with pytest.raises(ValueError, match="not a regular expression"):
        compiled(pattern)


# --- test files ----------------------------------------------------------------------------------

FORMATS = [  # a file, (id, command, pattern) of its commands, the first fault
    ("5 name\n#? [x]\n", [(5, "name", "x")], ""), ("name\n#?[x]*\n", [(-1, "name", "x")], ""),
    ("7 a # b\r\n#? [!x ]", [(7, "a # b", "!x")], ""), ("+7 a\ta", [(7, "a a", None)], ""),
    ("-7 a", [(-7, "-7 a", None)], ""), ("7", [(-1, "7", None)], ""),
    ("7 a\n#?", [(7, "a", None)], ""),
    ("9999999999 a", [(-1, "9999999999 a", None)], ""),
    ("a\n\n#? [x]", [(-1, "a", None)], "Response pattern without preceding test command"),
    ("a\n# b\n#? [x]", [(-1, "a", None)], "Response pattern without preceding"),
    ("a\n#? x]", [(-1, "a", None)], "Pattern has no opening bracket: x]"),
    ("a\n#? [x] *", [(-1, "a", None)], "Pattern has no closing bracket: [x]"),
    ("a\n#? [x]\n#? [x]", [(-1, "a", "x")], "Response pattern without preceding"),
]


@pytest.mark.parametrize("text, commands, fault", FORMATS)
def test_formats(text, commands, fault):
    steps = steps_of(text, Path("x.tst"))
    assert [(step.id, step.command, step.expected and step.expected.text)
            for step in steps if step.command] == commands
    assert fault in next((step.fault for step in steps if step.fault), "")
    assert any(step.fault for step in steps) == bool(fault)


def test_suites(tmp_path):
    for name in ("a.tst", "b.tst"):
        (tmp_path / name).write_text("name\n")
    (tmp_path / "one").write_text(f"# files\n{tmp_path}/a.tst\n\n@{tmp_path}/two\n")
    (tmp_path / "two").write_text(f" {tmp_path}/b.tst \n")
    assert expand([f"@{tmp_path}/one"]) == [f"{tmp_path}/a.tst", f"{tmp_path}/b.tst"]
    (tmp_path / "two").write_text(f"@{tmp_path}/one\n")
    with pytest.raises(BadFormat, match="itself"):
        expand([f"@{tmp_path}/one"])
    with pytest.raises(BadFormat, match="File not found: x"):
        expand(["x"])


def test_commands_are_split_as_gogui_does():
    assert words_of(r'a "b c"  d"e f" \"g') == ["a", "b c", "de f", r'\"g']
    assert words_of("'a b'") == ["'a", "b'"] and words_of(" ") == []
    assert words_of("a %SRAND")[1].isdigit()


# --- one engine: what gogui-regress 1.6.0 prints and returns ------------------------------------

RUNS = [  # how the engine behaves, a file, lines with -long and without, exit status
    ("", "1 echo a\n#? [a]\n", ["1 passed"], [], 0),
    ("", "1 echo b\n#? [a]\n", ["1 FAILED: Correct 'a', got 'b'"],
     ["1 unexpected FAIL: Correct 'a', got 'b'"], 1),
    ("", "echo b\n#? [!b]*\n", ["-1 failed: Correct '!b', got 'b'"], [], 0),
    ("", "1 echo a\n#? [a]*\n", ["1 PASSED"], ["1 unexpected PASS!"], 0),
    ("", "1 fail x\n#? [.*]\n", ["1 FAILED: Correct '.*', got 'x'"],
     ["1 unexpected FAIL: Correct '.*', got 'x'"], 1),
    ("", "1 fail x\necho a\n", ["1 unexpected FAIL: 'x'"], ["1 unexpected FAIL: 'x'"], 0),
    ("", "1 lines A B\n#? [A\\nB]\n", ["1 passed"], [], 0),
    ("chatty", "1 echo a\n#? [a]\n", ["1 passed"], [], 0),
    ("crlf", "1 lines A B\n#? [A\\nB]\n", ["1 passed"], [], 0),
    ("", "1 echo a\n#? [(]\n", [], [], 2),
    ("", "1 fail a\n#? [(]\n", ["1 FAILED: Correct '(', got 'a'"],
     ["1 unexpected FAIL: Correct '(', got 'a'"], 1),
    ("", "1 die\n#? [a]\n2 echo a\n#? [a]\n", [], [], 2),
    ("", "1 echo a\n#? [b]\n\n#? [c]\n", ["1 FAILED: Correct 'b', got 'a'"],
     ["1 unexpected FAIL: Correct 'b', got 'a'"], 2),
    ("", "1 quit\n#? []\n", ["1 passed"], [], 0), ("noquit", "", [], [], 2),
    ("badquit", "", [], [], 2), ("dies", "1 echo a\n#? [a]\n", ["1 passed"], [], 0),
]


@pytest.mark.parametrize("behaviour, text, long, brief, status", RUNS)
@pytest.mark.few(8)
def test_what_gogui_regress_does(behaviour, text, long, brief, status, tmp_path, ours):
    (tmp_path / "x.tst").write_text(text)
    for options, lines in ((["-long"], long), ([], brief)):
        code, output, errors = ours("regress", f"{STUB} {behaviour}", *options, "-output",
                                    tmp_path / "out", tmp_path / "x.tst")
        found = [line for line in output.splitlines() if not line.startswith("Summary: ")]
        assert (found, code) == (lines, status), errors
        assert bool(errors) == (status == 2)
    assert {"x.html", "x.out.html"} <= {path.name for path in (tmp_path / "out").iterdir()}
    assert (tmp_path / "out" / "summary.dat").exists() == (status != 2)


LATE = [  # options, what the engine does, why the file was not run to its end
    (["--seconds-per-command", "0.5"], "1 echo a\n#? [a]\n2 hang\n#? [b]\n3 echo a\n#? [a]\n",
     "no reply within 0.5 seconds for the command"),
    (["--seconds-per-command", "0.5"], "1 echo a\n#? [a]\n2 mutter\n#? [b]\n3 echo a\n#? [a]\n",
     "no reply within 0.5 seconds for the command; 'hm' is not a reply"),
    (["--seconds-per-file", "2"], "1 echo a\n#? [a]\n2 hang\n#? [b]\n3 echo a\n#? [a]\n",
     "no reply within 2 seconds for the whole file"),
]


@pytest.mark.parametrize("options, text, reason", LATE)
@pytest.mark.few(1)
def test_limits_of_time(options, text, reason, tmp_path, ours):
    (tmp_path / "x.tst").write_text(text)
    status, _, errors = ours(
        "regress", STUB, *options, "-output", tmp_path, "--csv", tmp_path / "x.csv", "--junit",
        tmp_path / "x.xml", "--html", tmp_path / "page", tmp_path / "x.tst")
    assert status == 2 and reason in errors
    rows = [*csv.DictReader((tmp_path / "x.csv").open())]
    assert [row["status"] for row in rows] == ["pass", "FAIL", "FAIL"]
    assert [reason in row["note"] for row in rows] == [False, True, True]
    suite, = ElementTree.parse(tmp_path / "x.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "2", "1")
    shown = unescape((tmp_path / "page" / "index.html").read_text())
    assert reason in shown


def test_commands_before_each_file(tmp_path, ours):
    (tmp_path / "before").write_text("echo first\n")
    (tmp_path / "x.tst").write_text("1 echo a\n#? [a]\n")
    status, output, errors = ours("regress", STUB, "-gtpfile", tmp_path / "before", "-verbose",
                                  "-output", tmp_path, tmp_path / "x.tst")
    assert (status, output) == (0, "")
    assert errors.index("echo first") < errors.index("echo a")


@pytest.mark.parametrize("words, run", [((), {"a"}), (("--keep-going",), {"a", "b"})])
def test_files_after_one_that_was_not_run_to_its_end(words, run, tmp_path, ours):
    (tmp_path / "a.tst").write_text("1 die\n#? [a]\n")
    (tmp_path / "b.tst").write_text("1 echo b\n#? [b]\n")
    status, _, errors = ours("regress", STUB, *words, "-output", tmp_path / "out",
                             tmp_path / "a.tst", tmp_path / "b.tst")
    assert status == 2 and errors
    assert {path.name for path in (tmp_path / "out").glob("?.html")} == {
        f"{name}.html" for name in run}
    assert (tmp_path / "out" / "summary.dat").exists() == bool(words)


def test_a_pattern_that_takes_years(tmp_path):
    (tmp_path / "x.tst").write_text(f"1 echo {40 * 'x'}\n#? [(x+x+)+y]\n2 echo a\n#? [a]\n")
    out = gtp_engine("regress", STUB, "-output", tmp_path, "--seconds-per-command", "1", "--csv",
                     tmp_path / "x.csv", tmp_path / "x.tst")
    rows = [*csv.DictReader((tmp_path / "x.csv").open())]
    assert [row["status"] for row in rows] == ["FAIL", "pass"] and out.returncode == 1
    assert "not decided within 1 seconds" in rows[0]["note"]


def test_files_in_parallel_come_out_in_their_order(tmp_path):
    for number in range(4):
        (tmp_path / f"{number}.tst").write_text(f"{number} echo x\n#? [y]\n")
    words = ["regress", STUB, "-output", tmp_path, *sorted(tmp_path.glob("*.tst"))]
    one, many = gtp_engine(*words), gtp_engine(*words, "--jobs", "2")
    assert one.stdout == many.stdout and one.returncode == many.returncode == 1
    assert [line.split()[1] for line in many.stdout.splitlines()] == ["0", "1", "2", "3"]


@pytest.mark.parametrize("option, reply, pattern", [
    ("--lower-case", "A1", "a1"), ("--blanks", "a1  b2", "a1 b2"),
    ("--any-order", "b2 a1", "a1 b2")])
def test_tolerances(option, reply, pattern, tmp_path, ours):
    (tmp_path / "x.tst").write_text(f"1 echo_raw {reply}\n#? [{pattern}]\n")
    words = ["regress", STUB, "-output", tmp_path, tmp_path / "x.tst"]
    assert [ours(*words)[0], ours(*words, option)[0]] == [1, 0]


def test_what_engines_print_is_harmless(tmp_path):
    (tmp_path / "x.tst").write_text("1 escapes\n#? [a]\n")
    out = gtp_engine("regress", STUB, "-output", tmp_path, "--html", tmp_path / "page",
                     tmp_path / "x.tst")
    assert is_harmless(out.stdout.replace("\n", "")) and r"\x07" in out.stdout
    for path in (tmp_path / "page" / "index.html", tmp_path / "x.html", tmp_path / "x.out.html"):
        text = path.read_text()
        assert is_harmless(text) and "<script" not in text and "&lt;script" in text


# --- archives ------------------------------------------------------------------------------------

def packed(path, **files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_paths_and_links_that_lead_outside(tmp_path):
    with tarfile.open(tmp_path / "x.tar", "w") as archive:
        for name, kind, target in (("link", tarfile.SYMTYPE, "/etc"),
                                   ("hard", tarfile.LNKTYPE, "/etc/passwd"),
                                   ("fifo", tarfile.FIFOTYPE, "")):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            archive.addfile(member)
        for name in ("link/x", "../x", "/x", "a/../../x", "good", "good/x", "n" * 300):
            member = tarfile.TarInfo(name)
            member.size = 1
            archive.addfile(member, io.BytesIO(b"x"))
    folder, notes = unpack(tmp_path / "x.tar", tmp_path / "out", ())
    assert {str(path.relative_to(folder)) for path in folder.rglob("*")} == {
        "good", "link", "link/x"} and not (folder / "link").is_symlink()
    assert len(notes) == 8 and not (tmp_path / "x").exists() and not Path("/x").exists()


def test_a_wanted_file_is_found(tmp_path):
    path = packed(tmp_path / "x.zip", **{"a/b/main.py": "", "a/notes": "", "__MACOSX/main.py": ""})
    assert unpack(path, tmp_path / "out", ["main.py"])[0].name == "b"


@pytest.mark.parametrize("data, reason", [
    (b"nonsense" * 100, "cannot be unpacked"), (b"", "cannot be unpacked"),
    (b"\x1f\x8b nonsense", "cannot be unpacked"), (b"PK\x03\x04 nonsense", "cannot be unpacked")])
def test_what_is_no_archive(data, reason, tmp_path):
    (tmp_path / "x.tgz").write_bytes(data)
    with pytest.raises(BadSubmission, match=reason):
        unpack(tmp_path / "x.tgz", tmp_path / "out", ())


def test_names_of_submissions(tmp_path):
    for name in ("a.tgz", "a.zip", "B b.tar.gz", "$x", ".DS_Store", "b_b"):
        (tmp_path / name).write_text("")
    found = submissions_in(tmp_path)
    assert [each.name for each in found] == ["$x", "B b", "a.tgz", "a.zip", "b_b"]
    assert len({each.key.lower() for each in found}) == 5


@pytest.mark.parametrize("line, reason", [
    ("engine = 3", "x.toml: engine must be a text"), ("engine = ''", "engine must be a command"),
    ("engine = '\"'", "engine must be a command: No closing quotation"),
    ("memory = 'x'", r"memory \(MB\) is not a whole number: x"),
    ("memory = true", "memory must be a number or a text, not True"),
    ("seconds_per_file = 0", "seconds_per_file: time must be above 0"),
    ("speed = 1", "speed: there is no such field .the fields are: engine "),
    ("required = 'x'", "required must be a list"),
    ("required = ['x', 3]", r"required\[2\] must be a text"),
    ("tolerances = ['x']", r"tolerances\[1\] must be one of: ")])
def test_courses_that_are_refused(line, reason, tmp_path):
    lines = dict(engine='engine = "x"', seconds_per_command="seconds_per_command = 1",
                 seconds_per_file="seconds_per_file = 1", memory="memory = 1")
    lines[line.split()[0]] = line
    (tmp_path / "x.toml").write_text("\n".join(lines.values()))
    with pytest.raises(ValueError, match=reason):
        read_course(tmp_path / "x.toml")


# --- classes -------------------------------------------------------------------------------------

@pytest.mark.first
@pytest.mark.parametrize("only", [
    pytest.param(("crashes", "eats-memory", "escapes", "overwrites-files", "daemon", "starter",
                  "cut", "outside"), marks=pytest.mark.part, id="some"),
    pytest.param((), marks=pytest.mark.thorough, id="all")])
def test_a_class_of_good_and_evil_submissions(only, tmp_path):
    """In the sandbox that is chosen; tests/test_sandbox.py has some of them in each kind."""
    need(*KEEPING_APART)
    school = Class(tmp_path, only)
    out = gtp_engine(*school.words("--jobs", "4"))  # most of them wait for a limit of time
    assert out.returncode == 0 and out.stderr == "", out.stderr
    assert school.found() == school.table
    assert school.is_unharmed()
    pages = [*school.results.rglob("*.html")]
    assert len(pages) == len(school.table) + 1
    for path in [*pages, *school.results.rglob("letter.txt")]:
        text = path.read_text()
        assert is_harmless(text) and "<script" not in text
    scores = json.loads((school.results / "crashes" / "results.json").read_text())["tests"]
    assert sum(test["score"] for test in scores) == fakes.UNTIL_THEN
    assert "out of luck" in (school.results / "crashes" / "index.html").read_text()


def test_limits_alone_come_with_one_warning(tmp_path):
    school = Class(tmp_path, ("right", "crashes", "eats-memory", "floods", "compile-error"))
    out = gtp_engine(*school.words("--isolation", sandbox.LIMITS))
    assert out.stderr.count("\n") == 1 and "only their time, memory" in out.stderr
    assert school.found() == school.table and school.is_unharmed()


@pytest.mark.thorough
def test_a_class_that_is_killed_goes_on(tmp_path):
    need(*KEEPING_APART)
    school = Class(tmp_path, ("right", "folder", "zipped", "hangs"))
    words = [sys.executable, "-m", "gtp_engine", *map(str, school.words("--jobs", "1"))]
    process = subprocess.Popen(words, cwd=TOP, stdout=subprocess.DEVNULL)
    until(lambda: [*school.results.glob("*/record.json")])
    process.kill()
    process.wait()
    until(lambda: not running(str(school.results)) and not marked(process.pid))
    done = {path: path.stat().st_mtime_ns for path in school.results.glob("*/record.json")}
    assert len(done) < len(school.table)
    assert gtp_engine(*school.words()).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in done} == done
    assert school.found() == school.table and school.is_unharmed()


def test_a_submission_that_has_changed_is_run_again(tmp_path):
    need(*KEEPING_APART)
    school = Class(tmp_path, ("folder", "compile-error"))
    gtp_engine(*school.words())
    (school.folder / "submissions" / "folder" / "gomoku.py").write_text("def play(:\n")
    gtp_engine(*school.words())
    assert school.found() == {"folder": 0, "compile-error": 0}


@pytest.mark.parametrize("bad, status, players", [("lose", 0, 3), ("leave-out", 0, 2)])
@pytest.mark.few(1)
def test_leagues(bad, status, players, tmp_path):
    need(*KEEPING_APART)
    school = Class(tmp_path, ("right", "crashes", "compile-error"))
    out = gtp_engine("league", "--submissions", school.folder / "submissions", "--course",
                     school.course, "--results", school.results, "--bad", bad)
    assert out.returncode == status and "compile-error: the program has ended" in out.stderr
    rows = [*csv.DictReader((school.results / "report" / "players.csv").open())]
    assert len(rows) == players and school.canary.read_text() == "alive"
    assert all(row["points"] == "0.0" for row in rows if row["name"] == "compile-error")
    assert not running(str(school.results))


# --- check ---------------------------------------------------------------------------------------

FAULTS = [  # what is changed in the starter, the only fault that is named
    ("", "", ""),
    ("{sign}{number} {text}", "{sign} {text}", "the reply must repeat the number"),
    ("{sign}{number} {text}", "{sign}{number if sign == '=' else ''} {text}",
     "the reply must repeat the number"),
    ("{sign}{number} {text}", "{sign}{number}{text}", "the reply must repeat the number"),
    ('sign, text = "?", "unknown command"', 'text = ""', "the reply to an unknown command"),
    ("            continue", "", "the program has ended with status 1"),
    ("            continue", "            print('? what', end=2 * chr(10), flush=True)\n"
     "            continue", "empty lines must not be answered"),
    ("            continue", "            print('= ', end=2 * chr(10), flush=True)\n"
     "            continue", "empty lines must not be answered"),
    ('line.partition("#")[0].split()', 'line.split()', "text after a # is a comment"),
    ("wrong color", "wrong colour", "the colour comes first"),
    ("wrong coordinate", "off the board", "this point is not on the board"),
    ('"ABCDEFGHJKLMNOPQRSTUVWXYZ"', '"ABCDEFGHIJKLMNOPQRSTUVWXYZ"', "there is no column I"),
    ("if point in self.stones:", "if False:", "there is a stone on this point"),
    ('return "resign" if', 'return "pass" if', "the game is over"),
    ("all(self.stones.get((x + i * dx, y + i * dy)) == colour for i in range(5))", "False",
     "the result is `"),
    ('        self.side = "w" if', '        self.side = "b" if', "after a move of Black"),
    ("return f\"{COLUMNS[point[0]]}", "return f\"{COLUMNS[point[0]].lower()}",
     "GoGui requires points in upper case"),
    ("        sign = ", "        print('thinking')\n        sign = ", "`thinking` is not part of"),
    ("        sign = ", "        print()\n        sign = ", ""),
    ("{text}\\n\"", "{text}\\n\\n\"", ""),
    (", flush=True", ", flush=True)\n        print(f\"{sign}{number} {text}\\n\", flush=True",
     "was answered more than once"),
    (", flush=True", ", flush=True)\n        print(f\"= {text}\\n\", flush=True",
     "was answered more than once"),
    (", flush=True", "", "must be flushed"),
    ("{sign}{number} {text}\\n", "{text}", "`Random` is not part of a reply"),
    ("{sign}{number} {text}\\n", "{sign}{number} {text}", "followed by an empty line"),
    ('"genmove": lambda', '"gen": lambda', "does not name genmove"),
    ('"list_commands": lambda: "\\n".join(COMMANDS), ', "", "the reply to `list_commands`"),
    ('        return ""\n\n    def put', '        return "ok"\n\n    def put',
     "the reply to a legal move"),
]


@pytest.mark.parametrize("old, new, said", FAULTS)
@pytest.mark.few(4)
def test_check(old, new, said, tmp_path, ours, monkeypatch):
    """One thing is wrong with the engine, and one fault is named."""
    text = (COURSE / "starter" / "gomoku.py").read_text()
    assert old in text
    seeded = "import random\n\nrandom.seed(1)  # in a draw nobody resigns\n"
    text = text.replace("import random\n", seeded)
    (tmp_path / "gomoku.py").write_text(text.replace(old, new) if old else text)
    hangs = "flush" in said or "Random" in said or "empty line" in said
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    monkeypatch.setattr(dialogue, "LOADING_SECONDS", 3)
    status, output, _ = ours("check", f"{sys.executable} {tmp_path / 'gomoku.py'}", "--size", "7",
                             "--seconds-per-command", "1" if hangs else "60")
    found = [line for line in output.splitlines() if line.startswith("FAULT: ")]
    assert len(found) == bool(said), found
    assert said in output
    assert status == (0 if not said else 2 if "the dialogue has ended" in output else 1)


def test_the_course_in_a_box(tmp_path):
    """The solution passes all tests of the course, the starter those that it should."""
    tests = sorted((COURSE / "tests").glob("*.gtp"))
    for name, passed in (("solution", fakes.ALL), ("starter", fakes.STARTER)):
        out = gtp_engine("regress", "-long", "-output", tmp_path,
                         f"{sys.executable} {COURSE / name / 'gomoku.py'}", *tests)
        lines = out.stdout.splitlines()
        assert sum(line.endswith(" passed") for line in lines) == passed


@pytest.mark.parametrize("name, options", [("policy", ""), ("pente", "--game Pente")])
def test_more_files_of_the_course(name, options, tmp_path):
    """Our own engine passes them."""
    out = gtp_engine("regress", f"{sys.executable} {TOP / 'gomoku3.py'} {options}", "-output",
                     tmp_path, COURSE / "more" / f"{name}.gtp")
    assert (out.stdout, out.returncode) == ("", 0)
