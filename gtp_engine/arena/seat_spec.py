"""From the texts that describe seats to the seats."""

import re
from pathlib import Path
from random import Random
from typing import Sequence

from ..games.rules import Rules
from ..players.base import DEFAULT_SECONDS
from ..players.options import OPTIONS, settings_of
from ..players.registry import PLAYERS
from .file_seats import FileSeat, InOutSeat, MoveFileSeat
from .process_seats import GomocupSeat, GtpSeat, PipeSeat
from .seat import PersonSeat, PlayerSeat, Seat, TimeControl

PROGRAMS = {"gtp": GtpSeat, "gomocup": GomocupSeat, "pipe": PipeSeat}
FILES = {"in-out": InOutSeat, "move-file": MoveFileSeat}
KINDS = ", ".join(["person", *PLAYERS, *(f"{kind}:..." for kind in (*PROGRAMS, *FILES))])


def seat_of(text: str, control: TimeControl, rng: Random) -> Seat:
    """The seat that a text describes.  Raises ValueError.

    person; the name of one of our players, with settings as in flat,policy=rule_based,time=1;
    gtp:COMMAND, gomocup:COMMAND or pipe:COMMAND; in-out:DIR/NAME or move-file:DIR/NAME, with a
    blank and a COMMAND if the referee is to start the program.  A name and = may stand before it.
    """
    given = re.fullmatch("([^,:=]+)=(.+)", text)
    name, text = (given[1].strip(), given[2]) if given else ("", text)
    kind, colon, rest = text.partition(":")
    rest = rest.strip()
    if text == "person":
        return PersonSeat(control, name)
    if colon and kind in PROGRAMS and rest:
        return PROGRAMS[kind](rest, control, name)
    if colon and kind in FILES and rest:
        path, command = path_and_command(rest)
        return FILES[kind](path, command, control, name)
    return player_seat(text, control, rng, name)


def path_and_command(text: str) -> tuple[Path, str]:
    """The first word, or what stands in quotation marks, as a whole path, and the rest.

    Raises ValueError.
    """
    quoted = re.fullmatch("""(['"])(.*?)\\1( .*|)""", text)
    first, rest = (quoted[2], quoted[3]) if quoted else text.partition(" ")[::2]
    if not Path(first).name:
        raise ValueError(f"no path with a name at its end: {text}")
    return Path(first).resolve(), rest.strip()


def player_seat(text: str, control: TimeControl, rng: Random, name: str) -> PlayerSeat:
    """The seat of one of our players, with its settings.  Raises ValueError."""
    player, *words = text.split(",")
    if player not in PLAYERS:
        raise ValueError(f"no such seat: {text} (a seat is one of: {KINDS})")
    known = {key: option for key, option in OPTIONS.items()
             if player in option.players and key != "player"}
    values = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in known:
            raise ValueError(f"{text}: no such setting of {player}: {word} "
                             f"(available: {' '.join(known)})")
        try:
            values[key] = known[key].read(value)
        except ValueError as error:
            raise ValueError(f"{text}: {error}") from None
    seconds = values.get("time")
    if player == "alphabeta" and seconds is None and not {"nodes", "depth"} & {*values}:
        seconds = DEFAULT_SECONDS if control.per_game is None else None
    settings = settings_of({"seed": rng.getrandbits(64), **values})
    return PlayerSeat(player, settings, seconds, control, name)


def check(seats: Sequence[Seat], rules: Rules) -> None:
    """Raises ValueError if a seat cannot play the game, or two are in each other's way."""
    for seat in seats:
        reason = seat.complaint(rules)
        if reason:
            raise ValueError(f"{seat.name}: {reason}")
    paths = [seat.folder / seat.stem.lower() for seat in seats if isinstance(seat, FileSeat)]
    if len(set(paths)) < len(paths):
        raise ValueError(f"two programs cannot have the same files: {paths[0]}")
