"""The package as a library: games, engines, matches and results; see docs/api.md.

Points are texts as GTP has them ("H8"), colours are "black" and "white".
"""

from collections import deque
from os import PathLike
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any, Iterable, NamedTuple, Optional, Union

from .games import catalogue, records
from .games.lattice import EMPTY
from .games.rules import Position
from .games.sgf import sgf_of
from .games.tree import tree_of
from .learn.analysis import Effort, analysis_of
from .learn.review import move_data, review
from .players.base import Limits, Player, Report
from .players.options import OPTIONS, settings_of
from .players.registry import make_player
from .solvers.solve import load_proof, solve
from .terminal import lacks
from .wire.notation import COLOUR_NAMES, GtpPoints, board_drawing

GAMES = tuple(catalogue.GAMES)  # the names of all games
COLOURS = {name: colour for colour, name in COLOUR_NAMES.items()}


class Outcome(NamedTuple):
    """How a game has ended.

    winner  "black", "white" or None for a draw
    reason  "line", "captures" or "board full"
    """

    winner: Optional[str]
    reason: str


class Game:
    """A game that is played move by move."""

    def __init__(self, name: str = "Gomoku", size: Optional[int] = None):
        """An empty board of that game, one of GAMES, on its usual size unless another is given.

        Raises ValueError if there is no such game or it is not played on that size.
        """
        rules = catalogue.find(name)
        self._start(catalogue.start(rules, rules.default_size if size is None else size))

    def _start(self, position: Position) -> None:
        self.position = position
        self._points = GtpPoints(position.lattice)

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.position.rules.name

    @property
    def size(self) -> int:
        """The length of a side of the board as it is shown."""
        return self.position.lattice.shown_size

    @property
    def turn(self) -> str:
        """The colour to move."""
        return COLOUR_NAMES[self.position.side]

    @property
    def outcome(self) -> Optional[Outcome]:
        """How the game has ended, None while it goes on."""
        found = self.position.outcome
        return found and Outcome(COLOUR_NAMES.get(found.winner), found.reason)

    @property
    def moves(self) -> list[str]:
        """The points played so far, the first one first."""
        return [self._points.name[record.point] for record in self.position.moves]

    @property
    def captured(self) -> dict[str, int]:
        """How many stones each colour has captured."""
        return {name: self.position.captured[colour] for name, colour in COLOURS.items()}

    def stone(self, point: str) -> Optional[str]:
        """The colour of the stone on a point, None if it is empty.  Raises ValueError."""
        return COLOUR_NAMES.get(self.position.cells[self.point(point)])

    def legal_moves(self) -> list[str]:
        """The points on which the side to move may play; none after the end."""
        return [self._points.name[point] for point in self.position.legal_moves()]

    def play(self, point: str, colour: Optional[str] = None) -> None:
        """Play a move for the side to move, or for the colour that is given.

        Raises ValueError, with the reason, if the move is not possible; nothing changes then.
        """
        side = self.position.side if colour is None else colour_of(colour)
        self.position.play(side, self.point(point))

    def undo(self) -> str:
        """Take back the last move; returns its point.  Raises ValueError if there is none."""
        if not self.position.history:
            raise ValueError("there is no move to take back")
        point = self.position.history[-1].point
        self.position.undo()
        return self._points.name.get(point, "")

    def copy(self) -> "Game":
        """An independent game with the same moves."""
        other = Game.__new__(Game)
        other._start(self.position.copy())
        return other

    def point(self, text: str) -> int:
        """The point of that name as the engine numbers it.  Raises ValueError if there is none."""
        point = self._points.point_of(text)
        if not point:
            raise ValueError(f"no such point: {text}")
        return point

    def text(self, point: int) -> str:
        """The name of a point; the inverse of `point`."""
        return self._points.name[point]

    def to_sgf(self, **properties: str) -> bytes:
        """The game as an SGF file, with properties such as PB="Ann" in its root."""
        return sgf_of(self.position, properties)

    @classmethod
    def from_sgf(cls, data: Union[bytes, str], name: str = "Gomoku",
                 size: Optional[int] = None) -> "Game":
        """The game at the end of the main line of a file: SGF, .psq, or moves as in h8i9h7.

        It is of that game unless SGF names another one, of that size unless the file says so.
        Raises ValueError if the file cannot be read or its moves cannot be played.
        """
        rules = catalogue.find(name)
        content = data.encode() if isinstance(data, str) else data
        tree = records.tree_in(content, rules, rules.default_size if size is None else size)
        game = cls.__new__(cls)
        game._start(tree.position(tree.line(0)[-1]))
        return game

    def __str__(self) -> str:
        return "\n".join(board_drawing(self.position.lattice, self.position.cells))

    def __repr__(self) -> str:
        return f"<{self.name} {self.size}x{self.size}: {' '.join(self.moves) or 'no moves'}>"


