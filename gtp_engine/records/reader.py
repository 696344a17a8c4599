"""One reader and one writer for all formats of game files."""

import codecs
import io
import re
from os import PathLike
from pathlib import Path
from typing import Callable, Iterable, Iterator, NamedTuple, Optional, Sequence, Union

from ..games.catalogue import GOMOKU, find
from ..games.lattice import Size
from ..games.rules import Rules
from ..games.tree import GameTree
from . import moves, pente_org, pgn, pos, psq, renjunet, renlib, sav, sgf
from .record import Notes, Record, Source, quoted, some_of

__all__ = ("FORMATS", "NAMES", "SUFFIXES", "first", "format_of", "game_files", "read", "read_named",
           "some_of", "write")

HEAD = 4096  # bytes by which a format is recognised
BUFFER = 1 << 16  # bytes
Writer = Callable[[GameTree, Notes], bytes]


class Format(NamedTuple):
    """A format of game files.

    name      the name in messages, and in `convert --to`
    suffixes  of its files
    begins    does a file with these first bytes have the format?
    read      yield the records of a file, or None if the format is only written
    write     return a tree as a file, and add all losses to the notes; None if only read
    collects  can several files be joined to one?
    """

    name: str
    suffixes: tuple[str, ...]
    begins: Callable[[bytes], bool]
    read: Optional[Callable[[Source], Iterator[Record]]]
    write: Optional[Writer] = None
    collects: bool = False


FORMATS = (  # in the order in which they are tried
    Format("lib", (".lib",), lambda head: head.startswith(renlib.SIGNATURE), renlib.read,
           renlib.write),
    Format("renjunet", (".rif", ".xml"), renjunet.begins, renjunet.read),
    Format("psq", (".psq",), lambda head: bool(psq.SIGNATURE.match(head)), psq.read,
           psq.write),
    Format("rec", (".rec",), lambda head: bool(psq.REC_SIGNATURE.match(head)), psq.read_rec),
    Format("pente.org", (".txt",), lambda head: bool(pente_org.SIGNATURE.match(head)),
           pente_org.read),
    Format("sgf", (".sgf",), lambda head: bool(sgf.BEGINNING.search(head)), sgf.read, sgf.write,
           True),
    Format("sav", (".sav",), sav.begins, sav.read, sav.write),
    Format("text", (".txt",), moves.begins, moves.read, moves.write, True),
    Format("pos", (".pos",), pos.begins, pos.read, pos.write),
    Format("pgn", (".pgn",), lambda head: False, None, pgn.write, True),
)
SHARED = (".txt", ".xml", ".rec", ".pos", ".sav")  # suffixes of other files, too
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f-\xff]")
SUFFIXES = tuple(dict.fromkeys(suffix for each in FORMATS if each.read for suffix in each.suffixes))
NAMES = "SGF, .psq, .lib, RenjuNet, pente.org, .sav, .pos or moves such as h8i9h7"


def read(source: Union[str, "PathLike[str]", bytes], game: Union[Rules, str, None] = None,
         size: Optional[Size] = None, letters: Optional[str] = None, quiet: bool = False,
         skip: int = 0) -> Iterator[Record]:
    """Yield the games of a file, or of its bytes.

    game     the rules of games whose file names none, or their name
    size     the size of boards for which the file has none
    letters  GTP or PLAIN, where moves as text leave it open
    quiet    no notes where the file contradicts the game or the size?
    skip     the number of games whose records may stay empty, which takes less time

    The content decides the format; a suffix does where the content fits several.  A game whose
    moves cannot be played to the end is read up to there, with a note.  A game that cannot be read
    is a record with an error.  Raises OSError if the file cannot be read, and ValueError if it has
    no known format.
    """
    if isinstance(game, str):
        game = find(game)
    if isinstance(source, bytes):
        memory = io.BufferedReader(io.BytesIO(source), BUFFER)  # for peek
        yield from _read(Source(memory, game, size, letters, quiet, skip), "")
    else:
        with Path(source).open("rb", BUFFER) as stream:
            yield from _read(Source(stream, game, size, letters, quiet, skip),
                             Path(source).suffix.lower())


def _read(source: Source, suffix: str) -> Iterator[Record]:
    head = source.stream.peek(HEAD)  # type: ignore[attr-defined]
    if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        data = source.data().decode("utf-16", "replace").encode()
        source, head = source._replace(stream=io.BytesIO(data)), data[:HEAD]
    kind = format_of(head, suffix)
    if kind is None or kind.read is None:
        text = head[:200].decode("utf-8-sig", "replace").strip()
        raise ValueError(f"not a game ({NAMES}): {quoted(text)}")
    yield from kind.read(source)


def format_of(head: bytes, suffix: str = "") -> Optional[Format]:
    """Return the format of a file by its first bytes and its suffix, or None."""
    found = next((each for each in FORMATS if each.begins(head)), None)
    if found is None and suffix == ".pos" and _CONTROL.search(head):
        return next(each for each in FORMATS if suffix in each.suffixes)
    return found


def game_files(paths: Iterable[Path], more: Sequence[str] = ()) -> Iterator[Path]:
    """Yield the files, and the files of games in folders and their folders, by name.

    `more` are suffixes of other files in folders.  Text and XML files in folders count if they
    begin as a format does.  Raises OSError if a file or folder does not exist.
    """
    for path in paths:
        path.stat()
        if not path.is_dir():
            yield path
            continue
        for each in sorted(path.rglob("*")):
            suffix = each.suffix.lower()
            if (suffix in more or suffix in SUFFIXES and (
                    suffix not in SHARED or _begins_as_a_game(each))) and each.is_file():
                yield each


def _begins_as_a_game(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return format_of(file.read(HEAD), path.suffix.lower()) is not None
    except OSError:
        return False


def read_named(path: Path, game: Optional[Rules] = None, size: Optional[Size] = None,
               letters: Optional[str] = None) -> Iterator[tuple[str, Record]]:
    """Yield the games of a file with their names: the path, with a number if there are several.

    A file that cannot be read is a record with an error.
    """
    records = read(path, game, size, letters)
    last, number = None, 0
    while True:
        try:
            record = next(records, None)
        except (OSError, ValueError) as error:
            text = getattr(error, "strerror", None) or str(error)
            record = Record(GameTree(game or GOMOKU, (game or GOMOKU).default_size), "", error=text)
        if last:
            place = last.place or (f"game {number}" if number > 1 or record else "")
            yield ", ".join(filter(None, (str(path), place))), last
        if record is None:
            return
        last, number = record, number + 1


def first(source: Union[str, "PathLike[str]", bytes], game: Optional[Rules] = None,
          size: Optional[Size] = None, letters: Optional[str] = None, quiet: bool = False
          ) -> Record:
    """Return the first game of a file, with a note on the number of games.

    Raises OSError, and ValueError if the game cannot be read.
    """
    records = read(source, game, size, letters, quiet)
    record = next(records, None)
    if record is None:
        raise ValueError("the file has no game")
    if record.error:
        raise ValueError(record.error)
    count = 1 + sum(1 for _ in records)
    if count > 1:
        record.notes.insert(0, f"the file has {count} games; this is the first one")
    return record


def write(tree: GameTree, name: str) -> tuple[bytes, list[str]]:
    """Return a game in the format of this name, and notes on what the format cannot hold.

    Raises ValueError if there is no such format, or if it has no such games.
    """
    for each in FORMATS:
        if each.name == name and each.write:
            notes = Notes()
            return each.write(tree, notes), notes
    names = ", ".join(each.name for each in FORMATS if each.write)
    raise ValueError(f"no such format: {name} (available: {names})")
