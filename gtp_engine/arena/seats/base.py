"""The interface of seats to the referee.

A seat times its program with deadlines of time.monotonic.  It raises Failure with the Ending of
the game when the program fails.
"""

from typing import Callable, NamedTuple, Optional

from ...games.lattice import BLACK, EMPTY, Lattice, opponent
from ...games.opening_rules import Action, Agreement
from ...games.rules import Position, Rules
from ..verdict import Ending, Verdict

HANDSHAKE = 60.0  # seconds for a program to be ready; the first start may compile
LONGEST_NAME = 200


class TimeControl(NamedTuple):
    """The limits of a side; None means no limit.

    per_move   seconds for each move
    per_game   seconds for the whole game, with `increment` more after each move
    nodes      most nodes of the search for one move
    depth      greatest depth of the search, in plies
    margin     seconds that a move may be late; None: the default of the protocol
    patience   seconds for a move without a time limit
    """

    per_move: Optional[float] = None
    per_game: Optional[float] = None
    increment: float = 0.0
    nodes: Optional[int] = None
    depth: Optional[int] = None
    margin: Optional[float] = None
    patience: float = 60.0

    def limits(self) -> dict[str, int]:
        """Return the search limits that are set."""
        return {key: value for key in ("nodes", "depth")
                if (value := getattr(self, key)) is not None}


def usual_time(rules: Rules) -> TimeControl:
    """Return a time control without limits, with the patience of the game's course or a minute."""
    return TimeControl(patience=120.0 if rules.swap else 60.0)


class Failure(Exception):
    """The failure of a program.

    ending  the Ending of the game
    detail  the details for the verdict
    by      the name of the program, if it is not the name of the seat
    """

    def __init__(self, ending: Ending, detail: str, by: str = ""):
        super().__init__(detail)
        self.ending, self.detail, self.by = ending, detail, by


class Reply(NamedTuple):
    """The answer of a program.

    point  the move; None for a resignation, a pass or an undo
    text   the answer as the program wrote it
    undo   is it a request to take back the last move?
    """

    point: Optional[int]
    text: str
    undo: bool = False


class Seat:
    """The base class of seats: a person, a player of this package or a program.

    name         name for tables and verdicts; by default the program's own
    colour       BLACK or WHITE, set by `start`
    left         seconds for the rest of the game; None without a limit
    log          called with each line of the pipes and of standard error
    search_info  depth, nodes and value of the last move, on the program's own scale
    opens        does it accept moves from before the game?
    counts       the search limits that it accepts
    takes_back   can it continue from any position, so that moves can be taken back?
    may_undo     do both seats take moves back?
    agrees       can it open a game by an opening rule?
    forbidden_loses  does a person's forbidden move lose the game?  Else the seat asks again
    """

    colour = BLACK
    opens = True
    counts: tuple[str, ...] = ()
    takes_back = False
    may_undo = False
    agrees = False
    forbidden_loses = False
    slack = 0.0  # extra seconds for a move
    loading = 0.0  # extra seconds for this move that the clock does not count

    def __init__(self, control: TimeControl, name: str = ""):
        self.control, self.fixed_name, self.name = control, name, name
        self.left = control.per_game
        self.search_info: dict[str, float] = {}
        if control.margin is not None:
            self.slack = control.margin
        self.log: Callable[[str], None] = lambda line: None

    def set_name(self, own: str) -> None:
        """Set the name to the program's own, as one short line.  A `fixed_name` takes priority."""
        printable = "".join(symbol if symbol.isprintable() else " "
                            for symbol in self.fixed_name or own)
        self.name = " ".join(printable.split())[:LONGEST_NAME]

    def complaint(self, rules: Rules, lattice: Lattice) -> Optional[str]:
        """Return the reason why it cannot play this game on this board, or None."""
        return None

    @property
    def limit(self) -> float:
        """The seconds for the next move."""
        return min((seconds for seconds in (self.control.per_move, self.left)
                    if seconds is not None), default=self.control.patience)

    def spend(self, seconds: float) -> bool:
        """Charge a move of `seconds` to the clock.  Returns False if the clock has run out.

        The slack applies once to the whole game.
        """
        if self.left is None:
            return True
        if self.limit < seconds <= self.limit + self.loading:
            seconds = self.limit
        in_time = seconds <= self.left + self.slack
        self.left += self.control.increment - seconds
        return in_time

    def start(self, position: Position, colour: int) -> None:
        """Prepare to play from this position.  Raises Failure."""
        self.colour = colour

    def probe(self, position: Position) -> None:
        """Start the program and stop it again, before the first game.

        Raises ValueError if the start fails.
        """
        try:
            self.start(position, opponent(position.rules.first))
            self.linger()
        except Failure as failure:
            raise ValueError(f"{self.name}: {failure}") from None
        finally:
            self.stop(Verdict(EMPTY, Ending.INTERRUPTED, "not begun"))

    def linger(self) -> None:
        """Wait for failures shortly after the start.  Raises Failure."""

    def ask(self, position: Position) -> Reply:
        """Return the move for a position in which this side is to move.  Raises Failure."""
        raise NotImplementedError

    def open(self, opening: Agreement) -> Action:
        """Return the next action of the seat in an opening by a rule.  Raises Failure."""
        raise Failure(Ending.SILENCE, f"it does not support the opening rule {opening.rule.name}")

    def notices(self, position: Position, text: str, valid: bool) -> Optional[bool]:
        """Send the last move or an invalid move, and check the reaction of the program.

        text   the text of the move
        valid  was the move valid, so that it ended the game?

        Returns True if the program reports the end of the game or the invalid move.  Returns None
        if its protocol has no such report.
        """
        return None

    def stop(self, verdict: Verdict) -> None:
        """Send the end of the game by the protocol, and end the program."""
