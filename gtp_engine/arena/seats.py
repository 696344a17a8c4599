"""From the text that describes a seat to the seat."""

from pathlib import Path
from random import Random

from ..players import Settings
from ..players.alphabeta import DEFAULT_SECONDS
from .files import InOutSeat, MoveFileSeat
from .pipes import GomocupSeat, GtpSeat, PipeSeat
from .seat import PersonSeat, PlayerSeat, Seat


def seat_of(text: str, seconds: float, rng: Random) -> Seat:
    """The seat that a text describes.  Raises ValueError.

    person; the name of one of our players, with settings as in flat,policy=rule_based,time=1;
    gtp:COMMAND, gomocup:COMMAND or pipe:COMMAND; in-out:DIR/NAME or move-file:DIR/NAME, with a
    blank and a COMMAND if the referee is to start the program.
    """
    kind, colon, rest = text.partition(":")
    programs = {"gtp": GtpSeat, "gomocup": GomocupSeat, "pipe": PipeSeat}
    files = {"in-out": InOutSeat, "move-file": MoveFileSeat}
    if text == "person":
        return PersonSeat(seconds)
    if colon and kind in programs and rest.strip():
        return programs[kind](rest.strip(), seconds)
    if colon and kind in files and rest.strip():
        path, _, command = rest.strip().partition(" ")
        if not Path(path).parent.is_dir():
            raise ValueError(f"no such directory: {Path(path).parent}")
        return files[kind](Path(path).absolute(), command, seconds)
    name, *words = text.split(",")
    try:
        options = dict(word.split("=", 1) for word in words)
        given = options.pop("time", None)
        limit = None  # what the player does without a time
        if given is not None or name == "alphabeta":
            limit = min(float(given or DEFAULT_SECONDS), seconds)
        settings = Settings(rng=Random(rng.getrandbits(64)), **{
            key: value if key == "policy" else int(value)  # type: ignore[arg-type]
            for key, value in options.items()})
        return PlayerSeat(name, settings, limit, seconds)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"no such seat: {text}") from None
