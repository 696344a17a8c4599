"""Those who follow a lesson on a server that is only watched, and the moves that they guess.

Nothing about one of them is sent to the others: while a question is open they receive nothing,
and its answer is one text for all.
"""

import asyncio
import json
from collections import Counter
from typing import Any, Callable, Collection, Optional, Protocol

from ..fields import Refusal
from ..games import Game, Store
from ..viewer import Recipient
from .lesson import GUESSES, LESSON, LessonState, SharedFile, a_lesson, message_of, some_guesses
from .watched import Watched


class Follower(Recipient, Protocol):
    """A page that may follow a lesson.

    ticket  by which its guess is known if it comes again, "": it has none yet
    """

    ticket: str


class Audience:
    """The watchers of the lesson.

    state    the state of the lesson, None without one
    watched  the game as far as it is shown, with the pages that follow
    """

    def __init__(self, store: Store, game: Callable[[str], Game], pages: Collection[Follower]):
        """`game`: reads the game of that name, or raises Refusal."""
        folder = store.folder.parent
        self._file = SharedFile(folder / LESSON, a_lesson)
        self._counts_file = SharedFile(folder / GUESSES, some_guesses)
        self._store, self._game, self._pages = store, game, pages
        self.state: Optional[LessonState] = None
        self.watched: Optional[Watched] = None
        self._wanted: Optional[LessonState] = None
        self._source: Optional[Game] = None  # the whole game
        self._loaded: Any = None  # what of it is shown
        self._guesses: dict[str, int] = {}  # places by ticket
        self._written: Any = None

    def close(self) -> None:
        """End the lesson for its spectators."""
        self._counts_file.remove()

    def tell(self, page: Follower) -> None:
        """Send a page the state of the lesson; only spectators receive the question."""
        page.send(self._text(self.watched is not None and page in self.watched.viewers))

    def _text(self, follows: bool) -> str:
        state = self.state
        if state is None:
            return json.dumps({"do": "lesson", "id": None, "asked": None})
        question = state.question if follows else None
        return json.dumps({"do": "lesson", "id": state.lesson, "asked": question and message_of(
            question, [] if state.is_open else self._counted())}, separators=(",", ":"))

    def _counted(self) -> list[tuple[int, int]]:
        # The places that were guessed, the one that was guessed most first, and how often.
        return Counter(self._guesses.values()).most_common()

    # --- what pages do ------------------------------------------------------------------------

    def game_for(self, page: Follower, ticket: str) -> Watched:
        """The game that a page is to show which follows from now on.  Raises Refusal."""
        if self.watched is None:
            raise Refusal("there is no lesson now")
        if page.ticket not in ("", ticket):
            raise Refusal("the ticket of a page cannot change")
        page.ticket = ticket
        return self.watched

    def guess(self, page: Follower, number: int, place: int) -> None:
        """A page guesses the move that is asked for; its last guess counts.  Raises Refusal."""
        if self.state is None or self.watched is None or page not in self.watched.viewers:
            raise Refusal("only pages that follow the lesson can guess")
        question = self.state.question
        if question is None or question.number != number or question.answer is not None:
            raise Refusal("this question is closed")
        position = self.watched.game.position_at(question.node)
        points = position.lattice.points
        if place >= len(points):
            raise Refusal(f"there are {len(points)} points")
        complaint = position.complaint(position.side, points[place])
        if complaint:
            raise Refusal(complaint, place)
        self._guesses[page.ticket] = place
        page.say(do="guessed", number=number, point=place)

    # --- what the lesson shows ----------------------------------------------------------------

    async def look(self) -> None:
        """Show the changes of the lesson, and report the numbers of spectators and guesses.

        Raises OSError or ValueError.
        """
        data = await asyncio.to_thread(self._file.read)
        if data is None:
            self._end()
            return
        self._wanted = wanted = LessonState.of_data(data)
        try:
            if self.watched is None:
                self.watched = await asyncio.to_thread(Watched, self._load)
            else:
                await self.watched.refresh()
        except (KeyError, Refusal):  # the game is gone, or not written yet
            return
        self._show(wanted)
        await self._write()

    def _end(self) -> None:
        if self.state is None:
            return
        self.state = self.watched = self._source = self._loaded = None
        self._guesses, self._written = {}, None
        self._counts_file.remove()
        for page in [*self._pages]:
            self.tell(page)

    def _show(self, wanted: LessonState) -> None:
        # Shows the requested node; sends the pages the other changes.
        before, self.state = self.state, wanted
        question = wanted.question
        assert self.watched
        if wanted.is_open and (before is None or before.question != question):
            self._guesses = {}
            self.watched.gather()
        if before is None or before.lesson != wanted.lesson:
            for visitor in [*self._pages]:
                self.tell(visitor)
        elif before.question != question:
            text = self._text(True)
            for page in [*self.watched.viewers]:
                page.send(text)

    async def _write(self) -> None:
        assert self.state and self.watched
        number = self.state.question.number if self.state.question else 0
        counts = {"lesson": self.state.lesson, "number": number,
                "watchers": len(self.watched.viewers), "guesses": self._counted()}
        if counts != self._written:
            await asyncio.to_thread(self._counts_file.write, counts)
            self._written = counts

    def _load(self) -> Optional[Game]:
        # The game as far as it is to be shown; None if that is on the pages already.
        wanted = self._wanted
        assert wanted
        loaded = wanted.game, self._store.changed(wanted.game), wanted.node
        if loaded == self._loaded:
            return None
        if self._source is None or self._loaded is None or loaded[:2] != self._loaded[:2]:
            self._source = self._game(wanted.game)
        game, state = self._source.up_to(wanted.node), self.watched and self.watched.game
        self._loaded = loaded
        return None if state and state.data() == game.data() else game
