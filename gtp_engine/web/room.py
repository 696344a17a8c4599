"""A game that is open: its pages, the process that plays it and the one that analyses it."""

import asyncio
import logging
import time
from secrets import randbits
from typing import Any, Callable, Mapping, Optional, Protocol

from ..arena.seats.base import usual_time
from ..arena.verdict import Ending
from ..games.lattice import BLACK, WHITE, opponent
from ..games.rules import IllegalMove
from ..games.tree import ROOT, Step
from ..wire.notation import COLOUR_NAMES
from .fields import Refusal
from .games import PROGRAM, Game, Store, layout, text_of_seat
from .match import PERSON
from .pipe import sent_position
from .processes import Child, Processes, TooMany

LINGERS = 60.0  # seconds that the processes of a game outlive its last page
ENGINES_BUSY = "all engines are busy: close another game first"
NO_PROGRAMS = "no programs are started from the page: see web --allow-programs"
ANALYSE = "analyse"


class Listener(Protocol):
    """A page, as a room knows it."""

    def say(self, **message: Any) -> None:
        """Send it a message."""


class Question:
    """Something that the analyst is asked.

    kind  analyse, hint, threats or solve
    node  of which position
    page  who has asked, None for an analysis, which is for all
    """

    def __init__(self, kind: str, node: int, page: Optional[Listener]):
        self.kind, self.node, self.page = kind, node, page
        self.stopped = False


