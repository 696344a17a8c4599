"""Opening rules in the games of a user."""

from typing import Any, Mapping, Optional, Sequence

from ..games import catalogue
from ..games.lattice import BLACK, WHITE, Size
from ..games.opening_rules import CHOOSE, DECLARE, OFFER, PLACE, SWAP, Agreement, find
from ..games.rules import Rules
from ..games.tree import ROOT
from ..wire.notation import GtpPoints, opening_action, opening_text

FREE = "free"  # no rule


class Opening:
    """The opening of a game by an opening rule, from an empty board.

    agreement  the state of the opening, with a position of its own
    done       the steps so far, in the syntax of GTP's `opening_play`
    node       the node of the game that the opening has reached
    """

    def __init__(self, rule: str, rules: Rules, size: Size, done: Sequence[str] = (),
                 node: int = ROOT):
        """Raises ValueError if the rule does not fit the game, or a step is impossible."""
        self.agreement = Agreement(find(rule), catalogue.start(rules, size))
        self.done: list[str] = []
        self.node = node
        self._points = GtpPoints(self.agreement.position.lattice)
        for text in done:
            self.act(text)

    def act(self, text: str) -> None:
        """Take a step.  Raises ValueError and changes nothing if it is impossible."""
        action = opening_action(text.split() or [""], self._points)
        self.agreement.act(action)
        self.done.append(opening_text(action, self._points))

    @property
    def is_over(self) -> bool:
        """Whether the opening has no further step."""
        return self.agreement.step is None

    @property
    def colour(self) -> int:
        """The current colour of the person to act."""
        return BLACK if self.agreement.black == self.agreement.actor else WHITE

    def due(self, places: Mapping[int, int]) -> dict[str, Any]:
        """The next action in the types of JSON; `places` are the numbers of points on the page.

        stones  the action on points of the board, if any, and the number of points
        most    the largest number of fifth moves to declare, 0 without that action
        """
        agreement = self.agreement
        actions = agreement.actions
        stones = next((word for word in (PLACE, OFFER, CHOOSE) if word in actions), None)
        return {
            "colour": self.colour, "words": " or ".join(map(self._words, actions)),
            "swap": SWAP in actions, "most": agreement.quota if DECLARE in actions else 0,
            "stones": stones and [stones, 1 if stones == CHOOSE else agreement.quota],
            "offered": [places[point] for point in agreement.offered]}

    def _words(self, action: str) -> str:
        step, number = self.agreement.step, self.agreement.quota
        if action == SWAP:
            return "choose a colour"
        if action == DECLARE:
            return f"choose how many fifth moves Black offers, 1 to {number}"
        if action == OFFER:
            return f"offer {number} fifth move{'s' if number > 1 else ''} of Black"
        if action == CHOOSE:
            return "choose one of the fifth moves"
        assert step is not None
        window = "" if not step.window else " in the centre" if step.window == 1 else (
            f" in the central {step.window} × {step.window}")
        stones = ("place a stone" if number == 1 else
                  f"place {number} stones in alternating colours")
        return (f"{stones}{window}"
                f"{', one of the 26 openings' if step.named else ''}")

    def data(self) -> dict[str, Any]:
        """The opening in the types of JSON."""
        return {"rule": self.agreement.rule.name, "done": self.done, "node": self.node}


def opening_of_data(data: Optional[Mapping[str, Any]], rules: Rules, size: Size
                    ) -> Optional[Opening]:
    """The inverse of `Opening.data`.  Raises ValueError, KeyError or TypeError for other data."""
    if data is None:
        return None
    return Opening(data["rule"], rules, size, data["done"], data["node"])
