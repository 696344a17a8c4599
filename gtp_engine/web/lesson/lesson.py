"""A lesson: the teacher's page shows positions to the spectators, and asks for moves.

The user's server and the watch-only server are two processes, with two files beside the folder of
the games.  The user's server writes lesson.json.  The watch-only server writes guesses.json, see
audience.py.  Each one polls the file of the other.
"""

import asyncio
import json
from pathlib import Path
from secrets import token_hex
from typing import Any, Awaitable, Callable, Collection, Mapping, NamedTuple, Optional, Protocol

from ...games.tree import ROOT, GameTree
from ...wire.declared import Kind, maybe, parsed, row, some, table, text, whole
from ...wire.files import read_at_most, remove_file, write_file
from ..fields import MOST_POINTS, Refusal
from ..game.room import Room
from ..viewer import Recipient

LESSON, GUESSES = "lesson.json", "guesses.json"
LOOK_SECONDS = 0.25  # the polling interval
LONGEST_FILE = 1 << 16  # bytes
NUMBER = whole(10**9)
POINT = whole(MOST_POINTS - 1)
a_lesson = table({
    "lesson": text(16), "game": text(16), "node": whole(least=ROOT), "asked": maybe(table({
        "number": NUMBER, "game": text(16), "node": whole(least=ROOT), "answer": maybe(POINT)}))})
some_guesses = table({"lesson": text(16), "number": NUMBER, "watchers": NUMBER,
                      "guesses": some(row(POINT, NUMBER), MOST_POINTS)})


class Leader(Recipient, Protocol):
    """A page of the user, which can be the teacher's page."""

    room: Any

    async def open(self, id: str, node: Optional[int] = None) -> None:
        """Show a game at a node."""


class Question(NamedTuple):
    """A question for the next move at a node of a game.

    number  the number in the lesson, from 1
    answer  the place of the next move, None while the question is open
    """

    number: int
    game: str
    node: int
    answer: Optional[int] = None


class LessonState(NamedTuple):
    """The state of a lesson: a node of a game, and the current or last question."""

    lesson: str
    game: str
    node: int
    question: Optional[Question] = None

    @property
    def is_open(self) -> bool:
        """Whether a question is open for guesses."""
        return self.question is not None and self.question.answer is None

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> "LessonState":
        """The inverse of `data`."""
        return cls(data["lesson"], data["game"], data["node"],
                   data["asked"] and Question(**data["asked"]))

    def data(self) -> dict[str, Any]:
        """The state in the types of JSON, for the file."""
        return {"lesson": self.lesson, "game": self.game, "node": self.node,
                "asked": self.question and self.question._asdict()}


class SharedFile:
    """A file of JSON with data from one server for another; it may be missing."""

    def __init__(self, path: Path, kind: Kind):
        self._path, self._kind = path, kind

    def write(self, data: Mapping[str, Any]) -> None:
        """Write the file.  Raises OSError."""
        write_file(self._path, json.dumps(data))

    def remove(self) -> None:
        """Delete the file."""
        remove_file(self._path)

    def read(self) -> Any:
        """Read the file; None if it is missing.  Raises OSError, ValueError if it is damaged."""
        try:
            return self._kind("", parsed(read_at_most(self._path, LONGEST_FILE)))
        except FileNotFoundError:
            return None


