"""`puzzles`: solve them in the terminal, make them from games, print them on sheets."""

import logging
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from random import Random
from typing import Iterator, Optional

from ..command_line.options import add_game, add_options_of, checked
from ..command_line.terminal import harmless, progress_bar
from ..games import catalogue
from ..games.lattice import PASS
from ..games.rules import Rules
from ..games.tree import ROOT
from ..learn.program import ENDINGS, add_workers, files_in, workers
from ..players.options import whole
from ..records import reader
from ..tournament.results import Results
from ..wire.files import read_at_most, reason_of, user_folder, write_file
from ..wire.notation import GtpPoints
from .make import Game, puzzles_of, without_doubles
from .play import played
from .puzzle import CLASSES, EASIEST, HARDEST, SHIPPED, Puzzle, canonical, puzzles_in, text_of
from .score import NAME, Score
from .sheet import write_sheet

PLAY, MAKE, SHEET = ACTIONS = ("play", "make", "sheet")
BAD_INPUT = 1  # exit status: a file of games could not be read
RESULTS = ".jsonl"  # how the files of tournaments end
ON_A_SHEET = 12


def add_options(parser: ArgumentParser) -> None:
    """What the command line may say."""
    parser.epilog = ("play: solve puzzles here.  make: find puzzles in games, each FILE being SGF, "
                     ".psq, moves as h8i9, the .jsonl file of a tournament, or a folder of these.  "
                     "sheet: write a page to print.  Exit status: 0, or 1 if a file of games could "
                     "not be read.  See docs/puzzles.md.")
    parser.add_argument("action", nargs="?", choices=ACTIONS, default=PLAY,
                        help="what is done (default: play)")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE",
                        help="make: games; else sets of puzzles (default: the one shipped)")
    parser.add_argument("--class", dest="kinds", type=checked(kinds), default=CLASSES,
                        metavar="NAME", help=f"of {', '.join(CLASSES)}, with commas between them "
                        "(default: all)")
    parser.add_argument("--grade", type=checked(grades), default=(EASIEST, HARDEST), metavar="N",
                        help=f"{EASIEST} to {HARDEST}, or from-to as 3-5 (default: all)")
    parser.add_argument("--count", type=checked(whole("count", 10**6)), metavar="N",
                        help=f"how many (default: all, on a sheet {ON_A_SHEET})")
    parser.add_argument("--output", type=Path, metavar="FILE",
                        help="make: the set, which may hold some already; sheet: a page of HTML")
    parser.add_argument("--score", type=Path, metavar="FILE",
                        help="play: where rating and streak are kept (default: the user's folder)")
    add_workers(parser, "make: games that are searched at a time")
    add_game(parser, "Gomoku's for play and sheet without a FILE, else all")
    parser.set_defaults(game=None)
    add_options_of(parser, "seed")


def kinds(text: str) -> tuple[str, ...]:
    """The classes that a list with commas names.  Raises ValueError."""
    named = text.split(",")
    if not {*named} <= {*CLASSES}:
        raise ValueError(f"no such class: {text} (available: {' '.join(CLASSES)})")
    return tuple(kind for kind in CLASSES if kind in named)


def grades(text: str) -> tuple[int, int]:
    """The lowest and the highest grade of 4 or 3-5.  Raises ValueError."""
    low, dash, high = text.partition("-")
    grade = whole("a grade", HARDEST)
    found = grade(low), grade(high if dash else low)
    if found[0] > found[1]:
        raise ValueError(f"no such grades: {text} (they are as 4, or as 3-5)")
    return found


def start(parser: ArgumentParser, options: Namespace) -> int:
    """Do what is asked for; the exit status."""
    try:
        return {PLAY: play, MAKE: make, SHEET: sheet}[options.action](parser, options)
    except (OSError, ValueError) as error:
        parser.error(str(error))


def chosen(options: Namespace) -> list[Puzzle]:
    """The puzzles that the options ask for.

    Raises OSError, and ValueError if a file is no set, or if there are none.
    """
    low, high = options.grade
    game = options.game if options.game or options.files else catalogue.GOMOKU
    found = [puzzle for path in options.files or [SHIPPED] for puzzle in puzzles_in(path)
             if puzzle.kind in options.kinds and low <= puzzle.grade <= high
             and game in (None, puzzle.rules)
             and options.size in (None, puzzle.size)]
    if not found:
        raise ValueError("there is no such puzzle")
    return found


