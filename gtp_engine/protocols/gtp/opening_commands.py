"""GTP commands of our own for openings by a rule."""

from typing import Optional, cast

from ...games.opening_rules import RULES, Agreement, find, name_of
from ...players.base import AnalysingPlayer
from ...players.opening_choices import choice
from ...wire.notation import opening_action, opening_question, opening_text
from .dispatcher import Dispatcher, GtpError
from .session import Session, needed_by


class OpeningCommands:
    """The commands of a session by which two persons agree on the first stones."""

    def __init__(self, dispatcher: Dispatcher, session: Session):
        self.session = session
        self._opening: Optional[Agreement] = None
        self._plies = 0  # of the position after what was done last
        dispatcher.add([self.opening_rule, self.opening_state, self.opening_play,
                        self.opening_genmove])

    def opening_rule(self, rule: Optional[str] = None) -> str:
        """opening_rule [RULE]

        Empty the board and open the game by that rule.  Without RULE: the list of rules.
        """
        if rule is None:
            return f"available: {' '.join(RULES)}"
        try:
            found = find(rule)
            self.session.clear_board()
            self._opening, self._plies = Agreement(found, self.session.position), 0
        except ValueError as error:
            raise GtpError(str(error)) from None
        return self.opening_state()

    def opening_state(self) -> str:
        """opening_state

        The person who has Black, and the next step with its person: first or second, whose colours
        may be exchanged.  Once the opening is over, the side to move.
        """
        if not self._is_under_way():
            return "no opening"
        opening = self._under_way()
        lines = [f"{opening.rule.name}: {opening.black} has black"]
        named = name_of(opening.position)
        if named:
            lines[0] += f", opening {named.number} {named.name}"
        if opening.offered:
            lines.append(f"offered: {self.session.points.text([*opening.offered])}")
        if opening.step is None:
            lines.append(f"the opening is over, {opening.actor} is to move")
        else:
            lines.append(f"{opening.actor}: {opening_question(opening)}")
        return "\n".join(lines)

    def opening_play(self, action: str, *words: str) -> str:
        """opening_play ACTION [WORDS]...

        The step of the person whose turn it is: place POINT..., swap yes|no, declare NUMBER, offer
        POINT..., choose POINT.
        """
        opening = self._under_way()
        try:
            opening.act(opening_action((action, *words), self.session.points))
        except ValueError as error:
            raise GtpError(str(error)) from None
        self._plies = len(opening.position.history)
        return self.opening_state()

    def opening_genmove(self) -> str:
        """opening_genmove

        The engine takes the step of the person whose turn it is; the reply has the step.
        """
        opening, engine = self._under_way(), self.session.engine
        if opening.step is None:
            raise GtpError("the opening is over")
        with needed_by("an opening"):
            engine.load()
            limits = engine.limits(opening.position.side)
            if engine.player_name != "alphabeta":
                raise GtpError("only the player alphabeta chooses openings: see param player")
            player = cast(AnalysingPlayer, engine.player)
            action = choice(opening, player, engine.settings.rng, limits)
        opening.act(action)
        self._plies = len(opening.position.history)
        return opening_text(action, self.session.points)

    def _is_under_way(self) -> bool:
        # Other commands may have changed the position.
        opening, position = self._opening, self.session.position
        return opening is not None and opening.position is position and (
            opening.step is None or self._plies == len(position.history))

    def _under_way(self) -> Agreement:
        if not self._is_under_way() or self._opening is None:
            raise GtpError("no opening: see opening_rule")
        return self._opening
