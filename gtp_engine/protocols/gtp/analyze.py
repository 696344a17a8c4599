"""GoGui's analyze menu, and live graphics during a search."""

import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Callable, Iterator, Mapping, Optional

from ...games.lattice import BLACK, WHITE, opponent
from ...games.renju import DOUBLE_FOUR, DOUBLE_THREE, OVERLINE, stones_of
from ...games.rules import Position
from ...games.tree import tree_of
from ...players.alphabeta.threat_map import SHAPES, shapes
from ...players.base import DEFAULT_SECONDS, INTERRUPT, Player, Report
from ...players.playout_policy import deciding_rules
from ...wire.notation import COLOUR_NAMES, SYMBOLS, percent
from ...wire.streams import unread
from .dispatcher import Dispatcher, GtpError
from .gogui import last_captures
from .parameters import Parameters
from .session import Session, needed_by

if TYPE_CHECKING:
    from ...learn.analysis import Analysis, Task

# type/label/command, in menu order; no label or command contains a slash.
ANALYZE_COMMANDS = """\
plist/Legal Moves/gogui-rules_legal_moves
string/Side to Move/gogui-rules_side_to_move
string/Final Result/gogui-rules_final_result
string/Captured Stones/gogui-rules_captured_count
gfx/Winning Row and Captures/gogui-rules_board_gfx
gfx/Last Move/last_move
gfx/Threats/threats
gfx/Forbidden Points/forbidden
gfx/Why Forbidden/forbidden %p
pstring/Policy Moves/policy_moves
gfx/Book Moves/book_moves
hstring/Opening/opening_state
hstring/Opening Rule/opening_rule %s
hstring/Opening Answer/opening_play %s
hstring/Opening Answer by Engine/opening_genmove
gfx/Policy Rules/policy_rules
none/Policy Random/policy random
none/Policy Rule Based/policy rule_based
gfx/Move Values/move_values
gfx/Simulations/simulation_counts
var/Best Line/best_line
hpstring/Search Statistics/search_statistics
string/Last Engine Move/last_genmove
pstring/Solve/solve
string/Review Game/review
gfx/Puzzle/puzzle
gfx/Puzzle Move/puzzle_play %p
gfx/Puzzle Hint/puzzle_hint
gfx/Puzzle Solution/puzzle_solution
string/Show Board/showboard
param/Settings/param"""

RULE_CODES = {"Win": "W", "BlockWin": "BW", "OpenFour": "O", "BlockOpenFour": "BO", "Capture": "C",
              "Fork": "F", "BlockFork": "BF"}
FORBIDDEN_CODES = {OVERLINE: "6", DOUBLE_FOUR: "44", DOUBLE_THREE: "33"}
SHAPE_COLOURS = {"five": "#ff6060", "captures": "#ff6060", "open four": "#ffa040",
                 "four": "#ffe040", "open three": "#80d080"}
SHADES = ("#60ff60", "#90d850", "#b0b850", "#b09850", "#a08058")  # of values, best first
UPDATE = 0.2  # seconds between two pictures during a search
MOST_VALUES = 10  # values in a list
LINE_LENGTH = 9  # moves of a line on the board, numbered with one digit
REVIEW_SHARE = 10  # positions of a review in the time of one move


