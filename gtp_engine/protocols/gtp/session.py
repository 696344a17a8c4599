"""One game between a controller and the engine: the GTP commands of a board game."""

from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator, NamedTuple, Optional

from ... import __version__
from ...command_line.terminal import harmless, import_error_text
from ...games import catalogue
from ...games.lattice import BLACK, EMPTY, PASS, WHITE, opponent, size_of
from ...games.rules import IllegalMove, Position
from ...players.base import PlayerFault, Report, Settings
from ...players.options import OPTIONS, seconds, whole_number
from ...players.playout_policy import policy_moves
from ...players.registry import Unplayable
from ...wire.clock import Clock, TimeSettings
from ...wire.files import write_named_file
from ...wire.notation import COLOUR_NAMES, SYMBOLS, GtpPoints, board_drawing, colour_of, percent
from ..engine import Engine
from .dispatcher import Dispatcher, GtpError

ENGINE = "gtp_engine"
NO_MOVE = "no move yet"


class Course(NamedTuple):
    """The differences between replies that the test files of a course year expect.

    lower_case      write points in lower case?
    upper_answers   write the points of solve and policy_moves in upper case even so?
    white_captures_first   report the captures of White before those of Black?
    """

    lower_case: bool = False
    upper_answers: bool = False
    white_captures_first: bool = False


class IllegalMoveReply(GtpError):
    """The reply to an illegal move."""

    def __init__(self, argument: str, reason: str):
        super().__init__(f'illegal move: "{argument.lower()}" {reason}')


