"""The games of a user, and their files."""

import json
import re
import time
from datetime import date
from pathlib import Path
from secrets import token_hex
from typing import Any, Mapping, NamedTuple, Optional

from ..arena.display import BoardView
from ..arena.page import PageBoard
from ..arena.seats.spec import PYTHON
from ..games.lattice import BLACK, EMPTY, WHITE, opponent, size_data
from ..games.opening_rules import name_of
from ..games.renju import stones_of
from ..games.rules import LINE, Position
from ..games.tree import ROOT, GameTree, Step
from ..players.alphabeta import levels
from ..players.options import OPTIONS
from ..wire.declared import maybe, number, one_of, parsed, row, table, text, whole
from ..wire.files import changed, write_file
from ..wire.notation import COLOUR_NAMES
from .openings import FREE, Opening, opening_of_data
from .pipe import places_of

NAME = re.compile("[0-9a-f]{16}")
MOST_GAMES = 10_000
PROGRAM = "program"  # the player of a seat with a command
PERSON = "person"
POSITIONS = 16  # cached positions of a game
RESULTS = {"resigns": "R", "out of time": "T"}  # letters in SGF, by the end of a result's text
Seat = Mapping[str, Any]
# The fields in the file of a game, except its tree and its players.
STATE = table({
    "cursor": whole(least=ROOT), "playing": one_of(True, False), "begun": number(0, 1e12),
    "left": row(*2 * [maybe(number(-1e9, 1e9))]),
    "result": maybe(table({
        "node": whole(least=ROOT), "winner": whole(WHITE, EMPTY), "text": text(10_000)}))})


class CachedPosition(NamedTuple):
    """The position after steps, and its forbidden points; none after the end of the game.

    A forbidden point has the kind of the fault and the stones that cause it.
    """

    steps: list[Step]
    position: Position
    forbidden: list[tuple[int, str, list[int]]]


