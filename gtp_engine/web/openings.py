"""Openings by a rule in the games of a user."""

from typing import Any, Mapping, Optional, Sequence

from ..games import catalogue
from ..games.lattice import BLACK, WHITE
from ..games.opening_rules import CHOOSE, DECLARE, OFFER, PLACE, SWAP, Agreement, find
from ..games.rules import Rules
from ..games.tree import ROOT
from ..wire.notation import GtpPoints, opening_action, opening_text

FREE = "free"  # no rule


class Opening:
    """The opening of a game by a rule, from an empty board.

    agreement  how far it is, with a position of its own
    done       the steps so far, as GTP's `opening_play` reads them
    node       of the game, where it stands
    """

    def __init__(self, rule: str, rules: Rules, size: int, done: Sequence[str] = (),
                 node: int = ROOT):
        """Raises ValueError if the game cannot begin so, or has not."""
        self.agreement = Agreement(find(rule), catalogue.start(rules, size))
        self.done: list[str] = []
        self.node = node
        self._points = GtpPoints(self.agreement.position.lattice)
        for text in done:
            self.act(text)

    def act(self, text: str) -> None:
        """The person whose turn it is does that.  Raises ValueError, and nothing has changed."""
        action = opening_action(text.split() or [""], self._points)
        self.agreement.act(action)
        self.done.append(opening_text(action, self._points))

    @property
    def is_over(self) -> bool:
        """Is there nothing left to do?"""
        return self.agreement.step is None

    @property
    def colour(self) -> int:
        """The colour that the person has now whose turn it is."""
        return BLACK if self.agreement.black == self.agreement.actor else WHITE

    def due(self, places: Mapping[int, int]) -> dict[str, Any]:
        """The next action in the types of JSON; `places` are the numbers of points on the page.

        stones  the action on points of the board, if any, and their number
        most    largest number of fifth moves that may be declared; 0: none now
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
        step, wanted = self.agreement.step, self.agreement.quota
        if action == SWAP:
            return "choose a colour"
        if action == DECLARE:
            return f"choose how many fifth moves Black offers, 1 to {wanted}"
        if action == OFFER:
            return f"offer {wanted} fifth move{'s' if wanted > 1 else ''} of Black"
        if action == CHOOSE:
            return "choose one of the fifth moves"
        assert step is not None
        window = "" if not step.window else " in the centre" if step.window == 1 else (
            f" in the central {step.window} × {step.window}")
        stones = ("place a stone" if wanted == 1 else
                  f"place {wanted} stones in alternating colours")
        return (f"{stones}{window}"
                f"{', one of the 26 openings' if step.named else ''}")

    def data(self) -> dict[str, Any]:
        """All of it in the types of JSON."""
        return {"rule": self.agreement.rule.name, "done": self.done, "node": self.node}


def opening_of_data(data: Optional[Mapping[str, Any]], rules: Rules, size: int
                    ) -> Optional[Opening]:
    """The inverse of `data`.  Raises ValueError, KeyError or TypeError for anything else."""
    if data is None:
        return None
    return Opening(data["rule"], rules, size, data["done"], data["node"])