class Session:
    """The state of a GTP session and the commands that read or change it.

    engine  the position, the player and the clock
    clock   the engine's clock, by the settings of GTP
    course  the form of replies
    verbose log each move of the engine?
    points  the names of the points
    last_search_info   the reply of `last_genmove`
    opening_stone   the point of the engine's next stone in an opening, for a colour; None if there
            is no opening.  It may raise GtpError
    """

    def __init__(self, dispatcher: Dispatcher, position: Position, player: str, settings: Settings,
                 strict: bool = False, seconds: Optional[float] = None, course: Course = Course(),
                 custom_name: str = "", verbose: bool = False):
        self.clock = Clock(seconds)
        self.engine = Engine(position, player, settings, self.clock, dispatcher.stop)
        self.strict, self.course = strict, course
        self.verbose, self.custom_name = verbose, custom_name
        self.points = GtpPoints(position.lattice, course.lower_case)
        self.last_search_info = NO_MOVE
        self.opening_stone: Callable[[int], Optional[int]] = lambda colour: None
        dispatcher.add([
            self.name, self.version, self.boardsize, self.rectangular_boardsize, self.clear_board,
            self.ruleset, self.komi, self.play, self.genmove, self.last_genmove, self.undo,
            self.gg_undo, self.showboard, self.final_score, self.reg_genmove, self.loadsgf,
            self.printsgf, self.policy, self.policy_moves, self.solve,
            self.timelimit, self.time_settings, self.time_left,
        ])

    @property
    def position(self) -> Position:
        """The current position; `boardsize`, `clear_board` and `ruleset` replace it."""
        return self.engine.position

    # --- about the engine ---------------------------------------------------------------------

    def name(self) -> str:
        """name

        The name of the engine: that of --name, else gtp_engine with the player and the settings
        that differ from the default.
        """
        if self.custom_name:
            return self.custom_name
        player = self.engine.player_name
        values = {**vars(self.engine.settings), "player": player, "time": self.clock.per_move}
        other = {name: values[name] for name, option in OPTIONS.items()
                 if name != "seed" and player in option.players and values[name] != option.default}
        if not other:
            return ENGINE
        other.pop("player", None)
        return " ".join([ENGINE, player, *(
            f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in other.items())])

    def version(self) -> str:
        """version

        The version of the engine.
        """
        return __version__

    # --- the game -----------------------------------------------------------------------------

    def boardsize(self, size: str) -> None:
        """boardsize SIZE

        Empty the board and make it SIZE x SIZE; Black is to move.
        """
        try:
            self.new_game(catalogue.start(self.position.rules, integer("board size", size)))
        except ValueError:
            raise GtpError("unacceptable size") from None

    def rectangular_boardsize(self, columns: str, rows: str) -> None:
        """rectangular_boardsize COLUMNS ROWS

        Empty the board and make it COLUMNS x ROWS; Black is to move.
        """
        size = integer("board size", columns), integer("board size", rows)
        try:
            self.new_game(catalogue.start(self.position.rules, size_of(*size)))
        except ValueError:
            raise GtpError("unacceptable size") from None

    def clear_board(self) -> None:
        """clear_board

        Empty the board; Black is to move.
        """
        self.new_game(Position(self.position.rules, self.position.lattice))

    def ruleset(self, *words: str) -> Optional[str]:
        """ruleset [GAME]

        Play GAME.  A change empties the board.  The board keeps its size if the new
        game allows it, else it gets the game's default size.
        GAME may also be K-in-a-row with a number K, or have changes as in "Pente, 4 in a row, white
        first".  Without GAME: the current game and the list of the other games.
        """
        rules, game = self.position.rules, " ".join(words)
        if not game:
            return f"current: {rules.name}\navailable: {' '.join(catalogue.GAMES)}"
        try:
            chosen = catalogue.find(game)
        except ValueError as error:
            raise GtpError(str(error)) from None
        if chosen != rules:
            try:
                self.new_game(catalogue.start(chosen, self.position.lattice.display_size))
            except ValueError:
                self.new_game(catalogue.start(chosen, chosen.default_size))
        return None

    def komi(self, komi: str) -> None:
        """komi POINTS

        Accepted and ignored.
        """
        try:
            float(komi)
        except ValueError:
            raise GtpError(f"komi is not a number: {komi}") from None

    def play(self, colour: str, point: str) -> Optional[str]:
        """play COLOUR POINT

        Play a stone, or pass.  Turns need not alternate; the other colour is to move next.
        """
        try:
            self.move(colour, point)
        except IllegalMoveReply as complaint:
            if self.strict:
                raise
            return str(complaint)
        return None

    def genmove(self, colour: str) -> str:
        """genmove COLOUR

        Choose and play a move; in an opening, play the next stone of the person to act.  After the
        end of the game: resign if COLOUR has lost, else pass.
        """
        mover = self.colour(colour)
        outcome = self.position.outcome
        if outcome and outcome.winner == opponent(mover):
            return "resign"
        if outcome:
            self.position.play(mover, PASS)
            return "pass"
        stone = self.opening_stone(mover)
        if stone is not None:
            self.position.play(mover, stone)
            return self.points.name[stone]
        with needed_by(f"the player {self.engine.player_name}"):
            point = self.engine.genmove(mover)
        self.last_search_info = self.comment(point)
        if self.verbose:
            import logging
            logging.getLogger(__name__).info("%s", self.last_search_info)
        return self.points.name[point]

    def last_genmove(self) -> str:
        """last_genmove

        The search info of the engine's last move: the move, its value in percent, the depth, the
        nodes or playouts and the expected line, if the player provides them.  After book stands
        the number of games of a move from the book.  A new game has none.
        """
        return self.last_search_info

    def comment(self, point: int) -> str:
        """A move of the engine in one line, with its search info."""
        search = self.engine.search
        report = search.report if search else Report()
        words = [self.points.name[point]]
        if point in report.values:
            words.append(f"{percent(report.values[point])}%")
        words += [f"{name} {report.figures[name]}"
                  for name in ("book", "depth", "nodes", "simulations") if name in report.figures]
        if report.line:
            words.append(f"line {' '.join(self.points.name[each] for each in report.line)}")
        return " ".join(words)

    def reg_genmove(self, colour: str) -> str:
        """reg_genmove COLOUR

        The move that genmove would play now, without playing it.  COLOUR null: the side to move.
        """
        mover = self.position.side if colour.lower() == "null" else self.colour(colour)
        outcome = self.position.outcome
        if outcome:
            return "resign" if outcome.winner == opponent(mover) else "pass"
        with needed_by(f"the player {self.engine.player_name}"):
            return self.points.name[self.engine.preview_move(mover)]

    def undo(self) -> None:
        """undo

        Take back the last move, pass or setup, with the turn.
        """
        if not self.position.history:
            raise GtpError("cannot undo")
        self.position.undo()

    def gg_undo(self, count: str = "1") -> None:
        """gg-undo [COUNT]

        Take back COUNT moves, or none if there are fewer.
        """
        number = integer("count", count)
        if not 0 <= number <= len(self.position.history):
            raise GtpError("cannot undo")
        for _ in range(number):
            self.position.undo()

    def showboard(self) -> str:
        """showboard

        A drawing of the position: X is Black, O is White; with the number of captured stones.
        """
        position = self.position
        lines = ["", *board_drawing(position.lattice, position.cells), f"{position.rules.name}, "
                 + (f"result: {self.result()}" if position.outcome else
                    f"{COLOUR_NAMES[position.side]} ({SYMBOLS[position.side]}) to move")]
        if position.rules.capture_lengths:
            lines.append(f"captured by black: {position.captured[BLACK]}, "
                         f"by white: {position.captured[WHITE]}")
        return "\n".join(lines)

    def loadsgf(self, *words: str) -> str:
        """loadsgf FILE [N]

        Continue from the end of a game's main line, or from before its move N.  FILE is SGF, .psq
        of Piskvork, .lib of RenLib or another format, or has moves such as h8i9h7.  The current
        game and size apply if it names none.  The reply has notes on the rest.
        """
        *name, last = words or ("",)
        number = integer("move", last) if name and last.isdecimal() else None
        path = " ".join(words if number is None else name)
        if not path:
            raise GtpError("usage: loadsgf FILE [N]")
        with needed_by("loadsgf"):
            from ...records import reader
            try:
                if Path(path).exists() and not Path(path).is_file():
                    raise ValueError("not a file")
                record = reader.first(path, self.position.rules,
                                      self.position.lattice.display_size)
            except (OSError, ValueError) as error:
                raise GtpError(f"cannot load {path}: {reason_of(error)}") from None
        self.new_game(record.position_before(number))
        return "\n".join(map(harmless, reader.some_of(record.notes)))

    def printsgf(self, *words: str) -> Optional[str]:
        """printsgf [FILE]

        The game as SGF: the text, or written to FILE.
        """
        result = {"black": "B+", "white": "W+", "draw": "0"}.get(self.result())
        with needed_by("printsgf"):
            from ...records.sgf import sgf_of
            data = sgf_of(self.position, {"RE": result} if result else {})
        if not words:
            return data.decode().strip()
        path = " ".join(words)
        try:
            write_named_file(Path(path), data)
        except OSError as error:
            raise GtpError(f"cannot write {path}: {reason_of(error)}") from None
        return None

    def final_score(self) -> str:
        """final_score

        The result of a finished game: B+R or W+R for a win, 0 for a draw.
        """
        outcome = self.position.outcome
        if outcome is None:
            raise GtpError("cannot score: the game is not over")
        return {BLACK: "B+R", WHITE: "W+R", EMPTY: "0"}[outcome.winner]

    # --- the player ---------------------------------------------------------------------------

    def policy(self, policy: str) -> None:
        """policy random|rule_based

        Set the policy of playouts.
        """
        try:
            self.engine.settings.policy = OPTIONS["policy"].parse(policy)
        except ValueError as error:
            raise GtpError(str(error)) from None
        self.load_for_clock()

    def policy_moves(self) -> str:
        """policy_moves

        The moves of the policy: the name of the deciding rule and its points for the side to move.
        """
        rule, points = policy_moves(self.position, self.engine.settings.policy)
        return f"{rule} {self.answer(self.points.text(points))}" if points else ""

    def solve(self) -> str:
        """solve

        The winner with perfect play: b, w, draw or unknown, proved within the time for a move.  If
        the side to move wins or draws, the reply has a move that achieves it.
        """
        limits = self.engine.limits(self.position.side)
        rules = self.position.rules
        with needed_by("solve"):
            def load() -> None:
                from ...solvers.solve import load_proof
                load_proof(rules)

            if not self.engine.loader.finishes(("solve", rules), load):
                return "unknown"
            from ...solvers.solve import solve
            value = solve(self.position, self.engine.settings, limits)
        words = {BLACK: "b", WHITE: "w", EMPTY: "draw", None: "unknown"}[value.winner]
        if value.move is None:
            return words
        return f"{words} {self.answer(self.points.name[value.move])}"

    # --- time ------------------------------------------------------------------------------------

    def timelimit(self, seconds: str) -> None:
        """timelimit SECONDS

        Limit every move to SECONDS, a whole number from 1 to 100.
        """
        limit = integer("time limit", seconds)
        if not 1 <= limit <= 100:
            raise GtpError("time limit must be 1 to 100 seconds")
        self.clock.limit_moves(limit)

    def time_settings(self, main: str, byo_yomi: str, stones: str) -> None:
        """time_settings MAIN BYO_YOMI STONES

        Each side has MAIN seconds, then BYO_YOMI seconds for every STONES moves.  BYO_YOMI with 0
        STONES means no limit.  The player is loaded before the reply.
        """
        self.clock.set_time(TimeSettings(
            seconds_of(main), seconds_of(byo_yomi), at_least_0("stones", stones)))
        self.load_for_clock()

    def time_left(self, colour: str, seconds: str, stones: str) -> None:
        """time_left COLOUR SECONDS STONES

        COLOUR has SECONDS left for STONES moves, or as main time if STONES is 0.
        """
        self.clock.set_left(self.colour(colour), seconds_of(seconds), at_least_0("stones", stones))
        self.load_for_clock()

    def load_for_clock(self) -> None:
        """Load the player if a clock runs, which would count loading as thinking."""
        if self.clock.is_set:
            with needed_by(f"the player {self.engine.player_name}"):
                self.engine.try_load(self.position.rules)

    # --- shared with the GoGui commands -------------------------------------------------------

    def new_game(self, position: Position) -> None:
        """Continue from this position."""
        if position.lattice is not self.position.lattice:
            self.points = GtpPoints(position.lattice, self.course.lower_case)
        self.engine.new_game(position)
        self.last_search_info = NO_MOVE
        self.load_for_clock()

    def colour(self, text: str) -> int:
        """The colour of that name.  Raises GtpError."""
        colour = colour_of(text)
        if colour is None:
            raise GtpError(f"invalid color: {text}")
        return colour

    def move(self, colour_text: str, point_text: str) -> None:
        """Play a move given as text.  Raises IllegalMoveReply."""
        colour, point = colour_of(colour_text), self.points.point_of(point_text)
        if colour is None:
            raise IllegalMoveReply(colour_text, "wrong color")
        if point is None:
            raise IllegalMoveReply(point_text, "wrong coordinate")
        try:
            self.position.play(colour, point)
        except IllegalMove as complaint:
            raise IllegalMoveReply(point_text, str(complaint)) from None

    def answer(self, points: str) -> str:
        """Points in the reply of solve and policy_moves, in the case that the course expects."""
        return points.upper() if self.course.upper_answers else points

    def result(self) -> str:
        """The result: black, white or draw; unknown before the end of the game."""
        outcome = self.position.outcome
        return COLOUR_NAMES.get(outcome.winner, "draw") if outcome else "unknown"


