"""Contests: the game, the players, the time control and the schedule."""

import hashlib
import json
from itertools import combinations
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

from ..arena.seats.base import TimeControl, usual_time
from ..arena.seats.spec import FILES, FROM_EMPTY, kind_of, name_and_seat
from ..games import catalogue
from ..games.lattice import Size, size_data, size_of_text
from ..games.opening_rules import RULES, Agreement
from ..games.rules import Position, Rules
from ..players.options import one_of, seconds, time_above_0, whole, whole_number
from ..players.registry import complaint
from ..wire.declared import Kind, Wrong, by_name, some, spelled, table
from .openings import EVEN, NONE, RENJU26, Opening, openings_of
from .results import MODELS, MOST_ELO, MOST_GAMES, MOST_PLAYERS
from .sprt import SequentialTest, test_of

GAUNTLET = "gauntlet"
FORMATS = ("round-robin", GAUNTLET)
MATCH = "match"
MOST_ROUNDS = 10**6
ROUNDS_OF_A_TEST = 20_000
APART = 1_000_003  # factor of the contest seed in the seeds of openings


class Entrant(NamedTuple):
    """A player of a contest.

    name     the name, "" before the player is probed
    seat     its seat as text, see `seat_of`
    control  its time control
    """

    name: str
    seat: str
    control: TimeControl


class PlannedGame(NamedTuple):
    """A game of the schedule; `number` and `round` count from 1."""

    number: int
    round: int
    first: Entrant
    second: Entrant


