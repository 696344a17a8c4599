"""Messages about analysis, reviews, proofs and puzzles."""

import asyncio
from typing import Mapping, Optional

from ....games import catalogue
from ....players.registry import PLAYERS
from ....puzzles.puzzle import CLASSES
from ....wire.declared import one_of, text
from ...fields import NODE, NUMBER, POINT, Refusal, check_settings, settings_field
from ...study import proved as gomoku
from ...study.puzzle_judge import REQUESTS
from ...study.review import EFFORTS
from ...viewer import Analysis
from ..page import Command, Page


async def analyse(page: Page, player: Optional[str], settings: Mapping[str, str]) -> None:
    """Analyse the position on the page; without a player, end the analysis."""
    analysis = None
    if player is not None:
        analysis = Analysis(player, tuple(sorted(check_settings(player, settings).items())))
    await page.own().analyse(page, analysis)


async def ask(page: Page, what: str, node: int) -> None:
    """Request a hint, the threats or a proof."""
    await page.own().ask(page, what, node)


async def explore(page: Page, node: int) -> None:
    """Send the answers of stored games to a position."""
    game = page.current().game
    if node not in game.tree.nodes:
        raise Refusal("this position no longer exists")
    page.say(do="explored", node=node, **await page.site.explorer.answers(game, node))


async def collected(page: Page, node: int, words: str, skip: int) -> None:
    """Send games of the collections that reach a position and contain all words."""
    game = page.current().game
    if node not in game.tree.nodes:
        raise Refusal("this position no longer exists")
    games, count = await asyncio.to_thread(page.site.archive.search,
                                           game.position_at(node).copy(), words, skip)
    page.say(do="collected", node=node, search=words, skip=skip, games=games, count=count)


async def proved(page: Page, node: int) -> None:
    """Send the result of a proof of Gomoku for a position."""
    game = page.current().game
    if node not in game.tree.nodes:
        raise Refusal("this position no longer exists")
    position = game.position_at(node).copy()
    page.say(do="proved", node=node, says=await asyncio.to_thread(gomoku.proof_data, position))


async def stop(page: Page) -> None:
    """End a running proof."""
    await page.own().stop(page)


async def review(page: Page, node: int, effort: str) -> None:
    """Review the line of moves through a node."""
    await page.own().begin_review(node, effort)


async def pause_review(page: Page, paused: bool) -> None:
    """Pause or continue the review."""
    review = page.own().review
    if paused:
        review.pause()
    else:
        await review.go_on()


async def save_review(page: Page) -> None:
    """Send the reviewed game as SGF."""
    room = page.own()
    data = await asyncio.to_thread(room.review.sgf, room.game.properties())
    page.send_file("reviewed", data)


async def judge(page: Page, ply: int, point: int) -> None:
    """Judge a move as an alternative to a mistake of the game."""
    await page.own().judge(page, ply, point)


async def puzzle(page: Page, game: str, kind: str, skip: bool) -> None:
    """Show a puzzle of a game and a class; "" means any."""
    rules = await page.puzzles.show(catalogue.GAMES.get(game), kind or None, skip)
    page.site.preparation.begin(rules)


async def attempt(page: Page, number: int, what: str, point: int = 0) -> None:
    """Play a move of a puzzle, or request its hint or solution."""
    page.puzzles.ask(number, what, point)


COMMANDS: Mapping[str, Command] = {
    "analyse": (analyse, {"player": one_of(None, *PLAYERS), "settings": settings_field}, False),
    "ask": (ask, {"what": one_of("hint", "threats", "solve"), "node": NODE}, False),
    "explore": (explore, {"node": NODE}, True),
    "collected": (collected, {"node": NODE, "words": text(100), "skip": NUMBER}, True),
    "proved": (proved, {"node": NODE}, True),
    "stop": (stop, {}, False),
    "review": (review, {"node": NODE, "effort": one_of(*EFFORTS)}, False),
    "pause_review": (pause_review, {"paused": one_of(False, True)}, False),
    "save_review": (save_review, {}, False),
    "judge": (judge, {"ply": NUMBER, "point": POINT}, False),
    "puzzle": (puzzle, {"game": one_of("", *catalogue.GAMES), "kind": one_of("", *CLASSES),
                             "skip": one_of(False, True)}, False),
    "attempt": (attempt, {"number": NUMBER, "what": one_of(*REQUESTS), "point?": POINT}, False),
}
