"""The games of a user: what a game is, and where games are kept."""

import json
import re
import time
from pathlib import Path
from secrets import token_hex
from typing import Any, Mapping, Optional

from ..tournament import checks
from ..arena.display import BoardView
from ..arena.page import PageBoard
from ..games.lattice import BLACK, EMPTY, PASS, WHITE, opponent
from ..games.rules import LINE, Position, Rules
from ..games.tree import ROOT, GameTree, Step
from ..players.options import OPTIONS
from ..wire.files import write_file
from ..wire.notation import COLOUR_NAMES
from .pipe import places_of

NAME = re.compile("[0-9a-f]{16}")
MOST_GAMES = 10_000
PROGRAM = "program"  # the player of a seat that is a command
Seat = Mapping[str, Any]
# What is allowed in the file of a game, beside its tree and those who play.
STATE = {
    "cursor": checks.whole(ROOT), "playing": checks.one_of(True, False),
    "begun": checks.number(0, 1e12),
    "left": checks.some(checks.maybe(checks.number(-1e9, 1e9)), 2),
    "result": checks.maybe(checks.table({
        "node": checks.whole(ROOT), "winner": checks.whole(EMPTY, WHITE),
        "text": checks.text(10_000)}))}


class Game:
    """A game with its variations, who plays it, and how far it is.

    id       its name on the disk and on the page
    tree     all positions
    cursor   the node that is shown; the game goes on from there
    seats    by colour: the player, its settings, and of a program its command
    control  seconds: per_move, per_game and increment, None: no such limit
    left     by colour, seconds for the rest of the game; None: no limit
    playing  whether programs answer; otherwise positions are only looked at
    result   of a game that did not end on the board: the node, the winner and a text
    """

    def __init__(self, tree: GameTree, seats: dict[int, Seat], control: dict[str, Any],
                 id: Optional[str] = None):
        self.id = id or token_hex(8)
        self.tree, self.cursor = tree, ROOT
        self.seats, self.control = seats, control
        self.playing = True
        self.result: Optional[dict[str, Any]] = None
        self.begun = time.time()
        self.left: dict[int, Optional[float]] = {}
        self._shown: Optional[tuple[list[Step], Position]] = None
        self.reset_clocks()

    def reset_clocks(self) -> None:
        """Both sides have all their time."""
        self.left = dict.fromkeys((BLACK, WHITE), self.control["per_game"])

    @property
    def position(self) -> Position:
        """The position that is shown; not to be changed."""
        steps = self.tree.steps(self.cursor)
        if self._shown is None or self._shown[0] != steps:
            self._shown = steps, self.tree.position(self.cursor)
        return self._shown[1]

    @property
    def over(self) -> bool:
        """Has the game ended here?"""
        return bool(self.position.outcome) or bool(
            self.result and self.result["node"] == self.cursor)

    def play(self, colour: int, point: int) -> None:
        """A move from the position that is shown.  Raises IllegalMove and ValueError."""
        self.cursor = self.tree.add(self.cursor, Step(move=(colour, point)))

    def set_up(self, stones: list[tuple[int, int]], side: Optional[int]) -> None:
        """Put (colour, point) stones on the board that is shown, and say whose turn it is.

        What was set up here before is changed, unless something follows it.  Raises ValueError.
        """
        node, before = self.tree.nodes[self.cursor], self.tree.nodes[self.cursor].step
        if self.cursor != ROOT and not node.children and not before.move:
            kept = {point: colour for colour, point in before.stones}
            kept.update({point: colour for colour, point in stones})
            node.step = Step(tuple((colour, point) for point, colour in kept.items()),
                             before.side if side is None else side)
            node.value = None
        else:
            self.cursor = self.tree.add(self.cursor, Step(tuple(stones), side))

    def colour_name(self, colour: int) -> str:
        """A colour as it is called in this game."""
        return BoardView(self.position).colours[colour]

    def title(self) -> str:
        """Who plays, in a few words."""
        names = [name_of_seat(self.seats[colour]) for colour in self.colours()]
        return f"{names[0]} – {names[1]}"

    def colours(self) -> tuple[int, int]:
        """The colour of the first move, and the other one."""
        first = self.tree.rules.first
        return first, opponent(first)

    # --- for the page -------------------------------------------------------------------------

    def state(self, node: Optional[int] = None) -> dict[str, Any]:
        """A position, by default the one that is shown, and the state of the game, in the types of
        JSON."""
        node = self.cursor if node is None else node
        position = self.position if node == self.cursor else self.tree.position(node)
        places = places_of(position)
        numbers: dict[int, int] = {}
        for number, record in enumerate(
                (record for record in position.history if record.point != PASS), 1):
            numbers[places[record.point]] = number
        last = position.history[-1] if position.history else None
        taken = [places[cell] for cell, held in (last.before if last and last.point else ())
                 if held != EMPTY and position.cells[cell] == EMPTY]
        return {
            "id": self.id, "title": self.title(), "cursor": node,
            "path": self.tree.path(node), "playing": self.playing,
            "cells": "".join(str(position.cells[point]) for point in position.lattice.points),
            "side": position.side, "captured": position.captured[1:],
            "last": places.get(last.point) if last else None, "taken": taken,
            "numbers": numbers, "swap": self._swap(position, places),
            "row": [places[point] for point in position.winning_stones()],
            "over": self._over(position, node), "legal": len(position.legal_moves()),
            "seats": {COLOUR_NAMES[colour]: {**seat, "name": name_of_seat(seat)}
                      for colour, seat in self.seats.items()},
            "control": self.control,
            "left": [self.left[colour] for colour in (BLACK, WHITE)]}

    def _swap(self, position: Position, places: Mapping[int, int]) -> Optional[int]:
        return places[position.swap[0]] if (
            position.swap and position.swap[1] == position.side) else None

    def _over(self, position: Position, node: int) -> Optional[dict[str, Any]]:
        if position.outcome:
            winner, reason = position.outcome
            how = {LINE: f"{position.rules.in_a_row} in a row"}.get(reason, reason)
            return {"winner": winner, "text": how}
        if self.result and self.result["node"] == node:
            return {"winner": self.result["winner"], "text": self.result["text"]}
        return None

    # --- on the disk --------------------------------------------------------------------------

    def data(self) -> dict[str, Any]:
        """All of it in the types of JSON."""
        return {
            "id": self.id, "begun": self.begun, "tree": self.tree.data(), "cursor": self.cursor,
            "seats": {COLOUR_NAMES[colour]: seat for colour, seat in self.seats.items()},
            "control": self.control, "left": [self.left[BLACK], self.left[WHITE]],
            "playing": self.playing, "result": self.result}

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> "Game":
        """The inverse of `data`.  Raises ValueError, KeyError or TypeError for anything else."""
        game = cls(GameTree.of_data(data["tree"]),
                   {colour: data["seats"][COLOUR_NAMES[colour]] for colour in (BLACK, WHITE)},
                   data["control"], data["id"])
        checks.checked({name: data[name] for name in STATE}, STATE)
        game.cursor, game.playing, game.result = data["cursor"], data["playing"], data["result"]
        game.left = dict(zip((BLACK, WHITE), data["left"]))
        game.begun = data["begun"]
        game.tree.nodes[game.cursor]
        return game


