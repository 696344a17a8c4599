"""Messages that change the tree of a game: stones, comments, marks, variations."""

from typing import Mapping, Optional

from ....games.lattice import BLACK, WHITE
from ....games.tree import LONGEST_COMMENT, LONGEST_LABEL, MARKS
from ....wire.declared import one_of, text
from ...fields import ID, NODE, POINT, Refusal, some_stones
from ..page import Command, Page


async def set_up(page: Page, stones: list[tuple[int, int]], side: Optional[int], node: int) -> None:
    """Put stones on the board."""
    await page.own().set_up(page, stones, side, node)


async def comment(page: Page, id: str, node: int, text: str) -> None:
    """Set the comment of a position."""
    await page.own().comment(id, node, text)


async def mark(page: Page, id: str, node: int, kind: str, point: int, text: str = "") -> None:
    """Add a mark to a point, or remove the same mark."""
    await page.own().mark(id, node, kind, point, text, None)


async def arrow(page: Page, id: str, node: int, point: int, to: int) -> None:
    """Add an arrow, or remove the same arrow."""
    if point == to:
        raise Refusal("an arrow needs two different points")
    await page.own().mark(id, node, "", point, "", to)


async def wipe(page: Page, id: str, node: int) -> None:
    """Remove all marks and arrows of a position."""
    await page.own().wipe(id, node)


async def remove(page: Page, node: int) -> None:
    """Delete a variation."""
    await page.own().remove(page, node)


async def restore(page: Page, token: str) -> None:
    """Restore a deleted variation."""
    await page.own().restore(page, token)


async def promote(page: Page, node: int) -> None:
    """Make a variation the main line."""
    await page.own().promote(node)


COMMANDS: Mapping[str, Command] = {
    "setup": (set_up, {"stones": some_stones, "side": one_of(None, BLACK, WHITE),
                            "node": NODE}, False),
    "comment": (comment, {"id": ID, "node": NODE, "text": text(LONGEST_COMMENT)}, False),
    "mark": (mark, {"id": ID, "node": NODE, "kind": one_of(*MARKS), "point": POINT,
                         "text?": text(LONGEST_LABEL)}, False),
    "arrow": (arrow, {"id": ID, "node": NODE, "point": POINT, "to": POINT}, False),
    "wipe": (wipe, {"id": ID, "node": NODE}, False),
    "remove": (remove, {"node": NODE}, False),
    "restore": (restore, {"token": ID}, False),
    "promote": (promote, {"node": NODE}, False),
}
