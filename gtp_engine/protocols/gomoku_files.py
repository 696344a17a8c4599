"""Go-moku with a colour swap over files in a directory, as in the courses of 1997 and 2017.

There are three forms.  In `in-out` a referee copies moves such as (W C 9) between NAME.in and
NAME.out.  In `move-file` the referee creates NAME.go for each turn, and moves such as NAME C 9 go
to one file, `move_file`.  Without a referee both programs write moves such as (white C 9) there.
"""

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Callable, Optional

from ..command_line.options import add_player_options, add_size, add_time, player_settings
from ..command_line.terminal import harmless
from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE, opponent
from ..games.rules import LINE, IllegalMove
from ..players.registry import check
from ..wire.clock import Clock, file_margin
from ..wire.files import POLL_SECONDS, changed, read_file, remove_file, write_file
from ..wire.notation import COLOUR_NAMES, FILE_COLOURS, file_message_is_whole, file_move, file_text
from .engine import Engine

USED = 8.0  # seconds for a move; referees allow 120
SOON = 500_000_000  # nanoseconds from end_game to the last file of a referee


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("name", metavar="NAME", help="name of the player and of its files")
    parser.add_argument("--protocol", choices=("in-out", "move-file"), default="in-out",
                        help="NAME.in and NAME.out, or move_file (default: %(default)s)")
    parser.add_argument("--dir", default=".", metavar="D",
                        help="directory of the files (default: the working directory)")
    parser.add_argument("--colour", choices=("W", "B"),
                        help="with move-file, play this colour without a referee")
    add_size(parser, "side length of the board (default: %(default)s)", 15)
    add_player_options(parser, "alphabeta")
    add_time(parser, "limit for a move; a tenth and half a second stay in reserve (default: 120, "
                     "of which the player uses only 8)")


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Play one game; returns the exit status, 1 if the game is unfinished."""
    folder = Path(options.dir)
    if options.colour and options.protocol != "move-file":
        parser.error("--colour goes with --protocol move-file only")
    if not options.name.strip(". ") or {"/", os.sep} & {*options.name}:
        parser.error(f"not a name for files: {options.name}")
    if not folder.is_dir():
        parser.error(f"no such directory: {options.dir}")
    try:
        position = catalogue.start(catalogue.GOMOKU_SWAP, options.size)
        check(options.player, position, options.policy)
        write_file(folder / f"{options.name}.try", "")
        remove_file(folder / f"{options.name}.try")
    except (ValueError, OSError) as error:
        parser.error(str(error))
    clock = Clock(USED)
    if options.time is not None:
        clock = Clock(options.time, file_margin(options.time))
    engine = Engine(position, options.player, player_settings(options), clock, bytearray(2))
    engine.load()
    files = FilePlayer(options.name, folder, engine, lambda line: print(line, flush=True),
                       lambda line: print(line, file=sys.stderr, flush=True))
    return serve(files, options.protocol, options.colour)


def serve(files: "FilePlayer", protocol: str, colour: Optional[str]) -> int:
    """Play a game, with a colour without a referee; returns the exit status."""
    try:
        if colour:
            files.unrefereed({"W": WHITE, "B": BLACK}[colour])
        elif protocol == "in-out":
            files.in_out()
        else:
            files.move_file()
    except GameEnded as end:
        print(harmless(str(end)))
        return 0 if files.position.outcome or end.by_verdict else 1
    except OSError as error:
        print(f"cannot write {error.filename2 or error.filename}: {error.strerror}",
              file=sys.stderr)
        return 1
    return 0


class GameEnded(Exception):
    """The end of the game for this program; the text gives the reason.

    by_verdict  did the referee end it?
    """

    def __init__(self, text: str, by_verdict: bool = False):
        super().__init__(text)
        self.by_verdict = by_verdict


class FilePlayer:
    """A player in a directory; `in_out`, `move_file` or `unrefereed` plays a complete game.

    engine  the engine, at the start of a game
    report  receives a line for each event
    ready   receives one line, with the file for which the program waits
    """

    def __init__(self, name: str, folder: Path, engine: Engine, report: Callable[[str], None],
                 ready: Callable[[str], None]):
        self.name, self.folder, self.engine = name, folder, engine
        self.position, self.report, self.ready = engine.position, report, ready
        remove_file(self.path("end"))  # of an earlier game
        self._old_end = changed(folder / "end_game")
        self._left_over = {path: changed(path) for path in (self.path("go"), folder / "move_file")
                           if 0 < changed(path) < self._old_end + SOON}

    def path(self, ending: str) -> Path:
        """The file of this player with that ending."""
        return self.folder / f"{self.name}.{ending}"

    def in_out(self) -> None:
        """Play a game by NAME.in and NAME.out.  Raises GameEnded, or OSError if a write fails."""
        self.ready(f"ready: waiting for {self.path('in')}")
        own = {"W": WHITE, "B": BLACK}.get(self.receive().strip().upper(), 0)
        if not own:
            raise GameEnded("neither W nor B in the first file")
        while True:
            if self.position.side != own:
                self.opponent_plays(self.receive(), own)
                self.check_end()
            point = self.our_move(own)
            write_file(self.path("out"), f"({FILE_COLOURS[own]} {self.named(point)})\n")
            self.report_move(own, point)
            self.check_end()

    def receive(self) -> str:
        """Wait for a complete message in NAME.in and delete the file.  Raises GameEnded."""
        while True:
            text = read_file(self.path("in"))
            if text is not None and file_message_is_whole(text):
                remove_file(self.path("in"))
                return text
            verdict = read_file(self.path("end"))
            if verdict is not None and text is None:
                remove_file(self.path("end"))
                raise GameEnded(verdict.strip(), True)
            time.sleep(POLL_SECONDS)

    def move_file(self) -> None:
        """Play a game by NAME.go and move_file until the referee writes end_game.

        Some referees do not detect a row, and the game continues after its end.  Raises GameEnded,
        or OSError if a write fails.
        """
        shared, own, over = self.folder / "move_file", 0, False
        self.ready(f"ready: waiting for {self.path('go')}")
        while True:
            words = self.turn(shared)
            own = own or (opponent(self.position.side) if words else self.position.side)
            if words:
                self.opponent_plays(f"({FILE_COLOURS[opponent(own)]} {' '.join(words[1:])})", own)
            if self.position.vacant:
                point = self.our_move(own)
                write_file(shared, f"{self.name} {self.named(point)}\n")
                self.report_move(own, point)
            if self.position.outcome and not over:
                over = True
                self.report(self.result())

    def turn(self, shared: Path) -> list[str]:
        """Wait for NAME.go; returns the words of the opponent's move, [] before the first move.

        Ignores files of an earlier game, which lie beside its end_game, until they change.
        """
        while True:
            verdict = self.ended()
            if verdict:
                raise GameEnded(verdict, True)
            if self.path("go").exists() and not any(map(self.is_left_over, self._left_over)):
                words = (read_file(shared) or "").split()
                if not words and not self.position.history or (
                        len(words) == 3 and words[0].lower() != self.name.lower()):
                    return words
            time.sleep(POLL_SECONDS)

    def ended(self) -> str:
        """The verdict in end_game, "" while this game has none."""
        path = self.folder / "end_game"
        return "" if changed(path) == self._old_end else (read_file(path) or "").strip()

    def is_left_over(self, path: Path) -> bool:
        """Is the file unchanged since an earlier game?"""
        return (changed(path) == self._left_over[path]
                and changed(self.folder / "end_game") == self._old_end)

    def unrefereed(self, own: int) -> None:
        """Play a game by move_file alone.  Raises GameEnded, or OSError if a write fails."""
        shared, written = self.folder / "move_file", ""
        self.ready("ready" if self.position.side == own else
                   f"ready: waiting for a move of the other side in {shared}")
        while True:
            if self.position.side != own:
                text = read_file(shared)
                while text is None or not file_message_is_whole(text) or text == written or (
                        (file_move(self.position.lattice, text) or (0, 0))[0] == own):
                    time.sleep(POLL_SECONDS)
                    text = read_file(shared)
                self.opponent_plays(text, own)
                self.check_end()
            point = self.our_move(own)
            written = f"({COLOUR_NAMES[own]} {self.named(point)})\n"
            write_file(shared, written)
            self.report_move(own, point)
            self.check_end()

    # --- shared -----------------------------------------------------------------------------

    def our_move(self, own: int) -> int:
        """Choose a point and play there; after the end of the game, on any empty point."""
        engine, position = self.engine, self.position
        if position.outcome:
            point = next(point for point in position.lattice.points
                         if position.cells[point] == EMPTY)
            position.setup([(own, point)])
        else:
            point = engine.genmove(own)
        return point

    def named(self, point: int) -> str:
        """Column and row of a point."""
        return file_text(self.position.lattice, point)

    def opponent_plays(self, text: str, own: int) -> None:
        """Check and play the opponent's move.  Raises GameEnded."""
        move = file_move(self.position.lattice, text)
        if move is None:
            raise GameEnded("the opponent's move is invalid: no move on this board: "
                            + text.strip())
        if move[0] == own:
            raise GameEnded("the opponent's move is invalid: not a move of the other colour: "
                            + text.strip())
        colour, point = move
        position = self.position
        if position.outcome and position.cells[point] == EMPTY:
            position.setup([(colour, point)])
        else:
            try:
                position.play(colour, point)
            except IllegalMove as complaint:
                raise GameEnded(f"the move {self.named(point)} is invalid: {complaint}") from None
        self.report_move(colour, point)

    def report_move(self, colour: int, point: int) -> None:
        """Report a move."""
        self.report(f"{COLOUR_NAMES[colour]} plays {self.named(point)}")

    def result(self) -> str:
        """The result of the game in words."""
        outcome = self.position.outcome
        assert outcome is not None
        return (f"{COLOUR_NAMES[outcome.winner]} wins: five in a row" if outcome.reason == LINE
                else "both players lose (board full)")

    def check_end(self) -> None:
        """Raise GameEnded if the last move ended the game."""
        if self.position.outcome:
            raise GameEnded(self.result())