class Line(NamedTuple):
    """A move with what an engine makes of it.

    value  for the side to move, from -1 (lost) over 0 (even) to 1 (won)
    moves  what it expects, the move itself first
    plies  until the end of the game if the result is proved, else None
    """

    move: str
    value: float
    moves: list[str]
    plies: Optional[int] = None


class Solution(NamedTuple):
    """The result with perfect play.

    result  "black", "white", "draw" or "unknown"
    move    a move of the side to move that brings it about, if one is known
    """

    result: str
    move: Optional[str]


class ReviewedMove(NamedTuple):
    """A move of a game with what a review makes of it.

    kind          best, good, inaccuracy, mistake, blunder, missed win, allowed win, slower win,
                  slower loss or lost already
    value_before  of the position before it for the side that moves, from -1 (lost) to 1 (won)
    value_after   of the position after it, for the same side
    better        the move that would have been better, None if there was none
    line          what was to be expected before the move
    refutation    what the other side can do after a move that cost something
    plies         length of the proof that decides the class, None if nothing is proved
    """

    ply: int
    colour: str
    point: str
    kind: str
    value_before: float
    value_after: float
    better: Optional[str]
    line: list[str]
    refutation: list[str]
    plies: Optional[int]


class InTurn:
    """A lock that threads get in the order in which they have asked for it."""

    def __init__(self) -> None:
        self._waiting: deque[Lock] = deque()
        self._guard = Lock()

    def __enter__(self) -> None:
        turn = Lock()
        turn.acquire()
        with self._guard:
            self._waiting.append(turn)
            if self._waiting[0] is turn:
                return
        try:
            turn.acquire()
        except BaseException:  # interrupted while it waited
            with self._guard:
                self._leave(turn)
            raise

    def __exit__(self, *error: object) -> None:
        with self._guard:
            self._leave(self._waiting[0])

    def _leave(self, turn: Lock) -> None:
        was_first = self._waiting[0] is turn
        self._waiting.remove(turn)
        if was_first and self._waiting:
            self._waiting[0].release()

    def __reduce__(self) -> tuple[Any, ...]:
        return InTurn, ()  # nobody waits for a copy


class Engine:
    """A player that chooses moves and analyses positions.

    In a game it remembers what it has searched for moves before; each analysis begins anew, so that
    a seed makes its values the same whatever was asked before.  Several threads may ask one engine:
    it answers one call at a time, in the order in which they came.  Different engines work side by
    side, also on the same game.
    """

    def __init__(self, player: str = "alphabeta", time: Optional[float] = None, **options: Any):
        """A player of that name: random, flat or alphabeta.

        time     seconds for a move
        options  as on the command line: seed, level, nodes, depth, memory, threads,
                 policy, simulations

        Raises ValueError for a player, an option or a value that does not exist.
        """
        values = {}
        for name, value in {"time": time, **options}.items():
            if value is not None:
                values[name] = self._option(player, name).read(str(value))
        self.time = values.pop("time", None)
        self._options = values
        self.player: Player = make_player(player, settings_of(values))
        self._turn = InTurn()

    def _option(self, player: str, name: str) -> Any:
        known = [each for each, option in OPTIONS.items()
                 if each != "player" and (not option.players or player in option.players)]
        if name not in known:
            raise ValueError(f"{player} has no option {name} (available: {' '.join(known)})")
        return OPTIONS[name]

    def choose(self, game: Game) -> str:
        """A legal move for the side to move; the game is unchanged.  Raises ValueError at its end.
        """
        with self._turn:
            return game.text(self.player.choose(game.position.copy(), self._limits()))

    def analyse(self, game: Game, lines: int = 1) -> list[Line]:
        """The best moves of a position, at most so many, the best one first.

        Raises ValueError if the game is over.
        """
        if game.outcome:
            raise ValueError("there is nothing to analyse: the game is over")
        with self._turn:
            player = make_player(self.player.name, settings_of(self._options))
            look = player.choose if lines == 1 else player.evaluate_moves
            look(game.position.copy(), self._limits())
            report = player.report
        ranked = sorted(report.values, key=lambda move: (
            move != report.line[0], -report.values[move], -report.playouts.get(move, 0), move))
        return [Line(game.text(move), report.values[move],
                     [game.text(point) for point in expected(report, move)], plies(report, move))
                for move in ranked[:lines]]

    def solve(self, game: Game, seconds: float = 10.0) -> Solution:
        """The proved result of a position, "unknown" if so many seconds bring no proof."""
        with self._turn:
            load_proof(game.position.rules)
            value = solve(game.position.copy(), self.player.settings,
                          Limits(bytearray(2), seconds))
        if value.winner is None:
            return Solution("unknown", None)
        result = "draw" if value.winner == EMPTY else COLOUR_NAMES[value.winner]
        return Solution(result, game.text(value.move) if value.move else None)

    def review(self, game: Game) -> list[ReviewedMove]:
        """What alphabeta makes of the moves of a game, with this engine's time or nodes for each
        position; the game is unchanged.

        Raises ValueError if the engine is another player, or if there is no move.
        """
        if self.player.name != "alphabeta":
            raise ValueError(f"{self.player.name} cannot review a game (available: alphabeta)")
        settings = self.player.settings
        effort = Effort(self.time, settings.nodes, settings.memory, settings.seed)
        with self._turn:
            found = review(tree_of(game.position.copy()), effort,
                           lambda tasks: [analysis_of(task) for task in tasks])
        moves = [move_data(move, found.names().name) for move in found.moves]
        return [ReviewedMove(kind=move["class"], **{
            name: move[name] for name in ReviewedMove._fields if name != "kind"})
            for move in moves]

    def _limits(self) -> Limits:
        return Limits(bytearray(2), self.time)


