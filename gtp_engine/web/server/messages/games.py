"""Messages about the games of a user: list, begin, load, save, delete."""

import asyncio
import base64
import binascii
from typing import Any, Mapping, Optional

from ....games import catalogue
from ....games.lattice import BLACK, EMPTY, WHITE, Size, size_of
from ....games.opening_rules import RULES
from ....games.rules import Rules
from ....games.tree import MOST_NODES, ROOT, GameTree
from ....records.moves import moves_of
from ....records.reader import first, format_of, some_of
from ....records.record import Record
from ....records.sgf import sgf_of_tree
from ....wire.declared import a_size, one_of, text
from ....wire.notation import board_rows
from ...fields import ID, NO_CONTROL, NODE, NUMBER, SEATS, Refusal, a_game
from ...games import PERSON, PROGRAM, Game, Seat
from ...lesson.watched import WatchedGame
from ...openings import FREE, Opening
from ..page import FIRST_GAME, Command, Page

MOST_LISTED = 200  # games in a list
LONGEST_FILE = 1 << 20  # bytes of a file to load
FIRST_SEAT: Seat = {"player": "alphabeta", "settings": {"time": "1"}}
YOU: Seat = {"player": PERSON, "settings": {}}
STONES = {**dict.fromkeys("Xx#bB●", BLACK), **dict.fromkeys("OowW○", WHITE),
          **dict.fromkeys(".+-_*", EMPTY)}


async def list_games(page: Page, search: str) -> None:
    """List the games of the user that contain all words of `search`, the last changed first."""
    summaries, count = await asyncio.to_thread(page.site.index.games, search, MOST_LISTED)
    page.say(do="games", games=summaries, count=count, search=search)


async def start(page: Page) -> None:
    """Show the last changed game, or begin a first one."""
    for id in page.site.store.names():
        try:
            await page.open(id)
            return
        except Refusal:
            continue
    if page.site.watch_only:
        page.say(do="games", games=[], count=0, search="")
        return
    tree = GameTree(*FIRST_GAME)
    await page.enter_room(page.site.new_room(
        Game(tree, {BLACK: YOU, WHITE: FIRST_SEAT}, dict(NO_CONTROL))))


async def open(page: Page, id: str, node: Optional[int] = None) -> None:
    """Show a game, at a node or at its live node."""
    await page.open(id, node)


async def new(page: Page, game: Rules, size: Size, black: Seat, white: Seat,
              control: dict[str, Any], opening: str = FREE) -> None:
    """Begin a game, with an opening rule if `opening` names one."""
    try:
        tree = GameTree(game, size)
    except ValueError as error:
        raise Refusal(str(error), field="size") from None
    seats = page.check_seats(black, white, game, tree.size)
    try:
        agreed = None if opening == FREE else Opening(opening, game, size)
    except ValueError as error:
        raise Refusal(str(error), field="opening") from None
    if agreed and any(seat["player"] == PROGRAM for seat in seats.values()):
        raise Refusal("external programs do not support opening rules", field="opening")
    await page.enter_room(page.site.new_room(Game(tree, seats, control, opening=agreed)))


async def discard(page: Page, id: str) -> None:
    """Delete a game."""
    room = page.site.rooms.get(id)
    if room:
        await room.discard()
        page.site.rooms.pop(id, None)
        for each in page.site.pages:
            if each.room is room:
                each.room = None
    else:
        try:
            await asyncio.to_thread(page.site.store.remove, id)
        except OSError as error:
            raise Refusal(f"the game cannot be deleted: {error.strerror}") from None
    await list_games(page, "")


async def load(page: Page, data: str) -> None:
    """Add the first game of a file to the games, and show it; `data` is the file in base64."""
    try:
        await _begin_with(page, base64.b64decode(data, validate=True))
    except (ValueError, binascii.Error) as error:
        raise Refusal(f"the file cannot be read: {error}") from None