# --- play -----------------------------------------------------------------------------------------


def play(parser: ArgumentParser, options: Namespace) -> int:
    """Ask for the moves of puzzles until the user has enough."""
    path: Optional[Path] = options.score
    if path is None:
        try:
            path = user_folder() / NAME
        except OSError as error:
            logging.getLogger(__name__).warning(
                "your score is not kept, since %s; --score names another file", reason_of(error))
    score = Score.read(path) if path else Score()
    for text in played(chosen(options), score, Random(options.seed), sys.stdin, options.count,
                       paint=sys.stdout.isatty()):
        print(text, flush=True)
        if path:
            score.write(path)
    return 0


# --- make -----------------------------------------------------------------------------------------


def make(parser: ArgumentParser, options: Namespace) -> int:
    """Find puzzles in the games of the files; what was found so far is kept at all times."""
    output: Optional[Path] = options.output
    if not options.files:
        raise ValueError("make needs files of games")
    games, failed = read_games(options)
    found = [*puzzles_in(output)] if output and output.exists() else []
    known = {canonical(puzzle.position()) for puzzle in found}
    rng = Random(options.seed)
    rng.shuffle(games)
    tasks = [Game(*game, options.kinds, rng.getrandbits(32)) for game in games]
    with workers(parser, options) as apply, progress_bar("games", len(tasks)) as advance:
        for puzzles in apply(puzzles_of, tasks):
            advance(puzzles)
            for puzzle in without_doubles(iter(puzzles), known):
                if len(found) == options.count:
                    break
                if options.grade[0] <= puzzle.grade <= options.grade[1]:
                    found.append(puzzle)
                    if output:
                        write_file(output, text_of(found))
                    else:
                        print(puzzle.text(), flush=True)
            if len(found) == options.count:
                break
    print(f"{len(found)} puzzles", file=sys.stderr)
    return BAD_INPUT if failed else 0


def read_games(options: Namespace) -> tuple[list[tuple[Rules, int, tuple[int, ...]]], bool]:
    """The games of the files, and whether one could not be read, which then was said.

    Raises OSError if there is no such file.
    """
    found: list[tuple[Rules, int, tuple[int, ...]]] = []
    failed = False
    for path in files_in(options.files, (*ENDINGS, RESULTS)):
        try:
            games = [*(of_tournament if path.suffix == RESULTS else of_records)(path, options)]
        except (OSError, ValueError) as error:
            failed = True
            print(f"cannot read {harmless(str(path))}: {harmless(str(error))}", file=sys.stderr)
            continue
        found += [game for game in games if options.game in (None, game[0])
                  and options.size in (None, game[1]) and not game[0].swap]
    return found, failed


def of_tournament(path: Path, options: Namespace) -> Iterator[tuple[Rules, int, tuple[int, ...]]]:
    """The games of a tournament, as far as their moves are points."""
    results = Results.read(path)
    rules, size = catalogue.find(results.contest["game"]), results.contest["size"]
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


def of_records(path: Path, options: Namespace) -> Iterator[tuple[Rules, int, tuple[int, ...]]]:
    """The main lines of the games in a file, up to whatever is not a move of the side to move.

    Raises OSError, and ValueError if something is no game.
    """
    rules = options.game or catalogue.GOMOKU
    for data in reader.games_in(read_at_most(path, reader.LONGEST_FILE)):
        tree = reader.tree_in(data, rules, options.size or rules.default_size)
        side, moves = tree.rules.first, []
        for number in tree.line(ROOT)[1:]:
            step = tree.nodes[number].step
            if step.stones or step.move is None or step.move[0] != side or step.move[1] == PASS:
                break
            moves.append(step.move[1])
            side = 3 - side
        yield tree.rules, tree.size, tuple(moves)


# --- sheet ----------------------------------------------------------------------------------------


def sheet(parser: ArgumentParser, options: Namespace) -> int:
    """Write puzzles as a page to print, in the order of their grades, solutions at the end."""
    if options.output is None:
        raise ValueError("sheet needs --output FILE.html")
    puzzles = chosen(options)
    Random(options.seed).shuffle(puzzles)
    wanted = sorted(puzzles[:options.count or ON_A_SHEET], key=lambda puzzle: puzzle.grade)
    write_sheet(options.output, wanted)
    return 0
