"""Players of one's own: objects or functions that play wherever a player of this package does."""

import logging
import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isclass, signature
from pathlib import Path
from typing import Any, Callable, NoReturn, Protocol, Union

from ..games.rules import Position, Rules
from ..players.base import Limits, PlayerFault, Report, Settings, alarm
from ..players.registry import register
from .game import Game, Point

ENTRY_POINTS = "gtp_engine.players"


class Chooser(Protocol):
    """A player of one's own."""

    def choose(self, game: Game, limits: Limits, /) -> Point:
        """Return a legal move for the side to move.

        game    an independent copy, which the player may change
        limits  `seconds` for the move, None without a limit; `stopped`, once the move is due now
        """


class SimpleChooser(Protocol):
    """A player of one's own that needs no limits, also an `Engine`."""

    def choose(self, game: Game, /) -> Point:
        """Return a legal move for the side to move."""


OwnPlayer = Union[Chooser, SimpleChooser, Callable[[Game], Point], Callable[[Game, Limits], Point]]


def name_of(player: OwnPlayer) -> str:
    """Return the name of a player: its attribute `name`, or that of its class or function."""
    name = getattr(player, "name", None) or getattr(player, "__name__", type(player).__name__)
    return " ".join(str(name).split())


class AdaptedPlayer:
    """A player of one's own with the interface of the players of this package.

    choose  called with a game, and with limits if it takes two arguments; an `Engine` gets the time
    """

    def __init__(self, player: Union[OwnPlayer, type], settings: Settings):
        """A class is called without arguments.  Raises ValueError if the object is no player."""
        if isclass(player):
            player = created(player)
        self.name, self.settings, self.report = name_of(player), settings, Report()
        choose: Any = getattr(player, "choose", player)
        if not callable(choose):
            raise ValueError(f"not a player: {player!r} (a player has choose(game, limits), or is "
                             "a function of a game)")
        self._choose: Callable[..., Point] = choose
        self._takes_limits = self._takes_time = False
        with suppress(TypeError, ValueError):
            self._takes_time = "time" in signature(choose).parameters
            signature(choose).bind(None, None)
            self._takes_limits = True

    def choose(self, position: Position, limits: Limits) -> int:
        """Return the player's move.

        `limits.stopped` becomes true after `limits.seconds`.  Raises ValueError if the game is
        over, and PlayerFault if the player raises an exception or chooses no legal move.
        """
        if position.outcome:
            raise ValueError("there is no move to choose: the game is over")
        game = Game._of(position.copy())
        arguments = (game, limits) if self._takes_limits else (game,)
        options = {"time": limits.seconds} if self._takes_time and limits.seconds else {}
        due = nullcontext() if limits.seconds is None else alarm(limits.stop, limits.seconds)
        try:
            with due:
                choice = self._choose(*arguments, **options)
        except (Exception, SystemExit) as error:
            logging.getLogger(__name__).exception("%s failed", self.name)
            raise PlayerFault(f"{self.name} raised {type(error).__name__}: "
                              f"{' '.join(str(error).split())[:200]}") from None
        board = Game._of(position)
        try:
            point = board._number(choice)
        except ValueError as error:
            raise PlayerFault(f"{self.name} chose {str(choice)[:50]!r}: {error}", True) from None
        reason = position.complaint(position.side, point)
        if reason:
            raise PlayerFault(f"{self.name} chose {board._name(point)}: {reason}", True)
        self.report = Report((point,))
        return point

    def evaluate_moves(self, position: Position, limits: Limits) -> None:
        """A player of one's own has no values; `report` has its choice."""
        self.choose(position, limits)

    def load(self, rules: Rules) -> None:
        """There is nothing to load."""

    def __deepcopy__(self, memo: dict[int, Any]) -> "AdaptedPlayer":
        return self  # the state of a player is its own


def load_player(text: str) -> OwnPlayer:
    """Return the player that a text names.

    - MODULE:NAME, for a module on Python's path or in the current folder
    - PATH.py:NAME, for a file
    - NAME, for an entry point of the group gtp_engine.players

    A class is called without arguments.  Raises ValueError if there is no such player; the text has
    the exception of the module, if it raises one.
    """
    module, colon, name = text.rpartition(":")
    is_file = module.endswith(".py")
    if colon and not is_file and "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))  # console scripts leave it out
    try:
        loaded: Any = (_entry_point(text) if not colon else
                       _file(Path(module)) if is_file else import_module(module))
    except (Exception, SystemExit) as error:
        expected = colon and getattr(error, "name", None) == module or isinstance(error, Missing)
        if not expected:  # an error in the code of the player
            logging.getLogger(__name__).exception("cannot import %s", module or text)
        raise ValueError(f"{text}: cannot import {module or text}: {error}") from None
    if colon and not hasattr(loaded, name):
        raise ValueError(f"{text}: {module} has no {name}")
    player = getattr(loaded, name) if colon else loaded
    try:
        player = created(player) if isclass(player) else player
        AdaptedPlayer(player, Settings())
    except ValueError as error:
        raise ValueError(f"{text}: {error}") from None
    return player


class Missing(ValueError):
    """There is no such file or entry point."""


def _file(path: Path) -> Any:
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise Missing("there is no such file")
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.parent.resolve()))  # for modules beside it
    spec.loader.exec_module(module)
    return module


def _entry_point(name: str) -> Any:
    from importlib.metadata import entry_points
    found = entry_points(group=ENTRY_POINTS)
    for each in found:
        if each.name == name:
            return each.load()
    raise Missing(f"no such player: {name} (MODULE:NAME, or an installed one: "
                     f"{' '.join(sorted({each.name for each in found})) or 'there is none'})")


def created(player: type) -> OwnPlayer:
    """Return an object of a class of players.  Raises ValueError if its constructor fails."""
    try:
        return player()  # type: ignore[no-any-return]
    except (Exception, SystemExit) as error:
        logging.getLogger(__name__).exception("cannot create %s", player.__name__)
        raise ValueError(f"{player.__name__}() raised {type(error).__name__}: {error}") from None


def register_player(player: OwnPlayer) -> str:
    """Add a player of one's own to those of this package; return its name.

    Raises ValueError if the object is no player or has the name of one of this package.
    """
    AdaptedPlayer(player, Settings())
    name = name_of(player)
    register(name, lambda settings: AdaptedPlayer(player, settings))
    return name


def serve(player: OwnPlayer, words: Union[str, Sequence[str], None] = None) -> NoReturn:
    """Serve a player over GTP on standard input and output, then exit.

    The process is a program for GoGui, gogui-regress, the referee and tournaments, with all
    commands of this package.

    player  an object with `choose(game, limits)`, or a function of a game
    words   options, such as --game and --size; default: those of the command line

    Raises ValueError if the object is no player.
    """
    from ..command_line.terminal import Parser
    from ..protocols.gtp import program
    name = register_player(player)
    parser = Parser(description=f"{name}, a player over GTP on standard input and output")
    program.add_session_options(parser)
    options = parser.parse_args(shlex.split(words) if isinstance(words, str) else words)
    options.player, options.name = name, options.name or name
    try:
        sys.exit(program.start(parser, options))
    except KeyboardInterrupt:
        sys.exit(130)