class Room:
    """A game of the user, with all pages that show it.

    game      as it is now; what changes it is on the disk at once
    pages     who shows it, and by page which version of the tree it has seen
    looking   pages that look at another position while the game goes on, and at which node
    analysis  player and settings of the analysis that is wanted, None: none is
    gone      the game was removed: nothing is kept any more
    """

    def __init__(self, game: Game, store: Store, processes: Processes, programs: bool):
        self.game, self.store, self.processes = game, store, processes
        self.programs = programs
        self.pages: dict[Listener, int] = {}
        self.looking: dict[Listener, int] = {}
        self.version = 1
        self.match: Optional[Child] = None
        self.match_node = ROOT
        self.analyst: Optional[Child] = None
        self.analysis: Optional[Mapping[str, Any]] = None
        self.found: Optional[dict[str, Any]] = None  # the last that was told of it
        self.gone = False
        self._asked_at: Optional[float] = None  # when the referee began to ask for a move
        self._analysed: Any = None  # the position and analysis that came to their end
        self._running: Optional[Question] = None
        self._waiting_questions: list[Question] = []
        self._requests = 0
        self._lock = asyncio.Lock()
        self._leaving: Optional[asyncio.TimerHandle] = None

    # --- pages --------------------------------------------------------------------------------

    async def enter(self, page: Listener) -> None:
        """A page shows the game from now on; what was being played goes on."""
        if self._leaving:
            self._leaving.cancel()
        self.pages[page] = 0
        page.say(do="layout", **layout(self.game.tree.rules, self.game.tree.size))
        await self.settle()
        if self.found:
            page.say(**self.found)

    def leave(self, page: Listener) -> None:
        """A page shows it no more."""
        self.pages.pop(page, None)
        self.looking.pop(page, None)
        self._waiting_questions = [each for each in self._waiting_questions if each.page != page]
        if not self.pages:
            self._keep()
            self._leaving = asyncio.get_running_loop().call_later(LINGERS, self.close)

    def close(self) -> None:
        """End the processes of this game; it goes on when a page enters."""
        self._end_match()
        self._end_analyst()

    def discard(self) -> None:
        """The game is removed: nothing goes on, and nothing is kept."""
        self.gone = True
        self.close()
        self.broadcast(do="discarded", id=self.game.id)
        self.pages.clear()

    def show(self) -> None:
        """Send all pages the state of the game."""
        runs = self.match is not None and self._asked_at is not None
        common = {"waiting": self._waiting(), "analysing": self.analysis is not None,
                  "running": self.game.position.side if runs else None,
                  "elapsed": self._elapsed(), "live": self.game.cursor}
        state = self.game.state()
        asked = [each for each in (self._running, *self._waiting_questions) if each]
        for page, seen in [*self.pages.items()]:
            shown = state
            if page in self.looking:
                shown = self.game.state(self.looking[page])
            nodes = {}
            if seen != self.version:
                nodes = {"nodes": self.game.tree.data()["nodes"]}
                self.pages[page] = self.version
            page.say(do="game", **shown, **common, **nodes,
                     asked=[each.kind for each in asked if each.page is page])

    def broadcast(self, **message: Any) -> None:
        """Send all pages a message."""
        for page in [*self.pages]:
            page.say(**message)

    def _waiting(self) -> Optional[str]:
        # For whom the game waits.
        game = self.game
        if not game.playing or game.over:
            return None
        side = game.position.side
        return "you" if game.seats[side]["player"] == PERSON else COLOUR_NAMES[side]

    # --- changes ------------------------------------------------------------------------------

    async def settle(self) -> None:
        """After a change: keep it, show it, and let those play and analyse who have to.

        A fault of the disk is told to the pages; the game goes on.
        """
        async with self._lock:
            if self.gone:
                return
            for page, node in [*self.looking.items()]:
                if node == self.game.cursor or node not in self.game.tree.nodes or (
                        not self.game.playing):
                    del self.looking[page]
            self._keep()
            self.show()
            await self._let_play()
            await self._let_analyse()

    def _keep(self) -> None:
        try:
            if not self.gone:
                self.store.write(self.game)
        except OSError as error:
            logging.getLogger(__name__).error("game %s cannot be kept: %s", self.game.id, error)
            self.broadcast(do="notice", text=f"the game cannot be kept on the disk: {error}")

    async def _let_play(self) -> None:
        game = self.game
        wanted = game.playing and not game.over and self._needs_referee()
        if self.match and (not wanted or self.match_node not in game.tree.nodes):
            self._end_match()
        if not wanted or self.match:
            return
        if not self.programs and any(seat["player"] == PROGRAM for seat in game.seats.values()):
            self._give_up_playing(NO_PROGRAMS)
            return
        try:
            child: Optional[Child] = None
            child = await self.processes.start(
                "match", lambda told: self._heard(child, told), lambda: self._match_died(child))
        except TooMany:
            self._give_up_playing(ENGINES_BUSY)
            return
        self.match, self.match_node, self._asked_at = child, game.cursor, None
        seats = {COLOUR_NAMES[colour]: {
            "seat": text_of_seat(seat), "left": game.left[colour],
            "control": {**usual_time(game.tree.rules)._asdict(), **game.control}}
            for colour, seat in game.seats.items()}
        child.tell(position=sent_position(game.position), seed=randbits(64), **seats)

    def _give_up_playing(self, text: str) -> None:
        self.game.playing = False
        self.broadcast(do="notice", text=text)
        self.show()

    def _needs_referee(self) -> bool:
        # Are there programs, or clocks?
        persons = all(seat["player"] == PERSON for seat in self.game.seats.values())
        return not persons or any(self.game.control[key] for key in ("per_move", "per_game"))

    async def play(self, place: int, page: Listener) -> None:
        """A move of a person on the point of that number.  Raises Refusal.

        From another position than that of a game that goes on it is a variation; who played stops.
        """
        game = self.game
        if page in self.looking:
            self._end_match()
            game.cursor, game.playing = self.looking[page], False
        position = game.position
        side, points = position.side, position.lattice.points
        if not place < len(points):
            raise Refusal(f"there are {len(points)} points")
        if game.over:
            raise Refusal("the game is over", place)
        if game.playing and game.seats[side]["player"] != PERSON:
            raise Refusal("it is not your turn", place)
        try:
            game.play(side, points[place])
        except IllegalMove as complaint:
            raise Refusal(str(complaint), place) from None
        except ValueError as error:
            raise Refusal(str(error)) from None
        if game.playing:
            game.tree.promote(game.cursor)
        self.version += 1
        if self.match:
            self.match.tell(do="play", point=place, colour=side)
        await self.settle()

    async def goto(self, node: int, page: Listener) -> None:
        """Show another position: to this page while others play, else to all.  Raises Refusal."""
        self._node(node)
        if self.game.playing and not self.game.over and self._needs_referee():
            self.looking[page] = node
        else:
            self.game.cursor, self.game.playing = node, False
        await self.settle()

    async def undo(self) -> None:
        """Take back moves until a person is to move, or one move.  Raises Refusal."""
        game = self.game
        path = game.tree.path(game.cursor)[:-1]
        if not path:
            raise Refusal("there is nothing to take back")
        persons = {colour for colour, seat in game.seats.items() if seat["player"] == PERSON}
        if game.playing and persons:
            while len(path) > 1 and game.tree.position(path[-1]).side not in persons:
                path.pop()
        self._end_match()
        game.cursor, game.result = path[-1], None
        await self.settle()

    async def resign(self) -> None:
        """A person gives up.  Raises Refusal."""
        game = self.game
        persons = [colour for colour, seat in game.seats.items() if seat["player"] == PERSON]
        if game.over or not game.playing or not persons:
            raise Refusal("there is no game to resign")
        side = game.position.side
        loser = side if side in persons else persons[0]
        self._end(opponent(loser), f"{game.colour_name(loser)} resigns")
        await self.settle()

    async def go_on(self, playing: bool, page: Listener) -> None:
        """From the position that the page shows programs play, or do not."""
        game = self.game
        self._end_match()
        game.cursor = self.looking.pop(page, game.cursor)
        game.playing = playing
        if playing and game.result and game.result["node"] == game.cursor:
            game.result = None
            game.reset_clocks()
        await self.settle()

    async def take_seats(self, seats: dict[int, Mapping[str, Any]], control: dict[str, Any]
                         ) -> None:
        """Others play from now on, with that much time."""
        self._end_match()
        self.game.seats = seats
        if control != self.game.control:
            self.game.control = control
            self.game.reset_clocks()
        await self.settle()

    async def set_up(self, stones: list[tuple[int, int]], side: Optional[int]) -> None:
        """Put (colour, place) stones on the board, and say whose turn it is.  Raises Refusal."""
        game, points = self.game, self.game.position.lattice.points
        if any(place >= len(points) for _, place in stones):
            raise Refusal(f"there are {len(points)} points")
        try:
            game.set_up([(colour, points[place]) for colour, place in stones], side)
        except ValueError as error:
            raise Refusal(str(error)) from None
        self._end_match()
        game.playing = False
        self.version += 1
        await self.settle()

    async def comment(self, id: str, node: int, text: str) -> None:
        """Write something about a position of the game of that name.  Raises Refusal."""
        if id != self.game.id:
            raise Refusal("that game is not shown any more")
        self._node(node).comment = text
        self.version += 1
        await self.settle()

    async def remove(self, node: int) -> None:
        """Take a position and what follows it away.  Raises Refusal."""
        self._node(node)
        game = self.game
        shown = node in game.tree.path(game.cursor)[1:] or node == ROOT
        if shown:
            self._end_match()
        parent = game.tree.remove(node)
        self.version += 1
        if shown:
            game.cursor, game.playing = parent, False
        if game.result and game.result["node"] not in game.tree.nodes:
            game.result = None
        await self.settle()

    async def promote(self, node: int) -> None:
        """Make the line to a position the main line.  Raises Refusal."""
        self._node(node)
        self.game.tree.promote(node)
        self.version += 1
        await self.settle()

    def move_now(self) -> None:
        """Who thinks is to move at once."""
        if self.match:
            self.match.tell(do="now", colour=self.game.position.side)

    def _node(self, number: int) -> Any:
        if number not in self.game.tree.nodes:
            raise Refusal("that position is not there any more")
        return self.game.tree.nodes[number]

    def _end_match(self) -> None:
        # Who is to move has used the time until now.
        if self.match is None:
            return
        self.match.end()
        self.match = None
        side = self.game.position.side
        left = self.game.left[side]
        if left is not None:
            self.game.left[side] = max(0.0, left - self._elapsed())

    def _elapsed(self) -> float:
        # Seconds since the referee began to ask for the move.
        return 0.0 if self._asked_at is None else time.monotonic() - self._asked_at

    def _end(self, winner: int, text: str) -> None:
        self._end_match()
        self.game.result = {"node": self.game.cursor, "winner": winner, "text": text}

    # --- what the referee says ----------------------------------------------------------------

    def _heard(self, child: Optional[Child], told: Mapping[str, Any]) -> None:
        if child is not self.match:
            return
        if told["do"] == "thinking":
            self.broadcast(do="thinking", node=self.match_node, report=told["report"])
            return
        if "left" in told:
            self.game.left = dict(zip((BLACK, WHITE), told["left"]))
        self._asked_at = time.monotonic()
        if told["do"] == "move":
            self._moved(told)
        elif told["do"] == "end":
            self.match = None
            if not self.game.position.outcome:
                self._end(told["winner"], Ending[told["ending"]].value)
        elif told["do"] == "failed":
            self.match = None
            self.game.playing = False
            self.broadcast(do="notice", text=told["text"])
        self._soon(self.settle())

    def _moved(self, told: Mapping[str, Any]) -> None:
        game = self.game
        points = game.tree.position(self.match_node).lattice.points
        step = Step(move=(told["colour"], points[told["point"]]))
        known = game.tree.path(game.cursor)
        try:
            self.match_node = game.tree.add(self.match_node, step)
        except ValueError as error:
            self._end_match()
            game.playing = False
            self.broadcast(do="notice", text=str(error))
            return
        if "value" in told["told"]:
            value = min(max(told["told"]["value"], -1.0), 1.0)
            game.tree.nodes[self.match_node].value = (
                value if told["colour"] == BLACK else -value)
        if self.match_node not in known:  # a person may be some moves ahead of the referee
            game.cursor = self.match_node
            game.tree.promote(game.cursor)
        self.version += 1

    def _match_died(self, child: Optional[Child]) -> None:
        if child is self.match:
            self.match = None
            self.game.playing = False
            self.broadcast(do="notice", text="the engine has stopped; Continue starts it anew")
            self._soon(self.settle())

    def _soon(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(report_fault)

    # --- analysis -----------------------------------------------------------------------------

    async def analyse(self, asked: Optional[Mapping[str, Any]]) -> None:
        """From now on the position that is shown is analysed by that player with its settings, or
        none is."""
        self.analysis, self.found, self._analysed = asked, None, None
        if self._running and self._running.kind == ANALYSE:
            self._stop_running()
        await self.settle()

    async def ask(self, kind: str, page: Listener) -> None:
        """Ask for a hint, threats or a proof, of the position that is shown.  Raises Refusal."""
        if kind != "threats" and self.game.over:
            raise Refusal("the game is over")
        asked = [each for each in (self._running, *self._waiting_questions) if each]
        if any(each.kind == kind and each.page is page for each in asked):
            raise Refusal("that is being looked at already")
        self._waiting_questions.append(Question(kind, self.game.cursor, page))
        await self.settle()

    def stop(self, page: Listener) -> None:
        """What that page has asked is to end now."""
        self._waiting_questions = [each for each in self._waiting_questions if each.page != page]
        if self._running and self._running.page is page:
            self._stop_running()

    async def _let_analyse(self) -> None:
        # The analyst is busy with what is wanted now: questions first, of the position shown only.
        cursor, running = self.game.cursor, self._running
        self._waiting_questions = [each for each in self._waiting_questions if each.node == cursor]
        if running and (running.node != cursor or running.kind == ANALYSE and (
                self.analysis is None or self._waiting_questions)):
            self._stop_running()
        if self._running is None:
            await self._ask_next()

    def _stop_running(self) -> None:
        assert self._running
        if self.analyst and not self._running.stopped:
            self._running.stopped = True
            self.analyst.tell(do="stop")

    async def _ask_next(self) -> None:
        cursor = self.game.cursor
        if self._waiting_questions:
            question = self._waiting_questions.pop(0)
        elif self.analysis and not self.game.position.outcome and (
                self._analysed != (cursor, self.analysis)):
            question = Question(ANALYSE, cursor, None)
        else:
            return
        if self.analyst is None:
            try:
                child: Optional[Child] = None
                child = await self.processes.start(
                    "analyst", lambda told: self._learnt(child, told),
                    lambda: self._analyst_died(child))
                self.analyst = child
            except TooMany:
                self.analysis = None
                self.broadcast(do="notice", text=ENGINES_BUSY)
                self.show()
                return
        self._running = question
        self._requests += 1
        self.analyst.tell(
            do=question.kind, request=self._requests, position=sent_position(self.game.position),
            **(self.analysis or {"player": "alphabeta", "settings": {}}))

    def _learnt(self, child: Optional[Child], told: Mapping[str, Any]) -> None:
        question = self._running
        if child is not self.analyst or question is None or told["request"] != self._requests:
            return
        if told.get("done"):
            self._running = None
            if "error" in told:
                self.broadcast(do="notice", text=f"{question.kind}: {told['error']}")
            if question.kind == ANALYSE and not question.stopped:
                self._analysed = (question.node, self.analysis)
            self._soon(self.settle())
            return
        message = {"do": question.kind, "node": question.node,
                   **{key: value for key, value in told.items() if key != "request"}}
        if question.kind != ANALYSE:
            if question.page:
                question.page.say(**message)
        elif not question.stopped:
            self._keep_value(question.node, told["report"])
            self.found = message
            self.broadcast(**message)

    def _keep_value(self, number: int, report: Mapping[str, Any]) -> None:
        # What the best move is worth is what the position is worth.
        line, values = report["line"], report["values"]
        if number in self.game.tree.nodes and line and str(line[0]) in values:
            value = values[str(line[0])]
            side = self.game.tree.position(number).side
            node = self.game.tree.nodes[number]
            node.value = value if side == BLACK else -value
            self.broadcast(do="value", node=number, value=node.value)

    def _end_analyst(self) -> None:
        if self.analyst:
            self.analyst.end()
        self.analyst = self._running = self._analysed = None
        self._waiting_questions = []

    def _analyst_died(self, child: Optional[Child]) -> None:
        if child is self.analyst:
            self._end_analyst()
            self.analysis = None
            self.broadcast(do="notice", text="the analysis has stopped; start it anew")
            self._soon(self.settle())


class Replay:
    """A game that a page looks at and cannot change.

    load  the game as it is now, or None if it has not changed since the last call
    """

    def __init__(self, load: Callable[[], Optional[Game]], page: Listener):
        game = load()
        assert game is not None
        self.game, self.load, self.page = game, load, page

    def enter(self) -> None:
        """Show it."""
        self.page.say(do="layout", **layout(self.game.tree.rules, self.game.tree.size))
        self.show()

    def show(self) -> None:
        """Send the position."""
        state = self.game.state()
        seats = {colour: {"player": seat["player"], "name": seat["name"]}
                 for colour, seat in state["seats"].items()}  # commands are nobody else's business
        self.page.say(do="game", **{**state, "playing": False, "seats": seats}, waiting=None,
                      analysing=False, watching=True, running=None, elapsed=0.0, asked=[],
                      live=self.game.cursor, nodes=self.game.tree.data()["nodes"])

    def goto(self, node: int) -> None:
        """Show another position.  Raises Refusal."""
        if node not in self.game.tree.nodes:
            raise Refusal("that position is not there")
        self.game.cursor = node
        self.show()

    def refresh(self) -> None:
        """Show what has changed; who looked at the end still does."""
        before, now = self.game, self.load()
        if now is None:
            return
        at_the_end = not before.tree.nodes[before.cursor].children
        if not at_the_end and before.cursor in now.tree.nodes:
            now.cursor = before.cursor
        self.game = now
        self.show()


def report_fault(task: asyncio.Task) -> None:
    """A fault of a task that nobody waits for is logged."""
    if not task.cancelled() and task.exception():
        logging.getLogger(__name__).error("internal error", exc_info=task.exception())
