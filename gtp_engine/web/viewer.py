"""A page with its current position in a game."""

from typing import Any, Mapping, NamedTuple, Optional, Protocol

from ..games.tree import GameTree


class Recipient(Protocol):
    """A page that receives messages."""

    def say(self, **message: Any) -> None:
        """Send a message with these fields."""

    def send(self, text: str) -> None:
        """Send a message in its encoded form."""


class Analysis(NamedTuple):
    """A request for an analysis: the player, and its settings as names and texts."""

    player: str
    settings: tuple[tuple[str, str], ...]


class Viewer:
    """A page that shows a node of a game.

    version   the version of the tree on the page, 0 without one
    analysis  the analysis of the node that the page requests, or None
    """

    def __init__(self, page: Recipient, node: int):
        self.page, self.node = page, node
        self.version = 0
        self.analysis: Optional[Analysis] = None

    def show(self, tree: GameTree, state: Mapping[str, Any]) -> None:
        """Send the changes of the tree since `version`, and the state of the game at the node."""
        if self.version != tree.version:
            whole, changed, removed = tree.changes(self.version)
            self.version = tree.version
            self.page.say(do="tree", whole=whole, removed=removed,
                          nodes=[tree.row_with_children(number) for number in changed])
        self.page.say(do="game", **state)