class AnalyzeCommands:
    """The commands that exist only for the menu, and live graphics during a search.

    live_graphics  are live graphics on?  GoGui's request for the menu turns them on
    """

    def __init__(self, dispatcher: Dispatcher, session: Session):
        self.session = session
        self.live_graphics = False
        self.parameters = Parameters(session)
        self.parameters.add_switch(self, "live_graphics")
        session.engine.watch = self.watch
        session.engine.watch_loading = self.watch_loading
        dispatcher.add([
            self.analyze_commands, self.last_move, self.threats, self.forbidden, self.policy_rules,
            self.move_values, self.simulation_counts, self.best_line, self.search_statistics,
            self.review, self.book_moves, self.param,
        ])

    def analyze_commands(self) -> str:
        """gogui-analyze_commands

        The commands of GoGui's analyze menu.  From now on the engine writes live graphics to
        standard error, and it loads the player before its first move.
        """
        self.live_graphics = True
        self.session.engine.load_ahead()
        return ANALYZE_COMMANDS

    # --- the position -------------------------------------------------------------------------

    def last_move(self) -> str:
        """last_move

        The last move: a circle on its stone, crosses on the points that it captured, and in words
        the number of stones that each side has captured.
        """
        position, points = self.session.position, self.session.points
        last = position.moves[-1] if position.moves else None
        if last is None:
            return ""
        captured = last_captures(position)
        lines = [f"CIRCLE {points.name[last.point]}"]
        words = f"TEXT {COLOUR_NAMES[last.colour]} {points.name[last.point]}"
        if captured:
            lines.append(f"MARK {points.text(captured)}")
            words += f" captures {len(captured)}"
        if position.rules.capture_lengths:
            words += "".join(f"; {COLOUR_NAMES[colour]} has captured {position.captured[colour]}"
                             for colour in (BLACK, WHITE))
        return "\n".join([*lines, words])

    def threats(self) -> str:
        """threats

        The points of threats: a stone there makes five, a win by captures, an open four, a four or
        an open three.  Each label has the side (X is Black) and the shape, as in X5, XC, O4+, X4,
        O3.  In Qubic, X4 marks a row and X3 a row that lacks one stone.
        """
        position, points = self.session.position, self.session.points
        longest = position.rules.in_a_row
        codes = dict(zip(SHAPES, (f"{longest}", "C", f"{longest - 1}+", f"{longest - 1}",
                                  f"{longest - 2}")))
        labels: dict[str, str] = {}
        coloured: dict[str, list[str]] = {shape: [] for shape in SHAPES}
        for (shape, colour), where in shapes(position).items():
            for name in sorted(points.name[point] for point in where):
                if name not in labels:
                    coloured[shape].append(name)
                labels[name] = labels.get(name, "") + SYMBOLS[colour] + codes[shape]
        lines = [f"COLOR {SHAPE_COLOURS[shape]} {' '.join(names)}"
                 for shape, names in coloured.items() if names]
        return "\n".join([*lines, *(f"LABEL {name} {text}" for name, text in labels.items())])

    def forbidden(self, point: Optional[str] = None) -> str:
        """forbidden [POINT]

        The forbidden points of Renju: each with its reason, 6 (overline), 44 (double four)
        or 33 (double three).  With POINT: the stones that make it forbidden, and the reason in
        words.
        """
        session = self.session
        position, names = session.position.copy(), session.points.name
        position.set_side(BLACK)
        if point is None:
            labels = [f"LABEL {names[each]} {FORBIDDEN_CODES[kind]}"
                      for each, kind in position.forbidden_points().items()]
            # GoGui's crosses, from board_gfx, would hide the labels.
            return "\n".join(["CLEAR", *labels]) if labels else ""
        reference = session.points.point_of(point)
        if not reference:
            raise GtpError(f"invalid point: {point}")
        kind = position.forbidden(BLACK, reference)
        if kind is None:
            return f"TEXT {names[reference]} is not forbidden"
        stones = stones_of(position.cells, position.lattice.axes, reference)
        return (f"MARK {names[reference]}\nSQUARE {session.points.text(stones)}\n"
                f"TEXT {names[reference]} is forbidden: {kind}")

    def policy_rules(self) -> str:
        """policy_rules

        The moves of the policy rule_based: those for the side to move.  Each label is the first
        rule that yields the move: W, BW (BlockWin), O (OpenFour), BO, C (Capture), F (Fork), BF.
        """
        names, position = self.session.points.name, self.session.position
        labels = [f"LABEL {names[point]} {RULE_CODES[rule]}"
                  for point, rule in deciding_rules(position).items()]
        if not labels and not position.outcome:
            labels = ["TEXT no rule matches: the policy plays at random"]
        return "\n".join(labels)

    # --- the player ---------------------------------------------------------------------------

    def move_values(self) -> str:
        """move_values

        The player's value of each move, in percent.  The values are for the side to move, within
        the time or the playouts for a move.  It does not affect the move of a later genmove.
        """
        engine, position = self.session.engine, self.session.position
        if position.outcome:
            return ""
        with needed_by(f"the player {engine.player_name}"):
            report = engine.evaluate_moves()
        if not report.values:
            return f"TEXT no values by {engine.player_name}"
        most = len(position.lattice.points)
        return self.picture(engine.player_name, report, position.side, most, with_line=False)

    def simulation_counts(self) -> str:
        """simulation_counts

        The playouts of each move in the last search: their numbers and total.
        """
        search, names = self.session.engine.search, self.session.points.name
        if search is None:
            return "TEXT no search yet"
        playouts = search.report.playouts
        if not playouts:
            return f"TEXT no simulations in the last search ({search.player})"
        return "\n".join([*(f"LABEL {names[point]} {count}" for point, count in playouts.items()),
                          f"TEXT {sum(playouts.values()):,} simulations"])

    def best_line(self) -> str:
        """best_line

        The principal variation of the last search.  It begins with the current position, and is
        empty if the position is not on it.
        """
        search, position = self.session.engine.search, self.session.position
        names = self.session.points.name
        if search is None:
            return ""
        game, line = search.position.copy(), list(search.report.line)
        while (game.cells, game.side, game.captured) != (
                position.cells, position.side, position.captured):
            if not line:
                return ""
            game.play(game.side, line.pop(0))
        return variation(position.side, [names[point] for point in line])

    def search_statistics(self) -> str:
        """search_statistics

        The last search info: values, line, figures and time.
        """
        search, names = self.session.engine.search, self.session.points.name
        if search is None:
            return "no search yet"
        report, side = search.report, search.position.side
        lines = [f"player: {search.player}, {COLOUR_NAMES[side]} to move"]
        if report.line:
            lines.append("line: " + " ".join(names[point] for point in report.line))
        if report.values:
            lines.append("values: " + ", ".join(f"{names[move]} {percent(report.values[move])}%"
                                                for move in best_of(report, MOST_VALUES)))
        lines += [f"{name}: {figure_text(name, value)}" for name, value in report.figures.items()]
        return "\n".join([*lines, f"seconds: {search.seconds:.2f}"])

    # --- review -------------------------------------------------------------------------------

    def review(self) -> str:
        """review

        Review the game with alphabeta.  The reply has accuracy and classes by side,
        then the mistakes with better moves.  Each position takes a tenth of the time for a move.
        An interrupt ends the review, which then covers the moves up to there.
        """
        session, engine = self.session, self.session.engine
        position = session.position
        if not position.moves:
            raise GtpError("there is no move to review")
        settings, seconds = engine.settings, session.clock.budget(position.side).seconds
        if seconds is None and settings.nodes is None:
            seconds = DEFAULT_SECONDS

        def search(tasks: "list[Task]") -> "Iterator[Analysis]":
            for task in tasks:
                analysis = analysis_of(task, engine.stop)
                if engine.stop[INTERRUPT]:
                    return
                yield analysis

        with needed_by("review"):
            from ...learn.analysis import Effort, analysis_of, load_analysis
            from ...learn.review import review, summary
            effort = Effort(seconds and seconds / REVIEW_SHARE, settings.nodes, settings.memory,
                            settings.seed)
            if not engine.loader.finishes(("review", position.rules),
                                          lambda: load_analysis(position.rules)):
                return "interrupted"
            result = review(tree_of(position), effort, search)
        return "\n".join(summary(result)) or "interrupted"

    # --- live graphics ------------------------------------------------------------------------

    @contextmanager
    def watch(self, player: Player, position: Position) -> Iterator[None]:
        """Context: show GoGui the search info of the player while it works on the position."""
        side = position.side  # changes while the player tries a move
        with self.pictures(lambda: self.picture(
                player.name, player.report, side, MOST_VALUES, with_line=True)):
            yield

    @contextmanager
    def watch_loading(self) -> Iterator[None]:
        """Context: show GoGui the seconds of loading, from the first full second on."""
        start = time.monotonic()

        def text() -> str:
            seconds = int(time.monotonic() - start)
            return f"TEXT compiling ... {seconds} s" if seconds else ""

        with self.pictures(text):
            yield

    @contextmanager
    def pictures(self, picture: Callable[[], str]) -> Iterator[None]:
        """Context: show GoGui the pictures that the function returns."""
        if not self.live_graphics:
            yield
            return
        over = threading.Event()
        thread = threading.Thread(target=show_until, daemon=True, args=(over, picture))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join(UPDATE / 4)  # GoGui may not be reading

    def picture(self, player: str, report: Report, side: int, most: int, with_line: bool) -> str:
        """The report of a player for a side as GoGui's graphics: best values, line, summary.

        The stones of the line have move numbers.  On the other points, brighter colours stand for
        higher values, and labels give percent for the side to move.  Losing moves have a label only
        among the best MOST_VALUES.
        """
        names = self.session.points.name
        best = best_of(report, most)
        line = [names[move] for move in report.line[:LINE_LENGTH]] if with_line else []
        lines = []
        if line:
            lines.append(f"VAR {variation(side, line)}")
        for colour, moves in shades({move: report.values[move] for move in best}).items():
            painted = [names[move] for move in moves if names[move] not in line]
            if painted:
                lines.append(f"COLOR {colour} {' '.join(painted)}")
        lines += [f"LABEL {names[move]} {percent(report.values[move])}%"
                  for number, move in enumerate(best)
                  if names[move] not in line and (number < MOST_VALUES or report.values[move] > -1)]
        text = [player]
        if report.line:
            text.append(names[report.line[0]])
            if report.line[0] in report.values:
                text.append(f"{percent(report.values[report.line[0]])}%")
        text += [f"{name} {figure_text(name, value)}" for name, value in report.figures.items()]
        return "\n".join([*lines, "TEXT " + " ".join(text)]) if len(text) > 1 else ""

    # --- settings -----------------------------------------------------------------------------

    def book_moves(self) -> str:
        """book_moves

        The book's answers: on their points the number of games, in words the
        share of points of the side to move.  `param book FILE` sets the book.
        """
        from ...players.openings.book import open_book
        path, position = self.session.engine.settings.book, self.session.position
        if path is None:
            return "TEXT no book; param book FILE sets one"
        games, _ = open_book(path).games_of(position.rules)
        answers = games.answers(position)
        labels, words = [], []
        for answer in answers[:MOST_VALUES]:
            names = [self.session.points.name[point] for point in answer.points]
            labels.append("LABEL " + " ".join(f"{name} {answer.games}" for name in names))
            score = "" if answer.score is None else f" {100 * answer.score:.0f}%"
            words.append(f"{names[0]} {answer.games}{score}")
        return "\n".join([*labels, f"TEXT {', '.join(words) or 'not in the book'}"])

    def param(self, key: Optional[str] = None, value: Optional[str] = None) -> Optional[str]:
        """param [KEY VALUE]

        All settings, or a new value for one.  Each has its kind and value.  KEY is player,
        policy, simulations, time_seconds (for a move; clock: by time_settings), threads,
        memory_MB, depth, nodes, level, book, seed or live_graphics (1 or 0).  KEY may omit the
        unit: param time 2.  The value none means no limit, no book or a random seed.
        """
        if key is None:
            return str(self.parameters)
        if value is None:
            raise GtpError("usage: param [KEY VALUE]")
        self.parameters.set(key, value)
        return None


