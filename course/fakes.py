"""Create a class of correct, wrong and hostile submissions, with the expected results.

    python fakes.py DIR [CANARY PORT]

Writes the submissions to DIR/submissions and the table of results to DIR/expected.csv.  Some try to
read and delete the file CANARY, and to connect to PORT of this computer.  They pass all tests if
that fails.
"""

import csv
import io
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Callable, NamedTuple

HERE = Path(__file__).parent
ALL, UNTIL_THEN, NONE, STARTER = 21, 13, 0, 19  # numbers of passed tests

# The action on a command for the result of the game, and the number of passed tests.
DEEDS = {
    "hangs": ("import time; time.sleep(3600)", UNTIL_THEN),
    "spins": ("while True: pass", UNTIL_THEN),
    "crashes": ("raise RuntimeError('out of luck')", UNTIL_THEN),
    "leaves": ("os._exit(0)", UNTIL_THEN),
    "killed": ("os.kill(os.getpid(), 9)", UNTIL_THEN),
    "closes-output": ("os.close(1); import time; time.sleep(3600)", UNTIL_THEN),
    "garbage": ("os.write(1, bytes(range(256)) * 10); import time; time.sleep(3600)", UNTIL_THEN),
    "floods": ("while True: os.write(1, b'nonsense ' * 1000 + b'\\n')", UNTIL_THEN),
    "floods-errors": ("while True: os.write(2, b'nonsense ' * 10 + b'\\n')", UNTIL_THEN),
    "endless-line": ("while True: os.write(1, b'= ' + b'x' * 10000)", UNTIL_THEN),
    "endless-reply": ("while True: os.write(1, b'= x\\n')", UNTIL_THEN),
    "eats-memory": ("x = [bytearray(1 << 20) for _ in range(10**6)]", UNTIL_THEN),
    "eats-memory-in-parts":
        ("[os.fork() for _ in range(3)]; x = [bytearray(1 << 20) for _ in range(60)]; import time; "
         "time.sleep(3600)", UNTIL_THEN),
    "fork-bomb": ("while True: os.fork()", UNTIL_THEN),
    "escapes": (r"print('\x1b]0;mine\x07\x1b[2J<script>alert(1)</script>'); "
                r"os.write(2, b'\x1b[2J<b>\n')", ALL),
    "reads-files": ("open(CANARY).read(); os._exit(0)", ALL),
    "deletes-files": ("os.remove(CANARY); os._exit(0)", ALL),
    "overwrites-files": ("open(CANARY, 'w').write('mine'); os._exit(0)", ALL),
    "network": ("import socket; socket.create_connection(('127.0.0.1', PORT), 5); os._exit(0)",
                ALL),
    "fills-disk": ("f = open('full', 'wb')\n    while True: f.write(bytes(1 << 20)); f.flush()",
                   ALL),
    "many-files": ("for i in range(10**6): open(f'x{i}', 'wb', 0).write(bytes(5000))", ALL),
    "deletes-itself": ("import shutil; shutil.rmtree('.', True); shutil.rmtree(os.getcwd(), True)",
                       ALL),
    "daemon": ("if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n"
               "            for each in range(3): os.dup2(os.open(os.devnull, os.O_RDWR), each)\n"
               "            os.execve(sys.executable, [sys.executable, '-c', "
               "'import time; time.sleep(3600)', CANARY], {})\n        os._exit(0)", ALL),
    "kills-parents": ("os.kill(os.getppid(), 9)", ALL),
    "kills-all": ("os.kill(-1, 9)", ALL),
    "stops-parents": ("os.kill(os.getppid(), 19)", ALL),
}
PLACE = "        try:\n            text = COMMANDS"


class Fake(NamedTuple):
    """A submission: its files, the function that packs them, and the number of tests it must pass.

    name  the name of the file or folder; the table has it without the ending
    """

    name: str
    files: dict[str, bytes]
    passed: int
    pack: Callable[[Path, dict[str, bytes]], None]


def as_folder(path, files):
    """Write the files to the folder `path`."""
    for name, data in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)