class Contest(NamedTuple):
    """A round robin, a gauntlet (the first player against each other one), or a match of two.

    In each round, each pairing plays two games from one opening, with the colours swapped.  The
    rounds use the openings in order.

    openings  none, even, an opening rule, or the path of a file
    book      the openings of the file
    points    the points for a win, a draw and a loss
    anchor    fixed ratings by name; a common shift of all ratings fits them on average
    test      None, or a sequential test of whether the first of two players is stronger
    """

    rules: Rules
    size: Size
    format: str
    rounds: int
    openings: str
    book: tuple[Opening, ...]
    seed: int
    points: Mapping[str, float]
    anchor: Mapping[str, float]
    test: Optional[SequentialTest]
    control: TimeControl
    players: tuple[Entrant, ...]

    @property
    def pairings(self) -> list[tuple[Entrant, Entrant]]:
        """The pairs of opponents, in the order of each round."""
        if self.format == GAUNTLET:
            return [(self.players[0], other) for other in self.players[1:]]
        return list(combinations(self.players, 2))

    @property
    def games(self) -> int:
        """The number of scheduled games."""
        return 2 * self.rounds * len(self.pairings)

    def schedule(self) -> Iterator[PlannedGame]:
        """Yield all games in the order in which they begin."""
        number = 0
        for round_ in range(1, self.rounds + 1):
            for pairing in self.pairings:
                for first, second in (pairing, pairing[::-1]):
                    number += 1
                    yield PlannedGame(number, round_, first, second)

    def start(self) -> Position:
        """Return an empty position."""
        return catalogue.start(self.rules, self.size)

    def opening(self, round_: int) -> Union[Opening, int, str]:
        """Return the opening of a round, its seed, or the name of the opening rule."""
        if self.openings == NONE:
            return ()
        if self.openings in RULES:
            return self.openings
        if self.openings == EVEN:
            return self.seed * APART + round_
        return self.book[(round_ - 1) % len(self.book)]

    def facts(self) -> dict[str, Any]:
        """Return the contest in JSON types, for the results file and the report."""
        return {"game": self.rules.name, "size": size_data(self.size), "format": self.format,
                "rounds": self.rounds, "scheduled": self.games, "openings": self.openings,
                "seed": self.seed,
                **self.control._asdict(), "points": dict(self.points),
                "anchor": dict(self.anchor),
                "test": self.test and self.test._asdict(),
                "players": [{"name": player.name, "seat": player.seat,
                             **player.control._asdict()} for player in self.players]}

    def fingerprint(self) -> str:
        """Return a hash of everything but the rounds and the anchors.

        Includes the names that the user has set.
        """
        facts = {**self.facts(), "rounds": 0, "scheduled": 0}
        del facts["anchor"]
        text = json.dumps([facts, self.book], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def over_files(self) -> bool:
        """Does a player communicate over files, so that it plays one game at a time?"""
        return any(kind_of(player.seat) in FILES for player in self.players)

    def with_names(self, names: list[str]) -> "Contest":
        """Return the contest with these names of its players.

        Raises ValueError if an anchor has another name.
        """
        check_anchor(self.anchor, names)
        return self._replace(players=tuple(player._replace(name=name)
                                           for player, name in zip(self.players, names)))


def _number(key: str, least: float, most: float = 1e9) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise ValueError(f"{key} is not a number: {text}") from None
        if not least <= value <= most:
            raise ValueError(f"{key} must be {least:g} to {most:g}")
        return value
    return parse


Parsers = Mapping[str, Callable[[str], Any]]
CONTROLS: Parsers = {
    "time_per_move": time_above_0, "time_per_game": time_above_0, "increment": seconds,
    "margin": seconds, "nodes": whole("nodes", 10**12), "depth": whole("depth", 10**9)}
GENERAL: Parsers = {
    "game": catalogue.find, "size": size_of_text,
    "format": one_of("format", FORMATS), "rounds": whole("rounds", MOST_ROUNDS),
    "seed": lambda text: whole_number("seed", text), "openings": str,
    "plies": whole("plies", 1000), "balance": whole("balance", 10_000)}
POINTS: Parsers = {key: _number(key, -1e9) for key in ("win", "draw", "loss")}
TEST: Parsers = {
    **{key: _number(key, -MOST_ELO, MOST_ELO) for key in ("elo0", "elo1")},
    **{key: _number(key, 0) for key in ("alpha", "beta")}, "model": one_of("model", MODELS)}


def _settings(*parsers: Parsers) -> dict[str, Kind]:
    return {f"{key}?": spelled(parse) for each in parsers for key, parse in each.items()}


PLAYER = table({"seat": spelled(str), "name?": spelled(str), **_settings(CONTROLS)})


def _players(path: str, value: Any) -> Any:
    if not isinstance(value, list):
        raise Wrong(path, "must be a list of tables: begin each with [[player]]")
    return some(PLAYER, MOST_PLAYERS)(path, value)


CONTEST = table({
    **_settings(GENERAL, CONTROLS), "points?": table(_settings(POINTS)),
    "test?": table(_settings(TEST)),
    "anchor?": by_name(spelled(_number("Elo", -1e9)), MOST_PLAYERS),
    "player?": _players})


def contest_of(data: Mapping[str, Any], folder: Path = Path(),
               rules: Optional[Rules] = None) -> Contest:
    """Return the contest from a mapping, such as the content of a TOML file.

    The path in `openings` is relative to the folder.  `rules` override the name of the game, for
    games outside the catalogue.  Raises ValueError and OSError.
    """
    values = CONTEST("", data)
    points = {"win": 1.0, "draw": 0.5, "loss": 0.0, **values.get("points", {})}
    test = test_of(values["test"]) if "test" in values else None
    rules = rules or values.get("game", catalogue.GOMOKU)
    size = values.get("size", rules.default_size)
    control = _control(values, usual_time(rules))
    entrants = _entrants(values.get("player", []), control)
    lattice = catalogue.start(rules, size).lattice
    unjudged = complaint("alphabeta", rules, lattice)  # it chooses even openings
    source = values.get("openings") or (
        EVEN if not unjudged and _even_is_usual(rules, entrants) else NONE)
    if unjudged and (source == EVEN or values.get("balance") is not None):
        raise ValueError(f"no even openings: {unjudged}")
    book: tuple[Opening, ...] = ()
    if source in RULES:
        Agreement(RULES[source], catalogue.start(rules, size))
    elif source not in (NONE, EVEN):
        book = openings_of(source if source == RENJU26 else str(folder / source), rules, size,
                           values.get("plies"), values.get("balance"))
    if test and len(entrants) != 2:
        raise ValueError("a test needs exactly two players")
    format_ = MATCH if len(entrants) == 2 else values.get("format", FORMATS[0])
    rounds = values.get("rounds", ROUNDS_OF_A_TEST if test else 1)
    contest = Contest(rules, size, format_, rounds, source, book, values.get("seed", 0), points,
                      values.get("anchor", {}), test, control, entrants)
    if contest.games > MOST_GAMES:
        raise ValueError(f"a tournament has at most {MOST_GAMES} games, not {contest.games}")
    return contest


def anchor_of(text: str) -> tuple[str, float]:
    """Parse NAME=ELO into the name and the Elo of an anchor.  Raises ValueError."""
    name, equals, elo = text.rpartition("=")
    if not equals:
        raise ValueError(f"an anchor is NAME=ELO, not {text}")
    return name, _number(f"the Elo of {name}", -1e9)(elo)


def check_anchor(anchor: Mapping[str, float], names: Sequence[str]) -> None:
    """Raise ValueError if an anchor is not one of these names."""
    for name in anchor:
        if name not in names:
            raise ValueError(f"no such player for an anchor: {name} (players: {', '.join(names)})")


def _control(values: Mapping[str, Any], usual: TimeControl, path: str = "") -> TimeControl:
    names = {"time_per_move": "per_move", "time_per_game": "per_game"}
    control = usual._replace(**{names.get(key, key): values[key]
                                for key in CONTROLS if key in values})
    if control.increment and control.per_game is None:
        raise Wrong(f"{path}increment", "increment needs time_per_game")
    return control


def _entrants(players: Sequence[Mapping[str, Any]], control: TimeControl) -> tuple[Entrant, ...]:
    if len(players) < 2:
        raise ValueError(f"a tournament needs 2 to {MOST_PLAYERS} players")
    entrants = []
    for number, values in enumerate(players, 1):
        if not values["seat"]:
            raise Wrong(f"player[{number}].seat", "must be a seat, as in alphabeta or gtp:COMMAND")
        name, seat = name_and_seat(values["seat"])
        entrants.append(Entrant(values.get("name", name), seat,
                                _control(values, control, f"player[{number}].")))
    names = [player.name for player in entrants if player.name]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two players have the name {name}")
        if len(name) > 100 or not name.isprintable():
            raise ValueError(f"not a name: {name!r}")
    return tuple(entrants)


def _even_is_usual(rules: Rules, players: tuple[Entrant, ...]) -> bool:
    # The default is even openings, unless the course has none or a player does not support them.
    return not (rules.row_fills_board() or rules.swap) and not any(
        kind_of(player.seat) in FROM_EMPTY for player in players)
