"""Engines: players and programs that choose moves, analyse positions and review games."""

import asyncio
import weakref
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, TypeVar, Union

from ..games.lattice import EMPTY
from ..games.tree import tree_of
from ..learn.analysis import Analysis, Effort, Task, analysis_of
from ..learn.review import move_data, review
from ..players.base import Limits, Player, Report, Settings
from ..players.options import OPTIONS, settings_of
from ..players.registry import PLAYERS, check, make_player
from ..solvers.solve import load_proof, solve
from ..wire.notation import COLOUR_NAMES
from .arguments import FileError, a_number, a_whole
from .game import Game
from .player import AdaptedPlayer, OwnPlayer
from .search import Call, EngineError, Info, Line, SearchLimits

if TYPE_CHECKING:
    from .programs import ProgramDriver

__all__ = ["Engine", "EngineError", "FairLock", "Info", "Line", "ReviewedMove", "Solution"]
POLL = 0.05  # seconds between two looks at the report of a player
MOST_UNREAD = 1000  # infos of a search that wait for a slow loop; later ones are left out
LIMITS = SearchLimits._fields
PROGRAMS = ("gtp", "gomocup")
Result = TypeVar("Result")
Item = Union[Info, BaseException, None]  # of a stream; None: its end


class Solution(NamedTuple):
    """The result with perfect play.

    result  "black", "white", "draw" or "unknown"
    move    a move of the side to move that reaches this result, or None
    """

    result: str
    move: Optional[str]