def as_zip(path, files):
    """Write a zip archive of the files to `path`."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def as_tgz(path, files, links=()):
    """Write a compressed tar archive to `path`: first the links (name, target), then the files."""
    with tarfile.open(path, "w:gz") as archive:
        for name, target in links:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def inside(folder, files):
    """The files moved into a folder."""
    return {f"{folder}/{name}": data for name, data in files.items()}


def misbehaving(deed, canary, port):
    """A program that runs the deed on the command for the result, and continues after OSError."""
    text = (HERE / "solution" / "gomoku.py").read_text()
    assert text.count(PLACE) == 1
    text = text.replace(PLACE, "        if words[0] == 'gogui-rules_final_result':\n"
                        "            try:\n                misbehave()\n"
                        "            except OSError:\n                pass\n" + PLACE)
    return text.replace("import random\n", f"import os\nimport random\n\nCANARY = {canary!r}\n"
                        f"PORT = {port}\n\n\ndef misbehave():\n    {deed}\n\n\n", 1).encode()


def fakes(canary, port):
    """All submissions."""
    program = (HERE / "solution" / "gomoku.py").read_bytes()
    readme = b"Nobody, 1234\n"
    right = {"gomoku.py": program, "readme.txt": readme}
    nested = io.BytesIO()
    as_zip(nested, inside("assignment1", right))
    yield Fake("right.tgz", inside("assignment1", right), ALL, as_tgz)
    yield Fake("folder", right, ALL, as_folder)
    yield Fake("zipped.zip", right, ALL, as_zip)
    yield Fake("nested", {"assignment1.zip": nested.getvalue(), ".DS_Store": b""}, ALL, as_folder)
    yield Fake("deep.zip", {**inside("a/b/c", right), "a/notes.txt": b"", "__MACOSX/x": b""}, ALL,
               as_zip)
    yield Fake("Zoë  O'Neil (2) $(reboot).tgz", right, ALL, as_tgz)
    yield Fake("misnamed.zip", right, ALL, as_tgz)
    starter = (HERE / "starter" / "gomoku.py").read_bytes()
    yield Fake("starter.tgz", {"gomoku.py": starter}, STARTER, as_tgz)
    yield Fake("compile-error.tgz", {"gomoku.py": b"def play(:\n"}, NONE, as_tgz)
    yield Fake("missing-package.tgz", {"gomoku.py": b"import no_such_package\n"}, NONE, as_tgz)
    yield Fake("silent.tgz", {"gomoku.py": b"import time\ntime.sleep(3600)\n"}, NONE, as_tgz)
    yield Fake("wrong-name.tgz", {"main.py": program}, NONE, as_tgz)
    yield Fake("empty.zip", {}, NONE, as_zip)
    yield Fake("no-archive.tgz", {}, NONE, lambda path, files: path.write_bytes(b"nonsense" * 99))
    yield Fake("cut.tgz", {}, NONE, lambda path, files: (
        as_tgz(path, right), path.write_bytes(path.read_bytes()[:500])))
    yield Fake("outside.tgz", {**right, "../../../evil.txt": b"x", f"{canary}": b"x"}, ALL, as_tgz)
    yield Fake("outside-zip.zip", {**right, "../../../evil.txt": b"x", f"{canary}": b"x"}, ALL,
               as_zip)
    yield Fake("links.tgz", {**right, "up/evil.txt": b"x", "it": b"x"}, ALL, lambda path, files:
               as_tgz(path, files, [("up", str(Path(canary).parent)), ("it", canary)]))
    yield Fake("zip-bomb.zip", {**right, "bomb": bytes(300 << 20)}, NONE, as_zip)
    yield Fake("too-many.zip", {**right, **{f"x/{i}": b"" for i in range(6000)}}, NONE, as_zip)
    yield Fake("too-deep.zip", {**right, "x/" * 50 + "x": b""}, NONE, as_zip)
    for name, (deed, passed) in DEEDS.items():
        files = {"gomoku.py": misbehaving(deed, canary, port), "readme.txt": readme}
        yield Fake(f"{name}.tgz", files, passed, as_tgz)


def write(folder, canary="/no/canary", port=9, only=()):
    """Write the submissions, or only those in `only`, and the table.

    Returns the table by name.
    """
    (folder / "submissions").mkdir(parents=True)
    expected = {}
    for fake in fakes(canary, port):
        name = fake.name.removesuffix(".tgz").removesuffix(".zip")
        if not only or name in only:
            fake.pack(folder / "submissions" / fake.name, fake.files)
            expected[name] = fake.passed
    with open(folder / "expected.csv", "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["submission", "tests", "passed"])
        rows.writerows([name, ALL, passed] for name, passed in sorted(expected.items()))
    return expected


if __name__ == "__main__":
    write(Path(sys.argv[1]), *sys.argv[2:3], *map(int, sys.argv[3:4]))
