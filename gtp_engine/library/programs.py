"""Engines that are programs, over GTP or Gomocup's protocol.

A program starts at the first search, plays on from search to search and ends with its engine.  If
it fails, it is ended, and the next search starts it again.
"""

import math
import re
import time
from collections import deque
from contextlib import suppress
from threading import Thread
from typing import Any, Callable, Optional, TypeVar, cast

from ..arena.process import Died, TooLate, missing
from ..arena.seats.base import Failure, TimeControl
from ..arena.seats.programs import (
    GAP,
    MOST_LINES,
    SLACK,
    GomocupSeat,
    GtpSeat,
    ProgramSeat,
    is_error,
    is_point,
    is_reply,
    milliseconds,
)
from ..arena.verdict import Ending
from ..command_line.terminal import harmless, import_error_text
from ..games import catalogue
from ..games.lattice import EMPTY, PASS, Lattice, size_text
from ..games.rules import Position, Rules
from ..players.base import DEFAULT_SECONDS
from ..wire.notation import GtpPoints, piskvork_point, piskvork_text
from ..wire.search_info import Facts, InfoReader, bounded
from .search import Call, EngineError, Info, Line, SearchLimits

LAST_LINES, LONGEST_LAST = 5, 200  # lines of a program in an error message; characters of a line
STOP_PATIENCE, START_PATIENCE = 0.04, 0.02  # seconds for a program to stop a search; to start
ENDLESS = 3600.0  # seconds for a move that only nodes or depth limit
ANALYSING = ("kata-genmove_analyze", "lz-genmove_analyze")  # stream info, and play a move
WATCHING = ("kata-analyze", "lz-analyze")  # stream info until the next command
INTERVAL = 10  # hundredths of a second between two infos of these commands
NO_LIMIT = {"nodes": -1, "depth": 99}  # for INFO max_node and max_depth
REFUSALS = ("ERROR", "boardsize", "rectangular_boardsize", "ruleset", "it does not support")
PLIES = re.compile(r"[+-]?[mv](\d+)", re.IGNORECASE)
Moves = list[tuple[int, int]]  # (colour, point)
Result = TypeVar("Result")


