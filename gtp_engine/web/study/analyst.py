"""Analysis of positions, in a process of its own, for the board in the browser.

Each line of standard input is a request.  Its answers are lines on standard output, the last one
with `done`.  The request `stop` ends the running request.
"""

import logging
import time
from concurrent.futures import wait
from json import loads
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional

from ...command_line.terminal import import_error_text
from ...games.lattice import EMPTY, opponent
from ...games.rules import Position
from ...learn.analysis import Effort
from ...learn.classes import Thresholds
from ...learn.trial import try_move
from ...players.alphabeta.threat_map import shapes
from ...players.base import INTERRUPT, Limits, Player, Report, Settings
from ...players.options import OPTIONS, settings_of
from ...players.playout_policy import deciding_rules
from ...players.registry import Unplayable, adviser, make_player
from ...solvers.reasons import reasons
from ...solvers.solve import solve
from ...wire.background import run_in_thread
from ...wire.streams import serve_lines
from ..pipe import UPDATE, encode, places_of, position_of_data, report_data
from .judged import line_data, move_of_row, points_of

FIRST, LONGEST = 0.5, 60.0  # seconds of the first and of the longest search of an analysis
HINT = 1.0  # seconds of a search for a hint
PROOF = 20.0  # seconds of a proof
REASONS = 8.0  # seconds of the search for its reasons

Message = dict[str, Any]
Request = Callable[["Analyst", Position, Mapping[str, Any]], Iterator[Message]]


class Analyst:
    """Answers requests about positions, one at a time."""

    def __init__(self, stop: bytearray):
        self.stop = stop
        self.player: Player = make_player("alphabeta", Settings())
        self._player_key: Any = None

    def answers(self, request: Mapping[str, Any]) -> Iterator[Message]:
        """Yield the answers to a request; each has the number of the request."""
        answer = self.REQUESTS.get(request["do"])
        if answer is not None:
            position = position_of_data(request["position"])
            for message in answer(self, position, request):
                yield {"request": request["request"], **message}
            yield {"request": request["request"], "done": True}

    def analyse(self, position: Position, request: Mapping[str, Any]) -> Iterator[Message]:
        """Yield the values of the moves, by increasingly long searches."""
        player, begun, seconds = self._player(request), time.monotonic(), FIRST
        merged: Message = {}
        earlier = nodes = 0
        while not position.outcome and not self.stop[INTERRUPT]:
            start = time.monotonic()
            for report in self._reports(player, position, seconds):
                data = report_data(report, position)
                merged = with_earlier(merged, data)
                nodes = earlier + data["figures"].get("nodes", 0)
                data["figures"]["nodes"] = nodes
                yield {"report": {**data, **merged}, "seconds": time.monotonic() - begun}
            if time.monotonic() - start < seconds / 2:  # all moves have proved results
                break
            seconds, earlier = min(2 * seconds, LONGEST), nodes

    def hint(self, position: Position, request: Mapping[str, Any]) -> Iterator[Message]:
        """Yield a good move."""
        point = make_player(adviser(position), Settings()).choose(position, Limits(self.stop, HINT))
        yield {"hint": places_of(position)[point]}

    def threats(self, position: Position, request: Mapping[str, Any]) -> Iterator[Message]:
        """Yield the points that make threats, and the decisive rules of the playout policy."""
        places = places_of(position)
        rules = {} if position.outcome else deciding_rules(position)
        yield {"shapes": [[shape, colour, [places[point] for point in points]]
                          for (shape, colour), points in shapes(position).items() if points],
               "rules": {places[point]: rule for point, rule in rules.items()}}

    def solve(self, position: Position, request: Mapping[str, Any]) -> Iterator[Message]:
        """Yield the winner with perfect play, if proved, and the reasons."""
        places = places_of(position)
        value = solve(position, Settings(), Limits(self.stop, PROOF))
        explanation = reasons(position, value, Settings(), Limits(self.stop, REASONS))
        line = explanation[0].line if explanation else ()
        move = line[0] if line and value.winner == position.side else value.move
        yield {"solved": {
            "winner": value.winner, "line": [places[point] for point in line],
            "move": None if move is None else places[move],
            "threats": [[places[point] for point in points]
                        for points in threats_of(position, line)],
            "reasons": [{"move": places[reason.line[0]], "text": reason.text,
                         "line": [places[point] for point in reason.line]}
                        for reason in explanation if reason.line]}}

    def judge(self, position: Position, request: Mapping[str, Any]) -> Iterator[Message]:
        """Yield whether a move is right in the position of a fault, and its refutation if not."""
        points = points_of(position)
        point = points[request["point"]]
        fault = move_of_row(request["fault"], points)
        if position.side != fault.colour:  # turns need not alternate
            position.set_side(fault.colour)
        trial = try_move(fault, position, point, Effort(**request["effort"]), Thresholds(),
                         self.stop)
        yield {"ply": fault.ply, "point": request["point"], "is_right": trial.is_right,
               "wins_in": trial.after.plies if trial.after.won else None,
               "refutation": None if trial.is_right else line_data(
                   position, trial.after.line, 1 if trial.after.lost else None)}

    REQUESTS: Mapping[str, Request] = {
        "analyse": analyse, "hint": hint, "threats": threats, "solve": solve,
        "judge": judge}

    def _player(self, request: Mapping[str, Any]) -> Player:
        # The requested player; the previous object, with its results, if it is the same player.
        key = request["player"], request["settings"]
        if key != self._player_key:
            values = {name: OPTIONS[name].read(text) for name, text in request["settings"].items()}
            self.player, self._player_key = make_player(request["player"], settings_of(values)), key
        return self.player

    def _reports(self, player: Player, position: Position, seconds: float) -> Iterator[Report]:
        # Yields the current report every UPDATE seconds, and the last one.
        work = run_in_thread(lambda: player.evaluate_moves(position, Limits(self.stop, seconds)))
        while not work.done():
            wait([work], UPDATE)
            yield player.report
        work.result()
        yield player.report


