"""Opening explorer of the web server: the answers of stored games to a position.

Covers the finished games of the user, the games of the displayed tournaments, and collections.
"""

import asyncio
import logging
import threading
import time
from typing import Any, Callable, Iterator, Sequence

from ...games.lattice import Size, as_size
from ...games.rules import Rules
from ...learn.explorer import Explorer, with_remarks
from ...records.collection import game_of, merged
from ...tournament.first_plies import add_games
from ..fields import Refusal
from ..games import MOST_GAMES, Game
from ..lesson.watch import Tournament
from ..pipe import places_of
from .archive import Archive
from .index import Index

LOOK_SECONDS = 2.0  # the shortest time between two searches for changed games
MOST_ANSWERS = 50  # answers in one message


class Kind:
    """The explorer for one game and size, with the games that it counts.

    numbers    by game, its version and its number in the explorer
    next_look  the time of the next search for changed games, on the monotonic clock
    """

    def __init__(self, rules: Rules, size: Size):
        self.explorer = Explorer(rules, size)
        self.numbers: dict[Any, tuple[Any, int]] = {}
        self.next_look = 0.0


class StoredAnswers:
    """The answers of all games of a server.

    Reads the games at the first request, and again after a change.
    """

    def __init__(self, index: Index, read: Callable[[str], Game],
                 tournaments: Sequence[Tournament], archive: Archive):
        """`read` returns a game by its id or raises Refusal, see Site.game."""
        self._index, self._read, self._tournaments = index, read, tournaments
        self._archive = archive
        self._kinds: dict[tuple[str, Size], Kind] = {}
        self._lock = threading.Lock()

    async def answers(self, game: Game, node: int) -> dict[str, Any]:
        """The answers to the position of a node, in the types of JSON.

        games    the number of games with the same rules and size
        answers  see `learn.explorer.Answer.data`; points are places
        """
        for tournament in self._tournaments:
            await tournament.look()
        return await asyncio.to_thread(self._answers, game.tree.rules, game.tree.size,
                                       game.position_at(node).copy())

    def _answers(self, rules: Rules, size: Size, position: Any) -> dict[str, Any]:
        with self._lock:
            kind = self._kinds.setdefault((rules.name, size), Kind(rules, size))
            if time.monotonic() >= kind.next_look:
                self._look(kind)
                kind.next_look = time.monotonic() + LOOK_SECONDS
            answers = with_remarks(position, merged([
                kind.explorer.collection.answers(position), self._archive.answers(position)]))
            places = places_of(position)
            return {"games": kind.explorer.games + self._archive.games(rules, size),
                    "answers": [answer.data(places) for answer in answers[:MOST_ANSWERS]]}

    def _look(self, kind: Kind) -> None:
        # Update the explorer: remove deleted and changed games, add new and changed ones.
        explorer = kind.explorer
        current = dict(self._games(explorer.rules, explorer.size))
        for key, (version, number) in [*kind.numbers.items()]:
            if key not in current or current[key][0] != version:
                explorer.remove(number)
                del kind.numbers[key]
        for key, (version, count) in current.items():
            if key not in kind.numbers:
                try:
                    count(explorer)
                except Refusal as refusal:
                    logging.getLogger(__name__).warning(
                        "the explorer leaves out game %s: %s", key, refusal)
                    continue
                kind.numbers[key] = version, explorer.added

    def _games(self, rules: Rules, size: Size
               ) -> Iterator[tuple[Any, tuple[Any, Callable[[Explorer], None]]]]:
        # By game, its version and the function that adds it to an explorer.
        for summary in self._index.games("", MOST_GAMES)[0]:
            if (summary["game"], as_size(summary["size"])) == (rules.name, size) and (
                    summary["result"] != "open"):
                yield summary["id"], (summary["changed"], self._own(summary["id"]))
        for number, tournament in enumerate(self._tournaments):
            results = tournament.results
            if results and (results.contest["game"], as_size(results.contest["size"])) == (
                    rules.name, size):
                for played in results.games.values():
                    yield (number, played.game), (tournament.era, _of_contest(played._asdict()))

    def _own(self, id: str) -> Callable[[Explorer], None]:
        def count(explorer: Explorer) -> None:
            game = self._read(id)
            over = game.over_at(game.live)
            explorer.add(*game_of(game.tree, game.live, over["winner"] if over else None))
        return count


def _of_contest(game: dict[str, Any]) -> Callable[[Explorer], None]:
    return lambda explorer: add_games(explorer, [game])
