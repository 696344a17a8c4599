"""A page and the position that it shows."""

from typing import Any, Mapping, NamedTuple, Optional, Protocol

from ..games.tree import GameTree


class Recipient(Protocol):
    """A page that takes messages."""

    def say(self, **message: Any) -> None:
        """Send it a message."""

    def send(self, text: str) -> None:
        """Send it a message that is a text already."""


class Analysis(NamedTuple):
    """An analysis that is wanted: the player, and its settings as names and texts."""

    player: str
    settings: tuple[tuple[str, str], ...]


class Viewer:
    """A page that shows a game, and the node that it shows.

    version   the version of the tree that the page has seen, 0: none
    analysis  the analysis that the page wants of its node, or None
    """

    def __init__(self, page: Recipient, node: int):
        self.page, self.node = page, node
        self.version = 0
        self.analysis: Optional[Analysis] = None

    def show(self, tree: GameTree, state: Mapping[str, Any]) -> None:
        """Send what the page has not seen of the tree, and the state of the game at its node."""
        if self.version != tree.version:
            whole, changed, removed = tree.changes(self.version)
            self.version = tree.version
            self.page.say(do="tree", whole=whole, removed=removed,
                          nodes=[tree.row_with_children(number) for number in changed])
        self.page.say(do="game", **state)
