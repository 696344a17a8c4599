"""Matches between two players, in this process."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from ..games.lattice import Size, size_text
from ..games.rules import Rules
from ..players.base import Settings
from .arguments import a_size, a_whole, file_error
from .game import Game, Point, custom_rules
from .player import AdaptedPlayer, OwnPlayer

if TYPE_CHECKING:
    from ..arena.seats.base import Seat
    from ..tournament.contest import Contest, Entrant
    from ..tournament.results import Played

OWN = "own"  # the seat of a player that is an object


class MatchGame(NamedTuple):
    """A game of a match.

    first    name of the player who moved first
    second   name of the other player
    winner   name of the winner, None in a draw
    ending   how the game ended, such as "a row", "board full" or "out of time"
    moves    the points of all moves
    opening  number of moves that were made before the players began
    text     the result in a sentence
    """

    first: str
    second: str
    winner: Optional[str]
    ending: str
    moves: list[str]
    opening: int = 0
    text: str = ""


class Match(list[MatchGame]):
    """The games of a match, and its result from the view of the first player.

    names  the names of the players; a number tells equal names apart
    """

    def __init__(self, names: tuple[str, str], games: Iterable[MatchGame] = ()):
        super().__init__(games)
        self.names = names

    @property
    def wins(self) -> int:
        """The number of games that the first player has won."""
        return sum(game.winner == self.names[0] for game in self)

    @property
    def draws(self) -> int:
        """The number of draws."""
        return sum(game.winner is None for game in self)

    @property
    def losses(self) -> int:
        """The number of games that the second player has won."""
        return sum(game.winner == self.names[1] for game in self)

    @property
    def score(self) -> float:
        """The share of points of the first player, from 0 to 1; a draw is half a point."""
        return (self.wins + self.draws / 2) / len(self) if self else 0.5

    @property
    def elo(self) -> tuple[Optional[float], Optional[float], Optional[float]]:
        """The Elo difference of the first player, and the ends of its 95 % interval.

        None is an open end.  The difference is None, too, if a player has won all games, or before
        the first complete pair: the unit is the pair of games from one opening, see
        `tournament.ratings.elo_of_pairs`.
        """
        from ..tournament.ratings import elo_of_pairs
        pairs = [0] * 5
        for first, second in zip(self[::2], self[1::2]):
            pairs[sum(2 * (game.winner == self.names[0]) + (game.winner is None)
                      for game in (first, second))] += 1
        elo, low, high = elo_of_pairs(pairs)
        decided = sum(pairs) in (0, pairs[0], pairs[-1])
        return None if decided else elo, low, high

    def __repr__(self) -> str:
        return (f"<Match {self.names[0]} - {self.names[1]}: "
                f"{self.wins}-{self.draws}-{self.losses}>")


def match(first: Union[str, OwnPlayer], second: Union[str, OwnPlayer], games: int = 2,
          name: Union[str, Rules] = "Gomoku", size: Optional[Size] = None,
          time_per_move: Optional[float] = None, seed: Optional[int] = None, *,
          time_per_game: Optional[float] = None,
          openings: Union[str, Sequence[Sequence[Point]], None] = None,
          progress: Optional[Callable[[MatchGame], object]] = None) -> Match:
    """Play games between two players, one after the other, with alternating first moves.

    first, second  a seat as in the command `referee` (alphabeta,time=0.1; gtp:COMMAND;
                   python:MODULE:NAME; ...), or a player of one's own: an object with
                   `choose(game, limits)`, or a function of a game
    openings       "even" (generated), "none", the path of a file, or lists of points.  Games
                   2k - 1 and 2k have the same opening.  Default: even where that is possible
    seed           seed of openings and players; default: a new one
    progress       called with each game that has ended

    A player of one's own that raises an exception, chooses an illegal move or is late loses the
    game.  It runs in this process, so a call that never returns cannot be ended: the seat
    python:MODULE:NAME can.
    Raises ValueError for an invalid argument or a player that cannot play, and ImportError for a
    program without the extra `arena`.
    """
    a_whole("games", games)
    rules, size = custom_rules(name), None if size is None else a_size(size)
    try:
        contest = _contest((first, second), games, rules, size, openings, {
            "time_per_move": time_per_move, "time_per_game": time_per_game,
            "seed": Random().getrandbits(32) if seed is None else seed})
    except OSError as error:
        raise file_error(error) from None
    try:
        played = Match(_names(contest, (first, second)))
        contest = contest.with_names([*played.names])
        for game in _games(contest, games, dict(zip(played.names, (first, second)))):
            points = [*game.opening, *game.moves]
            played.append(MatchGame(game.first, game.second, game.winner, _ending(game), points,
                                    len(game.opening), game.verdict))
            if progress:
                progress(played[-1])
    except ImportError as error:
        from ..command_line.terminal import import_error_text
        raise ImportError(import_error_text(error, "a program"), name=error.name) from None
    return played


def _contest(players: Sequence[Union[str, OwnPlayer]], games: int, rules: Rules,
             size: Optional[Size], openings: Union[str, Sequence[Sequence[Point]], None],
             values: dict[str, object]) -> "Contest":
    from ..tournament.contest import contest_of
    from ..tournament.openings import NONE
    book = None if openings is None or isinstance(openings, str) else [
        _opening(rules, size, opening) for opening in openings]
    if book == []:
        raise ValueError("openings must not be empty; \"none\": no openings")
    seats = [player if isinstance(player, str) else OWN for player in players]
    data = {"player": [{"seat": seat} for seat in seats],
            "rounds": -(-games // 2), "openings": NONE if book else openings, **values,
            "size": None if size is None else size_text(size)}
    contest = contest_of({key: value for key, value in data.items() if value is not None},
                         rules=rules)
    return contest._replace(openings="given", book=tuple(book)) if book else contest


def _opening(rules: Rules, size: Optional[Size], opening: Sequence[Point]) -> tuple[str, ...]:
    game = Game(rules, size)
    for point in opening:
        game.play(point)
    return tuple(game.moves)


def _names(contest: "Contest", players: Sequence[Union[str, OwnPlayer]]) -> tuple[str, str]:
    # The distinct names of the players; checks that they can play.
    from ..arena.seats.spec import check
    from ..tournament.play import distinct_names
    names = []
    for entrant, player in zip(contest.players, players):
        seat = _seat(player, entrant, Random(0))
        check([seat], contest.rules, bool(contest.book), contest.size)
        if not entrant.name:
            seat.probe(contest.start())
        names.append(entrant.name or seat.name)
    first, second = distinct_names(contest.players, names)
    return first, second


def _games(contest: "Contest", games: int, players: dict[str, Union[str, OwnPlayer]]
           ) -> Iterator["Played"]:
    from ..tournament.jobs import play_between, task_of
    for planned in islice(contest.schedule(), games):
        task = task_of(contest, planned, "")
        rng = Random(task.seed)
        yield play_between(task, *(_seat(players[entrant.name], entrant, rng)
                                   for entrant in (planned.first, planned.second)))


def _seat(player: Union[str, OwnPlayer], entrant: "Entrant", rng: Random) -> "Seat":
    if isinstance(player, str):
        from ..arena.seats.spec import seat_of
        return seat_of(entrant.seat, entrant.control, rng, entrant.name)
    from .own_seat import OwnSeat
    adapted = AdaptedPlayer(player, Settings(rng=Random(rng.getrandbits(64))))
    return OwnSeat(adapted, entrant.control.per_move, entrant.control,
                   entrant.name or adapted.name)


def _ending(game: "Played") -> str:
    from ..arena.verdict import Ending
    return Ending[game.ending].value