def show_until(over: threading.Event, picture: Callable[[], str]) -> None:
    """Write each new picture to standard error until `over`, unless the last one is unread."""
    before = ""
    while not over.wait(UPDATE):
        now = picture()
        if now and now != before and not unread(sys.stderr.fileno()):
            sys.stderr.write(f"gogui-gfx:\n{now}\n\n")
            sys.stderr.flush()
            before = now


def best_of(report: Report, most: int) -> list[int]:
    """The `most` best moves: by playouts, then value, the chosen move before its equals.

    A search drops bad moves after few playouts.  Among wins the shortest comes first, among losses
    the longest.
    """
    chosen = report.line[:1]

    def plies(move: int) -> int:
        return report.scores.get(move, 0) if abs(report.values[move]) == 1 else 0

    return sorted(report.values, key=lambda move: (
        -report.playouts.get(move, 0), -report.values[move], (move,) != chosen, -plies(move),
        move))[:most]


def shades(values: Mapping[int, float]) -> dict[str, list[int]]:
    """The moves by colour, brighter for higher values.  No colours if all values are equal."""
    percents = [*map(percent, values.values())]
    if len({*percents}) < 2:
        return {}
    top, low = max(values.values()), min(values.values())
    moves: dict[str, list[int]] = {}
    for move, value in values.items():
        share = (top - value) / (top - low)
        moves.setdefault(SHADES[round(share * (len(SHADES) - 1))], []).append(move)
    return moves


def figure_text(name: str, value: int) -> str:
    """A figure of a report as text; a score has its sign and its unit."""
    return f"{value:+,} points" if name == "score" else f"{value:,}"


def variation(colour: int, names: list[str]) -> str:
    """Alternating moves as text, as in b H8 w G9; `colour` moves first."""
    return " ".join(f"{COLOUR_NAMES[colour if i % 2 == 0 else opponent(colour)][0]} {name}"
                    for i, name in enumerate(names))
