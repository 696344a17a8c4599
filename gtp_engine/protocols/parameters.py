"""What can be set while the engine runs, as text."""

from typing import Callable, NamedTuple, Optional

from ..players import PLAYERS, POLICIES, make_player
from .gtp import GtpError
from .session import Session, integer, seconds_of

NONE = "none"
CLOCK = "clock"  # the time is that of GTP's time_settings


class Parameter(NamedTuple):
    """A setting: its kind as GoGui wants it, how to read and how to change it.

    `set` raises GtpError, nothing changed, if that is no value for it.
    """

    kind: str
    get: Callable[[], str]
    set: Callable[[str], object]


def parameters_of(session: Session) -> dict[str, Parameter]:
    """The settings of a session by name."""
    settings, clock = session.settings, session.clock

    def number(name: str, most: int = 10**9, optional: bool = False) -> Parameter:
        def change(text: str) -> None:
            value = None if optional and text == NONE else integer(name, text)
            if value is not None and not 1 <= value <= most:
                raise GtpError(f"{name} must be 1 to {most}")
            setattr(settings, name, value)
        return Parameter("string", lambda: text_of(getattr(settings, name)), change)

    def change_player(name: str) -> None:
        try:
            session.player = make_player(name, settings)
        except KeyError:
            raise GtpError(f"player must be one of: {' '.join(PLAYERS)}") from None

    def change_time(text: str) -> None:
        if text == CLOCK and clock.settled:
            return
        seconds = None if text == NONE else seconds_of(text)
        if seconds == 0:
            raise GtpError("time must be above 0")
        clock.limit_moves(seconds)

    return {
        "player": Parameter(f"list/{'/'.join(PLAYERS)}", lambda: session.player.name,
                            change_player),
        "policy": Parameter(f"list/{'/'.join(POLICIES)}", lambda: settings.policy, session.policy),
        "simulations": number("simulations"),
        "time": Parameter("string", lambda: (
            CLOCK if clock.settled else text_of(clock.per_move)), change_time),
        "threads": number("threads"),
        "memory": number("memory", most=1 << 16),
        "depth": number("depth", optional=True),
        "nodes": number("nodes", optional=True),
        "seed": Parameter("string", lambda: text_of(settings.seed), lambda text: (
            settings.start_from(None if text == NONE else integer("seed", text)))),
    }


def switch(owner: object, name: str) -> Parameter:
    """A parameter that is an attribute of the owner, 1 for True and 0 for False."""
    def change(text: str) -> None:
        if text not in ("0", "1"):
            raise GtpError(f"{name} is neither 0 nor 1: {text}")
        setattr(owner, name, text == "1")
    return Parameter("bool", lambda: str(int(getattr(owner, name))), change)


def text_of(value: Optional[float]) -> str:
    """A number as text, none for None."""
    return NONE if value is None else str(value)
