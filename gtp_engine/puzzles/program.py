"""`puzzles`: solve puzzles in the terminal, make them from games, print them."""

import logging
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from random import Random
from typing import Iterator, Optional

from ..command_line.options import add_options_of, add_records, checked
from ..command_line.terminal import harmless, print_notes, progress_bar
from ..games import catalogue
from ..games.lattice import PASS, Size, as_size, opponent
from ..games.rules import Rules
from ..games.tree import ROOT, GameTree
from ..learn.program import add_workers, workers
from ..players.options import whole
from ..players.registry import complaint
from ..records import reader
from ..tournament.results import Results
from ..wire.files import reason_of, user_folder, write_file
from ..wire.notation import GtpPoints
from .make import Game, puzzles_of, without_duplicates
from .play import dialogue
from .puzzle import CLASSES, EASIEST, HARDEST, SHIPPED, Puzzle, canonical_key, puzzles_in, text_of
from .score import NAME, Score
from .sheet import write_sheet

PLAY, MAKE, SHEET = ACTIONS = ("play", "make", "sheet")
BAD_INPUT = 1  # exit status: a file of games could not be read
RESULTS = ".jsonl"  # ending of the files of tournaments
ON_A_SHEET = 12


def add_options(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.epilog = ("play: solve puzzles here.  make: search games for puzzles; a FILE has "
                     f"games ({reader.NAMES}), or is the .jsonl file of a tournament or a folder.  "
                     "sheet: write a page to print.  Exit status: 0, or 1 if a file of games could "
                     "not be read.  See docs/puzzles.md.")
    parser.add_argument("action", nargs="?", choices=ACTIONS, default=PLAY,
                        help="the action (default: play)")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE",
                        help="make: games; else sets of puzzles (default: the set of the package)")
    parser.add_argument("--class", dest="kinds", type=checked(kinds), default=CLASSES,
                        metavar="NAME", help=f"one or more of {', '.join(CLASSES)}, separated by "
                        "commas (default: all)")
    parser.add_argument("--grade", type=checked(grades), default=(EASIEST, HARDEST), metavar="N",
                        help=f"{EASIEST} to {HARDEST}, or from-to as 3-5 (default: all)")
    parser.add_argument("--count", type=checked(whole("count", 10**6)), metavar="N",
                        help=f"number of puzzles (default: all, on a sheet {ON_A_SHEET})")
    parser.add_argument("--output", type=Path, metavar="FILE",
                        help="make: the set, to which puzzles are added; sheet: the HTML page")
    parser.add_argument("--score", type=Path, metavar="FILE",
                        help="play: the file for rating and streak (default: in the user's folder)")
    add_workers(parser, "make: games to search at a time")
    add_records(parser, "Gomoku; all in files that name theirs")
    add_options_of(parser, "seed")


def kinds(text: str) -> tuple[str, ...]:
    """Parse a list of classes separated by commas.  Raises ValueError."""
    names = text.split(",")
    if not {*names} <= {*CLASSES}:
        raise ValueError(f"no such class: {text} (available: {' '.join(CLASSES)})")
    return tuple(kind for kind in CLASSES if kind in names)


