"""A game that pages cannot change: from a tournament, or on a watch-only server."""

import asyncio
import json
from typing import Any, Callable, Optional

from ..fields import Refusal
from ..games import Game, layout
from ..viewer import Recipient, Viewer

Rows = dict[int, dict[str, Any]]


class WatchedGame:
    """A game that pages can only watch; all of them share the loaded tree.

    load     returns the current game, or None if it has not changed since the last call
    viewers  the pages that show the game
    """

    def __init__(self, load: Callable[[], Optional[Game]]):
        game = load()
        assert game is not None
        self.game, self._load = game, load
        self.viewers: dict[Recipient, Viewer] = {}
        self._rows, self._version = rows_of(game), 1

    def enter(self, page: Recipient, node: Optional[int] = None) -> None:
        """Register a page, at `node` or at the live node, and send it the game."""
        earlier = node is not None and node in self._rows
        self.viewers[page] = Viewer(page, node if earlier and node is not None else self.game.live)
        page.say(do="layout", **layout(self.game))
        self._show([self.viewers[page]])

    def leave(self, page: Recipient) -> None:
        """Remove a page."""
        self.viewers.pop(page, None)

    def goto(self, page: Recipient, node: int) -> None:
        """Show another node on a page.  Raises Refusal."""
        if node not in self._rows:
            raise Refusal("this position does not exist")
        self.viewers[page].node = node
        self._show([self.viewers[page]])

    def gather(self) -> None:
        """Move all pages to the live node."""
        elsewhere = [viewer for viewer in self.viewers.values() if viewer.node != self.game.live]
        for viewer in elsewhere:
            viewer.node = self.game.live
        self._show(elsewhere)

    async def refresh(self) -> None:
        """Load the game again, and send its changes; pages at the live node follow it.

        Raises the exceptions of `load`.
        """
        before, now = self.game, await asyncio.to_thread(self._load)
        if now is None:
            return
        self.game = now
        rows, earlier = rows_of(now), self._rows
        if now.id != before.id:
            for viewer in self.viewers.values():
                viewer.node, viewer.version = now.live, 0
                viewer.page.say(do="layout", **layout(now))
        changes = tree_message(
            False, [row for number, row in rows.items() if row != earlier.get(number)],
            [number for number in earlier if number not in rows])
        for viewer in self.viewers.values():
            if viewer.node == before.live or viewer.node not in rows:
                viewer.node = now.live
            if viewer.version == self._version:
                viewer.page.send(changes)
                viewer.version += 1
        self._rows, self._version = rows, self._version + 1
        self._show([*self.viewers.values()])

    def _show(self, viewers: list[Viewer]) -> None:
        # Encodes each message once for all pages.
        states: dict[int, str] = {}
        for viewer in viewers:
            if viewer.version != self._version:
                viewer.page.send(tree_message(True, [*self._rows.values()], []))
                viewer.version = self._version
            if viewer.node not in states:
                states[viewer.node] = json.dumps(self._state(viewer.node))
            viewer.page.send(states[viewer.node])

    def _state(self, node: int) -> dict[str, Any]:
        state = self.game.state(node)
        names = self.game.names()
        seats = {colour: {"player": seat["player"], "name": names[colour]}
                 for colour, seat in state["seats"].items()}  # commands are private
        return {"do": "game", **state, "playing": False, "going_on": False, "seats": seats,
                "waiting": None, "analysing": False, "watching": True, "running": None,
                "elapsed": 0.0, "asked": []}


def rows_of(game: Game) -> Rows:
    """The nodes of a game by number, in the types of JSON."""
    return {number: game.tree.row_with_children(number) for number in game.tree.nodes}


def tree_message(whole: bool, nodes: list[dict[str, Any]], removed: list[int]) -> str:
    """A message with changes of the tree, or with the whole tree."""
    return json.dumps({"do": "tree", "whole": whole, "nodes": nodes, "removed": removed})