class ReviewedMove(NamedTuple):
    """A move of a game with its review.

    kind          best, good, inaccuracy, mistake, blunder, missed win, allowed win, slower win,
                  slower loss or lost already
    value_before  value before the move for the side that moves, from -1 (lost) to 1 (won)
    value_after   value after the move, for the same side
    better        a better move, None if there is none
    line          the principal variation before the move
    refutation    the line that refutes a bad move
    plies         length of the proof behind the kind, None without a proof
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


class FairLock:
    """A lock that threads acquire in the order of their requests."""

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
        except BaseException:  # an interrupt during the wait
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
        return FairLock, ()  # a copy has no waiting threads


class PlayerDriver:
    """Runs a player of this package, or an object that plays, for an engine.

    player   the player; its results of earlier searches serve the next ones
    options  the options of the player that were given, without `time`
    limits   the limits of searches without limits of their own
    """

    def __init__(self, player: Player, options: dict[str, Any], limits: SearchLimits):
        self.player, self.limits, self.options = player, limits, options

    def __getstate__(self) -> dict[str, Any]:
        # A copy has the settings; it begins without results of earlier searches.
        own = self.player if isinstance(self.player, AdaptedPlayer) else None
        return {"name": self.player.name, "settings": self.player.settings, "own": own,
                "options": self.options, "limits": self.limits}

    def __setstate__(self, state: dict[str, Any]) -> None:
        player = state["own"] or make_player(state["name"], state["settings"])
        PlayerDriver.__init__(self, player, state["options"], state["limits"])

    @property
    def name(self) -> str:
        """The name of the player."""
        return self.player.name

    def choose(self, call: Call) -> Info:
        """Return the info with the chosen move."""
        player, position = self.player, call.position
        self._check(call)
        call.begin()
        with self._limited(player.settings, call), self._watched(call):
            move = player.choose(position, Limits(call.flags, call.limits.time))
        info = self._info(call, player.report)
        line = info.line if info.line[:1] == (call.name(move),) else (call.name(move),)
        return info._replace(move=call.name(move), line=line)

    def analyse(self, call: Call) -> list[Line]:
        """Return the best moves, by a new player of the same kind."""
        self._check(call)
        player = self.player
        if not isinstance(player, AdaptedPlayer):
            player = make_player(player.name, settings_of(self.options))
        look = player.choose if call.lines == 1 else player.evaluate_moves
        with self._limited(player.settings, call):
            limits = Limits(call.flags, call.limits.time)
            look(call.position, limits)
            if not player.report.values:  # without values, at least a move
                player.choose(call.position, limits)
        report = player.report
        if not report.values:
            return [Line(line[0], None, [*line]) for line in [call.names(report.line)]]
        best = report.line[:1]
        ranked = sorted(report.values, key=lambda move: (
            (move,) != best, -report.values[move], -report.playouts.get(move, 0), move))
        return [Line(call.name(move), report.values[move],
                     [call.name(point) for point in expected(report, move)], plies(report, move))
                for move in ranked[:call.lines]]

    def close(self) -> None:
        """A player needs no end."""

    kill = close

    def _check(self, call: Call) -> None:
        # Raise ValueError if the player does not play this game.
        if self.player.name in PLAYERS:
            check(self.player.name, call.position, self.player.settings.policy)

    @contextmanager
    def _limited(self, settings: Settings, call: Call) -> Iterator[None]:
        # The player reads its limits of nodes and depth from the settings.
        before = settings.nodes, settings.depth
        settings.nodes, settings.depth = call.limits.nodes, call.limits.depth
        try:
            yield
        finally:
            settings.nodes, settings.depth = before

    @contextmanager
    def _watched(self, call: Call) -> Iterator[None]:
        # Report each change of the search info meanwhile.
        if call.news is None:
            yield
            return
        over = Event()
        thread = Thread(target=self._watch, args=(call, call.news, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _watch(self, call: Call, news: Callable[[Info], None], over: Event) -> None:
        before: Any = None
        while not over.wait(POLL):
            info = self._info(call, self.player.report)
            now = info.depth, info.value, info.line
            if now != before and info.line:
                before = now
                news(info)

    def _info(self, call: Call, report: Report) -> Info:
        best, figures = report.line[:1], report.figures
        score_text = getattr(self.player, "score_text", None)
        score = score_text(figures["score"]) if score_text and "score" in figures else ""
        return Info(figures.get("depth"), figures.get("nodes", figures.get("simulations")),
                    round(call.seconds, 3), report.values.get(best[0]) if best else None, score,
                    call.names(report.line))


class Engine:
    """A player or a program that chooses moves and analyses positions.

    `choose` reuses the results of earlier searches.  Each analysis begins anew, so the values of a
    player of this package depend on the seed alone.  Threads may share an engine: it executes one
    call at a time, in the order of the calls; `stop` needs no turn.  Different engines run in
    parallel, also on the same game.  An engine is a context manager, which closes it.
    """

    def __init__(self, player: Union[str, OwnPlayer] = "alphabeta", time: Optional[float] = None,
                 *, nodes: Optional[int] = None, depth: Optional[int] = None,
                 level: Optional[int] = None, seed: Optional[int] = None,
                 memory: Optional[int] = None, threads: Optional[int] = None,
                 policy: Optional[Literal["random", "rule_based"]] = None,
                 simulations: Optional[int] = None,
                 book: Optional[Union[str, "PathLike[str]"]] = None):
        """Create an engine.

        player  random, flat or alphabeta; gtp:COMMAND or gomocup:COMMAND for a program; or an
                object with choose(game, limits), or a function of a game.  A process of its own
                runs python:MODULE:NAME.  Settings may follow the name of a player, as in
                alphabeta,level=3; NAME= may come before a text.
        time    seconds for a move
        nodes   most nodes of a search
        depth   greatest depth of a search in plies

        The other options are those of the command line, for players of this package.  Raises
        ValueError for an unknown player, an invalid value or an option that the player lacks.
        Raises FileError for an unreadable book, and EngineError if there is no such program.
        """
        options = {"time": time, "nodes": nodes, "depth": depth, "level": level, "seed": seed,
                   "memory": memory, "threads": threads, "policy": policy,
                   "simulations": simulations, "book": book}
        self._closed = False
        self._begin(_driver(player, {name: value for name, value in options.items()
                                     if value is not None}))

    def _begin(self, driver: "Union[PlayerDriver, ProgramDriver]") -> None:
        self._driver = driver
        self._turn = FairLock()
        self._running: Optional[Call] = None
        weakref.finalize(self, driver.kill).atexit = False  # the module process does that

    def __getstate__(self) -> dict[str, Any]:
        return {"driver": self._driver, "closed": self._closed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._closed = state["closed"]
        self._begin(state["driver"])

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        given = {key: value for key, value in self._driver.limits._asdict().items()
                 if value is not None}
        if isinstance(self._driver, PlayerDriver):
            given |= self._driver.options
        options = "".join(f", {key}={value:g}" if isinstance(value, float) else f", {key}={value}"
                          for key, value in given.items())
        return f"<Engine {self.name}{options}{', closed' if self._closed else ''}>"

    @property
    def name(self) -> str:
        """The name of the player or the program; before its start, the command of a program."""
        return self._driver.name

    @property
    def time(self) -> Optional[float]:
        """Seconds for a move, None without this limit."""
        return self._driver.limits.time

    @property
    def player(self) -> Player:
        """The player.  Raises AttributeError for a program."""
        if not isinstance(self._driver, PlayerDriver):
            raise AttributeError(f"{self.name} is a program")
        return self._driver.player

    # --- moves and analysis -----------------------------------------------------------------------

    def choose(self, game: Game, *, time: Optional[float] = None, nodes: Optional[int] = None,
               depth: Optional[int] = None) -> str:
        """Choose a move for the side to move; the game is unchanged.

        The limits replace those of the engine for this call.  Raises ValueError if the game is over
        or the engine does not play it, and EngineError if a program fails.
        """
        return self._move(self._call(game, "choose", SearchLimits(time, nodes, depth)))

    def search(self, game: Game, *, time: Optional[float] = None, nodes: Optional[int] = None,
               depth: Optional[int] = None) -> Generator[Info, None, None]:
        """Search a move, and yield search info meanwhile; the last info has the move.

        The search begins with the first `next`, in a thread of its own.  It stops when the iterator
        is closed, as at the end of a loop with `break`.  Raises as `choose`.
        """
        return self._stream(self._call(game, "search", SearchLimits(time, nodes, depth)))

    def analyse(self, game: Game, lines: int = 1, *, time: Optional[float] = None,
                nodes: Optional[int] = None, depth: Optional[int] = None) -> list[Line]:
        """Return the best moves of a position, at most `lines` of them, the best one first.

        A program whose protocol has no such request gives one line, from its search info.  Raises
        as `choose`.
        """
        call = self._call(game, "analyse", SearchLimits(time, nodes, depth), lines)
        return self._in_turn(call, lambda: self._driver.analyse(call))

    def stop(self) -> None:
        """Stop the running search, from any thread; without one, do nothing.

        A search then returns its best move so far, `review` the moves reviewed so far, `solve`
        "unknown".  A program without a command to stop is ended, and starts again with the next
        call; EngineError if it has not yet written a move.
        """
        running = self._running
        if running is not None:
            running.stop()

    def close(self) -> None:
        """Stop the running search and end the program.  Later calls raise EngineError."""
        self._closed = True
        self.stop()
        with self._turn:
            self._driver.close()

    # --- with asyncio -----------------------------------------------------------------------------

    async def achoose(self, game: Game, *, time: Optional[float] = None,
                      nodes: Optional[int] = None, depth: Optional[int] = None) -> str:
        """Choose a move as `choose` does, without blocking the loop.

        A cancellation stops the search and does not wait for its end.
        """
        call = self._call(game, "choose", SearchLimits(time, nodes, depth))
        return await _in_thread(call, lambda: self._move(call))

    async def aanalyse(self, game: Game, lines: int = 1, *, time: Optional[float] = None,
                       nodes: Optional[int] = None, depth: Optional[int] = None) -> list[Line]:
        """Analyse a position as `analyse` does, without blocking the loop; see `achoose`."""
        call = self._call(game, "analyse", SearchLimits(time, nodes, depth), lines)
        return await _in_thread(call, lambda: self._in_turn(
            call, lambda: self._driver.analyse(call)))

    def asearch(self, game: Game, *, time: Optional[float] = None, nodes: Optional[int] = None,
                depth: Optional[int] = None) -> AsyncGenerator[Info, None]:
        """Search as `search` does, for `async for`."""
        return self._astream(self._call(game, "search", SearchLimits(time, nodes, depth)))

    # --- proofs and reviews -----------------------------------------------------------------------

    def solve(self, game: Game, seconds: float = 10.0) -> Solution:
        """Return the proved result of a position; "unknown" without a proof within `seconds`.

        This is the solver of the package, whatever the engine.
        """
        a_number("seconds", seconds)
        call = self._call(game, "", SearchLimits())
        return self._in_turn(call, lambda: self._solution(call, seconds))

    def _solution(self, call: Call, seconds: float) -> Solution:
        driver = self._driver
        settings = driver.player.settings if isinstance(driver, PlayerDriver) else Settings()
        load_proof(call.position.rules)
        value = solve(call.position, settings, Limits(call.flags, seconds))
        if value.winner is None:
            return Solution("unknown", None)
        result = "draw" if value.winner == EMPTY else COLOUR_NAMES[value.winner]
        return Solution(result, call.name(value.move) if value.move else None)

    def review(self, game: Game) -> list[ReviewedMove]:
        """Review the moves of a game; the game is unchanged.

        Searches each position with this engine's time or nodes, and positions in doubt again with
        four times as much, or even sixteen times.  After `stop` it returns the moves that it has
        reviewed so far, perhaps none.  Raises ValueError if the player is not alphabeta, or if the
        game has no moves.
        """
        if self.name != "alphabeta" or not isinstance(self._driver, PlayerDriver):
            raise ValueError(f"{self.name} cannot review a game (available: alphabeta)")
        settings = self._driver.player.settings
        effort = Effort(self.time, settings.nodes, settings.memory, settings.seed)
        call = self._call(game, "", SearchLimits())
        result = self._in_turn(call, lambda: review(
            tree_of(call.position), effort, lambda tasks: analyses(tasks, call)))
        moves = [move_data(move, result.names().name) for move in result.moves]
        return [ReviewedMove(kind=move["class"], **{
            name: move[name] for name in ReviewedMove._fields if name != "kind"})
            for move in moves]

    # --- calls ------------------------------------------------------------------------------------

    def _call(self, game: Game, purpose: str, own: SearchLimits, lines: int = 1) -> Call:
        # A new call.  Raises ValueError.
        if not isinstance(game, Game):
            raise ValueError(f"not a Game: {game!r}")
        lines = a_whole("lines", lines)
        if purpose and game.outcome:
            raise ValueError(f"cannot {purpose}: the game is over")
        limits = self._driver.limits
        for key, value in own._asdict().items():
            if value is not None:
                limits = limits._replace(**{key: self._limit(key, value)})
        return Call(game, limits, lines)

    def _limit(self, name: str, value: object) -> Any:
        # The value of a limit of a call.  Raises ValueError.
        driver = self._driver
        if not isinstance(driver, PlayerDriver):
            return _value("", name, value)
        if isinstance(driver.player, AdaptedPlayer):
            return _own_options({name: value}).time
        return _value(driver.name, name, value)

    def _in_turn(self, call: Call, work: Callable[[], Result]) -> Result:
        with self._turn:
            if self._closed:
                raise EngineError("the engine is closed")
            if call.stopped:  # cancelled while it was waiting
                raise EngineError("stopped before the search began")
            self._running = call
            try:
                return work()
            finally:
                self._running = None

    def _move(self, call: Call) -> str:
        return self._in_turn(call, lambda: self._driver.choose(call)).move or ""

    def _start(self, call: Call, put: Callable[[Item], None], unread: Callable[[], int]) -> None:
        # Search in a thread; `put` gets each info or the error, and None at the end.
        call.news = lambda info: put(info) if unread() < MOST_UNREAD else None

        def run() -> None:
            try:
                put(self._in_turn(call, lambda: self._driver.choose(call)))
            except BaseException as error:
                put(error)
            put(None)

        Thread(target=run, daemon=True).start()

    def _stream(self, call: Call) -> Generator[Info, None, None]:
        items: SimpleQueue[Item] = SimpleQueue()
        self._start(call, items.put, items.qsize)
        try:
            while (item := items.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            call.stop()

    async def _astream(self, call: Call) -> AsyncGenerator[Info, None]:
        items: asyncio.Queue[Item] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def put(item: Item) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(items.put_nowait, item)

        self._start(call, put, items.qsize)
        try:
            while (item := await items.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            call.stop()


async def _in_thread(call: Call, work: Callable[[], Result]) -> Result:
    # The result of `work` in a thread; a cancellation stops the call and leaves it alone.
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(result: Optional[Result], error: Optional[BaseException]) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle, result, error)

    Thread(target=run, daemon=True).start()
    try:
        return await future
    finally:
        call.stop()


def _driver(player: Union[str, OwnPlayer], options: dict[str, Any]
            ) -> "Union[PlayerDriver, ProgramDriver]":
    # The driver of a player or a program.  Raises ValueError and EngineError.
    if not isinstance(player, str):
        return PlayerDriver(AdaptedPlayer(player, Settings()), {}, _own_options(options))
    from ..arena.seats.spec import PYTHON, name_and_seat, python_command
    name, text = name_and_seat(player)
    kind, colon, command = text.partition(":")
    if kind == PYTHON and command.strip():
        name, kind, command = name or command.rpartition(":")[2], "gtp", python_command(command)
    if colon and kind in PROGRAMS and command.strip():
        from .programs import GomocupTalk, GtpTalk, ProgramDriver
        if {*options} - {*LIMITS}:
            raise ValueError(f"a program has no option {' '.join({*options} - {*LIMITS})} "
                             f"(available: {' '.join(LIMITS)})")
        limits = SearchLimits(**{key: _value("", key, value) for key, value in options.items()})
        return ProgramDriver({"gtp": GtpTalk, "gomocup": GomocupTalk}[kind], command.strip(),
                             limits, name)
    word, *settings = text.split(",")
    if word not in PLAYERS:
        programs = " ".join(f"{each}:COMMAND" for each in PROGRAMS)
        raise ValueError(f"no such player: {player} (available: {' '.join(PLAYERS)}, {programs} "
                         f"{PYTHON}:MODULE:NAME)")
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise ValueError(f"{player}: {setting} is not of the form OPTION=VALUE")
        options.setdefault(key, value)
    values = {key: _value(word, key, value) for key, value in options.items()}
    limits = SearchLimits(*(values.get(key) for key in LIMITS))
    values.pop("time", None)
    return PlayerDriver(make_player(word, settings_of(values)), values, limits)


def _own_options(options: dict[str, Any]) -> SearchLimits:
    # The limits of a player of one's own.  Raises ValueError for other options.
    others = [name for name in options if name != "time"]
    if others:
        raise ValueError(f"a player of your own has no option {' '.join(others)} (available: time)")
    return SearchLimits(**{key: _value("", key, value) for key, value in options.items()})


def _value(player: str, name: str, value: object) -> Any:
    # The value of an option; "" stands for a program.  Every player has `time`, although random
    # needs none.  Raises ValueError, and FileError for a book that cannot be read.
    names = [each for each, option in OPTIONS.items() if each != "player" and (
        each == "time" or player in option.players if player else each in LIMITS)]
    if name not in names:
        raise ValueError(f"{player} has no option {name} (available: {' '.join(names)})")
    try:
        return OPTIONS[name].read(str(value))
    except ValueError as error:
        if isinstance(error.__context__, OSError):
            raise FileError(str(error)) from None
        raise


def analyses(tasks: list[Task], call: Call) -> Iterator[Analysis]:
    """Yield the analyses of tasks until the call is stopped; the interrupted one is left out."""
    for task in tasks:
        analysis = analysis_of(task, call.flags)
        if call.stopped:
            return
        yield analysis


def expected(report: Report, move: int) -> Iterable[int]:
    """Return the line that begins with a move."""
    return report.line if move == report.line[0] else report.lines.get(move, (move,))


def plies(report: Report, move: int) -> Optional[int]:
    """Return the plies from a move to the end of the game, None without a proof."""
    if move != report.line[0] or abs(report.values[move]) < 1:
        return None
    return report.figures.get("plies to win", report.figures.get("plies to loss"))
