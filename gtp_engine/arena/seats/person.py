"""The seat of a person at the terminal."""

import sys

from ...command_line.terminal import harmless, import_error_text
from ...games.opening_rules import Action, Agreement
from ...games.rules import Position
from ...players.base import Limits, Settings
from ...players.registry import adviser, make_player
from ...wire.notation import GtpPoints, opening_action, opening_question
from ..display import BoardView
from ..verdict import Ending
from .base import Failure, Reply, Seat, TimeControl

HINT_SECONDS = 1.0  # seconds of the search for a hint


class PersonSeat(Seat):
    """A person at the terminal; the input may be a move, resign, undo, hint or help."""

    takes_back = agrees = True

    def __init__(self, control: TimeControl, name: str = ""):
        super().__init__(control, name)
        self.set_name("person")

    def ask(self, position: Position) -> Reply:
        """Read lines until one is a legal move, resign or undo.  Raises Failure."""
        view = BoardView(position)
        while True:
            self.say(f"{view.colours[self.colour]} to move (a point as {view.example}, or help): ",
                     end="")
            text = sys.stdin.readline()
            if not text:
                raise Failure(Ending.CRASH, "the end of the input")
            text = text.strip()
            word, move = text.lower(), view.move_of(text)
            if word in ("resign", "quit"):
                return Reply(None, "resign")
            if word == "undo" and self.may_undo and len(position.history) >= 2:
                return Reply(None, "undo", undo=True)
            if word == "undo":
                self.say("undo: no moves can be taken back" if self.may_undo else
                         "undo: this opponent cannot take back moves")
            elif word == "hint":
                self.hint(position)
            elif word in ("help", "?"):
                self.say(f"a point as {view.example}, with its colour before it or not; resign "
                         "or quit: the game is lost; undo: take back your last move and the answer "
                         "to it; hint: the move of alphabeta; help")
            elif not text:
                continue
            elif move is None:
                self.say(f"{text}: no such point; points are written as {view.example}, see help")
            elif move[0] not in (None, self.colour):
                self.say(f"{text}: you play {view.colours[self.colour]}")
            else:
                reason = position.complaint(position.side, move[1])
                if not reason or (self.forbidden_loses
                                  and position.forbidden(position.side, move[1])):
                    return Reply(move[1], text)
                self.say(f"{text}: {reason}")

    def open(self, opening: Agreement) -> Action:
        """Read lines until one is a valid action.  Raises Failure."""
        points = GtpPoints(opening.position.lattice)
        while True:
            if opening.offered:
                self.say(f"offered: {points.text([*opening.offered])}")
            self.say(f"{opening.actor}, {self.name}: {opening_question(opening)}: ", end="")
            text = sys.stdin.readline()
            if not text:
                raise Failure(Ending.CRASH, "the end of the input")
            if text.strip().lower() == "quit":
                raise Failure(Ending.RESIGNATION, "quit")
            if text.strip().lower() in ("help", "?"):
                self.say("an answer in the form before the colon, with points as A1; quit: the "
                         "game is lost; help")
            elif text.strip():
                try:
                    action = opening_action(text.split(), points)
                    opening.copy().act(action)
                    return action
                except ValueError as error:
                    self.say(f"{text.strip()}: {error}")

    def hint(self, position: Position) -> None:
        """Print the move of alphabeta, or of flat in games that alphabeta does not play."""
        try:
            point = make_player(adviser(position), Settings()).choose(
                position, Limits(bytearray(2), HINT_SECONDS))
        except ImportError as error:
            self.say(f"hint: {import_error_text(error)}")
            return
        self.say(f"hint: {BoardView(position).name(point)}")

    def say(self, text: str, end: str = "\n") -> None:
        """Print a line on standard error, without control characters."""
        print(harmless(text), end=end, flush=True, file=sys.stderr)
