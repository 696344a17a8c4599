"""Messages about the moves and players of a game."""

from typing import Any, Mapping

from ....wire.declared import one_of, text
from ...fields import NODE, POINT, SEATS
from ...games import Seat
from ...lesson.watched import WatchedGame
from ..page import Command, Page


async def play(page: Page, point: int, node: int) -> None:
    """Play a move of a person."""
    await page.own().play(page, point, node)


async def goto(page: Page, node: int) -> None:
    """Show another position."""
    room = page.current()
    if isinstance(room, WatchedGame):
        room.goto(page, node)
    else:
        await room.goto(page, node)


async def opening(page: Page, action: str, node: int) -> None:
    """Take a step of the opening rule for a person."""
    await page.own().open(action, node)


async def undo(page: Page) -> None:
    """Take a move back."""
    await page.own().undo()


async def resign(page: Page) -> None:
    """Resign."""
    await page.own().resign()


async def now(page: Page) -> None:
    """Make the thinking player move at once."""
    page.own().move_now()


async def go_on(page: Page, playing: bool, node: int) -> None:
    """Continue from a node, with or without moves of programs."""
    await page.own().go_on(playing, node)


async def seats(page: Page, black: Seat, white: Seat, control: dict[str, Any]) -> None:
    """Change the players and the clock."""
    tree = page.own().game.tree
    await page.own().take_seats(page.check_seats(black, white, tree.rules, tree.size), control)


COMMANDS: Mapping[str, Command] = {
    "play": (play, {"point": POINT, "node": NODE}, False),
    "opening": (opening, {"action": text(200), "node": NODE}, False),
    "goto": (goto, {"node": NODE}, True),
    "undo": (undo, {}, False),
    "resign": (resign, {}, False),
    "now": (now, {}, False),
    "continue": (go_on, {"playing": one_of(False, True), "node": NODE}, False),
    "seats": (seats, SEATS, False),
}