class Talk(ProgramSeat):
    """A conversation with a program about positions; subclasses know the protocol.

    call      the running call
    reader    reads the search info of the running search
    recent    the last lines of the program
    plays     the moves that the program has played or read; empty if it is not certain
    can_stop  does the program stop a search on request?
    over_gtp  are points named as in GTP?
    """

    can_stop = False
    over_gtp = False

    def __init__(self, command: str, call: Call):
        super().__init__(command, TimeControl())
        self.call, self.reader = call, cast(InfoReader, None)
        self.recent: deque[str] = deque(maxlen=LAST_LINES)
        self.limits = SearchLimits()
        self.plays: Moves = []

    def complaint(self, rules: Rules, lattice: Lattice) -> Optional[str]:
        """Return the reason why it cannot start or play this game, or None."""
        if not has_name(rules):
            return f"a program receives the name of a game, and {rules.name} is no name of one"
        return super().complaint(rules, lattice)

    def launch(self) -> None:
        """Start the program.  Raises Failure."""
        super().launch()
        assert self.program is not None
        self.program.on_line = self.take_line
        self.call.attach(self.hurry)

    def take_line(self, line: str) -> None:
        """Read a line as search info, and report the info so far."""
        if not line:
            return
        if line != "=":
            self.recent.append(harmless(line[:LONGEST_LAST]))
        if self.reader is not None and self.is_info(line) and self.reader.read(line):
            if self.call.news is not None:
                self.call.news(self.info())

    def is_info(self, line: str) -> bool:
        """May this line be search info?"""
        raise NotImplementedError

    def begin(self) -> None:
        """Prepare searches, once the program has started.  Raises Failure."""

    def set_limits(self, limits: SearchLimits, seconds: float, deadline: float) -> None:
        """Send the limits that have changed.  Raises Failure, and ValueError."""
        raise NotImplementedError

    def set_up(self, position: Position, deadline: float, anew: bool) -> None:
        """Bring the program to this position, `anew` without earlier results.  Raises Failure."""
        raise NotImplementedError

    def ask_move(self, call: Call, deadline: float) -> int:
        """Return the move of the program.  Raises Failure."""
        raise NotImplementedError

    def ask_lines(self, call: Call, seconds: float, deadline: float) -> list[Line]:
        """Return the analysis of a position.  Raises Failure."""
        raise NotImplementedError

    def info(self) -> Info:
        """Return the info so far."""
        facts = self.reader.facts
        return Info(facts.depth, facts.nodes,
                    self.call.seconds if facts.time is None else round(facts.time, 3),
                    facts.value, facts.score, self.call.names(self.reader.line()),
                    text=harmless(self.reader.text))

    def hurry(self) -> None:
        """Stop the search; any thread may call this."""
        assert self.program is not None
        self.program.hurry(START_PATIENCE if self.reader is None else
                           STOP_PATIENCE if self.can_stop else 0.0)

    def send_stop(self) -> None:
        """Send the command that stops a search, if the protocol has one."""

    def think(self, call: Call, wait: Callable[[], str]) -> str:
        """Return the answer for which `wait` waits; the call may stop the search meanwhile."""
        assert self.program is not None
        self.program.on_hurry = self.send_stop
        call.attach(self.hurry)
        try:
            return wait()
        finally:
            call.attach(None)
            self.program.on_hurry = lambda: None
            self.program.calm()

    def check(self, point: int) -> None:
        """Raise Failure if a move of the program is illegal."""
        reason = self.call.position.complaint(self.call.position.side, point)
        if reason:
            raise Failure(Ending.INVALID_MOVE, f"illegal move {self.call.name(point)}: {reason}")

    def final(self, point: int) -> Info:
        """Return the info with the chosen move.  Raises Failure."""
        self.check(point)
        self.reader.answered(point)
        line = self.reader.line()
        if line[:1] != (point,):
            line = (point,)
        return self.info()._replace(move=self.call.name(point), line=self.call.names(line))

    def lines(self, best: int, number: int) -> list[Line]:
        """Return the analysis of at most `number` moves, `best` first.  Raises Failure."""
        self.check(best)
        self.reader.answered(best)
        found: dict[int, Line] = {}
        for facts in (self.reader.facts, *map(self.reader.ranked.get, sorted(self.reader.ranked))):
            points = self.reader.points(facts.points) if facts else ()
            if facts and points and points[0] not in found:
                found[points[0]] = self.analysis(points, facts)
        first = found.pop(best, None) or self.analysis((best,), Facts())
        return [first, *found.values()][:number]

    def analysis(self, points: tuple[int, ...], facts: Facts) -> Line:
        """Return the line of these points."""
        plies = PLIES.fullmatch(facts.score)
        return Line(self.call.name(points[0]), facts.value, [*self.call.names(points)],
                    int(plies[1]) if plies else None)