def with_earlier(earlier: Mapping[str, Any], data: Mapping[str, Any]) -> Message:
    """Merge the values of a running search with those of an earlier, shorter one.

    Earlier values only count for moves without a new value, and at most as the best new value.
    """
    values = data["values"]
    most = max(values.values(), default=1.0)
    earlier = {place: min(value, most) for place, value in earlier.get("values", {}).items()}
    return {"values": {**earlier, **values},
            "playouts": {**earlier.get("playouts", {}), **data["playouts"]},
            "lines": {**earlier.get("lines", {}), **data["lines"]},
            "plies": {**earlier.get("plies", {}), **data["plies"]}}


def threats_of(position: Position, line: Iterable[int]) -> list[list[int]]:
    """After each move of a line, the points where the side that moved could win at once."""
    game, threats = position.copy(), []
    for point in line:
        side = game.side
        game.play(side, point)
        threats.append([] if game.outcome else [
            other for other in game.lattice.points
            if game.cells[other] == EMPTY and game.wins(side, other)])
        assert game.side == opponent(side)
    return threats


def main() -> int:
    """Answer the requests on standard input; return the exit status."""
    stop = bytearray(2)
    analyst = Analyst(stop)

    def replies(lines: Iterable[bytes]) -> Iterator[bytes]:
        for line in lines:
            request: Optional[Message] = None
            try:
                request = loads(line)
                for message in analyst.answers(request):
                    yield encode(message)
            except ImportError as error:
                yield encode({"request": (request or {}).get("request"), "done": True,
                               "error": import_error_text(error)})
            except Unplayable as reason:
                yield encode({"request": (request or {}).get("request"), "done": True,
                               "error": str(reason)})
            except Exception:
                logging.getLogger(__name__).exception("while answering %s", line[:200])
                yield encode({"request": (request or {}).get("request"), "done": True,
                               "error": "internal error"})

    return serve_lines(replies, stop, lambda line: b'"do":"stop"' in line)


if __name__ == "__main__":
    raise SystemExit(main())
