"""Seats from their descriptions as text."""

import re
import shlex
import sys
from pathlib import Path
from random import Random
from typing import Mapping, Optional, Sequence

from ...games import catalogue
from ...games.lattice import Size
from ...games.rules import Rules
from ...players.base import DEFAULT_SECONDS, Player, Settings
from ...players.options import OPTIONS, settings_of
from ...players.registry import PLAYERS, make_player
from .base import Seat, TimeControl
from .files import FileSeat, InOutSeat, MoveFileSeat
from .person import PersonSeat
from .player import PlayerSeat
from .programs import GomocupSeat, GtpSeat, PipeSeat

PROGRAMS = {"gtp": GtpSeat, "gomocup": GomocupSeat, "pipe": PipeSeat}
PACKAGE = __name__.partition(".")[0]
PYTHON = "python"  # the kind of players of one's own
FILES = {"in-out": InOutSeat, "move-file": MoveFileSeat}
FROM_EMPTY = ("pipe", *FILES)  # seats that cannot begin with an opening
KINDS = ", ".join(["person", *PLAYERS, *(f"{kind}:..." for kind in (*PROGRAMS, PYTHON, *FILES))])


def seat_of(text: str, control: TimeControl, rng: Random, name: str = "") -> Seat:
    """Return the seat that a text describes.  Raises ValueError.

    - person: a person at the terminal
    - flat,policy=rule_based,time=1: a player of this package, with settings
    - gtp:COMMAND, gomocup:COMMAND, pipe:COMMAND: a program behind pipes
    - python:MODULE:NAME, python:FILE.py:NAME: a player of one's own, in a process of its own;
      see `library.player.load_player`
    - in-out:DIR/NAME, move-file:DIR/NAME: a program over files, which the referee starts if a
      blank and a COMMAND follow

    The text may begin with NAME=; the argument `name` takes priority.
    """
    own, text = name_and_seat(text)
    name = name or own
    kind, colon, rest = text.partition(":")
    rest = rest.strip()
    if text == "person":
        return PersonSeat(control, name)
    if colon and kind in PROGRAMS and rest:
        return PROGRAMS[kind](rest, control, name)
    if colon and kind == PYTHON and rest:
        return GtpSeat(python_command(rest), control, name)
    if colon and kind in FILES and rest:
        path, command = path_and_command(rest)
        return FILES[kind](path, command, control, name)
    return player_seat(text, control, rng, name)


def python_command(player: str) -> str:
    """Return the command of a program that serves a player of one's own over GTP."""
    return shlex.join([sys.executable, "-m", PACKAGE, "serve", player])


def name_and_seat(text: str) -> tuple[str, str]:
    """Split NAME=SEAT into the name, "" if there is none, and the seat."""
    match = re.fullmatch("([^,:=]+)=(.+)", text)
    return (match[1].strip(), match[2]) if match else ("", text)


def kind_of(text: str) -> str:
    """Return the word before the colon of a seat, "" for a player of this package or a person."""
    return name_and_seat(text)[1].partition(":")[0] if ":" in text else ""


def path_and_command(text: str) -> tuple[Path, str]:
    """Split a text into an absolute path, which may be in quotation marks, and the rest.

    Raises ValueError if the path has no name at its end.
    """
    quoted = re.fullmatch("""(['"])(.*?)\\1( .*|)""", text)
    first, rest = (quoted[2], quoted[3]) if quoted else text.partition(" ")[::2]
    if not Path(first).name:
        raise ValueError(f"no path with a name at its end: {text}")
    return Path(first).resolve(), rest.strip()


def player_seat(text: str, control: TimeControl, rng: Random, name: str) -> PlayerSeat:
    """Return the seat of a player of this package with its settings.  Raises ValueError."""
    player, *words = text.split(",")
    if player not in PLAYERS:
        raise ValueError(f"no such seat: {text} (a seat is one of: {KINDS})")
    options = {key: option for key, option in OPTIONS.items()
             if player in option.players and key != "player"}
    values, tuning = {}, {}
    try:
        for word in words:
            key, equals, value = word.partition("=")
            if player == "alphabeta" and equals and key not in options:
                tuning[key] = value
            elif not equals or key not in options:
                raise ValueError(f"no such setting of {player}: {word} "
                                 f"(available: {' '.join(options)})")
            else:
                values[key] = options[key].read(value)
        values |= {key: value for key, value in control.limits().items() if key in options}
        settings = settings_of({"seed": rng.getrandbits(64), **values})
        engine = tuned_search(settings, tuning) if tuning else make_player(player, settings)
    except (ValueError, OSError) as error:
        raise ValueError(f"{text}: {error}") from None
    seconds = values.get("time")
    if player == "alphabeta" and seconds is None and not {"nodes", "depth"} & {*values}:
        seconds = control.per_move or (DEFAULT_SECONDS if control.per_game is None else None)
    seat = PlayerSeat(engine, seconds, control, name)
    seat.counts = tuple(key for key in ("nodes", "depth") if key in options)
    return seat


def tuned_search(settings: Settings, changes: Mapping[str, str]) -> Player:
    """Return an alphabeta player with changes of its search.  Raises ValueError and OSError."""
    from ...players.alphabeta.player import AlphaBeta
    from ...players.alphabeta.weights import tuning_of
    return AlphaBeta(settings, tuning_of(changes))


def check(seats: Sequence[Seat], rules: Rules, with_opening: bool = False,
          size: Optional[Size] = None) -> None:
    """Raise ValueError if a seat cannot play the game, on a board of `size`, within its limits.

    Also raises ValueError if `with_opening` and a seat cannot begin with an opening, or if two
    seats use the same files.
    """
    lattice = catalogue.start(rules, rules.default_size if size is None else size).lattice
    for seat in seats:
        reason = seat.complaint(rules, lattice)
        if not reason and with_opening and not seat.opens:
            reason = "it cannot begin with an opening"
        for key in seat.control.limits():
            if key not in seat.counts:
                reason = reason or f"it does not support a limit of {key}"
        if reason:
            raise ValueError(f"{seat.name}: {reason}")
    paths = [seat.folder / seat.stem.lower() for seat in seats if isinstance(seat, FileSeat)]
    if len(set(paths)) < len(paths):
        raise ValueError(f"two programs cannot have the same files: {paths[0]}")