class GtpTalk(Talk, GtpSeat):
    """A conversation over GTP."""

    over_gtp = True
    longest_line = 1 << 17  # lz-analyze lists all moves in one line

    def begin(self) -> None:
        """Look at the commands of the program that has started."""
        self.can_stop = "gogui-interrupt" in self.commands

    def is_info(self, line: str) -> bool:
        """May this line be search info?"""
        return not is_reply(line) and not line.lower().startswith("play ")

    def send_stop(self) -> None:
        """Send GoGui's interrupt."""
        if self.can_stop:
            self.send("# interrupt")

    def set_up(self, position: Position, deadline: float, anew: bool) -> None:
        """Bring the program to this position.  Raises Failure."""
        self.refuse_early(is_reply)
        wanted = moves_of(position)
        common = 0
        while self.plays[common:common + 1] == wanted[common:common + 1] != []:
            common += 1
        takes_back = len(self.plays) - common
        if anew or takes_back and not self.undo(takes_back, deadline):
            self.command_reply("clear_board", deadline)
            common = 0
        self.plays = wanted[:common]
        names = GtpPoints(position.lattice).name
        for colour, point in wanted[common:]:
            line = f"play {'bw'[colour - 1]} {names[point]}"
            reply = self.command_reply(line, deadline)
            if reply.lower().startswith("illegal move"):
                raise Failure(Ending.INVALID_MOVE, f"{line}: {reply}")
            self.plays.append((colour, point))

    def undo(self, plies: int, deadline: float) -> bool:
        """Take back plies; returns False if the program cannot."""
        return "undo" in self.commands and all(
            self.obeys("undo", deadline) for _ in range(plies))

    def set_limits(self, limits: SearchLimits, seconds: float, deadline: float) -> None:
        """Send the limits that have changed.  Raises Failure, and ValueError."""
        for key in ("nodes", "depth"):
            value = getattr(limits, key)
            if value == getattr(self.limits, key):
                continue
            if "param" not in self.commands or not self.obeys(
                    f"param {key} {value or 'none'}", deadline):
                raise ValueError(f"{self.name} does not support a limit of {key}")
            self.limits = self.limits._replace(**{key: value})
        if seconds != self.limits.time and "time_settings" in self.commands:
            if not self.obeys(f"time_settings 0 {seconds:g} 1", deadline):  # whole numbers only
                self.obeys(f"time_settings 0 {math.ceil(seconds)} 1", deadline)
            self.limits = self.limits._replace(time=seconds)

    def obeys(self, line: str, deadline: float) -> bool:
        """Send a command; returns whether the program accepts it.  Raises Failure."""
        try:
            self.command_reply(line, deadline)
        except Failure as failure:
            if failure.ending != Ending.INVALID_MOVE:
                raise
            return False
        return True

    def ask_move(self, call: Call, deadline: float) -> int:
        """Return the move of the program.  Raises Failure."""
        colour = "bw"[call.position.side - 1]
        command = next((name for name in ANALYSING if name in self.commands
                        and (call.news or call.lines > 1)), "")
        if call.news and self.can_stop and "param" in self.commands:  # pictures of this package
            self.obeys("param live_graphics 1", deadline)
        line = f"{command} {colour} {INTERVAL}" if command else f"genmove {colour}"
        text = self.think(call, lambda: self.reply(line, deadline))
        text = text.split("\n")[-1].removeprefix("play ").strip()
        point = GtpPoints(call.position.lattice).point_of(text)
        if text.lower() in ("resign", "pass"):
            raise Failure(Ending.INVALID_MOVE, f"it answered {text.lower()} instead of a move")
        if not point:
            raise Failure(Ending.INVALID_MOVE, f"not a point: {text}")
        if not command and "last_genmove" in self.commands:
            self.reader.read(self.command_reply("last_genmove", deadline))
        return point

    def ask_lines(self, call: Call, seconds: float, deadline: float) -> list[Line]:
        """Return the analysis of a position.  Raises Failure."""
        watching = next((name for name in WATCHING if name in self.commands), "")
        if call.lines > 1 and "move_values" in self.commands:
            lines = self.move_values(call, deadline)
            if lines:
                return lines
        if watching and call.lines > 1 and not {*ANALYSING} & {*self.commands}:
            self.think(call, lambda: self.watch_for(
                f"{watching} {'bw'[call.position.side - 1]} {INTERVAL}", seconds))
            best = self.reader.line()
            if not best:
                raise Failure(Ending.INVALID_MOVE, f"{watching} gave no move")
            return self.lines(best[0], call.lines)
        point = self.ask_move(call, deadline)
        self.plays.append((call.position.side, point))
        return self.lines(point, call.lines)

    def watch_for(self, line: str, seconds: float) -> str:
        """Run a command that streams info for a time, and end it."""
        assert self.program is not None
        self.send(line)
        end = time.monotonic() + seconds
        try:
            while True:
                self.program.receive(end)
        except TooLate:
            pass
        except Died as died:
            raise Failure(Ending.CRASH, str(died)) from None
        self.program.calm()
        self.send("protocol_version")
        deadline = time.monotonic() + self.slack
        while self.receive(deadline):  # the empty line after the infos
            pass
        while not is_reply(self.receive(deadline)):
            pass
        while self.receive(deadline):
            pass
        return ""

    def move_values(self, call: Call, deadline: float) -> list[Line]:
        """Return the analysis by the command move_values of this package; it may be empty."""
        reply = self.think(call, lambda: self.reply("move_values", deadline))
        lines = []
        for match in re.finditer(r"^LABEL (\w+) (\d+)%$", reply, re.MULTILINE):
            points = self.reader.points((match[1],))
            if points:
                lines.append(self.analysis(points, Facts(value=bounded(int(match[2]) / 50 - 1))))
        return lines[:call.lines]

    def reply(self, line: str, deadline: float) -> str:
        """Send a command and return the text of its reply, which may pause.  Raises Failure."""
        self.send(line)
        first = self.exchange(lambda program: program.answer(is_reply, deadline))
        if first.startswith("?"):
            raise Failure(Ending.INVALID_MOVE, f"{line}: {first}")
        lines = deque([first.lstrip("=0123456789").strip()], MOST_LINES)
        while more := self.receive(deadline):
            lines.append(more)
        return "\n".join(lines)


