"""A position, a player and a clock: the engine behind every protocol."""

import time
from contextlib import nullcontext
from copy import deepcopy
from typing import Callable, ContextManager, Hashable, NamedTuple, Optional, TypeVar, Union, cast

from ..games.rules import Position, Rules
from ..players.base import AnalysingPlayer, Limits, Player, Report, Settings
from ..players.quick_moves import quick_move
from ..players.registry import check, make_player
from ..wire.background import Loader
from ..wire.clock import Clock, MatchClock

Result = TypeVar("Result")
Watch = Callable[[Player, Position], ContextManager[object]]


class LastSearch(NamedTuple):
    """The report of a player on a position, and the seconds that the search took."""

    player: str
    position: Position
    report: Report
    seconds: float


class Engine:
    """One side of a game: the position, the player that chooses its moves, and the clock.

    position  the current position, with its history
    settings  the user's settings, shared with the player; they survive a new game
    clock     the time of both colours
    stop      the flags that end a search, see `players.base.Limits`
    search    the last search for a move or for the values of moves; None during a search
    watch     the context in which a player works on a position; it may read the report
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
        """Continue from this position, with both clocks reset."""
        self.position, self.search = position, None
        self.clock.start()

    # --- the player ---------------------------------------------------------------------------

    def play_with(self, player: str) -> None:
        """Replace the player by a new one of that name."""
        self.player_name, self._player = player, None

    @property
    def player(self) -> Player:
        """The player that chooses the moves, created at the first access."""
        if self._player is None:
            self._player = make_player(self.player_name, self.settings)
        return self._player

    def load(self, seconds: Optional[float] = None) -> None:
        """Load the code of the player for this game; wait at most `seconds` if given."""
        from concurrent.futures import wait
        future = self.loader.begin(*self._loading_job(self.position.rules))
        if wait([future], seconds).done:
            future.result()

    def load_ahead(self) -> None:
        """Start to load the code of the player in the background."""
        self.loader.begin(*self._loading_job(self.position.rules))

    def try_load(self, rules: Rules, seconds: Optional[float] = None) -> bool:
        """Load the code of the player for these rules; returns True once it is loaded.

        Returns False if an interrupt or the limit of `seconds` ends the wait.  Loading then
        continues in the background.
        """
        with self.watch_loading():
            return self.loader.finishes(*self._loading_job(rules), seconds)

    def _loading_job(self, rules: Rules) -> tuple[Hashable, Callable[[], None]]:
        name, settings = self.player_name, self.settings
        return (name, settings.policy, settings.memory, rules), (
            lambda: make_player(name, settings).load(rules))

    def check(self) -> None:
        """Raise Unplayable if the player does not play this game on this board."""
        check(self.player_name, self.position, self.settings.policy)

    # --- moves and values ---------------------------------------------------------------------

    def genmove(self, mover: int, among: Optional[list[int]] = None) -> int:
        """Choose a move for `mover` within its time budget and play it; returns the point.

        Without a search if loading is interrupted or uses up the budget.  `among` restricts the
        choice to these legal moves; it needs an AnalysingPlayer.  Raises Unplayable, see `check`.
        """
        self.check()
        begun, clock, budget = time.monotonic(), self.clock, self.clock.budget(mover)
        loaded = self.try_load(self.position.rules, self.loading_limit(mover))
        ready = time.monotonic()
        if clock.counts_loading:
            budget = budget.after(ready - begun)
        if loaded:
            choose = self.player.choose if among is None else self._best_of(among)
            point = self._run(mover, self.player, choose, Limits(self.stop, *budget))
            clock.lateness.note(budget, time.monotonic() - ready)
        else:
            point, self.search = quick_move(self.board_for(mover), self.settings.rng, among), None
        clock.spend(mover, time.monotonic() - begun)
        self.position.play(mover, point)
        return point

    def _best_of(self, moves: list[int]) -> Callable[[Position, Limits], int]:
        analyst = cast(AnalysingPlayer, self.player)
        return lambda board, limits: analyst.best_moves(board, moves, limits)[0]

    def best_moves(self, moves: list[int], number: int) -> list[int]:
        """The best `number` of these legal moves, best first, by an AnalysingPlayer.

        Returns one move, chosen without a search, if loading is interrupted.  Raises Unplayable.
        """
        self.check()
        side, analyst = self.position.side, cast(AnalysingPlayer, self.player)
        if not self.try_load(self.position.rules):
            return [quick_move(self.position, self.settings.rng, moves)]
        return self._run(side, analyst, lambda board, limits: analyst.best_moves(
            board, moves, limits, number))

    def preview_move(self, mover: int) -> int:
        """The move that `genmove` would play now.  The call does not affect later moves.

        Raises Unplayable, see `check`.
        """
        self.check()
        if self.try_load(self.position.rules):
            player = deepcopy(self.player)
            return self._run(mover, player, player.choose)
        return quick_move(self.board_for(mover), deepcopy(self.settings.rng))

    def evaluate_moves(self) -> Report:
        """The values of moves for the side to move, by a new player of the same kind.

        The call does not affect later moves.  Raises Unplayable, see `check`.
        """
        self.check()
        if not self.try_load(self.position.rules):
            return Report()
        player = make_player(self.player_name, deepcopy(self.settings))
        self._run(self.position.side, player, player.evaluate_moves)
        return player.report

    def _run(self, mover: int, player: Player, search: Callable[[Position, Limits], Result],
             limits: Optional[Limits] = None) -> Result:
        # Call this method of the player with `mover` to move; default: the time of one move.
        board, self.search, start = self.board_for(mover), None, time.monotonic()
        with self.watch(player, board):
            result = search(board, limits or self.limits(mover))
        self.search = LastSearch(player.name, board, player.report, time.monotonic() - start)
        return result

    def limits(self, mover: int) -> Limits:
        """The limits of a search with the time of one move of `mover`."""
        return Limits(self.stop, self.clock.budget(mover).seconds)

    def loading_limit(self, mover: int) -> Optional[float]:
        """The longest loading time in seconds before the next move; None: no limit."""
        return self.clock.budget(mover).seconds if self.clock.counts_loading else None

    def board_for(self, mover: int) -> Position:
        """The position with `mover` to move."""
        board = self.position.copy()
        if mover != board.side:
            board.set_side(mover)
        return board