@contextmanager
def needed_by(user: str) -> Iterator[None]:
    """Raise GtpError in place of ImportError, MemoryError, Unplayable and PlayerFault.

    The text names the `user`, or the player and the game that it does not play.
    """
    try:
        yield
    except (Unplayable, PlayerFault) as reason:
        raise GtpError(str(reason)) from None
    except MemoryError:
        raise GtpError(f"{user} needs more memory than is available") from None
    except ImportError as error:
        raise GtpError(import_error_text(error, user)) from None


def reason_of(error: Exception) -> str:
    """The text of an error, in one harmless line."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return harmless(" ".join(text.split()))


def at_least_0(name: str, text: str) -> int:
    """The whole number, 0 or more, of a text.  Raises GtpError."""
    number = integer(name, text)
    if number < 0:
        raise GtpError(f"{name} is below 0: {text}")
    return number


def seconds_of(text: str) -> float:
    """The seconds, 0 or more, of a text; decimals are accepted.  Raises GtpError."""
    try:
        return seconds(text)
    except ValueError as error:
        raise GtpError(str(error)) from None


def integer(name: str, text: str) -> int:
    """The whole number of a text.  Raises GtpError."""
    try:
        return whole_number(name, text)
    except ValueError as error:
        raise GtpError(str(error)) from None