def expected(report: Report, move: int) -> Iterable[int]:
    """The line that begins with a move."""
    return report.line if move == report.line[0] else report.lines.get(move, (move,))


def plies(report: Report, move: int) -> Optional[int]:
    """The plies until the end after a move, None if nothing is proved of it."""
    if move != report.line[0] or abs(report.values[move]) < 1:
        return None
    return report.figures.get("plies to win", report.figures.get("plies to loss"))


class MatchGame(NamedTuple):
    """A game of a match: who had the first move, who won (None: nobody), why, and the moves."""

    first: str
    second: str
    winner: Optional[str]
    ending: str
    moves: list[str]


def match(first: str, second: str, games: int = 2, name: str = "Gomoku",
          size: Optional[int] = None, time_per_move: Optional[float] = None,
          seed: Optional[int] = None) -> list[MatchGame]:
    """Play games between two seats, which take turns with the first move.

    A seat is written as for the command `referee`: alphabeta,time=0.1; gtp:COMMAND and so on.
    Raises ValueError for a seat that cannot be read or cannot play, ImportError for a program if
    the extra `arena` is not installed.
    """
    from .arena.record import GameRecord  # only a match needs it
    from .arena.referee import play_game
    from .arena.seats.base import TimeControl
    from .arena.seats.spec import check, seat_of
    rules, rng = catalogue.find(name), Random(seed)
    played = []
    for number in range(games):
        position = catalogue.start(rules, rules.default_size if size is None else size)
        seats = [seat_of(text, TimeControl(per_move=time_per_move), rng)
                 for text in (first, second)]
        check(seats, rules)
        order = seats[::-1] if number % 2 else seats
        try:
            verdict = play_game(position, order[0], order[1], GameRecord(None),
                                lambda position: None)
        except ImportError as error:
            raise ImportError(lacks(error, "a program"), name=error.name) from None
        winner = {EMPTY: None, rules.first: order[0].name}.get(verdict.winner, order[1].name)
        points = GtpPoints(position.lattice)
        played.append(MatchGame(order[0].name, order[1].name, winner, verdict.ending.value,
                                [points.name[record.point] for record in position.moves]))
    return played


def read_results(path: Union[str, "PathLike[str]"]) -> dict[str, Any]:
    """What the games of a tournament's file say, as its report has it: players with points and
    ratings, who met whom, how games ended.

    Raises OSError if the file cannot be read, ValueError if it is none of a tournament.
    """
    from .tournament.results import Results
    from .tournament.standings import summary_of
    results = Results.read(Path(path))
    return summary_of(results.contest, results.games.values())


class Answer(NamedTuple):
    """What games have answered in a position.

    points  where: one point, or all that symmetries of the position make equal
    games   in so many games, of which `won`, `drawn` and `lost` are those with a known result, for
            the side that answered
    value   the mean, for that side, of the values that the games have after it, from -1 (lost) to 1
            (won); None without any
    remark  what is known beside the games; "" if nothing is
    """

    points: list[str]
    games: int
    won: int
    drawn: int
    lost: int
    value: Optional[float]
    remark: str


def answers(paths: Iterable[Union[str, "PathLike[str]"]], game: Game) -> list[Answer]:
    """What the games of files and folders answer in the position of a game, the most frequent
    answer first, as `python -m gtp_engine explore` does.

    Games of another kind or size are left out.  Raises OSError if there is no such file, ValueError
    with a line for each file or game that cannot be read.
    """
    from .explore import Collection, files_in
    position = game.position
    collection = Collection(position.rules, game.size)
    faults = [fault for path in files_in(map(Path, paths)) for fault in collection.read(path)]
    if faults:
        raise ValueError("\n".join(faults))
    found = collection.of(position.rules, game.size).answers(position.copy())
    return [Answer(**{**answer._asdict(), "points": [game.text(point) for point in answer.points]})
            for answer in found]


def colour_of(text: str) -> int:
    """BLACK or WHITE, from "black" or "white".  Raises ValueError."""
    if text not in COLOURS:
        raise ValueError(f"no such colour: {text} (available: {' '.join(COLOURS)})")
    return COLOURS[text]
