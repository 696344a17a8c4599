"""GTP commands of our own for openings by a rule."""

from typing import Optional, cast

from ...games.opening_rules import (
    CHOOSE,
    PLACE,
    RULES,
    Action,
    Agreement,
    OpeningRule,
    find,
    name_of,
)
from ...games.rules import Position
from ...players.base import AnalysingPlayer
from ...players.openings.choices import choice
from ...wire.notation import opening_action, opening_question, opening_text
from .dispatcher import Dispatcher, GtpError
from .session import Session, needed_by

STONES = PLACE, CHOOSE  # the steps in which stones come on the board


class OpeningCommands:
    """The commands of a session by which two persons agree on the first stones.

    The stones of an opening are the moves of the game, so that every controller sees them; the
    commands here are for the decisions in between.  A decision after a stone is void once the stone
    is taken back, and valid again once the same stones are there.
    """

    def __init__(self, dispatcher: Dispatcher, session: Session):
        self.session = session
        self._rule: Optional[OpeningRule] = None
        self._position: Optional[Position] = None  # of the game that the rule opens
        self._said: list[tuple[list[int], Action]] = []  # with the stones before
        self._planned: list[int] = []  # the stones before the engine's own, and these
        session.opening_stone = self._stone
        dispatcher.add([self.opening_rule, self.opening_state, self.opening_play,
                        self.opening_genmove])

    def opening_rule(self, rule: Optional[str] = None) -> str:
        """opening_rule [RULE]

        The game on the empty board opens by that rule.  Without RULE: the list of rules.
        """
        if rule is None:
            return f"available: {' '.join(RULES)}"
        try:
            found = find(rule)
            Agreement(found, self.session.position)
        except ValueError as error:
            raise GtpError(str(error)) from None
        self._rule, self._position = found, self.session.position
        self._said, self._planned = [], []
        return self.opening_state()

    def opening_state(self) -> str:
        """opening_state

        The person who has Black, and the next step with its person: first or second, whose colours
        may be exchanged.  Once the opening is over, the side to move.
        """
        try:
            opening = self._under_way()
        except ValueError as error:
            return f"no opening: {error}"
        lines = [f"{opening.rule.name}: {opening.black} has black"]
        named = name_of(opening.position)
        if named:
            lines[0] += f", opening {named.number} {named.name}"
        if opening.offered:
            lines.append(f"offered: {self.session.points.text([*opening.offered])}")
        lines.append(self._due(opening))
        return "\n".join(lines)

    def opening_play(self, action: str, *words: str) -> str:
        """opening_play ACTION [WORDS]...

        What the person says whose turn it is: swap yes|no, declare NUMBER, offer POINT...
        """
        try:
            opening = self._under_way()
            said = opening_action((action, *words), self.session.points)
            if said.word in STONES:
                raise ValueError(f"{said.word}: stones are put by play and genmove")
            opening.act(said)
        except ValueError as error:
            raise GtpError(str(error)) from None
        self._said.append((self._stones(), said))
        return self.opening_state()

    def opening_genmove(self) -> str:
        """opening_genmove

        The engine says what the person says whose turn it is; the reply has it in words.
        """
        try:
            opening = self._under_way()
        except ValueError as error:
            raise GtpError(str(error)) from None
        if opening.step is None:
            raise GtpError("the opening is over")
        said = self._choice(opening)
        if said.word in STONES:
            raise GtpError(f"{self._due(opening)}: stones are put by play and genmove")
        self._said.append((self._stones(), said))
        return opening_text(said, self.session.points)

    def _stone(self, colour: int) -> Optional[int]:
        # The point that genmove plays in an opening, None if it is free to.  Raises GtpError while
        # something is to be said.
        try:
            opening = self._under_way()
        except ValueError:
            return None
        if opening.step is None or colour != self.session.position.side:
            return None
        stones, before = self._stones(), len(opening.position.history)
        if self._planned[:len(stones)] != stones or len(self._planned) == len(stones):
            if len(stones) > before:
                raise GtpError(f"{self._due(opening)}: all of them by the same person")
            said = self._choice(opening)
            if said.word not in STONES:
                raise GtpError(self._due(opening))
            self._planned = [*stones, *said.points]
        return self._planned[len(stones)]

    def _choice(self, opening: Agreement) -> Action:
        # What the engine does, for the person whose turn it is.
        engine = self.session.engine
        with needed_by("an opening"):
            engine.load()
            limits = engine.limits(opening.position.side)
            if engine.player_name != "alphabeta":
                raise GtpError("only the player alphabeta chooses openings: see param player")
            return choice(opening, cast(AnalysingPlayer, engine.player), engine.settings.rng,
                          limits)

    def _due(self, opening: Agreement) -> str:
        # The person with the next action, and the action.
        if opening.step is None:
            mover = opening.person_of(self.session.position.side)
            return f"the opening is over, {mover} is to move"
        there = len(self._stones()) - len(opening.position.history)
        return f"{opening.actor}: {opening_question(opening)}" + (
            f", of which {there} on the board" if there else "")

    def _stones(self) -> list[int]:
        return [move.point for move in self.session.position.moves]

    def _under_way(self) -> Agreement:
        # The opening up to its present step, on a board of its own; of the stones of this step some
        # may be on the board of the session already.  Raises ValueError if there is no opening, or
        # the game does not follow its rule.
        position, stones = self.session.position, self._stones()
        if self._rule is None or self._position is not position:
            raise ValueError("see opening_rule")
        if len(stones) != position.opening_plies:
            raise ValueError("the stones did not come in turn")
        said = [(len(before), action) for before, action in self._said
                if before == stones[:len(before)]]
        opening = Agreement(self._rule, Position(position.rules, position.lattice))
        while opening.step is not None:
            number = len(opening.position.history)
            there = stones[number:]
            if said and said[0][0] == number:
                opening.act(said.pop(0)[1])
            elif there and CHOOSE in opening.actions:
                opening.choose(there[:1])
            elif there and (PLACE not in opening.actions or len(there) >= opening.wanted):
                opening.place(there[:opening.wanted])
            else:
                break
        return opening
