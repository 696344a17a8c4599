"""One game between two seats: rules, time, and every way in which it can end."""

import logging
import signal
import threading
import time
from contextlib import contextmanager
from functools import partial
from typing import Callable, Iterator, Optional, Sequence

from ..games.lattice import BLACK, EMPTY, WHITE, opponent, size_data
from ..games.rules import LINE, IllegalMove, Position
from ..wire.notation import COLOUR_NAMES, GtpPoints
from .record import BY_REASON, GameRecord
from .seats.base import Failure, Seat
from .verdict import Ending, Verdict

ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP")
                  if hasattr(signal, name)]


def play_game(position: Position, first: Seat, second: Seat, record: GameRecord,
              show: Callable[[Position], None]) -> Verdict:
    """Play a game to its end; `first` has the colour of the first move.  Both seats are stopped.

    Moves of both colours may have been played before.  `show` is called with the board and after
    each move.  An interrupt by the user ends everything, keeps the record and is raised again.
    """
    begins = position.rules.first
    seats = {begins: first, opponent(begins): second}
    verdict = Verdict(EMPTY, Ending.INTERRUPTED, "interrupted")
    for colour, seat in seats.items():
        seat.log = partial(record.line, COLOUR_NAMES[colour])
        seat.may_undo = all(each.takes_back for each in seats.values())
    record.write(event="start", game=position.rules.name,
                 size=size_data(position.lattice.display_size),
                 **{COLOUR_NAMES[colour]: seat.name for colour, seat in seats.items()})
    try:
        verdict = _play(position, seats, record, show)
    finally:
        with undisturbed():
            for seat in seats.values():
                try:
                    seat.stop(verdict)
                except Exception:
                    logging.getLogger(__name__).exception("while stopping %s", seat.name)
            record.close(position, {colour: seat.name for colour, seat in seats.items()}, verdict)
    return verdict


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ignore the signals that end a program until the end of the block."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Interrupt(KeyboardInterrupt):
    """A signal that requests an end.

    A KeyboardInterrupt itself that leaves exec(), as in an import that makes a data class, lets
    CPython end the process by SIGINT even if it was caught.
    """


def interrupt_once() -> None:
    """Let the first signal that requests an end raise Interrupt in the main thread.

    Later signals have no effect, so that the clean-up is not interrupted.  Signals that were
    ignored before, as under nohup, stay ignored.
    """
    def interrupt(number: int, frame: object) -> None:
        for each in heeded:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupt

    heeded = [each for each in ENDING_SIGNALS if signal.getsignal(each) != signal.SIG_IGN]
    for each in heeded:
        signal.signal(each, interrupt)


def _play(position: Position, seats: dict[int, Seat], record: GameRecord,
          show: Callable[[Position], None]) -> Verdict:
    names = distinct([seats[BLACK].name, seats[WHITE].name])
    for colour, seat in seats.items():
        try:
            seat.start(position, colour)
        except Failure as failure:
            return _lost(colour, failure.ending, failure.detail, names)
    names = distinct([seats[BLACK].name, seats[WHITE].name])
    record.write(event="players", **{COLOUR_NAMES[colour]: names[colour] for colour in names})
    points = GtpPoints(position.lattice).name
    show(position)
    while not position.outcome:
        side = position.side
        seats[side].search_info = {}
        start = time.monotonic()
        try:
            reply = seats[side].ask(position)
        except Failure as failure:
            return _failed(position, seats, failure, names)
        seconds = time.monotonic() - start
        in_time = seats[side].spend(seconds)
        if reply.undo and in_time:
            for _ in range(2):
                position.undo()
            del record.seconds[-2:], record.search_info[-2:]
            record.write(event="undo", colour=COLOUR_NAMES[side], seconds=round(seconds, 3))
            show(position)
            continue
        record.write(event="move", colour=COLOUR_NAMES[side], text=reply.text,
                     point=points.get(reply.point or 0, ""), seconds=round(seconds, 3))
        if not in_time:
            return _lost(side, Ending.TIME, "the time for the game is over", names)
        if reply.point is None:
            return _lost(side, Ending.RESIGNATION, reply.text, names)
        try:
            position.play(side, reply.point)
        except IllegalMove as reason:
            forbidden = position.forbidden(side, reply.point)
            noticed = seats[opponent(side)].notices(position, reply.text, False)
            return _lost(side, Ending.FORBIDDEN if forbidden else Ending.INVALID_MOVE,
                         f"{reply.text}: {reason}", names, noticed)
        record.seconds.append(round(seconds, 4))
        record.search_info.append(seats[side].search_info)
        show(position)
    return _finished(position, seats, names)


def _failed(position: Position, seats: dict[int, Seat], failure: Failure, names: dict[int, str]
            ) -> Verdict:
    # The side to move failed, unless the failure names the program of the other side.
    side, other = position.side, opponent(position.side)
    if failure.by and failure.by.lower() == getattr(seats[other], "stem", "").lower():
        return _lost(other, failure.ending, failure.detail, names)
    noticed = None
    if failure.ending == Ending.INVALID_MOVE:
        noticed = seats[other].notices(position, failure.detail, False)
    return _lost(side, failure.ending, failure.detail, names, noticed)


def _finished(position: Position, seats: dict[int, Seat], names: dict[int, str]) -> Verdict:
    outcome = position.outcome
    assert outcome is not None
    announced = {colour: seats[colour].notices(position, "", True)
                 for colour in (opponent(position.side), position.side)}
    said = "; ".join(f"{names[colour]} did not announce the end of the game"
                     for colour, noticed in announced.items() if noticed is False)
    text = "TIE! board full!"
    if outcome.winner != EMPTY:
        how = (f"{position.rules.in_a_row} in a row!" if outcome.reason == LINE
               else f"{position.captured[outcome.winner]} stones captured!")
        text = (f"{names[outcome.winner]} WINS! {names[opponent(outcome.winner)]} LOSES! {how}")
    elif position.rules.swap:
        said = "both players lose (board full)"
    return Verdict(outcome.winner, BY_REASON[outcome.reason], text, said)


def _lost(side: int, ending: Ending, detail: str, names: dict[int, str],
          noticed: Optional[bool] = None) -> Verdict:
    winner = opponent(side)
    detail = " ".join(detail.split())[:300]
    if noticed is not None:
        detail += f"; {names[winner]} {'recognised' if noticed else 'did not recognise'} it"
    short = f"{names[winner]} WINS! {names[side]} LOSES! {ending.value}"
    return Verdict(winner, ending, short, detail)


def distinct(names: Sequence[str]) -> dict[int, str]:
    """The names of Black and White, with their colours if the names are the same."""
    black, white = names
    if black == white:
        black, white = f"{black} (black)", f"{white} (white)"
    return {BLACK: black, WHITE: white}