class Lesson:
    """The lesson of a user's server; it ends with the server at the latest.

    The spectators follow the teacher's page.  While a question is open, they stay at its position.

    state   the state of the lesson, None without one
    leader  the teacher's page; None after it has closed, then the lesson stays at its position
    """

    def __init__(self, folder: Path, pages: Collection[Leader],
                 open_room: Callable[[str], Awaitable[Room]]):
        self._file = SharedFile(folder / LESSON, a_lesson)
        self._guesses = SharedFile(folder / GUESSES, some_guesses)
        self._pages, self._open_room = pages, open_room
        self.state: Optional[LessonState] = None
        self.leader: Optional[Leader] = None
        self._questions = 0  # questions so far
        self._lock = asyncio.Lock()
        self._written: Optional[LessonState] = None
        self._guess_data: Optional[dict[str, Any]] = None
        self._sent: Any = None
        self.close()

    def close(self) -> None:
        """End the lesson: delete its file."""
        self._file.remove()

    async def act(self, page: Leader, what: str) -> None:
        """Run one of ACTS for a page.  Raises Refusal."""
        before = self.state, self.leader
        await ACTS[what](self, page)
        try:
            await self._write()
        except OSError as error:
            self.state, self.leader = before
            raise Refusal(f"the spectators cannot be reached: {error.strerror}") from None
        self._tell()

    async def lead(self, page: Leader) -> None:
        """Make a page the teacher's page; begin a lesson if there is none.  Raises Refusal."""
        if self.state is None:
            self.state, self._questions = LessonState(token_hex(8), *position_of(page)), 0
        self.leader = page

    async def end(self, page: Leader) -> None:
        """End the lesson."""
        self.state = self.leader = None

    async def ask(self, page: Leader) -> None:
        """Ask for the next move at the position of a page, which becomes the teacher's page.

        Raises Refusal.
        """
        game, node = position_of(page)
        if self.state and self.state.is_open:
            raise Refusal("show the move of the open question first")
        if page.room.game.over_at(node):
            raise Refusal("the game is over")
        await self.lead(page)
        assert self.state
        self._questions += 1
        self.state = self.state._replace(game=game, node=node,
                                         question=Question(self._questions, game, node))

    async def show(self, page: Leader) -> None:
        """Answer the open question with the next move of the game, and show it on the page.

        The page becomes the teacher's page.  Raises Refusal.
        """
        question = self._open_question()
        room = await self._open_room(question.game)
        if question.node not in room.game.tree.nodes:
            raise Refusal("this position no longer exists")
        answer = next_move(room.game.tree, question.node)
        if answer is None:
            raise Refusal("play the move at that position first, then show it")
        if page.room is room:
            await room.goto(page, question.node)
        else:
            await page.open(question.game, question.node)
        if self.state is None or self.state.question != question:
            raise Refusal("no question is open")  # another page has answered it
        self.leader = page
        self.state = self.state._replace(question=question._replace(answer=answer))

    async def withdraw(self, page: Leader) -> None:
        """Withdraw the open question.  Raises Refusal."""
        self._open_question()
        assert self.state
        self.state = self.state._replace(question=None)

    def _open_question(self) -> Question:
        if self.state is None or self.state.question is None or not self.state.is_open:
            raise Refusal("no question is open")
        return self.state.question

    async def look(self) -> None:
        """Follow the teacher's page, and send the pages the numbers of spectators and guesses.

        Raises OSError or ValueError.
        """
        if self.state is None:
            return
        if self.leader not in self._pages:
            self.leader = None
        if self.leader and not self.state.is_open and isinstance(self.leader.room, Room):
            game, node = position_of(self.leader)
            self.state = self.state._replace(game=game, node=node)
        await self._write()
        self._guess_data = await asyncio.to_thread(self._guesses.read)
        self._tell()

    async def _write(self) -> None:
        async with self._lock:
            state = self.state
            if state == self._written:
                return
            if state:
                await asyncio.to_thread(self._file.write, state.data())
            else:
                self._file.remove()
            self._written = state

    def _tell(self) -> None:
        # Sends all pages the changes.
        current = self._state(), self.leader
        if current != self._sent:
            self._sent = current
            for page in [*self._pages]:
                self.tell(page)

    def tell(self, page: Leader) -> None:
        """Send a page the state of the lesson."""
        page.say(do="lesson", **self._state(), leads=page is self.leader,
                 led=self.leader is not None)

    def _state(self) -> dict[str, Any]:
        if self.state is None:
            return {"id": None, "asked": None}
        question, data = self.state.question, self._guess_data
        if data and data["lesson"] != self.state.lesson:
            data = None  # from another lesson
        is_current = data and question and data["number"] == question.number
        guesses = data["guesses"] if data and is_current else []
        return {"id": self.state.lesson, "watchers": data and data["watchers"],
                "asked": question and message_of(question, guesses)}


ACTS: Mapping[str, Callable[[Lesson, Leader], Awaitable[None]]] = {
    "lead": Lesson.lead, "ask": Lesson.ask, "show": Lesson.show, "withdraw": Lesson.withdraw,
    "end": Lesson.end}


def message_of(question: Question, guesses: list[tuple[int, int]]) -> dict[str, Any]:
    """A question in the types of JSON, with the number of guesses.

    The distribution of the guesses is only included after the answer.
    """
    return {**question._asdict(), "count": sum(count for _, count in guesses),
            "guesses": [] if question.answer is None else guesses}


def position_of(page: Leader) -> tuple[str, int]:
    """The id of the game and the node that a page shows.  Raises Refusal."""
    if not isinstance(page.room, Room):
        raise Refusal("open a game of your own first")
    return page.room.game.id, page.room.viewers[page].node


def next_move(tree: GameTree, node: int) -> Optional[int]:
    """The place of the next move after a node on its main line, or None."""
    for child in tree.nodes[node].children:
        _, place = tree.row(child).get("move", (None, -1))
        if place >= 0:
            return int(place)
    return None
