"""GTP extension commands for openings by a rule."""

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

STONES = PLACE, CHOOSE  # the steps that put stones on the board


class OpeningCommands:
    """The commands for openings, in which two persons agree on the first stones.

    The stones of an opening are moves of the game, so every controller receives them.  The commands
    here make the decisions in between.  A decision is valid while the stones before it are on the
    board: an undo cancels it, the same stones restore it.
    """

    def __init__(self, dispatcher: Dispatcher, session: Session):
        self.session = session
        self._rule: Optional[OpeningRule] = None
        self._position: Optional[Position] = None  # of the game with this opening
        self._decisions: list[tuple[list[int], Action]] = []  # each with the stones before it
        self._planned: list[int] = []  # the stones on the board, then the engine's own
        session.opening_stone = self._next_stone
        dispatcher.add([self.opening_rule, self.opening_state, self.opening_play,
                        self.opening_genmove])

    def opening_rule(self, rule: Optional[str] = None) -> str:
        """opening_rule [RULE]

        Open the game on the empty board by RULE.  Without RULE: the list of rules.
        """
        if rule is None:
            return f"available: {' '.join(RULES)}"
        try:
            opening_rule = find(rule)
            Agreement(opening_rule, self.session.position)
        except ValueError as error:
            raise GtpError(str(error)) from None
        self._rule, self._position = opening_rule, self.session.position
        self._decisions, self._planned = [], []
        return self.opening_state()

    def opening_state(self) -> str:
        """opening_state

        The person with Black, the next step and its person.  The persons are first and
        second; they may exchange colours.  After the opening: the side to move.
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

        Make the decision that is due: swap yes|no, declare NUMBER or offer POINT...
        """
        try:
            opening = self._under_way()
            decision = opening_action((action, *words), self.session.points)
            if decision.word in STONES:
                raise ValueError(f"{decision.word}: play stones with play and genmove")
            opening.act(decision)
        except ValueError as error:
            raise GtpError(str(error)) from None
        self._decisions.append((self._stones(), decision))
        return self.opening_state()

    def opening_genmove(self) -> str:
        """opening_genmove

        Let the engine make the decision that is due; the reply has it in words.
        """
        try:
            opening = self._under_way()
        except ValueError as error:
            raise GtpError(str(error)) from None
        if opening.step is None:
            raise GtpError("the opening is over")
        decision = self._choice(opening)
        if decision.word in STONES:
            raise GtpError(f"{self._due(opening)}: play stones with play and genmove")
        self._decisions.append((self._stones(), decision))
        return opening_text(decision, self.session.points)

    def _next_stone(self, colour: int) -> Optional[int]:
        # The point that genmove plays in an opening, None outside one.  Raises GtpError while a
        # decision is due.
        try:
            opening = self._under_way()
        except ValueError:
            return None
        if opening.step is None or colour != self.session.position.side:
            return None
        stones, before = self._stones(), len(opening.position.history)
        if self._planned[:len(stones)] != stones or len(self._planned) == len(stones):
            if len(stones) > before:
                raise GtpError(f"{self._due(opening)}: the same person plays all of them")
            action = self._choice(opening)
            if action.word not in STONES:
                raise GtpError(self._due(opening))
            self._planned = [*stones, *action.points]
        return self._planned[len(stones)]

    def _choice(self, opening: Agreement) -> Action:
        # The action of the engine for the person to act.
        engine = self.session.engine
        with needed_by("an opening"):
            engine.check()
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
        placed = len(self._stones()) - len(opening.position.history)
        return f"{opening.actor}: {opening_question(opening)}" + (
            f", of which {placed} on the board" if placed else "")

    def _stones(self) -> list[int]:
        return [move.point for move in self.session.position.moves]

    def _under_way(self) -> Agreement:
        # The opening up to its current step, on a separate board; the session may have some stones
        # of this step already.  Raises ValueError without an opening, or if the game breaks its
        # rule.
        position, stones = self.session.position, self._stones()
        if self._rule is None or self._position is not position:
            raise ValueError("see opening_rule")
        if len(stones) != position.opening_plies:
            raise ValueError("the stones were not played in turn")
        decisions = [(len(before), action) for before, action in self._decisions
                     if before == stones[:len(before)]]
        opening = Agreement(self._rule, Position(position.rules, position.lattice))
        while opening.step is not None:
            number = len(opening.position.history)
            placed = stones[number:]
            if decisions and decisions[0][0] == number:
                opening.act(decisions.pop(0)[1])
            elif placed and CHOOSE in opening.actions:
                opening.choose(placed[:1])
            elif placed and (PLACE not in opening.actions or len(placed) >= opening.quota):
                opening.place(placed[:opening.quota])
            else:
                break
        return opening
