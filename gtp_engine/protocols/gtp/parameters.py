"""Settings that can change while the engine runs, as text."""

from typing import Callable, NamedTuple

from ...players.options import NONE, OPTIONS, Option
from .dispatcher import GtpError
from .session import Session

CLOCK = "clock"  # time by GTP's time_settings


class Parameter(NamedTuple):
    """A setting: its kind in GoGui's terms, its getter and its setter.

    `set` raises ValueError for an invalid value and changes nothing.
    """

    kind: str
    get: Callable[[], str]
    set: Callable[[str], object]


class Parameters:
    """The settings and switches of a session, by key.

    The key of a setting is its name with its unit, if it has one, as in memory_MB.
    """

    def __init__(self, session: Session):
        self.session = session
        self._by_key = {key_of(option): Parameter(
            f"list/{'/'.join(option.values)}" if option.values else "string",
            lambda option=option: self.text(option),  # type: ignore[misc]
            lambda text, option=option: self.change(option, text))  # type: ignore[misc]
            for option in OPTIONS.values()}

    def add_switch(self, owner: object, name: str) -> None:
        """Add a boolean attribute of the owner, as text 1 or 0."""
        def change(text: str) -> None:
            if text not in ("0", "1"):
                raise ValueError(f"{name} must be 0 or 1: {text}")
            setattr(owner, name, text == "1")

        self._by_key[name] = Parameter("bool", lambda: str(int(getattr(owner, name))), change)

    def __str__(self) -> str:
        return "\n".join(f"[{parameter.kind}] {key} {parameter.get()}"
                         for key, parameter in self._by_key.items())

    def set(self, key: str, value: str) -> None:
        """Change a setting; the key may omit the unit.  Raises GtpError."""
        key = key_of(OPTIONS[key]) if key in OPTIONS else key
        if key not in self._by_key:
            raise GtpError(f"no such parameter: {key}; available: {' '.join(self._by_key)}")
        try:
            self._by_key[key].set(value)
        except ValueError as error:
            raise GtpError(str(error)) from None

    def text(self, option: Option) -> str:
        """The current value as text."""
        engine, clock = self.session.engine, self.session.clock
        if option.name == "player":
            return engine.player_name
        if option.name == "time":
            return CLOCK if clock.is_set else text_of(clock.per_move)
        return text_of(getattr(engine.settings, option.name))

    def change(self, option: Option, text: str) -> None:
        """Set the value.  Raises ValueError for an invalid value and changes nothing."""
        engine, clock = self.session.engine, self.session.clock
        if option.name == "time" and text == CLOCK and clock.is_set:
            return
        value = option.read(text)
        if option.name == "player":
            engine.play_with(value)
        elif option.name == "time":
            clock.limit_moves(value)
        elif option.name == "seed":
            engine.settings.start_from(value)
        else:
            setattr(engine.settings, option.name, value)
        self.session.load_for_clock()


def key_of(option: Option) -> str:
    """The name of an option, with its unit if it has one."""
    return f"{option.name}_{option.unit}" if option.unit else option.name


def text_of(value: object) -> str:
    """The value as text; none for None."""
    return NONE if value is None else str(value)
