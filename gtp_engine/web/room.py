"""A game that is open: its pages, the process that plays it and the one that analyses it."""

import asyncio
import logging
from secrets import randbits
from typing import Any, Callable, Mapping, Optional, Protocol

from ..arena.seat import usual_time
from ..arena.verdict import Ending
from ..games.lattice import BLACK, WHITE, opponent
from ..games.rules import IllegalMove
from ..games.tree import ROOT, Step
from ..protocols.notation import COLOUR_NAMES
from .fields import Refusal
from .games import Game, Store, layout, text_of_seat
from .match import PERSON
from .pipe import sent_position
from .processes import Child, Processes, TooMany

LINGERS = 60.0  # seconds that the processes of a game outlive its last page
ENGINES_BUSY = "all engines are busy: close another game first"


class Listener(Protocol):
    """A page, as a room knows it."""

    def say(self, **message: Any) -> None:
        """Send it a message."""


class Room:
    """A game of the user, with all pages that show it.

    game      as it is now; what changes it is on the disk at once
    pages     who shows it, and by page which version of the tree it has seen
    """

    def __init__(self, game: Game, store: Store, processes: Processes):
        self.game, self.store, self.processes = game, store, processes
        self.pages: dict[Listener, int] = {}
        self.version = 1
        self.match: Optional[Child] = None
        self.match_node = ROOT
        self.analyst: Optional[Child] = None
        self.analysis: Optional[Mapping[str, Any]] = None  # what is asked, None: nothing
        self.found: Optional[dict[str, Any]] = None  # the last that was told of it
        self._asked: dict[int, tuple[str, int, Optional[Listener]]] = {}
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
        if not self.pages:
            self._leaving = asyncio.get_running_loop().call_later(LINGERS, self.close)

    def close(self) -> None:
        """End the processes of this game; it goes on when a page enters."""
        for child in (self.match, self.analyst):
            if child:
                child.end()
        self.match = self.analyst = None

    def show(self) -> None:
        """Send all pages the state of the game."""
        state = {**self.game.state(), "waiting": self._waiting(),
                 "analysing": self.analysis is not None}
        for page, seen in [*self.pages.items()]:
            nodes = {}
            if seen != self.version:
                nodes = {"nodes": self.game.tree.data()["nodes"]}
                self.pages[page] = self.version
            page.say(do="game", **state, **nodes)

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
            try:
                self.store.write(self.game)
            except OSError as error:
                logging.getLogger(__name__).error("game %s cannot be kept: %s", self.game.id, error)
                self.broadcast(do="notice", text=f"the game cannot be kept on the disk: {error}")
            self.show()
            await self._let_play()
            await self._let_analyse()

    async def _let_play(self) -> None:
        game = self.game
        wanted = game.playing and not game.over and self._needs_referee()
        if self.match and (not wanted or self.match_node not in game.tree.nodes):
            self.match.end()
            self.match = None
        if not wanted or self.match:
            return
        try:
            child: Optional[Child] = None
            child = await self.processes.start(
                "match", lambda told: self._heard(child, told), lambda: self._match_died(child))
        except TooMany:
            game.playing = False
            self.broadcast(do="notice", text=ENGINES_BUSY)
            self.show()
            return
        self.match, self.match_node = child, game.cursor
        seats = {COLOUR_NAMES[colour]: {
            "seat": text_of_seat(seat), "left": game.left[colour],
            "control": {**usual_time(game.tree.rules)._asdict(), **game.control}}
            for colour, seat in game.seats.items()}
        child.tell(position=sent_position(game.position), seed=randbits(64), **seats)

    def _needs_referee(self) -> bool:
        # Are there programs, or clocks?
        persons = all(seat["player"] == PERSON for seat in self.game.seats.values())
        return not persons or any(self.game.control[key] for key in ("per_move", "per_game"))

    async def play(self, place: int) -> None:
        """A move of a person on the point of that number.  Raises Refusal."""
        game, position = self.game, self.game.position
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
        self.version += 1
        if self.match:
            self.match.tell(do="play", point=place)
        await self.settle()

    async def goto(self, node: int) -> None:
        """Show another position.  Who played stops.  Raises Refusal."""
        if node not in self.game.tree.nodes:
            raise Refusal("that position is not there any more")
        if node != self.game.cursor:
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
        game.cursor, game.result = path[-1], None
        self._restart()
        await self.settle()

    async def resign(self) -> None:
        """A person gives up.  Raises Refusal."""
        game = self.game
        persons = [colour for colour, seat in game.seats.items() if seat["player"] == PERSON]
        if game.over or not game.playing or not persons:
            raise Refusal("there is no game to resign")
        side = game.position.side
        loser = side if side in persons else persons[0]
        self._end(opponent(loser), f"{COLOUR_NAMES[loser]} resigns")
        await self.settle()

    async def go_on(self, playing: bool) -> None:
        """From here on programs play, or do not."""
        game = self.game
        game.playing = playing
        if playing and game.result and game.result["node"] == game.cursor:
            game.result = None
            game.reset_clocks()
        self._restart()
        await self.settle()

    async def take_seats(self, seats: dict[int, Mapping[str, Any]], control: dict[str, Any]
                         ) -> None:
        """Others play from now on, with that much time."""
        self.game.seats, self.game.control = seats, control
        self.game.reset_clocks()
        self._restart()
        await self.settle()

    async def set_up(self, stones: list[tuple[int, int]], side: Optional[int]) -> None:
        """Put (colour, place) stones on the board, and say whose turn it is.  Raises Refusal."""
        game, points = self.game, self.game.position.lattice.points
        if any(place >= len(points) for _, place in stones):
            raise Refusal(f"there are {len(points)} points")
        game.playing = False
        self._restart()
        try:
            game.set_up([(colour, points[place]) for colour, place in stones], side)
        except ValueError as error:
            raise Refusal(str(error)) from None
        self.version += 1
        await self.settle()

    async def comment(self, node: int, text: str) -> None:
        """Write something about a position.  Raises Refusal."""
        self._node(node).comment = text
        self.version += 1
        await self.settle()

    async def remove(self, node: int) -> None:
        """Take a position and what follows it away.  Raises Refusal."""
        self._node(node)
        parent = self.game.tree.remove(node)
        self.version += 1
        if self.game.cursor not in self.game.tree.nodes:
            self.game.cursor, self.game.playing = parent, False
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
            self.match.tell(do="now")

    def _node(self, number: int) -> Any:
        if number not in self.game.tree.nodes:
            raise Refusal("that position is not there any more")
        return self.game.tree.nodes[number]

    def _restart(self) -> None:
        # What is played goes on in a new process, from the position that is shown.
        if self.match:
            self.match.end()
            self.match = None

    def _end(self, winner: int, text: str) -> None:
        self.game.result = {"node": self.game.cursor, "winner": winner, "text": text}
        self._restart()

    # --- what the referee says ----------------------------------------------------------------

    def _heard(self, child: Optional[Child], told: Mapping[str, Any]) -> None:
        if child is not self.match:
            return
        if told["do"] == "thinking":
            self.broadcast(do="thinking", node=self.match_node, report=told["report"])
            return
        if "left" in told:
            self.game.left = dict(zip((BLACK, WHITE), told["left"]))
        if told["do"] == "move":
            self._moved(told)
        elif told["do"] == "end":
            self.match = None
            if not self.game.position.outcome:
                self._end(told["winner"], Ending[told["ending"]].value)
        elif told["do"] == "failed":
            self._restart()
            self.game.playing = False
            self.broadcast(do="notice", text=told["text"])
        self._soon(self.settle())

    def _moved(self, told: Mapping[str, Any]) -> None:
        game = self.game
        points = game.tree.position(self.match_node).lattice.points
        step = Step(move=(told["colour"], points[told["point"]]))
        try:
            self.match_node = game.tree.add(self.match_node, step)
        except ValueError as error:
            self._restart()
            game.playing = False
            self.broadcast(do="notice", text=str(error))
            return
        if "value" in told["told"]:
            value = min(max(told["told"]["value"], -1.0), 1.0)
            game.tree.nodes[self.match_node].value = (
                value if told["colour"] == BLACK else -value)
        game.cursor = self.match_node
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
        self.analysis, self.found = asked, None
        self._asked.clear()
        await self.settle()

    async def ask(self, kind: str, page: Listener) -> None:
        """Ask for a hint, threats or a proof, of the position that is shown.  Raises Refusal."""
        if kind != "threats" and self.game.position.outcome:
            raise Refusal("the game is over")
        if not await self._has_analyst():
            raise Refusal(ENGINES_BUSY)
        self._request(kind, page)
        self._asked = {number: asked for number, asked in self._asked.items()
                       if asked[0] != "analyse"}
        await self._let_analyse()

    def stop(self) -> None:
        """What the analyst is doing is to end now."""
        if self.analyst:
            self.analyst.tell(do="stop")

    async def _let_analyse(self) -> None:
        # The position that is shown is being analysed, if that is wanted.
        running = {asked[1] for asked in self._asked.values() if asked[0] == "analyse"}
        wanted = {self.game.cursor} if self.analysis and not self.game.position.outcome else set()
        if running == wanted:
            return
        if running:
            self.stop()
            self._asked = {number: asked for number, asked in self._asked.items()
                           if asked[0] != "analyse"}
        if wanted:
            if await self._has_analyst():
                self._request("analyse", None)
            else:
                self.analysis = None
                self.broadcast(do="notice", text=ENGINES_BUSY)
                self.show()

    async def _has_analyst(self) -> bool:
        if self.analyst is None:
            try:
                child: Optional[Child] = None
                child = await self.processes.start(
                    "analyst", lambda told: self._learnt(child, told),
                    lambda: self._analyst_died(child))
                self.analyst = child
            except TooMany:
                return False
        return True

    def _request(self, kind: str, page: Optional[Listener]) -> None:
        assert self.analyst
        if kind != "analyse" and any(asked[0] == "analyse" for asked in self._asked.values()):
            self.stop()
        self._requests += 1
        self._asked[self._requests] = kind, self.game.cursor, page
        self.analyst.tell(do=kind, request=self._requests, position=sent_position(
            self.game.position), **(self.analysis or {"player": "alphabeta", "settings": {}}))

    def _learnt(self, child: Optional[Child], told: Mapping[str, Any]) -> None:
        kind, node, page = self._asked.get(told["request"], ("", ROOT, None))
        if child is not self.analyst or not kind:
            return
        if told.get("done"):
            if kind == "analyse":  # it stays among those that were asked: it is not asked again
                self.broadcast(do="analysed", node=node)
            else:
                del self._asked[told["request"]]
            if "error" in told:
                self.broadcast(do="notice", text=f"{kind}: {told['error']}")
            return
        message = {"do": kind, "node": node,
                   **{key: value for key, value in told.items() if key != "request"}}
        if kind == "analyse":
            self._keep_value(node, told["report"])
            self.found = message
            self.broadcast(**message)
        elif page:
            page.say(**message)

    def _keep_value(self, number: int, report: Mapping[str, Any]) -> None:
        # What the best move is worth is what the position is worth.
        line, values = report["line"], report["values"]
        if number in self.game.tree.nodes and line and str(line[0]) in values:
            value = values[str(line[0])]
            side = self.game.tree.position(number).side
            node = self.game.tree.nodes[number]
            node.value = value if side == BLACK else -value
            self.broadcast(do="value", node=number, value=node.value)

    def _analyst_died(self, child: Optional[Child]) -> None:
        if child is self.analyst:
            self.analyst, self.analysis = None, None
            self._asked.clear()
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
        self.page.say(do="game", **{**self.game.state(), "playing": False}, waiting=None,
                      analysing=False, watching=True, nodes=self.game.tree.data()["nodes"])

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