class Game:
    """A game with its variations, its players and its state.

    id       the name of the game on the disk and on the page
    tree     all positions
    live     the node where the game continues
    seats    by colour: the player, its settings, and the command of a program
    control  per_move, per_game and increment in seconds; None without that limit
    left     by colour, the seconds for the rest of the game; None without a limit
    playing  whether programs answer at the live node; otherwise the page only shows positions
    result   the node, the winner and a text, if the game did not end on the board
    opening  the opening by a rule, or None; it waits while the live node is elsewhere
    """

    def __init__(self, tree: GameTree, seats: dict[int, Seat], control: dict[str, Any],
                 id: Optional[str] = None, opening: Optional[Opening] = None):
        self.id = id or token_hex(8)
        self.tree, self.live = tree, ROOT
        self.seats, self.control = seats, control
        self.playing = True
        self.result: Optional[dict[str, Any]] = None
        self.opening = opening
        self.begun = time.time()
        self.left: dict[int, Optional[float]] = {}
        self._positions: dict[int, CachedPosition] = {}
        self.reset_clocks()

    def reset_clocks(self) -> None:
        """Give both sides their full time."""
        self.left = dict.fromkeys((BLACK, WHITE), self.control["per_game"])

    def up_to(self, node: int) -> "Game":
        """A copy for spectators with only the path to a node.  Raises KeyError."""
        game = Game(self.tree.up_to(node), self.seats, self.control, self.id)
        game.begun, game.live, game.playing = self.begun, node, False
        game.result = self.result if self.result and self.result["node"] == node else None
        return game

    @property
    def position(self) -> Position:
        """The position of the live node; callers must not change it."""
        return self.position_at(self.live)

    def position_at(self, node: int) -> Position:
        """The position of a node; callers must not change it."""
        return self._cached(node).position

    def _cached(self, node: int) -> CachedPosition:
        steps, cached = self.tree.steps(node), self._positions.pop(node, None)
        if cached is None or cached.steps != steps:
            position = self.tree.position(node)
            cached = CachedPosition(steps, position, [] if position.outcome else [
                (point, kind, stones_of(position.cells, position.lattice.axes, point))
                for point, kind in position.forbidden_points().items()])
        self._positions[node] = cached
        if len(self._positions) > POSITIONS:
            del self._positions[next(iter(self._positions))]
        return cached

    def over_at(self, node: int) -> Optional[dict[str, Any]]:
        """The end of the game at a node, in the types of JSON; None if it has not ended there."""
        position = self.position_at(node)
        if position.outcome:
            winner, reason = position.outcome
            how = {LINE: f"{position.rules.in_a_row} in a row"}.get(reason, reason)
            return {"winner": winner, "text": how, "node": node}
        return self.result if self.result and self.result["node"] == node else None

    @property
    def over(self) -> bool:
        """Whether the game has ended at its live node."""
        return self.over_at(self.live) is not None

    @property
    def going_on(self) -> bool:
        """Whether a player is to move at the live node."""
        return self.playing and not self.over

    @property
    def is_opening(self) -> bool:
        """Whether a step of an opening rule is due."""
        opening = self.opening
        return opening is not None and not opening.is_over and (
            self.going_on and self.live == opening.node)

    @property
    def actor(self) -> int:
        """The colour to take the next move, or the next step of the opening."""
        return self.opening.colour if self.opening and self.is_opening else self.position.side

    def act(self, text: str) -> int:
        """Take a step of the opening rule, see Opening.act; return the node after it.

        Raises ValueError and changes nothing if the step is impossible.
        """
        opening = self.opening
        if opening is None or not self.is_opening:
            raise ValueError("no step of an opening rule is due")
        agreement = opening.agreement
        black, stones = agreement.black, len(agreement.position.history)
        opening.act(text)
        for record in agreement.position.history[stones:]:
            opening.node = self.tree.add(opening.node, Step(move=(record.colour, record.point)))
        self.tree.promote(opening.node)
        if agreement.black != black:
            self.seats = {BLACK: self.seats[WHITE], WHITE: self.seats[BLACK]}
        return opening.node

    @property
    def has_persons_only(self) -> bool:
        """Whether persons have both seats."""
        return all(seat["player"] == PERSON for seat in self.seats.values())

    def set_up(self, node: int, stones: list[tuple[int, int]], side: Optional[int],
               change: bool) -> int:
        """Put (colour, point) stones on the board of a node; return the resulting node.

        side    the side to move afterwards, or None to keep it
        change  whether to change a set-up node without children instead of adding a node
        Raises ValueError.
        """
        before = self.tree.nodes[node].step
        if not change or node == ROOT or self.tree.nodes[node].children or before.move:
            return self.tree.add(node, Step(tuple(stones), side))
        colours = {point: colour for colour, point in (*before.stones, *stones)}
        self.tree.replace(node, Step(tuple((colour, point) for point, colour in colours.items()),
                                     before.side if side is None else side))
        return node

    def colour_name(self, colour: int) -> str:
        """The name of a colour in this game."""
        return BoardView(self.position).colours[colour]

    def names(self) -> dict[str, str]:
        """The names of the players by colour name: from the file, or else from the seats."""
        return {COLOUR_NAMES[colour]: self.tree.info.get(COLOUR_NAMES[colour])
                or name_of_seat(seat) for colour, seat in self.seats.items()}

    def title(self) -> str:
        """The names of the players, that of the first side first."""
        first, names = self.tree.rules.first, self.names()
        return " – ".join(names[COLOUR_NAMES[colour]] for colour in (first, opponent(first)))

    # --- for the page -------------------------------------------------------------------------

    def state(self, node: int) -> dict[str, Any]:
        """The position of a node, and the state of the game, in the types of JSON."""
        position = self.position_at(node)
        places = places_of(position)
        numbers: dict[int, int] = {}
        for ply, record in enumerate(position.moves, 1):
            numbers[places[record.point]] = ply
        last = position.history[-1] if position.history else None
        captured = [places[cell] for cell, stone in (last.before if last and last.point else ())
                    if stone != EMPTY and position.cells[cell] == EMPTY]
        info = self.tree.info
        opening = name_of(position) if position.rules.renju else None
        return {
            "id": self.id, "title": self.title(), "cursor": node, "live": self.live,
            "going_on": self.going_on, "playing": self.playing,
            "cells": cells_of(position), "side": position.side,
            "captured": position.captured[1:],
            "last": places.get(last.point) if last else None, "taken": captured,
            "numbers": numbers, "swap": self._swap(position, places),
            "forbidden": [(places[point], kind, [places[stone] for stone in stones])
                          for point, kind, stones in self._cached(node).forbidden],
            "row": [places[point] for point in position.winning_stones()],
            "over": self.over_at(node),
            "seats": {COLOUR_NAMES[colour]: {**seat, "name": name_of_seat(seat)}
                      for colour, seat in self.seats.items()},
            "control": self.control,
            "rule": self.opening.agreement.rule.name if self.opening else FREE,
            "opening": (self.opening.due(places) if self.opening and self.is_opening
                        and node == self.live else None),
            "left": [self.left[colour] for colour in (BLACK, WHITE)],
            "info": {"names": {name: info[name] for name in COLOUR_NAMES.values() if name in info},
                     **({"opening": f"{opening.number} {opening.name}"} if opening else {}),
                     **{key: text for key, text in info.items()
                        if key not in COLOUR_NAMES.values()}}}

    def _swap(self, position: Position, places: Mapping[int, int]) -> Optional[int]:
        return None if position.may_swap is None else places[position.may_swap]

    def summary(self) -> dict[str, Any]:
        """The summary of the game for a list, in the types of JSON."""
        position, over = self.position, self.over_at(self.live)
        result = "open"
        if over:
            result = f"{self.colour_name(over['winner'])} won" if over["winner"] else "draw"
        rules, last = self.tree.rules, position.history[-1] if position.history else None
        return {"id": self.id, "title": self.title(), "game": rules.name,
                "size": size_data(self.tree.size),
                "cube": rules.cube, "plies": len(self.tree.path(self.live)) - 1,
                "begun": self.begun, "result": result, "players": self.names(),
                "event": self.tree.info.get("event", ""), "cells": cells_of(position),
                "last": places_of(position).get(last.point) if last else None}

    def properties(self) -> dict[str, str]:
        """The properties of the game in an SGF file: names, date and result."""
        names = self.names()
        properties = {"PB": names["black"], "PW": names["white"]}
        if "date" not in self.tree.info:
            properties["DT"] = date.fromtimestamp(self.begun).isoformat()
        over = self.over_at(self.live)
        if over:
            how = next((letter for text, letter in RESULTS.items()
                        if over["text"].endswith(text)), "")
            properties["RE"] = f"{COLOUR_NAMES[over['winner']][0].upper()}+{how}" if (
                over["winner"]) else "0"
        return properties

    # --- on the disk --------------------------------------------------------------------------

    def data(self) -> dict[str, Any]:
        """The game in the types of JSON."""
        return {
            "id": self.id, "begun": self.begun, "tree": self.tree.data(), "cursor": self.live,
            "seats": {COLOUR_NAMES[colour]: seat for colour, seat in self.seats.items()},
            "control": self.control, "left": [self.left[BLACK], self.left[WHITE]],
            "playing": self.playing, "result": self.result,
            "opening": self.opening and self.opening.data()}

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> "Game":
        """The inverse of `data`.  Raises ValueError, KeyError or TypeError for other data."""
        tree = GameTree.of_data(data["tree"])
        game = cls(tree,
                   {colour: data["seats"][COLOUR_NAMES[colour]] for colour in (BLACK, WHITE)},
                   data["control"], data["id"],
                   opening_of_data(data.get("opening"), tree.rules, tree.size))
        state = STATE("", {name: data[name] for name in (
            "cursor", "playing", "begun", "left", "result")})
        game.live, game.playing, game.result = state["cursor"], state["playing"], state["result"]
        game.left = dict(zip((BLACK, WHITE), state["left"]))
        game.begun = state["begun"]
        game.tree.nodes[game.live]
        return game


