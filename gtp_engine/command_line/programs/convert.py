"""`convert`: write files of games in another format."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Iterator

from ...games.tree import GameTree
from ...records import reader
from ...wire.files import write_file, write_named_file
from ..options import add_records
from ..terminal import harmless, print_notes

BAD_FILE = 1  # exit status: a game could not be read or written


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = (f"Reads {reader.NAMES}.  Notes on parts that were not understood, and on "
                     "losses, go to standard error.  Exit status: 0, or 1 if a game could not be "
                     "read or written.  See docs/records.md.")
    parser.add_argument("games", nargs="+", type=Path, metavar="IN", help="files or folders")
    parser.add_argument("--to", required=True, choices=[each.name for each in reader.FORMATS
                                                        if each.write], help="the format")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="OUT",
                        help="a file, or a folder for a file for each game; - for standard output")
    add_records(parser)


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Convert the games; return the exit status."""
    kind = next(each for each in reader.FORMATS if each.name == options.to)
    output: Path = options.output
    failed = False
    parts: list[bytes] = []
    names: set[str] = set()
    folder = output.is_dir() or not output.suffix and str(output) != "-"
    try:
        if folder:
            output.mkdir(parents=True, exist_ok=True)
        for name, tree in trees(options):
            if isinstance(tree, str):
                failed = True
                print(f"cannot read {harmless(name)}: {harmless(tree)}", file=sys.stderr)
                continue
            try:
                data, notes = reader.write(tree, kind.name)
            except ValueError as error:
                failed = True
                print(f"cannot write {harmless(name)}: {error}", file=sys.stderr)
                continue
            print_notes(name, notes)
            if folder:
                write_file(output / file_name(name, kind.suffixes[0], names), data)
            else:
                parts.append(data)
    except OSError as error:
        parser.error(str(error))
    if folder:
        return BAD_FILE if failed else 0
    if len(parts) > 1 and not kind.collects:
        parser.error(f"a file of {kind.name} holds one game, and there are {len(parts)}; "
                     "give a folder as --output")
    try:
        if str(output) == "-":
            sys.stdout.buffer.write(b"".join(parts))
            sys.stdout.flush()
        else:
            write_named_file(output, b"".join(parts))
    except OSError as error:
        parser.error(str(error))
    return BAD_FILE if failed else 0


def trees(options: Namespace) -> Iterator[tuple[str, "GameTree | str"]]:
    """Yield the games with their names, or errors as texts; prints notes.

    Raises OSError if a file or folder does not exist.
    """
    for path in reader.game_files(options.games):
        for name, record in reader.read_named(path, options.game, options.size, options.letters):
            print_notes(name, record.notes)
            yield name, record.error or record.tree


def file_name(name: str, suffix: str, names: set[str]) -> str:
    """Return a new name of a file for a game, and add it to `names`."""
    path, comma, number = name.rpartition(", ")
    stem = Path(path).stem + "-" + number.replace("game ", "").replace("line ", "") if (
        comma and number.split()[0] in ("game", "line")) else Path(name).stem
    found, count = f"{stem}{suffix}", 1
    while found in names:
        count += 1
        found = f"{stem}-{count}{suffix}"
    names.add(found)
    return found
