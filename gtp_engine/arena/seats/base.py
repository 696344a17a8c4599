"""What every seat offers to the referee.

A seat keeps the time of its program by deadlines as of time.monotonic, and raises Failure with the
ending that its program has brought about.
"""

from typing import Callable, NamedTuple, Optional

from ...games.lattice import BLACK, EMPTY, opponent
from ...games.opening_rules import Action, Agreement
from ...games.rules import Position, Rules
from ..verdict import Ending, Verdict

HANDSHAKE = 60.0  # seconds for a program to be ready; the first start may compile
LONGEST_NAME = 200


class TimeControl(NamedTuple):
    """What a side may use for its moves; None: no such limit.

    per_move   seconds for each move
    per_game   seconds for the whole game, with `increment` more after each move
    nodes      nodes that a search visits at most for one move
    depth      plies that it looks ahead at most
    margin     seconds that a move may be late, None: the default of the protocol
    patience   seconds for a move where no time is given
    """

    per_move: Optional[float] = None
    per_game: Optional[float] = None
    increment: float = 0.0
    nodes: Optional[int] = None
    depth: Optional[int] = None
    margin: Optional[float] = None
    patience: float = 60.0

    def limits(self) -> dict[str, int]:
        """The limits of a search, those that are given."""
        return {key: value for key in ("nodes", "depth")
                if (value := getattr(self, key)) is not None}


def usual_time(rules: Rules) -> TimeControl:
    """No limits; a seat waits for an answer as long as the game's course has it, else a minute."""
    return TimeControl(patience=120.0 if rules.swap else 60.0)


class Failure(Exception):
    """How a program has failed: the ending, the details, and its name if it is another one."""

    def __init__(self, ending: Ending, detail: str, by: str = ""):
        super().__init__(detail)
        self.ending, self.detail, self.by = ending, detail, by


class Reply(NamedTuple):
    """What a program answered: a point, or None if it resigned or passed; and its own words.

    With `undo` it wants its last move back.
    """

    point: Optional[int]
    text: str
    undo: bool = False


class Seat:
    """What every seat offers.

    name       for tables and verdicts: as given, else the program's own
    colour     BLACK or WHITE, since `start`
    left       seconds for the rest of the game, None without such a limit
    log        called with each line that was sent or read, or came on standard error
    search_info  of its last move: depth, nodes, value for itself, on its own scale
    opens      does it accept moves that were made before the game?
    counts     the limits of a search that it accepts
    takes_back whether it goes on from any position, so that moves can be taken back
    may_undo   whether both seats do
    agrees     whether it can open a game by an opening rule
    forbidden_loses  whether a person's forbidden move loses the game, or is asked for again
    """

    colour = BLACK
    opens = True
    counts: tuple[str, ...] = ()
    takes_back = False
    may_undo = False
    agrees = False
    forbidden_loses = False
    slack = 0.0  # seconds on top of the time for a move
    loading = 0.0  # seconds more that this move may take, which are not counted

    def __init__(self, control: TimeControl, name: str = ""):
        self.control, self.given, self.name = control, name, name
        self.left = control.per_game
        self.search_info: dict[str, float] = {}
        if control.margin is not None:
            self.slack = control.margin
        self.log: Callable[[str], None] = lambda line: None

    def known_as(self, own: str) -> None:
        """Take a program's own name, as one short line, unless another name was given."""
        printable = "".join(symbol if symbol.isprintable() else " " for symbol in self.given or own)
        self.name = " ".join(printable.split())[:LONGEST_NAME]

    def complaint(self, rules: Rules) -> Optional[str]:
        """Why it cannot play this game at all, or None."""
        return None

    @property
    def limit(self) -> float:
        """Seconds for the next move."""
        return min((seconds for seconds in (self.control.per_move, self.left)
                    if seconds is not None), default=self.control.patience)

    def spend(self, seconds: float) -> bool:
        """A move has taken `seconds`.  Was there that much time left for the game?

        The slack is there once for the whole game.
        """
        if self.left is None:
            return True
        if self.limit < seconds <= self.limit + self.loading:
            seconds = self.limit
        in_time = seconds <= self.left + self.slack
        self.left += self.control.increment - seconds
        return in_time

    def start(self, position: Position, colour: int) -> None:
        """Get ready to play from this position.  Raises Failure."""
        self.colour = colour

    def meet(self, position: Position) -> None:
        """Start it for once and end it, before the first game.  Raises ValueError if that fails."""
        try:
            self.start(position, opponent(position.rules.first))
            self.linger()
        except Failure as failure:
            raise ValueError(f"{self.name}: {failure}") from None
        finally:
            self.stop(Verdict(EMPTY, Ending.INTERRUPTED, "not begun"))

    def linger(self) -> None:
        """Wait for what a program says only after its start.  Raises Failure."""

    def ask(self, position: Position) -> Reply:
        """The move for the position, in which this side is to move.  Raises Failure."""
        raise NotImplementedError

    def open(self, opening: Agreement) -> Action:
        """The next action of the seat in an opening by a rule.  Raises Failure."""
        raise Failure(Ending.SILENCE, f"it does not support the opening rule {opening.rule.name}")

    def notices(self, position: Position, text: str, valid: bool) -> Optional[bool]:
        """After the last move, the other side's or ours, or an invalid one of the other side: does
        the program see that the game is over, or that the move is invalid?  None if its protocol
        does not say so."""
        return None

    def stop(self, verdict: Verdict) -> None:
        """The game is over: say so as the protocol has it, and end the program."""
