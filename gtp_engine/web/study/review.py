"""The review of an open game: a process computes it, all pages of the game show it."""

from typing import Any, Callable, Iterable, Mapping, Optional

from ...games.tree import GameTree, Step
from ...learn.analysis import Effort
from ...learn.annotate import sgf_of_review
from ...learn.review import DEEPER, NO_MOVE, Review
from ..fields import Refusal
from ..processes import ENGINES_BUSY, Child, Processes, TooMany
from ..viewer import Recipient
from .judged import move_of_row, points_of

EFFORTS = {"quick": Effort(0.1), "usual": Effort(0.5), "thorough": Effort(2.0)}
RUNNING, PAUSED, STOPPED, FINISHED = "running", "paused", "stopped", "finished"
Row = dict[str, Any]


class GameReview:
    """The current review of one line of a game.

    A change of a position of that line discards the review.

    status  RUNNING, PAUSED, FINISHED, STOPPED if its process has ended early, or None without a
            review
    """

    def __init__(self, tree: GameTree, processes: Processes,
                 broadcast: Callable[..., None]):
        """`broadcast` sends the fields of a message to all pages of the game."""
        self._tree, self._processes, self._broadcast = tree, processes, broadcast
        self._child: Optional[Child] = None
        self._number = 0  # starts and ends of processes; identifies messages of earlier ones
        self._line: list[int] = []
        self._steps: list[Step] = []
        self._forget(None)

    def _forget(self, status: Optional[str], effort: str = "usual") -> None:
        self.status, self._effort = status, effort
        self._rows: dict[int, Row] = {}  # by ply
        self._rest: dict[str, Any] = {"done": 0, "of": 0, "is_deeper": False, "moments": [],
                                      "accuracy": [None, None], "counts": [{}, {}], "text": ""}

    # --- for pages ----------------------------------------------------------------------------

    def tell(self, page: Recipient) -> None:
        """Send a page the whole review, if there is one."""
        if self.status:
            page.say(**self._message([*self._rows.values()], is_whole=True))

    async def begin(self, node: int, effort: str) -> None:
        """Begin to review the line through a node.  Raises Refusal."""
        line = self._tree.line(node)
        if not any(self._tree.nodes[each].step.move for each in line):
            raise Refusal(NO_MOVE)
        self.end()
        self._line, self._steps = line, self._tree.steps(line[-1])
        self._forget(RUNNING, effort)
        self._tell_all()
        await self._start()

    async def go_on(self) -> None:
        """Continue a paused review, restart a stopped one.  Raises Refusal."""
        if self.status == STOPPED:
            await self.begin(self._line[-1], self._effort)
        elif self.status == PAUSED:
            self._become(RUNNING)
            self._tell_child("resume")

    def pause(self) -> None:
        """Pause a running review; searches that have begun still end."""
        if self.status == RUNNING:
            self._become(PAUSED)
            self._tell_child("pause")

    def end(self) -> None:
        """End the process; its results stay."""
        self._number += 1
        if self._child:
            self._child.end()
        self._child = None
        if self.status in (RUNNING, PAUSED):
            self._become(STOPPED)

    def check(self) -> None:
        """Discard the review if its line has changed; call this after each change of the game."""
        last = self._line[-1] if self._line else None
        if self.status and (last not in self._tree.nodes
                            or self._tree.path(last) != self._line
                            or self._tree.steps(last) != self._steps):
            self.end()
            self._forget(None)
            self._tell_all()

    def fault(self, ply: int) -> tuple[int, Row, dict[str, Any]]:
        """The node before a fault, the row of the fault, and the effort to judge other moves.

        Raises Refusal if the move of the ply is no fault.
        """
        row = self._rows.get(ply)
        if not row or not row["is_fault"]:
            raise Refusal("the review has no mistake there")
        parent = self._tree.nodes[row["node"]].parent
        assert parent is not None
        return parent, row, EFFORTS[self._effort].times(DEEPER)._asdict()

    def sgf(self, properties: Mapping[str, str]) -> bytes:
        """The reviewed game as SGF.  Raises Refusal without a review."""
        if not self._rows:
            raise Refusal("there is no review yet")
        points = points_of(self._tree.position(self._line[0]))
        moves = [move_of_row({**row, "at": row["node"]}, points)
                 for _, row in sorted(self._rows.items())]
        try:
            return sgf_of_review(Review(self._tree, moves), properties)
        except ValueError as error:
            raise Refusal(str(error)) from None

    # --- the process --------------------------------------------------------------------------

    async def _start(self) -> None:
        self._number += 1
        number = self._number
        try:
            child = await self._processes.start(
                "study.reviewer", lambda message: self._on_message(number, message),
                lambda: self._died(number))
        except TooMany:
            self._become(STOPPED, ENGINES_BUSY)
            return
        if number != self._number:  # `end` was called during the start
            child.end()
            return
        self._child = child
        tree, last = GameTree(self._tree.rules, self._tree.size), 0
        for step in self._steps:
            last = tree.append(last, step)
        child.tell(tree=tree.data(), effort=EFFORTS[self._effort]._asdict())
        if self.status == PAUSED:
            self._tell_child("pause")

    def _on_message(self, number: int, message: Mapping[str, Any]) -> None:
        if number != self._number:  # of an earlier process
            return
        if "rows" in message:
            rows = [{**row, "node": self._line[row["at"]]} for row in message["rows"]]
            self._rows.update((row["ply"], row) for row in rows)
            self._rest.update({key: message[key] for key in self._rest if key in message})
            self._tell_all(rows)
            return
        self._become(FINISHED if message.get("finished") else STOPPED, message.get("failed", ""))
        self.end()

    def _died(self, number: int) -> None:
        if number == self._number:
            self._child = None
            self._become(STOPPED, "the review has stopped")

    def _tell_child(self, what: str) -> None:
        if self._child:
            self._child.tell(do=what)

    def _become(self, status: str, text: str = "") -> None:
        self.status, self._rest["text"] = status, text
        self._tell_all([])

    def _tell_all(self, rows: Optional[Iterable[Row]] = None) -> None:
        # Sends these rows to all pages, or the whole review without rows.
        self._broadcast(**self._message([] if rows is None else rows, is_whole=rows is None))

    def _message(self, rows: Iterable[Row], is_whole: bool) -> dict[str, Any]:
        return {"do": "review", "status": self.status, "effort": self._effort, "whole": is_whole,
                "rows": [*rows], **self._rest}
