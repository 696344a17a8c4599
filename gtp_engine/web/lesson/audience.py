"""The spectators of a lesson on a watch-only server, and their guesses.

Spectators receive nothing about each other.  While a question is open they receive no guesses, and
the answer is the same message for all.
"""

import asyncio
import json
from collections import Counter
from typing import Any, Callable, Collection, Optional, Protocol

from ..fields import Refusal
from ..games import Game, Store
from ..viewer import Recipient
from .lesson import GUESSES, LESSON, LessonState, SharedFile, a_lesson, message_of, some_guesses
from .watched import WatchedGame


class Follower(Recipient, Protocol):
    """A page that can follow a lesson.

    ticket  identifies the guess of the page after a new connection; "" without a ticket
    """

    ticket: str


class Audience:
    """The spectators of the lesson.

    state        the state of the lesson, None without one
    shared_game  the game up to the current node, with the pages that follow
    """

    def __init__(self, store: Store, game: Callable[[str], Game], pages: Collection[Follower]):
        """`game` reads a game by its id, or raises Refusal."""
        folder = store.folder.parent
        self._file = SharedFile(folder / LESSON, a_lesson)
        self._counts_file = SharedFile(folder / GUESSES, some_guesses)
        self._store, self._game, self._pages = store, game, pages
        self.state: Optional[LessonState] = None
        self.shared_game: Optional[WatchedGame] = None
        self._next_state: Optional[LessonState] = None  # while `look` loads its game
        self._source: Optional[Game] = None  # the whole game
        self._version: Any = None  # the game, its time of change, and the node on the pages
        self._guesses: dict[str, int] = {}  # places by ticket
        self._written: Any = None

    def close(self) -> None:
        """End the lesson for its spectators."""
        self._counts_file.remove()

    def tell(self, page: Follower) -> None:
        """Send a page the state of the lesson; only spectators receive the question."""
        page.send(self._text(self.shared_game is not None and page in self.shared_game.viewers))

    def _text(self, follows: bool) -> str:
        state = self.state
        if state is None:
            return json.dumps({"do": "lesson", "id": None, "asked": None})
        question = state.question if follows else None
        return json.dumps({"do": "lesson", "id": state.lesson, "asked": question and message_of(
            question, [] if state.is_open else self._guess_counts())}, separators=(",", ":"))

    def _guess_counts(self) -> list[tuple[int, int]]:
        # The guessed places with their counts, the most frequent first.
        return Counter(self._guesses.values()).most_common()

    # --- actions of pages ---------------------------------------------------------------------

    def game_for(self, page: Follower, ticket: str) -> WatchedGame:
        """The game of the lesson, for a page with this ticket.  Raises Refusal."""
        if self.shared_game is None:
            raise Refusal("there is no lesson now")
        if page.ticket not in ("", ticket):
            raise Refusal("the ticket of a page cannot change")
        page.ticket = ticket
        return self.shared_game

    def guess(self, page: Follower, number: int, place: int) -> None:
        """Store the guess of a page; its last guess counts.  Raises Refusal."""
        if self.state is None or self.shared_game is None or page not in self.shared_game.viewers:
            raise Refusal("only pages that follow the lesson can guess")
        question = self.state.question
        if question is None or question.number != number or question.answer is not None:
            raise Refusal("this question is closed")
        position = self.shared_game.game.position_at(question.node)
        points = position.lattice.points
        if place >= len(points):
            raise Refusal(f"there are {len(points)} points")
        complaint = position.complaint(position.side, points[place])
        if complaint:
            raise Refusal(complaint, place)
        self._guesses[page.ticket] = place
        page.say(do="guessed", number=number, point=place)

    # --- changes of the lesson ----------------------------------------------------------------

    async def look(self) -> None:
        """Show the changes of the lesson, and report the numbers of spectators and guesses.

        Raises OSError or ValueError.
        """
        data = await asyncio.to_thread(self._file.read)
        if data is None:
            self._end()
            return
        self._next_state = state = LessonState.of_data(data)
        try:
            if self.shared_game is None:
                self.shared_game = await asyncio.to_thread(WatchedGame, self._load)
            else:
                await self.shared_game.refresh()
        except (KeyError, Refusal):  # the game is deleted, or not yet saved
            return
        self._show(state)
        await self._write()

    def _end(self) -> None:
        if self.state is None:
            return
        self.state = self.shared_game = self._source = self._version = None
        self._guesses, self._written = {}, None
        self._counts_file.remove()
        for page in [*self._pages]:
            self.tell(page)

    def _show(self, state: LessonState) -> None:
        # Takes over a new state, and sends its changes to the pages.
        before, self.state = self.state, state
        question = state.question
        assert self.shared_game
        if state.is_open and (before is None or before.question != question):
            self._guesses = {}
            self.shared_game.gather()
        if before is None or before.lesson != state.lesson:
            for visitor in [*self._pages]:
                self.tell(visitor)
        elif before.question != question:
            text = self._text(True)
            for page in [*self.shared_game.viewers]:
                page.send(text)

    async def _write(self) -> None:
        assert self.state and self.shared_game
        number = self.state.question.number if self.state.question else 0
        counts = {"lesson": self.state.lesson, "number": number,
                "watchers": len(self.shared_game.viewers), "guesses": self._guess_counts()}
        if counts != self._written:
            await asyncio.to_thread(self._counts_file.write, counts)
            self._written = counts

    def _load(self) -> Optional[Game]:
        # The game up to the node of the lesson; None if the pages have that.
        state = self._next_state
        assert state
        version = state.game, self._store.changed(state.game), state.node
        if version == self._version:
            return None
        if self._source is None or self._version is None or version[:2] != self._version[:2]:
            self._source = self._game(state.game)
        game, current = self._source.up_to(state.node), self.shared_game and self.shared_game.game
        self._version = version
        return None if current and current.data() == game.data() else game
