"""One game between two seats, in a process of its own, for the board in the browser.

The first line of standard input has the game, its position, its players and their time; the moves
of a person are lines after it.  Lines on standard output report what happens.
The process ends with the game, or with its input.  In an opening by a rule it only reports the step
of the seat whose turn it is.
"""

import logging
import os
import threading
import time
from queue import Empty, SimpleQueue
from random import Random
from typing import Any, Iterable, Mapping, Optional

from ...arena.record import GameRecord
from ...arena.referee import play_game
from ...arena.seats.base import Failure, Reply, Seat, TimeControl
from ...arena.seats.player import PlayerSeat
from ...arena.seats.spec import check, seat_of
from ...arena.verdict import Ending, Verdict
from ...games.lattice import BLACK, EMPTY, WHITE, opponent
from ...games.rules import Position
from ...players.base import INTERRUPT
from ...wire.notation import COLOUR_NAMES, GtpPoints, opening_text
from ...wire.streams import standard_streams, write_all
from ..games import PERSON
from ..openings import Opening, opening_of_data
from ..pipe import UPDATE, encoded, messages, places_of, position_sent, report_data

PACE = 0.3  # seconds that a move takes at least where programs play, so that it can be watched
VOID = Verdict(EMPTY, Ending.INTERRUPTED, "interrupted")


class PageSeat(Seat):
    """A person at the page."""

    takes_back = True

    def __init__(self, control: TimeControl):
        super().__init__(control)
        self.known_as(PERSON)
        self.moves: SimpleQueue[int] = SimpleQueue()  # numbers of points on the page

    def ask(self, position: Position) -> Reply:
        """The first legal move that the page sends in time."""
        limited = self.left is not None or self.control.per_move is not None
        deadline = time.monotonic() + self.limit if limited else None
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                place = self.moves.get(timeout=left)
            except Empty:
                raise Failure(Ending.TIME, "no move in time") from None
            points = position.lattice.points
            if 0 <= place < len(points):
                point = points[place]
                if not position.complaint(position.side, point):
                    return Reply(point, str(place))


class Match:
    """The game that the first line of the input describes."""

    def __init__(self, request: Mapping[str, Any], sink: Any):
        self.sink, self.lock = sink, threading.Lock()
        self.position = position_sent(request["position"])
        self.seats = {colour: self._seat(request[COLOUR_NAMES[colour]],
                                         Random(request["seed"] + colour))
                      for colour in (BLACK, WHITE)}
        self.opening = opening_of_data(request.get("opening"), self.position.rules,
                                       self.position.lattice.width)
        self.record = GameRecord(None)
        self.over = threading.Event()

    def _seat(self, request: Mapping[str, Any], rng: Random) -> Seat:
        control = TimeControl(**request["control"])
        seat = PageSeat(control) if request["seat"] == PERSON else (
            seat_of(request["seat"], control, rng))
        seat.left = request["left"]
        return seat

    def say(self, **message: Any) -> None:
        """Send the server a message."""
        with self.lock:
            write_all(self.sink, encoded(message))

    def play(self) -> None:
        """Play the game to its end."""
        if self.opening:
            self.open(self.opening)
            return
        first = self.position.rules.first
        watcher = threading.Thread(target=self._watch, daemon=True)
        try:
            check([*self.seats.values()], self.position.rules, bool(self.position.history))
            watcher.start()
            begun = len(self.position.history)
            verdict = play_game(self.position, self.seats[first], self.seats[opponent(first)],
                                self.record, lambda position: self._show(begun))
        except ValueError as error:
            self.say(do="failed", text=str(error))
            return
        self.over.set()
        watcher.join()
        self.say(do="end", winner=verdict.winner, ending=verdict.ending.name, text=verdict.text,
                 left=self._left())

    def open(self, opening: Opening) -> None:
        """Take the next step of the opening."""
        try:
            action = self.seats[opening.colour].open(opening.agreement)
        except Failure as failure:
            self.say(do="failed", text=failure.detail)
            return
        self.say(do="opened", action=opening_text(
            action, GtpPoints(self.position.lattice)))

    def _left(self) -> list[Optional[float]]:
        return [self.seats[colour].left for colour in (BLACK, WHITE)]

    def _show(self, begun: int) -> None:
        # The board has changed, or the game begins.
        position = self.position
        if len(position.history) == begun:
            self.say(do="begin", names=[self.seats[colour].name for colour in (BLACK, WHITE)],
                     left=self._left())
            return
        last, seconds = position.history[-1], self.record.seconds[-1]
        mover = self.seats[last.colour]
        if isinstance(mover, PlayerSeat):
            mover.flags[INTERRUPT] = 0
        if not any(isinstance(seat, PageSeat) for seat in self.seats.values()):
            time.sleep(max(0.0, PACE - seconds))
        self.say(do="move", colour=last.colour, point=places_of(position)[last.point],
                 seconds=seconds, search_info=self.record.search_info[-1], left=self._left())

    def _watch(self) -> None:
        # What a player of ours makes of the position, until the game is over.
        before: Any = None
        while not self.over.wait(UPDATE):
            side = self.position.side
            seat = self.seats[side]
            if isinstance(seat, PlayerSeat) and seat.player.report != before:
                before = seat.player.report
                board = self.position.copy()
                if before.line and board.side == side and not board.outcome:
                    self.say(do="thinking", ply=len(board.history),
                             report=report_data(before, board))

    def listen(self, requests: Iterable[Mapping[str, Any]]) -> None:
        """Follow what the server says; the process ends with its input."""
        for request in requests:
            seat = self.seats.get(request.get("colour", EMPTY))  # the referee may be behind
            if request["do"] == "play" and isinstance(seat, PageSeat):
                seat.moves.put(request["point"])
            elif request["do"] == "now" and isinstance(seat, PlayerSeat):
                seat.flags[INTERRUPT] = 1
        for seat in self.seats.values():  # a program must not outlive us
            try:
                seat.stop(VOID)
            except Exception:
                logging.getLogger(__name__).exception("while stopping %s", seat.name)
        os._exit(0)


def main() -> None:
    """Play the game that the input describes."""
    source, sink = standard_streams()
    requests = messages(source)
    if request := next(requests, None):
        match = Match(request, sink)
        threading.Thread(target=match.listen, args=(requests,), daemon=True).start()
        match.play()


if __name__ == "__main__":
    main()