class Store:
    """The folder of the games, with a file for each."""

    def __init__(self, folder: Path):
        self.folder = folder

    def write(self, id: str, data: Mapping[str, Any]) -> None:
        """Write a game, and flush it to the disk.  Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_file(self._path(id), json.dumps(data), sync=True)

    def read(self, id: str) -> Game:
        """Read a game.  Raises KeyError if it does not exist, ValueError if it is damaged."""
        if not NAME.fullmatch(id):
            raise KeyError(id)
        try:
            return Game.of_data(parsed(self._path(id).read_bytes()))
        except FileNotFoundError:
            raise KeyError(id) from None
        except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
            raise ValueError(f"the file of game {id} cannot be read: {error}") from None

    def remove(self, id: str) -> None:
        """Delete the file of a game, if it exists.  Raises OSError."""
        if NAME.fullmatch(id):
            self._path(id).unlink(missing_ok=True)

    def names(self) -> dict[str, int]:
        """The times of the last changes in nanoseconds, by id; the latest first."""
        games = [(self.changed(path.stem), path.stem) for path in self.folder.glob("*.json")
                 if NAME.fullmatch(path.stem)]
        return {name: written for written, name in sorted(games, reverse=True)}

    def changed(self, id: str) -> int:
        """The time of the last change in nanoseconds, 0 if the file does not exist."""
        return changed(self._path(id))

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.json"


def cells_of(position: Position) -> str:
    """The contents of the points, a digit for each."""
    return "".join(str(position.cells[point]) for point in position.lattice.points)


def layout(game: Game) -> dict[str, Any]:
    """The board of a game in the types of JSON, for the page to draw it."""
    rules, size = game.tree.rules, game.tree.size
    board = PageBoard(rules, size)
    return {"id": game.id, "game": rules.name, "size": size_data(size),
            "captures": rules.captures_to_win, **board.layout(),
            "notations": board.notations(), "lettering": board.lettering}


class Programs(NamedTuple):
    """The programs that pages may start as players.

    any    may they start any program?
    names  the names of the players that they may start anyway, by seat
    """

    any: bool = False
    names: Mapping[str, str] = {}

    def allow(self, seat: Seat) -> bool:
        """Return whether a page may have a seat."""
        return seat["player"] != PROGRAM or self.any or seat.get("command") in self.names


def name_of_seat(seat: Seat) -> str:
    """A short name of a seat; only the kind and the program of a command."""
    if seat["player"] == PROGRAM:
        kind, _, command = str(seat.get("command", "")).partition(":")
        if kind == PYTHON:
            return str(seat.get("name") or command.rpartition(":")[2])
        return str(seat.get("name") or f"{kind}: {Path(f'{command} '.split()[0]).name}")
    if [*seat.get("settings", {})] == ["level"]:
        number = int(seat["settings"]["level"])
        return f"level {number}, {levels.name_of(number)}"
    settings = ", ".join(f"{key} {value}" for key, value in seat.get("settings", {}).items())
    return f"{seat['player']}{f' ({settings})' if settings else ''}"


def text_of_seat(seat: Seat) -> str:
    """A seat in the syntax of arena/seats/spec.py."""
    if seat["player"] == PROGRAM:
        return str(seat["command"])
    return ",".join([seat["player"], *(f"{key}={value}"
                                       for key, value in seat.get("settings", {}).items())])


def options_of(player: str) -> list[str]:
    """The names of the settings of a player."""
    return [name for name, option in OPTIONS.items()
            if player in option.players and option.from_page and name not in ("player", "seed")]
