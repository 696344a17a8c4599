"""Files are written whole, and by one function."""

import os
import re
import stat
import threading
from pathlib import Path

import pytest

from gtp_engine.wire.files import write_file, write_files, write_named_file

ROOT = Path(__file__).parent.parent
WRITES = re.compile(r"write_text\(|write_bytes\(|savez\w*\(|savefig|json\.dump\(|O_CREAT"
                    r"|open\(([^()]*, ?)?[\"'][wax]b?[\"']")
ELSEWHERE = {  # files in which something else is written, how often, and why
    "gtp_engine/wire/files.py": (2, "the function itself, and what is no plain file"),
    "gtp_engine/players/arrays.py": (1, "into memory"),
    "gtp_engine/arena/record.py": (1, "it grows with the game; a game that is cut off is kept"),
    "gtp_engine/tournament/results.py": (1, "lines are added, and made safe, after each game"),
    "gtp_engine/solvers/gomoku/proof.py": (1, "lines are added"),
    "gtp_engine/solvers/gomoku/work.py": (1, "lines are added"),
    "gtp_engine/solvers/qubic/proof.py": (3, "lines are added; files are tried first"),
    "gtp_engine/kernels/machine/cache.py": (1, "kernels import nothing; written whole there, too"),
    "gtp_engine/command_line/programs/build_kernels.py": (6, "a temporary folder, packed later"),
    "gtp_engine/classroom/unpack.py": (1, "a folder that nobody sees until it is unpacked"),
    "gtp_engine/classroom/keeper.py": (4, "it imports nothing of ours; what the system asks for"),
}


def test_there_is_one_way_to_write_a_file():
    found = {}
    for room in ("gtp_engine", "tuning", "benchmarks"):
        for path in sorted((ROOT / room).rglob("*.py")):
            if count := len(WRITES.findall(path.read_text(encoding="utf-8"))):
                found[path.relative_to(ROOT).as_posix()] = count
    assert found == {name: count for name, (count, reason) in ELSEWHERE.items()}


def test_a_file_is_the_old_one_until_it_is_the_new_one(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_file(path, "old: ü", sync=True)

    def fails(part, target):
        assert Path(part).read_bytes() == b"new" and path.read_text(encoding="utf-8") == "old: ü"
        raise OSError("the disk has gone")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="gone"):
        write_file(path, b"new")
    assert path.read_text(encoding="utf-8") == "old: ü"
    assert list(tmp_path.iterdir()) == [path], "nothing is left over"


def test_private_files(tmp_path):
    for private in (True, False):
        write_file(tmp_path / "file", "", private=private)
        mode = stat.S_IMODE((tmp_path / "file").stat().st_mode)
        assert (mode == 0o600) == private or os.name == "nt", oct(mode)


def test_files_of_a_folder(tmp_path):
    write_files(tmp_path / "a" / "b", {"text": "1", "bytes": b"2"})
    assert {path.name: path.read_text() for path in (tmp_path / "a" / "b").iterdir()} == {
        "text": "1", "bytes": "2"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_files_that_a_user_has_named(tmp_path):
    """A link stays a link, a pipe stays a pipe."""
    target, link, pipe = (tmp_path / name for name in ("target", "link", "pipe"))
    link.symlink_to(target)
    write_named_file(link, "first")
    write_named_file(link, b"text")
    assert link.is_symlink() and target.read_text() == "text"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_named_file(pipe, "through")
    reader.join()
    assert read == ["through"] and pipe.is_fifo()
    with pytest.raises(OSError):
        write_named_file(tmp_path, "")
    with target.open("w") as output:
        write_named_file(Path(f"/dev/fd/{output.fileno()}"), "into the open file")
        output.write("")
        assert os.path.samestat(os.fstat(output.fileno()), target.stat())
    assert target.read_text() == "into the open file"
