"""The puzzles of a page: the choice of a puzzle, its judge, and the user's score."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any, Mapping, Optional

from ...games.lattice import BLACK, WHITE
from ...games.rules import Rules
from ...games.tree import Step, tree_of
from ...puzzles.puzzle import CLASSES, Puzzle, shipped_puzzles
from ...puzzles.score import Score
from ..fields import NO_CONTROL, Refusal
from ..games import PERSON, Game, layout
from ..processes import ENGINES_BUSY, Child, Processes, TooMany
from ..viewer import Recipient
from .puzzle_judge import PLAY

STOPPED = "the judge of the puzzle has stopped: take the next one"


class Puzzles:
    """The puzzles of a page, one at a time.

    number  the number of the displayed puzzle, from 1; 0 before the first one
    """

    def __init__(self, page: Recipient, processes: Processes, score: Path, rng: Random):
        """`score` is the path of the user's score."""
        self.number = 0
        self._page, self._processes, self._path, self._rng = page, processes, score, rng
        self._puzzle: Optional[Puzzle] = None
        self._game: Optional[Game] = None  # the position of the puzzle, and the moves after it
        self._judge: Optional[Child] = None
        self._is_waiting = False  # for an answer of the judge
        self._is_over = self._is_decided = False
        self._success = 1.0  # the largest possible success

    async def show(self, rules: Optional[Rules], kind: Optional[str], skip: bool) -> Rules:
        """Show the open puzzle from its beginning, or a new one; return its rules.

        rules, kind  the game and the class; None means any
        skip         whether to skip an open puzzle
        Chooses a new puzzle if the open one is decided or does not match.  Raises Refusal.
        """
        puzzles = await asyncio.to_thread(shipped_puzzles)
        matching = [puzzle for puzzle in puzzles
                    if rules in (None, puzzle.rules) and kind in (None, puzzle.kind)]
        if not matching:
            raise Refusal("there is no such puzzle")
        score = self._score()
        await self._begin()
        puzzle = self._puzzle
        if skip or self._is_decided or puzzle is None or puzzle not in matching:
            if puzzle is not None and not self._is_decided:
                score.streak = 0
            puzzle = score.next(matching, self._rng)
            self._save(score)
            self._puzzle, self._success, self._is_decided = puzzle, 1.0, False
        assert self._judge is not None
        self._judge.tell(do="begin", puzzle=puzzle.text(), success=self._success)
        self.number, self._is_waiting, self._is_over = self.number + 1, False, False
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
        """Play a move, or request a hint or the solution; the answer is a later message.

        Raises Refusal, also if `number` is not the displayed puzzle.
        """
        game, judge = self._game, self._judge
        if game is None or number != self.number:
            raise Refusal("this puzzle is no longer displayed")
        if judge is None:
            raise Refusal(STOPPED)
        if self._is_over:
            raise Refusal("the puzzle is over: take the next one")
        if self._is_waiting:
            raise Refusal("the last move is being checked")
        if what == PLAY:
            points, position = game.position.lattice.points, game.position
            if place >= len(points):
                raise Refusal(f"there are {len(points)} points")
            complaint = position.complaint(position.side, points[place])
            if complaint:
                raise Refusal(complaint, place)
        self._is_waiting = True
        judge.tell(do=what, number=number, place=place)

    def end(self) -> None:
        """End the judge; `show` can show the puzzle again."""
        if self._judge:
            self._judge.end()
        self._judge = None

    async def _begin(self) -> None:
        # Starts the judge unless it is running.  Raises Refusal.
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
        self._is_waiting, self._is_over = False, message["is_over"]
        self._success = message["success"]
        for place in message["moves"]:
            position = game.position
            game.live = game.tree.append(game.live, Step(
                move=(position.side, position.lattice.points[place])))
        change = {}
        if message["is_decided"] and not self._is_decided:
            self._is_decided = True
            try:
                change = self._record(puzzle)
            except Refusal as refusal:
                self._page.say(do="notice", text=str(refusal))
        self._page.say(do="attempt", game=game.state(game.live), **message, **change)

    def _died(self) -> None:
        self._judge = None
        self._page.say(do="refused", text=STOPPED, place=None, field=None)

    # --- the score ----------------------------------------------------------------------------

    def _record(self, puzzle: Puzzle) -> dict[str, Any]:
        # Updates the score; returns it with the gain of the rating.  Raises Refusal.
        score = self._score()
        before = round(score.rating)
        score.record(puzzle, self._success)
        self._save(score)
        return {"score": score_data(score), "gain": round(score.rating) - before}

    def _score(self) -> Score:
        try:
            return Score.read(self._path)
        except (OSError, ValueError) as error:
            raise Refusal(f"the score cannot be read: {error}") from None

    def _save(self, score: Score) -> None:
        try:
            score.write(self._path)
        except OSError as error:
            raise Refusal(f"the score cannot be saved: {error.strerror}") from None


def score_data(score: Score) -> dict[str, int]:
    """The score in the types of JSON, for pages."""
    return {"rating": round(score.rating), "streak": score.streak, "best": score.best,
            "solved": score.solved, "tried": score.tried}


def choices(puzzles: tuple[Puzzle, ...]) -> dict[str, list[str]]:
    """The available classes of puzzles, by game."""
    games: dict[str, set[str]] = {}
    for puzzle in puzzles:
        games.setdefault(puzzle.rules.name, set()).add(puzzle.kind)
    return {name: [kind for kind in CLASSES if kind in kinds] for name, kinds in games.items()}
