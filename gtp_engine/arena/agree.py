"""Openings by a rule: two seats agree on the first stones of a game."""

from typing import Callable

from ..games.lattice import BLACK, WHITE, opponent
from ..games.opening_rules import FIRST, SECOND, Agreement
from ..wire.notation import COLOUR_NAMES, GtpPoints, opening_text
from .seats.base import Failure, Seat
from .verdict import Ending, Verdict


def agree(opening: Agreement, first: Seat, second: Seat, say: Callable[[str], None],
          show: Callable[[], None]) -> tuple[Seat, Seat]:
    """Open a game by the rule; return the seats of Black and White, not yet started.

    say   called with a text for each action
    show  called after each action

    Raises Disagreement if a seat fails or breaks the rule.
    """
    seats = {FIRST: first, SECOND: second}
    points = GtpPoints(opening.position.lattice)
    while opening.step is not None:
        actor = opening.actor
        try:
            action = seats[actor].open(opening)
            opening.act(action)
        except Failure as failure:
            raise Disagreement(seats, opening, actor, failure.ending, failure.detail) from None
        except ValueError as error:
            raise Disagreement(seats, opening, actor, Ending.INVALID_MOVE, str(error)) from None
        say(f"{actor} ({seats[actor].name}): {opening_text(action, points)}")
        show()
    black, white = (seats[opening.person_of(colour)] for colour in (BLACK, WHITE))
    say(f"{black.name} has black, {white.name} has white")
    return black, white


class Disagreement(Exception):
    """The failure of a seat in an opening.

    verdict       the verdict of the game
    won_by_first  has the First of the opening rule won?
    """

    def __init__(self, seats: dict[str, Seat], opening: Agreement, actor: str, ending: Ending,
                 detail: str):
        super().__init__(detail)
        colour = BLACK if opening.black == actor else WHITE
        loser, winner = seats[actor].name, seats[SECOND if actor == FIRST else FIRST].name
        self.verdict = Verdict(opponent(colour), ending,
                               f"{winner} WINS! {loser} ({COLOUR_NAMES[colour]}) LOSES! "
                               f"{ending.value}", f"in the opening: {detail}")
        self.won_by_first = actor == SECOND