class GomocupTalk(Talk, GomocupSeat):
    """A conversation over Gomocup's protocol, with Yixin's extensions if the program has them.

    wanted  the moves to the position
    """

    is_empty = True  # is the program's board empty?
    ranks = True  # does it support YXNBEST?
    last_line = 0.0  # the time of its last line

    def begin(self) -> None:
        """Ask for search info."""
        if self.can_stop:
            self.send("INFO show_detail 3")

    def about(self) -> str:
        """Return the name of the program; ask for Yixin's extensions before."""
        time.sleep(GAP)
        self.send("YXSHOWINFO")
        return super().about()

    def take_line(self, line: str) -> None:
        """Read a line; the answer to YXSHOWINFO shows Yixin's extensions."""
        if line.upper().startswith("MESSAGE INFO MAX_"):
            self.can_stop = True
        self.last_line = time.monotonic()
        super().take_line(line)

    def is_info(self, line: str) -> bool:
        """May this line be search info?"""
        return not is_point(line)

    def send_stop(self) -> None:
        """Send Yixin's command."""
        if self.can_stop:
            self.send("YXSTOP")

    def set_limits(self, limits: SearchLimits, seconds: float, deadline: float) -> None:
        """Send the limits that have changed.  Raises Failure."""
        self.pause()
        if seconds != self.limits.time:
            self.send(f"INFO timeout_turn {milliseconds(seconds)}")
        self.send(self.time_left())
        for key in ("nodes", "depth"):
            value = getattr(limits, key)
            if value != getattr(self.limits, key):
                self.send(f"INFO max_{key.removesuffix('s')} {value or NO_LIMIT[key]}")
        self.limits = limits._replace(time=seconds)

    def set_up(self, position: Position, deadline: float, anew: bool) -> None:
        """Remember the position, which goes with the request.  Raises Failure."""
        self.wanted = moves_of(position)
        if self.can_stop and anew:
            self.send("YXHASHCLEAR")
        if not self.is_empty and (anew or not self.wanted):
            self.plays, self.is_empty = [], True
            self.send("RESTART")
            self.answer(lambda line: is_error(line) or line.upper().startswith("OK"), deadline,
                        Ending.SILENCE)
            self.pause()

    def pause(self) -> None:
        """Wait until the last answer is GAP seconds old: Rapfi loses lines that come sooner."""
        time.sleep(max(0.0, self.last_line + GAP - time.monotonic()))

    def send_board(self, word: str, position: Position) -> None:
        """Send the stones, the side to move as the program's own.  Raises Failure."""
        self.is_empty = False
        self.send(word)
        for colour, point in self.wanted:
            self.send(f"{piskvork_text(position.lattice, point)},"
                      f"{1 if colour == position.side else 2}")
        self.send("DONE")

    def ask_move(self, call: Call, deadline: float) -> int:
        """Return the move of the program.  Raises Failure."""
        position = call.position
        self.refuse_early(is_point)
        self.is_empty = False
        if not self.wanted:
            self.send("BEGIN")
        elif self.plays and self.plays == self.wanted[:-1] and (
                self.wanted[-1][0] != position.side == self.plays[-1][0]):
            self.send(f"TURN {piskvork_text(position.lattice, self.wanted[-1][1])}")
        else:
            self.send_board("BOARD", position)
        self.plays = self.wanted
        return self.answered_point(call, deadline)

    def answered_point(self, call: Call, deadline: float) -> int:
        """Wait for a point.  Raises Failure."""
        text = self.think(call, lambda: self.answer(
            lambda line: is_point(line) or is_error(line), deadline))
        if is_error(text):
            raise Failure(Ending.INVALID_MOVE, text)
        point = piskvork_point(call.position.lattice, text)
        if point is None:
            raise Failure(Ending.INVALID_MOVE, f"no such point: {text}")
        return point

    def ask_lines(self, call: Call, seconds: float, deadline: float) -> list[Line]:
        """Return the analysis of a position.  Raises Failure."""
        if call.lines > 1 and self.can_stop and self.ranks and self.wanted:
            self.send_board("YXBOARD", call.position)
            self.send(f"YXNBEST {call.lines}")
            self.plays = []
            self.recent.clear()
            try:
                point = self.answered_point(call, time.monotonic() + seconds + SLACK)
                return self.lines(point, call.lines)
            except Failure as failure:
                if self.recent or call.stopped or failure.ending != Ending.TIME:
                    raise
                self.ranks, deadline = False, deadline + seconds + SLACK
        point = self.ask_move(call, deadline)
        self.plays = [*self.wanted, (call.position.side, point)]
        return self.lines(point, call.lines)


