"""The puzzles that a page shows: chosen here, judged by a process, counted in the user's score."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any, Mapping, Optional

from ...games.lattice import BLACK, WHITE
from ...games.rules import Rules
from ...games.tree import Step, tree_of
from ...puzzles.puzzle import CLASSES, Puzzle, shipped
from ...puzzles.score import Score
from ..fields import NO_CONTROL, Refusal
from ..games import PERSON, Game, layout
from ..processes import ENGINES_BUSY, Child, Processes, TooMany
from ..viewer import Recipient
from .puzzle_judge import PLAY

STOPPED = "the judge of the puzzle has stopped: take the next one"


class Puzzles:
    """The puzzles of a page, one after the other.

    number  of the one that is shown; 0: none was
    """

    def __init__(self, page: Recipient, processes: Processes, score: Path, rng: Random):
        """`score`: the file of the user's score."""
        self.number = 0
        self._page, self._processes, self._path, self._rng = page, processes, score, rng
        self._puzzle: Optional[Puzzle] = None
        self._game: Optional[Game] = None  # its position, and the moves from there
        self._judge: Optional[Child] = None
        self._is_asked = False  # has the judge not answered yet?
        self._is_over = self._is_decided = False
        self._success = 1.0  # how it counts at most

    async def show(self, rules: Optional[Rules], kind: Optional[str], skip: bool) -> Rules:
        """Show the puzzle that is open from its beginning, or another one if there is none, if it
        is not of this game and class (None: any), or if it is skipped; the game that it is of.

        Raises Refusal.
        """
        puzzles = await asyncio.to_thread(shipped)
        wanted = [puzzle for puzzle in puzzles
                  if rules in (None, puzzle.rules) and kind in (None, puzzle.kind)]
        if not wanted:
            raise Refusal("there is no such puzzle")
        score = self._score()
        await self._begin()
        puzzle = self._puzzle
        if skip or self._is_decided or puzzle is None or puzzle not in wanted:
            if puzzle is not None and not self._is_decided:
                score.streak = 0
            puzzle = score.next(wanted, self._rng)
            self._keep(score)
            self._puzzle, self._success, self._is_decided = puzzle, 1.0, False
        assert self._judge is not None
        self._judge.tell(do="begin", puzzle=puzzle.text(), success=self._success)
        self.number, self._is_asked, self._is_over = self.number + 1, False, False
        tree, person = tree_of(puzzle.position()), {"player": PERSON, "settings": {}}
        self._game = Game(tree, {BLACK: person, WHITE: person}, dict(NO_CONTROL))
        self._game.live, self._game.playing = max(tree.nodes), False
        self._page.say(
            do="puzzle", number=self.number, layout=layout(self._game),
            game=self._game.state(self._game.live), kind=puzzle.kind,
            moves=(puzzle.plies + 1) // 2, grade=puzzle.grade, rating=puzzle.rating,
            score=score_data(score), choices=choices(puzzles))
        return puzzle.rules

    def ask(self, number: int, what: str, place: int) -> None:
        """A move, a hint or the solution of the puzzle of that number; the answer comes later.

        Raises Refusal.
        """
        game, judge = self._game, self._judge
        if game is None or number != self.number:
            raise Refusal("this puzzle is no longer displayed")
        if judge is None:
            raise Refusal(STOPPED)
        if self._is_over:
            raise Refusal("the puzzle is over: take the next one")
        if self._is_asked:
            raise Refusal("the last move is being checked")
        if what == PLAY:
            points, position = game.position.lattice.points, game.position
            if place >= len(points):
                raise Refusal(f"there are {len(points)} points")
            complaint = position.complaint(position.side, points[place])
            if complaint:
                raise Refusal(complaint, place)
        self._is_asked = True
        judge.tell(do=what, number=number, place=place)

    def end(self) -> None:
        """The process ends; the puzzle can be shown again."""
        if self._judge:
            self._judge.end()
        self._judge = None

    async def _begin(self) -> None:
        # Start the judge unless there is one.  Raises Refusal.
        if self._judge is None:
            try:
                self._judge = await self._processes.start(
                    "study.puzzle_judge", self._on_message, self._died)
            except TooMany:
                raise Refusal(ENGINES_BUSY) from None

    def _on_message(self, message: Mapping[str, Any]) -> None:
        game, puzzle = self._game, self._puzzle
        if game is None or puzzle is None or message["number"] != self.number:
            return
        self._is_asked, self._is_over = False, message["is_over"]
        self._success = message["success"]
        for place in message["moves"]:
            position = game.position
            game.live = game.tree.append(game.live, Step(
                move=(position.side, position.lattice.points[place])))
        scored = {}
        if message["is_decided"] and not self._is_decided:
            self._is_decided = True
            try:
                scored = self._note(puzzle)
            except Refusal as refusal:
                self._page.say(do="notice", text=str(refusal))
        self._page.say(do="attempt", game=game.state(game.live), **message, **scored)

    def _died(self) -> None:
        self._judge = None
        self._page.say(do="refused", text=STOPPED, place=None, field=None)

    # --- the score ----------------------------------------------------------------------------

    def _note(self, puzzle: Puzzle) -> dict[str, Any]:
        # The score with this puzzle, and what its rating has gained.  Raises Refusal.
        score = self._score()
        before = round(score.rating)
        score.record(puzzle, self._success)
        self._keep(score)
        return {"score": score_data(score), "gain": round(score.rating) - before}

    def _score(self) -> Score:
        try:
            return Score.read(self._path)
        except (OSError, ValueError) as error:
            raise Refusal(f"the score cannot be read: {error}") from None

    def _keep(self, score: Score) -> None:
        try:
            score.write(self._path)
        except OSError as error:
            raise Refusal(f"the score cannot be saved: {error.strerror}") from None


def score_data(score: Score) -> dict[str, int]:
    """What pages show of a score."""
    return {"rating": round(score.rating), "streak": score.streak, "best": score.best,
            "solved": score.solved, "tried": score.tried}


def choices(puzzles: tuple[Puzzle, ...]) -> dict[str, list[str]]:
    """By game the classes of which there are puzzles."""
    found: dict[str, set[str]] = {}
    for puzzle in puzzles:
        found.setdefault(puzzle.rules.name, set()).add(puzzle.kind)
    return {name: [kind for kind in CLASSES if kind in kinds] for name, kinds in found.items()}
