"""One game between two seats, in a process of its own, for the board in the browser.

The first line of standard input describes the position, the players and their times.  Further
lines are the moves of persons.  Lines on standard output report moves, search info and the end.
The process ends with the game, or with its input.  During an opening rule it only reports the next
step of the opening.
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
from ..pipe import UPDATE, encode, messages, places_of, position_of_data, report_data

PACE = 0.3  # the shortest time for a move between programs, in seconds, for spectators
VOID = Verdict(EMPTY, Ending.INTERRUPTED, "interrupted")


class PageSeat(Seat):
    """A person at the page."""

    takes_back = True

    def __init__(self, control: TimeControl):
        super().__init__(control)
        self.set_name(PERSON)
        self.moves: SimpleQueue[int] = SimpleQueue()  # numbers of points on the page

    def ask(self, position: Position) -> Reply:
        """Wait for a legal move from the page.  Raises Failure after the time limit."""
        has_limit = self.left is not None or self.control.per_move is not None
        deadline = time.monotonic() + self.limit if has_limit else None
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
        self.position = position_of_data(request["position"])
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
        """Send a message to the server."""
        with self.lock:
            write_all(self.sink, encode(message))

    def play(self) -> None:
        """Play the game to its end, or take the next step of its opening."""
        if self.opening:
            self.open(self.opening)
            return
        first = self.position.rules.first
        watcher = threading.Thread(target=self._watch, daemon=True)
        try:
            check([*self.seats.values()], self.position.rules, bool(self.position.history),
                  self.position.lattice.display_size)
            watcher.start()
            first_ply = len(self.position.history)
            verdict = play_game(self.position, self.seats[first], self.seats[opponent(first)],
                                self.record, lambda position: self._show(first_ply))
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

    def _show(self, first_ply: int) -> None:
        # Reports the last move, or the beginning of the game.
        position = self.position
        if len(position.history) == first_ply:
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
        # Reports the search info of the engine's own players until the game is over.
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
        """Handle the messages of the server; end the process with its input."""
        for request in requests:
            seat = self.seats.get(request.get("colour", EMPTY))  # may be ahead of the referee
            if request["do"] == "play" and isinstance(seat, PageSeat):
                seat.moves.put(request["point"])
            elif request["do"] == "now" and isinstance(seat, PlayerSeat):
                seat.flags[INTERRUPT] = 1
        for seat in self.seats.values():  # programs must not outlive this process
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
