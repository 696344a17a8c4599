"""Messages about lessons and tournaments."""

from typing import Mapping

from ....wire.declared import a_name, one_of
from ...fields import NUMBER, POINT, Refusal
from ...lesson.audience import Audience
from ...lesson.lesson import ACTS, Lesson
from ..page import Command, Page


async def lesson(page: Page, what: str) -> None:
    """Begin, end or change a lesson, see lesson.ACTS."""
    assert isinstance(page.site.lesson, Lesson)
    await page.site.lesson.act(page, what)


async def follow(page: Page, ticket: str) -> None:
    """Follow the lesson."""
    audience = _audience(page)
    page.watch_game(audience.game_for(page, ticket))
    audience.tell(page)


async def guess(page: Page, number: int, point: int) -> None:
    """Guess the next move, the answer to the question of the lesson."""
    _audience(page).guess(page, number, point)


def _audience(page: Page) -> Audience:
    if not isinstance(page.site.lesson, Audience):
        raise Refusal("lessons can only be followed on a server with --watch-only")
    return page.site.lesson


async def watch(page: Page, tournament: int) -> None:
    """Show a tournament and send its changes."""
    if tournament >= len(page.site.tournaments):
        raise Refusal("there is no such tournament")
    await page.watch_tournament(page.site.tournaments[tournament])


async def unwatch(page: Page) -> None:
    """Stop showing a tournament."""
    page.tournament = None


async def replay(page: Page, tournament: int, game: int) -> None:
    """Show a game of a tournament."""
    if tournament >= len(page.site.tournaments):
        raise Refusal("there is no such tournament")
    await page.site.tournaments[tournament].look()
    try:
        watched = await page.site.played_game(tournament, game)
    except KeyError:
        raise Refusal("there is no such game") from None
    page.watch_game(watched)


COMMANDS: Mapping[str, Command] = {
    "lesson": (lesson, {"what": one_of(*ACTS)}, False),
    "follow": (follow, {"ticket": a_name(16)}, True),
    "guess": (guess, {"number": NUMBER, "point": POINT}, True),
    "watch": (watch, {"tournament": NUMBER}, True),
    "unwatch": (unwatch, {}, True),
    "replay": (replay, {"tournament": NUMBER, "game": NUMBER}, True),
}