def grades(text: str) -> tuple[int, int]:
    """Parse a grade or a range, as in 4 or 3-5.  Raises ValueError."""
    low, dash, high = text.partition("-")
    grade = whole("a grade", HARDEST)
    bounds = grade(low), grade(high if dash else low)
    if bounds[0] > bounds[1]:
        raise ValueError(f"no such grades: {text} (give one grade such as 4, or a range as 3-5)")
    return bounds


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Run the action; return the exit status."""
    try:
        return {PLAY: play, MAKE: make, SHEET: sheet}[options.action](parser, options)
    except (OSError, ValueError) as error:
        parser.error(str(error))


def selected_puzzles(options: Namespace) -> list[Puzzle]:
    """The puzzles that the options select.

    Raises OSError, and ValueError if a file is not a set or no puzzle is selected.
    """
    low, high = options.grade
    game = options.game if options.game or options.files else catalogue.GOMOKU
    puzzles = [puzzle for path in options.files or [SHIPPED] for puzzle in puzzles_in(path)
               if puzzle.kind in options.kinds and low <= puzzle.grade <= high
               and game in (None, puzzle.rules)
               and options.size in (None, puzzle.size)]
    if not puzzles:
        raise ValueError("there is no such puzzle")
    return puzzles


# --- play -----------------------------------------------------------------------------------------


def play(parser: ArgumentParser, options: Namespace) -> int:
    """Run the dialogue in the terminal."""
    path: Optional[Path] = options.score
    if path is None:
        try:
            path = user_folder() / NAME
        except OSError as error:
            logging.getLogger(__name__).warning(
                "your score is not saved: %s; --score names another file", reason_of(error))
    score = Score.read(path) if path else Score()
    for text in dialogue(selected_puzzles(options), score, Random(options.seed), sys.stdin,
                         options.count, paint=sys.stdout.isatty()):
        print(text, flush=True)
        if path:
            score.write(path)
    return 0


# --- make -----------------------------------------------------------------------------------------


def make(parser: ArgumentParser, options: Namespace) -> int:
    """Search the games of the files for puzzles; save each new puzzle at once."""
    output: Optional[Path] = options.output
    if not options.files:
        raise ValueError("make needs files of games")
    games, failed = read_games(options)
    for rules, size in dict.fromkeys(game[:2] for game in games):
        reason = complaint("alphabeta", rules, catalogue.start(rules, size).lattice)
        if reason:
            failed = True
            print(f"games are left out: {reason}", file=sys.stderr)
            games = [game for game in games if game[:2] != (rules, size)]
    saved = [*puzzles_in(output)] if output and output.exists() else []
    keys = {canonical_key(puzzle.position()) for puzzle in saved}
    rng = Random(options.seed)
    rng.shuffle(games)
    tasks = [Game(*game, options.kinds, rng.getrandbits(32)) for game in games]
    with workers(parser, options) as apply, progress_bar("games", len(tasks)) as advance:
        for puzzles in apply(puzzles_of, tasks):
            advance(puzzles)
            for puzzle in without_duplicates(iter(puzzles), keys):
                if len(saved) == options.count:
                    break
                if options.grade[0] <= puzzle.grade <= options.grade[1]:
                    saved.append(puzzle)
                    if output:
                        write_file(output, text_of(saved))
                    else:
                        print(puzzle.text(), flush=True)
            if len(saved) == options.count:
                break
    print(f"{len(saved)} puzzles", file=sys.stderr)
    return BAD_INPUT if failed else 0


def read_games(options: Namespace) -> tuple[list[tuple[Rules, Size, tuple[int, ...]]], bool]:
    """The games of the files, and whether a file could not be read; prints such errors.

    Raises OSError if a file does not exist.
    """
    games: list[tuple[Rules, Size, tuple[int, ...]]] = []
    failed = False
    for path in reader.game_files(options.files, (RESULTS,)):
        if path.suffix == RESULTS:
            try:
                games += of_tournament(path)
            except (OSError, ValueError) as error:
                failed = True
                print(f"cannot read {harmless(str(path))}: {harmless(str(error))}",
                      file=sys.stderr)
            continue
        for name, record in reader.read_named(path, options.game, options.size, options.letters):
            print_notes(name, record.notes)
            if record.error:
                failed = True
                print(f"cannot read {harmless(name)}: {harmless(record.error)}", file=sys.stderr)
            else:
                games.append(main_line_of(record.tree))
    return [game for game in games if options.game in (None, game[0])
            and options.size in (None, game[1]) and not game[0].swap], failed


def of_tournament(path: Path) -> Iterator[tuple[Rules, Size, tuple[int, ...]]]:
    """The games of a tournament, each up to the first move that is not a legal point."""
    results = Results.read(path)
    rules, size = catalogue.find(results.contest["game"]), as_size(results.contest["size"])
    points = GtpPoints(catalogue.start(rules, size).lattice)
    for game in results.games.values():
        position, moves = catalogue.start(rules, size), []
        for name in (*game.opening, *game.moves):
            point = points.point_of(name)
            if not point or position.complaint(position.side, point):
                break
            position.play(position.side, point)
            moves.append(point)
        yield rules, size, tuple(moves)


def main_line_of(tree: GameTree) -> tuple[Rules, Size, tuple[int, ...]]:
    """The main line of a game, up to a pass, a setup or a move out of turn."""
    side, moves = tree.rules.first, []
    for number in tree.line(ROOT)[1:]:
        step = tree.nodes[number].step
        if step.stones or step.move is None or step.move[0] != side or step.move[1] == PASS:
            break
        moves.append(step.move[1])
        side = opponent(side)
    return tree.rules, tree.size, tuple(moves)


# --- sheet ----------------------------------------------------------------------------------------


def sheet(parser: ArgumentParser, options: Namespace) -> int:
    """Write a page to print: puzzles sorted by grade, then the solutions."""
    if options.output is None:
        raise ValueError("sheet needs --output FILE.html")
    puzzles = selected_puzzles(options)
    Random(options.seed).shuffle(puzzles)
    selected = sorted(puzzles[:options.count or ON_A_SHEET], key=lambda puzzle: puzzle.grade)
    write_sheet(options.output, selected)
    return 0