class ProgramDriver:
    """Runs a program for an engine.

    kind    the conversation by its protocol
    name    the program's own name, the command before its start
    limits  the limits of searches without limits of their own
    """

    def __init__(self, kind: type[Talk], command: str, limits: SearchLimits, name: str = ""):
        """Raises EngineError if there is no such program."""
        self.kind, self.command, self.limits = kind, command, limits
        self.name, self._fixed_name = name or command, name
        self._talk: Optional[Talk] = None
        self._game: Any = None
        self._is_first = True  # is the next search the program's first?
        self._transposed = False  # see InfoReader
        self._leaving: list[Thread] = []
        reason = missing(command)
        if reason:
            raise EngineError(harmless(f"{command}: {reason}"))

    def __getstate__(self) -> dict[str, Any]:
        return {"arguments": (self.kind, self.command, self.limits, self._fixed_name)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        ProgramDriver.__init__(self, *state["arguments"])  # the copy has a process of its own

    def choose(self, call: Call) -> Info:
        """Return the info with the chosen move.  Raises ValueError and EngineError."""
        return self._carry_out(call, False, self._choose)

    def analyse(self, call: Call) -> list[Line]:
        """Return the analysis of a position.  Raises ValueError and EngineError."""
        return self._carry_out(call, True, self._analyse)

    def close(self) -> None:
        """End the program."""
        talk, self._talk = self._talk, None
        if talk is not None and talk.program is not None:
            if talk.farewell:
                with suppress(Died, TooLate):
                    talk.program.send(talk.farewell)
            talk.program.stop()
        for thread in self._leaving:
            thread.join()
        self._leaving = []

    def kill(self) -> None:
        """End the program at once."""
        talk, self._talk = self._talk, None
        if talk is not None and talk.program is not None:
            talk.program.stop(0)

    def _carry_out(self, call: Call, anew: bool, ask: "Callable[[Talk, float, float], Result]"
                   ) -> "Result":
        # Start the program if need be, bring it to the position, and ask.
        seconds = call.limits.time
        if seconds is None:
            limited = call.limits.nodes is not None or call.limits.depth is not None
            seconds = ENDLESS if limited else DEFAULT_SECONDS
        try:
            talk = self._started(call)
            talk.call, talk.colour = call, call.position.side
            talk.control = TimeControl(per_move=seconds)
            deadline = talk.deadline(self._is_first)
            talk.set_limits(call.limits, seconds, deadline)
            talk.set_up(call.position, deadline, anew)
            talk.reader = reader = InfoReader(call.position, talk.over_gtp, self._transposed)
            call.begin()
            result = ask(talk, seconds, talk.deadline(self._is_first))
            self._is_first, self._transposed = False, reader.transposed
            return result
        except Failure as failure:
            if call.stopped and failure.ending in (Ending.TIME, Ending.SILENCE):
                failure = Failure(Ending.TIME, "stopped before it wrote a move")
            error = self._error(failure)
            self._dispose()
            raise error from None
        except ImportError as error:
            raise ImportError(import_error_text(error, "a program"), name=error.name) from None
        except ValueError:
            raise
        except BaseException:  # an interrupt leaves the conversation in the middle
            self._dispose()
            raise

    def _started(self, call: Call) -> Talk:
        # The conversation about the game of the call.  Raises Failure, and ValueError.
        rules, lattice = call.position.rules, call.position.lattice
        old = self._talk and self._talk.program
        if old and (self._game != (rules, lattice.display_size) or not old.runs()):
            self._dispose()
        if self._talk is not None:
            return self._talk
        self._talk = talk = self.kind(self.command, call)
        self._game, self._is_first = (rules, lattice.display_size), True
        reason = talk.complaint(rules, lattice)
        try:
            if not reason:
                talk.start(Position(rules, lattice), call.position.side)
                talk.begin()
        except Failure as failure:
            if not failure.detail.startswith(REFUSALS):
                raise
            reason = failure.detail
        finally:
            call.attach(None)
        if reason:
            self._dispose()
            if missing(self.command):
                raise Failure(Ending.CRASH, reason)
            raise ValueError(f"{harmless(self.command)} does not play {rules.name} on "
                             f"{size_text(lattice.display_size)}: "
                             f"{harmless(' '.join(reason.split()))}")
        assert talk.program is not None
        talk.program.calm()
        self.name = self._fixed_name or harmless(talk.name)
        return talk

    def _choose(self, talk: Talk, seconds: float, deadline: float) -> Info:
        call = talk.call
        try:
            point = talk.ask_move(call, deadline)
        except Failure as failure:
            best = best_so_far(talk, failure)
            self._dispose()
            return talk.final(best)
        talk.plays = [*moves_of(call.position), (call.position.side, point)]
        return talk.final(point)

    def _analyse(self, talk: Talk, seconds: float, deadline: float) -> list[Line]:
        call = talk.call
        try:
            lines = talk.ask_lines(call, seconds, deadline)
        except Failure as failure:
            best = best_so_far(talk, failure)
            self._dispose()
            return talk.lines(best, call.lines)
        return lines

    def _error(self, failure: Failure) -> EngineError:
        # The error of a failure, with the last lines of the program.
        lines = [f"{harmless(self.name)}: {harmless(' '.join(failure.detail.split()))}"]
        if self._talk is not None:
            lines += [f"  {line}" for line in self._talk.recent]
        return EngineError("\n".join(lines))

    def _dispose(self) -> None:
        # End the program in the background, since that takes a while.
        talk, self._talk = self._talk, None
        self._leaving = [thread for thread in self._leaving if thread.is_alive()]
        if talk is not None and talk.program is not None:
            thread = Thread(target=talk.program.stop, args=(0,))
            self._leaving.append(thread)
            thread.start()


def best_so_far(talk: Talk, failure: Failure) -> int:
    """Return the best move of a search that was stopped.  Raises Failure if there is none."""
    line = talk.reader.line()
    if not talk.call.stopped or failure.ending != Ending.TIME:
        raise failure
    if not line:
        raise failure
    return line[0]


def has_name(rules: Rules) -> bool:
    """Does the name alone give these rules?"""
    try:
        return catalogue.find(rules.name) == rules
    except ValueError:
        return False


def moves_of(position: Position) -> Moves:
    """Return the moves from the empty board; after a set-up, the stones in point order."""
    if any(record.point == PASS and record.before for record in position.history):
        return [(position.cells[point], point) for point in position.lattice.points
                if position.cells[point] != EMPTY]
    return [(record.colour, record.point) for record in position.moves]
