"""A position, a player and a clock: what every protocol drives."""

import time
from contextlib import nullcontext
from copy import deepcopy
from typing import Callable, ContextManager, Hashable, NamedTuple, Optional, TypeVar, Union, cast

from ..games.rules import Position, Rules
from ..players.base import AnalysingPlayer, Limits, Player, Report, Settings
from ..players.quick_moves import quick_move
from ..players.registry import make_player
from ..wire.background import Loader
from ..wire.clock import Clock, MatchClock

Found = TypeVar("Found")
Watch = Callable[[Player, Position], ContextManager[object]]


class LastSearch(NamedTuple):
    """The search info of a player about a position, with the seconds that the search took."""

    player: str
    position: Position
    report: Report
    seconds: float


class Engine:
    """One side of a game: the position, the player that chooses our moves, and the clock.

    position  the game as it stands
    settings  what the user has set, shared with the player; survives every new game
    clock     the time of both colours
    stop      the flags that end a search, see `players.base.Limits`
    search    the last search for a move or for the values of moves; None while the next one runs
    watch     the context in which a player works on a position; it may look at the report
    watch_loading   the context in which a player is loaded
    """

    def __init__(self, position: Position, player: str, settings: Settings,
                 clock: Union[Clock, MatchClock], stop: bytearray):
        self.position, self.settings, self.clock, self.stop = position, settings, clock, stop
        self.loader = Loader(stop)
        self.search: Optional[LastSearch] = None
        self.watch: Watch = lambda player, position: nullcontext()
        self.watch_loading: Callable[[], ContextManager[object]] = nullcontext
        self.player_name = player
        self._player: Optional[Player] = None

    def new_game(self, position: Position) -> None:
        """Go on from this position, with both clocks at the start."""
        self.position, self.search = position, None
        self.clock.start()

    # --- the player ---------------------------------------------------------------------------

    def play_with(self, player: str) -> None:
        """A new player of that name chooses our moves from now on."""
        self.player_name, self._player = player, None

    @property
    def player(self) -> Player:
        """The player that chooses our moves; its code is loaded when it is first asked for."""
        if self._player is None:
            self._player = make_player(self.player_name, self.settings)
        return self._player

    def load(self, seconds: Optional[float] = None) -> None:
        """Load what the player needs in this game, for `seconds` at most if they are given."""
        from concurrent.futures import wait
        future = self.loader.begin(*self._what_to_load(self.position.rules))
        if wait([future], seconds).done:
            future.result()

    def load_ahead(self) -> None:
        """Begin to load what the next move needs."""
        self.loader.begin(*self._what_to_load(self.position.rules))

    def loads(self, rules: Rules, seconds: Optional[float] = None) -> bool:
        """Load what the player needs in this game; True once it is loaded.

        False if loading is interrupted or takes longer than `seconds`; it goes on meanwhile.
        """
        with self.watch_loading():
            return self.loader.finishes(*self._what_to_load(rules), seconds)

    def _what_to_load(self, rules: Rules) -> tuple[Hashable, Callable[[], None]]:
        name, settings = self.player_name, self.settings
        return (name, settings.policy, settings.memory, rules), (
            lambda: make_player(name, settings).load(rules))

    # --- its answers --------------------------------------------------------------------------

    def genmove(self, mover: int, among: Optional[list[int]] = None) -> int:
        """Choose a move for `mover`, in its time, and play it; returns the point.

        The move is found without a search if loading the player is interrupted or takes all the
        time.  `among`: the legal moves to choose from, if not all; this needs an AnalysingPlayer.
        """
        begun, clock, budget = time.monotonic(), self.clock, self.clock.budget(mover)
        loaded = self.loads(self.position.rules, self.for_loading(mover))
        ready = time.monotonic()
        if clock.counts_loading:
            budget = budget.after(ready - begun)
        if loaded:
            choose = self.player.choose if among is None else self._best_of(among)
            point = self._ask(mover, self.player, choose, Limits(self.stop, *budget))
            clock.lateness.note(budget, time.monotonic() - ready)
        else:
            point, self.search = quick_move(self.seen_by(mover), self.settings.rng, among), None
        clock.spend(mover, time.monotonic() - begun)
        self.position.play(mover, point)
        return point

    def _best_of(self, moves: list[int]) -> Callable[[Position, Limits], int]:
        analyst = cast(AnalysingPlayer, self.player)
        return lambda board, limits: analyst.best_moves(board, moves, limits)[0]

    def best_moves(self, moves: list[int], number: int) -> list[int]:
        """The best `number` of these legal moves, the best one first, by an AnalysingPlayer.

        If loading the player is interrupted, it is one move, found without a search.
        """
        side, analyst = self.position.side, cast(AnalysingPlayer, self.player)
        if not self.loads(self.position.rules):
            return [quick_move(self.position, self.settings.rng, moves)]
        return self._ask(side, analyst, lambda board, limits: analyst.best_moves(
            board, moves, limits, number))

    def foretell(self, mover: int) -> int:
        """The move that `genmove` would play now; later moves are the same as without this call."""
        if self.loads(self.position.rules):
            player = deepcopy(self.player)
            return self._ask(mover, player, player.choose)
        return quick_move(self.seen_by(mover), deepcopy(self.settings.rng))

    def evaluate_moves(self) -> Report:
        """The values of moves for the side to move, by another player of the same kind.

        Later moves are the same as without this call.
        """
        if not self.loads(self.position.rules):
            return Report()
        player = make_player(self.player_name, deepcopy(self.settings))
        self._ask(self.position.side, player, player.evaluate_moves)
        return player.report

    def _ask(self, mover: int, player: Player, ask: Callable[[Position, Limits], Found],
             limits: Optional[Limits] = None) -> Found:
        # What this method of the player answers with that colour to move, by default in the time
        # of any move.
        board, self.search, start = self.seen_by(mover), None, time.monotonic()
        with self.watch(player, board):
            answer = ask(board, limits or self.limits(mover))
        self.search = LastSearch(player.name, board, player.report, time.monotonic() - start)
        return answer

    def limits(self, mover: int) -> Limits:
        """The limits of a search that takes the time of a move of that colour."""
        return Limits(self.stop, self.clock.budget(mover).seconds)

    def for_loading(self, mover: int) -> Optional[float]:
        """Seconds that loading may take before the next move; None: no limit."""
        return self.clock.budget(mover).seconds if self.clock.counts_loading else None

    def seen_by(self, mover: int) -> Position:
        """The position with `mover` to move."""
        board = self.position.copy()
        if mover != board.side:
            board.set_side(mover)
        return board