class Store:
    """The folder of the games, a file for each."""

    def __init__(self, folder: Path):
        self.folder = folder

    def write(self, game: Game) -> None:
        """The game as it is now is on the disk.  Raises OSError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_file(self._path(game.id), json.dumps(game.data()))

    def read(self, id: str) -> Game:
        """The game of that name.  Raises KeyError if there is none, ValueError if it is damaged."""
        if not NAME.fullmatch(id):
            raise KeyError(id)
        try:
            return Game.of_data(checks.parsed(self._path(id).read_bytes()))
        except FileNotFoundError:
            raise KeyError(id) from None
        except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
            raise ValueError(f"the file of game {id} cannot be read: {error}") from None

    def remove(self, id: str) -> None:
        """The game is not on the disk any more."""
        if NAME.fullmatch(id):
            self._path(id).unlink(missing_ok=True)

    def names(self) -> list[str]:
        """The names of all games, the one that was changed last first."""
        found = [(self.changed(path.stem), path.stem) for path in self.folder.glob("*.json")
                 if NAME.fullmatch(path.stem)]
        return [name for _, name in sorted(found, reverse=True)]

    def changed(self, id: str) -> int:
        """When the game was written last, 0 if it is not there."""
        try:
            return self._path(id).stat().st_mtime_ns
        except OSError:
            return 0

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.json"


def summary(game: Game) -> dict[str, Any]:
    """A game in a list of games."""
    line, over = game.tree.line(game.cursor), game.state()["over"]
    result = "open"
    if over:
        result = f"{game.colour_name(over['winner'])} won" if over["winner"] else "draw"
    return {"id": game.id, "title": game.title(), "game": game.tree.rules.name,
            "size": game.tree.size, "cube": game.tree.rules.cube, "plies": len(line) - 1,
            "begun": game.begun, "result": result}


def layout(rules: Rules, size: int) -> dict[str, Any]:
    """What the page has to know of a game to draw it."""
    board = PageBoard(rules, size)
    found = board.layout()
    return {"game": rules.name, "size": size, "cube": rules.cube, "first": rules.first,
            "captures": rules.captures_to_win, "in_a_row": rules.in_a_row,
            "points": [[level, column, row] for level, column, row, _ in found["points"]],
            "captions": [level[0] for level in found["levels"]],
            "colours": {"black": board.view.colours[BLACK], "white": board.view.colours[WHITE]},
            "notations": board.notations()}


def name_of_seat(seat: Seat) -> str:
    """A seat in a word or two; of a command only the kind and the program."""
    if seat["player"] == PROGRAM:
        kind, _, command = str(seat.get("command", "")).partition(":")
        return str(seat.get("name") or f"{kind}: {Path(f'{command} '.split()[0]).name}")
    settings = ", ".join(f"{key} {value}" for key, value in seat.get("settings", {}).items())
    return f"{seat['player']}{f' ({settings})' if settings else ''}"


def text_of_seat(seat: Seat) -> str:
    """A seat as the referee has it, see arena.seat_spec."""
    if seat["player"] == PROGRAM:
        return str(seat["command"])
    return ",".join([seat["player"], *(f"{key}={value}"
                                       for key, value in seat.get("settings", {}).items())])


def options_of(player: str) -> list[str]:
    """The names of what can be set for a player."""
    return [name for name, option in OPTIONS.items()
            if player in option.players and name not in ("player", "seed")]
