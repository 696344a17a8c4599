"""An open game: the actions of its pages, with play, analysis and storage."""

import asyncio
import logging
from secrets import token_hex
from typing import Any, Coroutine, Mapping, NamedTuple, Optional

from ...games.lattice import BLACK, opponent
from ...games.rules import IllegalMove, Position
from ...games.tree import PROVED, ROOT, Node, Removed, Step
from ..fields import Refusal
from ..games import PERSON, Game, Programs, Store, layout
from ..processes import Processes
from ..study.questions import Questions
from ..study.review import GameReview
from ..viewer import Analysis, Recipient, Viewer
from .keeper import Keeper
from .live_node import LiveNode

LINGER_SECONDS = 60.0  # delay before a game without pages ends its processes
MOST_REMOVALS = 20  # removals that can be undone


class Removal(NamedTuple):
    """A removal of nodes that can be undone, with the live node and the result before it."""

    removed: Removed
    live: int
    result: Optional[dict[str, Any]]


class Room:
    """A game of the user, with all pages that show it; only the room changes the game.

    Each page shows a node of its own.  The live node is where the game continues.  Pages at the
    live node follow it; other pages stay at their nodes.

    game        the current game; the room saves changes before it sends them
    viewers     the pages that show the game
    is_deleted  whether the game was deleted; then the room saves nothing
    """

    def __init__(self, game: Game, store: Store, processes: Processes, programs: Programs,
                 is_stored: bool):
        """`is_stored`: whether the file of the game is up to date."""
        self.game = game
        self.keeper = Keeper(game, store, lambda text: self.broadcast(do="notice", text=text),
                             is_stored)
        self.viewers: dict[Recipient, Viewer] = {}
        self.live = LiveNode(game, self.keeper, self.viewers.values(), processes, programs,
                             self.broadcast, lambda: self._soon(self.settle()))
        self.questions = Questions(game.tree, self.viewers.values(), processes, self._store_value,
                                   lambda: self._soon(self.settle()))
        self.review = GameReview(game.tree, processes, self.broadcast)
        self.is_deleted = False
        self._removals: dict[str, Removal] = {}  # by token
        self._lock = asyncio.Lock()
        self._closing: Optional[asyncio.TimerHandle] = None

    # --- pages --------------------------------------------------------------------------------

    async def enter(self, page: Recipient, node: Optional[int] = None) -> None:
        """Register a page, at `node` or at the live node, and send it the game; continue play."""
        if self._closing:
            self._closing.cancel()
        exists = node is not None and node in self.game.tree.nodes
        self.viewers[page] = Viewer(page, node if exists and node is not None else self.game.live)
        page.say(do="layout", **layout(self.game))
        await self.settle()
        self.review.tell(page)

    def leave(self, page: Recipient) -> None:
        """Remove a page; the processes end LINGER_SECONDS after the last one."""
        self.viewers.pop(page, None)
        if not self.viewers:
            self._closing = asyncio.get_running_loop().call_later(LINGER_SECONDS, self.close)
        self._soon(self.settle())

    @property
    def is_idle(self) -> bool:
        """Whether the game has no pages, no running work and no unsaved changes."""
        return self.keeper.is_stored and not (
            self.viewers or self.live.is_playing or self.questions.is_busy
            or self.review.status)

    def close(self) -> None:
        """End the processes of this game and save it; play continues when a page enters."""
        self.live.end_match()
        self.questions.end()
        self.review.end()
        self._soon(self.keeper.save())

    async def finish(self) -> None:
        """End the processes and wait until the game is saved, at the end of the server."""
        self.close()
        await self.keeper.save()

    async def discard(self) -> None:
        """Delete the game.  Raises Refusal if the disk reports a fault."""
        try:
            await self.keeper.remove()
        except OSError as error:
            raise Refusal(f"the game cannot be deleted: {error.strerror}") from None
        self.is_deleted = True
        self.close()
        self.broadcast(do="discarded", id=self.game.id)
        self.viewers.clear()

    def show(self, *viewers: Viewer) -> None:
        """Send the changes of the game to these pages, or to all."""
        common = {**self.live.clock(), "watching": False}
        states: dict[int, dict[str, Any]] = {}
        for viewer in viewers or [*self.viewers.values()]:
            if viewer.node not in states:
                states[viewer.node] = self.game.state(viewer.node)
            viewer.show(self.game.tree, {
                **states[viewer.node], **common, "analysing": viewer.analysis is not None,
                "asked": self.questions.questions_of(viewer)})

    def broadcast(self, **message: Any) -> None:
        """Send a message to all pages."""
        for page in [*self.viewers]:
            page.say(**message)

    # --- after a change -----------------------------------------------------------------------

    async def settle(self) -> None:
        """Save and send the changes, and start the players and analysts of the new state.

        After a fault of the disk the pages receive a notice.  The game continues, and the next
        change saves it again.
        """
        async with self._lock:
            if self.is_deleted:
                return
            await self.keeper.save()
            self.show()
            try:
                await self.live.play()
            except Refusal as refusal:
                self.broadcast(do="notice", text=str(refusal))
                self.show()
            await self.questions.settle()

    def _changed(self) -> Coroutine[Any, Any, None]:
        # The work after a change of the game.
        self.keeper.changed()
        self.review.check()
        return self.settle()

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(report_fault)

    # --- actions of pages ---------------------------------------------------------------------

    async def goto(self, page: Recipient, node: int) -> None:
        """Show another node on a page.  Raises Refusal."""
        self._node(node)
        viewer = self.viewers[page]
        viewer.node = node
        async with self._lock:
            await self.keeper.save()
            self.show(viewer)
            self.questions.recall(viewer)
            await self.questions.settle()

    async def play(self, page: Recipient, place: int, node: int) -> None:
        """Play a person's move at the node that the page shows.  Raises Refusal.

        At the live node it is a move of the game.  At another node it is a variation.  If the game
        is not running, it continues from there without programs.
        """
        game, viewer = self.game, self._viewer(page, node)
        position = game.position_at(node)
        side, point = position.side, self._points(position, [place])[0]
        is_live = node == game.live
        if game.over_at(node):
            raise Refusal("the game is over", place)
        if is_live and game.is_opening:
            raise Refusal("finish the opening first", place)
        if is_live and game.playing and game.seats[side]["player"] != PERSON:
            raise Refusal("it is not your turn", place)
        try:
            number = game.tree.add(node, Step(move=(side, point)))
        except IllegalMove as complaint:
            raise Refusal(str(complaint), place) from None
        except ValueError as error:
            raise Refusal(str(error)) from None
        viewer.node = number
        if is_live and game.playing:
            self.live.after_move(number, side, place)
        elif not game.going_on:
            self.live.go(number)
            game.playing = False
        await self._changed()

    async def open(self, action: str, node: int) -> None:
        """Take a step of the opening rule for a person.  Raises Refusal."""
        game = self.game
        if node != game.live:
            raise Refusal("the position has changed in the meantime")
        if game.is_opening and game.seats[game.actor]["player"] != PERSON:
            raise Refusal("it is not your turn")
        try:
            self.live.go(game.act(action))
        except ValueError as error:
            raise Refusal(str(error), field="opening") from None
        await self._changed()

    async def undo(self) -> None:
        """Take back moves of the game until a person is to move, or one move.  Raises Refusal."""
        game = self.game
        path = game.tree.path(game.live)[:-1]
        if not path:
            raise Refusal("there is no move to undo")
        if game.is_opening:
            raise Refusal("steps of an opening rule cannot be undone")
        persons = {colour for colour, seat in game.seats.items() if seat["player"] == PERSON}
        if game.playing and persons:
            while len(path) > 1 and game.position_at(path[-1]).side not in persons:
                path.pop()
        self.live.end_match()
        self.live.go(path[-1])
        game.result = None
        await self._changed()

    async def resign(self) -> None:
        """Resign for the person to move, or for the only person.  Raises Refusal."""
        game = self.game
        persons = [colour for colour, seat in game.seats.items() if seat["player"] == PERSON]
        if not game.going_on or not persons:
            raise Refusal("there is no game to resign")
        side = game.position.side
        loser = side if side in persons else persons[0]
        self.live.end_game(opponent(loser), f"{game.colour_name(loser)} resigns")
        await self._changed()

    async def go_on(self, playing: bool, node: int) -> None:
        """Continue the game from a node, with programs if `playing` is set.  Raises Refusal."""
        self._node(node)
        game = self.game
        self.live.end_match()
        self.live.go(node)
        game.playing = playing
        if playing and game.result and game.result["node"] == node:
            game.result = None
            game.reset_clocks()
        await self._changed()

    async def take_seats(self, seats: dict[int, Mapping[str, Any]], control: dict[str, Any]
                         ) -> None:
        """Change the players and the time control; new times reset the clocks."""
        self.live.end_match()
        self.game.seats = seats
        if control != self.game.control:
            self.game.control = control
            self.game.reset_clocks()
        await self._changed()

    async def set_up(self, page: Recipient, stones: list[tuple[int, int]], side: Optional[int],
                     node: int) -> None:
        """Put (colour, place) stones on the board of the node that the page shows.

        side  the side to move afterwards, or None to keep it
        In a running game the result is a variation.  Raises Refusal.
        """
        game, viewer = self.game, self._viewer(page, node)
        points = self._points(game.position_at(node), [place for _, place in stones])
        try:
            number = game.set_up(node, [(colour, point) for (colour, _), point
                                        in zip(stones, points)], side,
                                 change=not (node == game.live and game.going_on))
        except ValueError as error:
            raise Refusal(str(error)) from None
        self.questions.forget(number)
        viewer.node = number
        if not game.going_on:
            self.live.go(number)
            game.playing = False
        await self._changed()

    async def comment(self, id: str, node: int, text: str) -> None:
        """Set the comment of a node.  Raises Refusal if `id` is not the id of the game."""
        if id != self.game.id:
            raise Refusal("this game is no longer displayed")
        self._node(node)
        self.game.tree.write_comment(node, text)
        await self._changed()

    async def mark(self, id: str, node: int, kind: str, point: int, text: str,
                   to: Optional[int]) -> None:
        """Add a mark or, with `to`, an arrow to a node; remove an existing equal one.

        Raises Refusal, also if `id` is not the id of the game.
        """
        if id != self.game.id:
            raise Refusal("this game is no longer displayed")
        self._node(node)
        start, *ends = self._points(self.game.position_at(node),
                                    [point] if to is None else [point, to])
        try:
            if ends:
                self.game.tree.draw_arrow(node, start, ends[0])
            else:
                self.game.tree.mark(node, kind, start, text)
        except ValueError as error:
            raise Refusal(str(error)) from None
        await self._changed()

    async def wipe(self, id: str, node: int) -> None:
        """Remove all marks and arrows of a node.  Raises Refusal as `mark` does."""
        if id != self.game.id:
            raise Refusal("this game is no longer displayed")
        self._node(node)
        self.game.tree.wipe(node)
        await self._changed()

    async def remove(self, page: Recipient, node: int) -> None:
        """Remove a node with all nodes after it; the root itself stays.

        Sends the page a token for `restore`.  Raises Refusal.
        """
        parent = self._node(node).parent
        game, live, result = self.game, self.game.live, self.game.result
        if parent is None and not game.tree.nodes[node].children:
            raise Refusal("no move follows this position")
        if live != ROOT and node in game.tree.path(live):
            self.live.end_match()
            self.live.go(ROOT if parent is None else parent)
            game.playing = False
        removed = game.tree.remove(node)
        for viewer in self.viewers.values():
            if viewer.node in removed.nodes:
                viewer.node = removed.parent
        if result and result["node"] in removed.nodes:
            game.result = None
        token = token_hex(8)
        self._removals[token] = Removal(removed, live, result)
        if len(self._removals) > MOST_REMOVALS:
            del self._removals[next(iter(self._removals))]
        page.say(do="removed", node=node, parent=removed.parent, count=len(removed.nodes),
                 token=token)
        await self._changed()

    async def restore(self, page: Recipient, token: str) -> None:
        """Restore removed nodes, and the live node unless it has changed since.

        Raises Refusal.
        """
        removal = self._removals.get(token)
        if removal is None:
            raise Refusal("this can no longer be undone")
        game, (removed, live, result) = self.game, removal
        try:
            game.tree.restore(removed)
        except ValueError as error:
            raise Refusal(str(error)) from None
        del self._removals[token]
        self.viewers[page].node = removed.places[0][1]
        if live in removed.nodes and game.live == removed.parent:
            self.viewers[page].node = live
            self.live.go(live)
        if game.result is None and result and result["node"] in removed.nodes:
            game.result = result
        await self._changed()

    async def promote(self, node: int) -> None:
        """Make the line to a node the main line.  Raises Refusal."""
        self._node(node)
        self.game.tree.promote(node)
        await self._changed()

    def move_now(self) -> None:
        """Make the thinking player move at once."""
        self.live.move_now()

    async def analyse(self, page: Recipient, analysis: Optional[Analysis]) -> None:
        """Begin to analyse the node that the page shows; None ends the analysis."""
        viewer = self.viewers[page]
        viewer.analysis = analysis
        self.questions.recall(viewer)
        await self.settle()

    async def ask(self, page: Recipient, kind: str, node: int) -> None:
        """Request a hint, the threats or a proof for the node of the page.  Raises Refusal."""
        game, viewer = self.game, self._viewer(page, node)
        if kind != "threats" and game.over_at(node):
            raise Refusal("the game is over")
        if kind == "hint" and node == game.live and self.live.waits_for not in (None, "you"):
            raise Refusal("it is your opponent's turn: ask for a hint when it is yours")
        self.questions.ask(kind, viewer)
        await self.settle()

    async def begin_review(self, node: int, effort: str) -> None:
        """Review the line through a node.  Raises Refusal."""
        self._node(node)
        await self.review.begin(node, effort)

    async def judge(self, page: Recipient, ply: int, place: int) -> None:
        """Request a judgement of a move as an alternative to the fault in a ply.

        The page must show the position before the fault.  Raises Refusal.
        """
        node, fault, effort = self.review.fault(ply)
        viewer, position = self._viewer(page, node), self.game.position_at(node)
        complaint = position.complaint(fault["colour"], self._points(position, [place])[0])
        if complaint:
            raise Refusal(complaint, place)
        self.questions.ask("judge", viewer, point=place, fault=fault, effort=effort)
        await self.settle()

    async def stop(self, page: Recipient) -> None:
        """End the running request of a page."""
        self.questions.stop(self.viewers[page])
        await self.settle()

    def _node(self, number: int) -> Node:
        if number not in self.game.tree.nodes:
            raise Refusal("this position no longer exists")
        return self.game.tree.nodes[number]

    def _viewer(self, page: Recipient, node: int) -> Viewer:
        # The viewer of a page; refuses a message about another node than its current one.
        self._node(node)
        viewer = self.viewers[page]
        if viewer.node != node:
            raise Refusal("the position has changed in the meantime")
        return viewer

    def _points(self, position: Position, places: list[int]) -> list[int]:
        points = position.lattice.points
        if any(place >= len(points) for place in places):
            raise Refusal(f"there are {len(points)} points")
        return [points[place] for place in places]

    def _store_value(self, node: int, report: Mapping[str, Any]) -> None:
        # Stores the value of the best move of an analysis as the value of its position.
        tree, line, values = self.game.tree, report["line"], report["values"]
        if node not in tree.nodes or not line or str(line[0]) not in values:
            return
        value, figures = values[str(line[0])], report["figures"]
        if self.game.position_at(node).side != BLACK:
            value = -value
        proved = "plies_to_win" in figures or "plies_to_loss" in figures
        before = tree.nodes[node].value
        if tree.set_value(node, value, PROVED if proved else figures.get("depth", 0)):
            self.keeper.changed()
            if value != before:
                self.broadcast(do="value", node=node, value=value)


def report_fault(task: "asyncio.Task[Any]") -> None:
    """Log the fault of a background task."""
    if not task.cancelled() and task.exception():
        logging.getLogger(__name__).error("internal error", exc_info=task.exception())