async def paste(page: Page, text: str) -> None:
    """Add a game from moves such as h8i9h7, or from a position as rows of X, O and dots."""
    if format_of(text.encode()):
        try:
            await _begin_with(page, text.encode())
        except ValueError as error:
            raise Refusal(str(error)) from None
        return
    rows = [[STONES[symbol] for symbol in line if symbol in STONES]
            for line in map(without_labels, text.splitlines())]
    rows = [row for row in rows if len(row) > 2]
    if len({len(row) for row in rows}) != 1:
        raise Refusal("expected moves such as h8i9h7, or rows of X, O and .")
    size = size_of(len(rows[0]), len(rows))
    rules, _ = page.rules_and_size()
    try:
        tree = GameTree(rules, size)
    except ValueError:
        try:
            tree = GameTree(catalogue.GOMOKU, size)
        except ValueError as error:
            raise Refusal(str(error)) from None
    rules = tree.rules
    game = Game(tree, {BLACK: YOU, WHITE: YOU}, dict(NO_CONTROL))
    lattice = game.position.lattice
    stones = []
    for point in lattice.points:
        column, row = lattice.display_place(point)
        if rows[len(rows) - 1 - row][column] != EMPTY:
            stones.append((rows[len(rows) - 1 - row][column], point))
    black = sum(colour == BLACK for colour, _ in stones)
    first = rules.first
    moved = black > len(stones) - black if first == BLACK else len(stones) - black > black
    if stones:
        game.live = game.set_up(ROOT, stones, BLACK + WHITE - first if moved else first,
                                change=False)
    game.playing = False
    await page.enter_room(page.site.new_room(game))


async def _begin_with(page: Page, content: bytes) -> None:
    # Adds the first game of a file and shows it.  Raises ValueError.
    rules, size = page.rules_and_size()
    await _begin_with_record(page, await asyncio.to_thread(first, content, rules, size, quiet=True))


async def _begin_with_record(page: Page, record: Record) -> None:
    # Adds a game of a file and shows it.  Raises ValueError.
    tree = record.tree
    if len(tree.nodes) > MOST_NODES:
        raise ValueError(f"it has {len(tree.nodes)} positions; a board shows at most {MOST_NODES}")
    tree.most = MOST_NODES
    game = Game(tree, {BLACK: YOU, WHITE: YOU}, dict(NO_CONTROL))
    game.live, game.playing = tree.line(ROOT)[-1], False
    await page.enter_room(page.site.new_room(game))
    if record.notes:
        page.say(do="notice", text="; ".join(some_of(record.notes)))


async def open_collected(page: Page, collection: int, id: int) -> None:
    """Add a game of a collection to the games, and show it."""
    try:
        await _begin_with_record(page, await asyncio.to_thread(page.site.archive.record,
                                                               collection, id))
    except ValueError as error:
        raise Refusal(f"the game cannot be opened: {error}") from None


async def copy(page: Page, node: int) -> None:
    """Send a position as a drawing, and its moves if only moves led there."""
    tree = page.current().game.tree
    if node not in tree.nodes:
        raise Refusal("this position no longer exists")
    position = tree.position(node)
    page.say(do="copied", rows=board_rows(position.lattice, position.cells),
             moves=moves_of(tree, tree.path(node)[1:]) or "")


async def save(page: Page) -> None:
    """Send the game as SGF."""
    game = page.current().game
    page.send_file("", await asyncio.to_thread(sgf_of_tree, game.tree, game.properties()))


async def take(page: Page, node: int) -> None:
    """Copy a watched game into the games of the user, with `node` as its live node."""
    if not isinstance(page.current(), WatchedGame):
        raise Refusal("this game is yours already")
    watched = page.current().game
    if node not in watched.tree.nodes:
        raise Refusal("this position no longer exists")
    tree = await asyncio.to_thread(GameTree.of_data, watched.tree.data())
    game = Game(tree, {BLACK: YOU, WHITE: YOU}, dict(NO_CONTROL))
    game.tree.info = {**watched.names(), **game.tree.info}
    game.live, game.playing, game.result = node, False, watched.result
    await page.enter_room(page.site.new_room(game))


def without_labels(line: str) -> str:
    """A row of a drawn board without row numbers; "" for the row of column letters."""
    words = line.strip().strip("0123456789 |")
    return "" if set(words) - set(STONES) - {" "} else words


COMMANDS: Mapping[str, Command] = {
    "games": (list_games, {"search": text(200)}, True),
    "start": (start, {}, True),
    "open": (open, {"id": ID, "node?": NODE}, True),
    "new": (new, {"game": a_game, "size": a_size,
                       "opening?": one_of(FREE, *RULES), **SEATS}, False),
    "discard": (discard, {"id": ID}, False),
    "load": (load, {"data": text(4 * LONGEST_FILE // 3 + 4)}, False),
    "paste": (paste, {"text": text(10_000)}, False),
    "open_collected": (open_collected, {"collection": NUMBER, "id": NUMBER}, False),
    "copy": (copy, {"node": NODE}, True),
    "save": (save, {}, True),
    "take": (take, {"node": NODE}, False),
}
