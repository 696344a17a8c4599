"""Tournaments for pages to watch, from their results files."""

import asyncio
import time
from pathlib import Path
from secrets import token_hex
from typing import Any, Callable, Mapping, Optional

from ...arena.verdict import Ending
from ...games import catalogue
from ...games.lattice import BLACK, EMPTY, WHITE, opponent
from ...games.rules import IllegalMove
from ...games.tree import ROOT, GameTree, Step
from ...tournament.live import Running, games_now
from ...tournament.results import Played, Results
from ...tournament.standings import summary_of
from ...wire.notation import GtpPoints
from ..fields import NO_CONTROL
from ..games import PROGRAM, Game, Seat

LOOK_SECONDS = 1.0  # the polling interval of a file
SHARE = 5  # the pause between two summaries, in multiples of the time for one


class Tournament:
    """A running or finished tournament, read from its results file.

    results  the current results, None before the first read
    summary  tables of the games, see tournament.standings
    rows     the finished games for a list, in the order of their ends
    version  counts the changes
    era      counts the restarts of the tournament
    """

    def __init__(self, path: Path):
        self.path = path
        self.results: Optional[Results] = None
        self.summary: dict[str, Any] = {}
        self.rows: list[dict[str, Any]] = []
        self.version = self.era = 0
        self.running: list[Running] = []
        self.fault = ""
        self._ending: dict[int, Running] = {}  # running games, until the results contain them
        self._state = (0, 0)
        self._next = 0.0

    async def look(self) -> None:
        """Read the changes of the files."""
        before = self.running, self.fault
        self.running = await asyncio.to_thread(self._live)
        has_changed = False
        if time.monotonic() >= self._next:
            start = time.monotonic()
            has_changed = await asyncio.to_thread(self._read)
            self._next = time.monotonic() + SHARE * (time.monotonic() - start)
        done = self.results.games if self.results else {}
        state = self._ending | {game.game: game for game in self.running}
        self._ending = {number: game for number, game in state.items() if number not in done}
        self.version += has_changed or before != (self.running, self.fault)

    def _read(self) -> bool:
        try:
            stat = self.path.stat()
            state = stat.st_mtime_ns, stat.st_size
            if state == self._state:
                return False
            results = Results.read(self.path)
            games = sorted(results.games.values(), key=lambda game: (game.at, game.game))
            rows, summary = [row(game) for game in games], summary_of(results.contest, games)
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.fault = f"{self.path.name}: {getattr(error, 'strerror', None) or error}"
            return False
        self.era += self.rows != rows[:len(self.rows)]
        self.results, self.rows, self.summary = results, rows, summary
        self._state, self.fault = state, ""
        return True

    def _live(self) -> list[Running]:
        done = self.results.games if self.results else {}
        return [game for game in games_now(self.path) if game.game not in done]

    def message(self, count: int) -> dict[str, Any]:
        """The message for a page that has the first `count` finished games."""
        if self.results is None:
            return {"fault": self.fault}
        return {
            "fault": self.fault, "summary": self.summary, "known": count,
            "games": self.rows[count:],
            "running": [{"game": game.game, "first": game.first, "second": game.second,
                         "plies": len(game.moves)} for game in self.running]}

    def replay(self, number: int) -> Callable[[], Optional[Game]]:
        """A function that loads the current state of a game, see watched.WatchedGame.

        Raises KeyError if there is no such game.
        """
        last: Optional[int] = None
        id = token_hex(8)

        def load() -> Optional[Game]:
            nonlocal last
            moves = self.moves(number)
            if len(moves) == last:
                return None
            last = len(moves)
            return self.game(number, id)

        self.moves(number)
        return load

    def moves(self, number: int) -> list[str]:
        """The moves of a game, including its opening.  Raises KeyError."""
        played = self._played(number)
        return [*played.opening, *played.moves]

    def game(self, number: int, id: Optional[str] = None) -> Game:
        """A game of the tournament, with its last node as live node.  Raises KeyError."""
        assert self.results is not None
        contest, played = self.results.contest, self._played(number)
        rules = catalogue.find(contest["game"])
        tree = GameTree(rules, contest["size"])
        position, last = tree.position(ROOT), ROOT
        points = GtpPoints(position.lattice)
        infos = getattr(played, "told", [])
        for ply, text in enumerate(self.moves(number)):
            point, side = points.point_of(text), position.side
            try:
                if not point:
                    raise IllegalMove(text)
                position.play(side, point)
            except IllegalMove:
                break
            last = tree.append(last, Step(move=(side, point)))
            own = ply - len(played.opening)
            value = infos[own].get("value") if 0 <= own < len(infos) else None
            if value is not None and abs(value) <= 1:
                tree.set_value(last, value if side == BLACK else -value,
                              int(infos[own].get("depth", 0)))
        tree.set_outcome_value(last, position)
        names = dict(zip((rules.first, opponent(rules.first)), (played.first, played.second)))
        seats: dict[int, Seat] = {colour: {"player": PROGRAM, "name": names[colour]}
                                  for colour in (BLACK, WHITE)}
        game = Game(tree, seats, dict(NO_CONTROL), id)
        game.live, game.playing = last, False
        if isinstance(played, Played):
            winner = next((colour for colour, name in names.items() if name == played.winner),
                          EMPTY)
            game.result = {"node": last, "winner": winner, "text": Ending[played.ending].value}
        return game

    def _played(self, number: int) -> Any:
        games: Mapping[int, Any] = self.results.games if self.results else {}
        return games[number] if number in games else self._ending[number]


def row(game: Played) -> dict[str, Any]:
    """A finished game in the types of JSON, for a list."""
    return {"game": game.game, "round": game.round, "first": game.first, "second": game.second,
            "winner": game.winner, "ending": Ending[game.ending].value,
            "plies": len(game.opening) + len(game.moves), "verdict": game.verdict}
