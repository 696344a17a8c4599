"""Requests to the analyst of a game: analyses, hints, threats and proofs."""

from typing import Any, Callable, Collection, Mapping, Optional

from ...games.tree import GameTree
from ..fields import Refusal
from ..pipe import data_of_position
from ..processes import ENGINES_BUSY, Child, Processes, TooMany
from ..viewer import Analysis, Viewer

ANALYSE = "analyse"
TURN = 5.0  # seconds of an analysis while others wait
MOST_RESULTS = 200  # stored results of analyses
USUAL = Analysis("alphabeta", ())

Key = tuple[int, Analysis]  # the node and its analysis


class Question:
    """A question to the analyst about a node.

    kind       analyse, hint, threats, solve or judge
    viewer     the viewer that waits for the answer; None for an analysis, which viewers share
    fields     further fields of the request
    is_ending  whether the question is about to end: after the answer, or after a stop
    """

    def __init__(self, kind: str, node: int, viewer: Optional[Viewer] = None,
                 analysis: Analysis = USUAL, fields: Mapping[str, Any] = {}):
        self.kind, self.node, self.viewer, self.analysis = kind, node, viewer, analysis
        self.fields = fields
        self.is_ending = False

    @property
    def key(self) -> Key:
        """The key of the stored results of an analysis."""
        return self.node, self.analysis


class Questions:
    """The questions of the pages of a game; one process answers them one at a time.

    A question is about the node of its page, and ends when the page leaves that node.  Hints,
    threats and proofs come before analyses; analyses of several nodes take turns.

    viewers      the pages of the game
    on_analysis  callback for a node and the search info of its analysis
    changed      callback at the end of a question
    """

    def __init__(self, tree: GameTree, viewers: Collection[Viewer], processes: Processes,
                 on_analysis: Callable[[int, Mapping[str, Any]], None],
                 changed: Callable[[], None]):
        self._tree, self._viewers, self._processes = tree, viewers, processes
        self._on_analysis, self._changed = on_analysis, changed
        self._analyst: Optional[Child] = None
        self._running: Optional[Question] = None
        self._waiting: list[Question] = []
        self._results: dict[Key, dict[str, Any]] = {}  # the deepest message of each analysis
        self._finished: set[Key] = set()
        self._last: Optional[Key] = None  # the last analysis to take its turn
        self._request = 0

    @property
    def is_busy(self) -> bool:
        """Whether the process of the analyst is running."""
        return self._analyst is not None

    def ask(self, kind: str, viewer: Viewer, **fields: Any) -> None:
        """Add a question about the node of a page, with these fields.  Raises Refusal."""
        if any(each.kind == kind and each.viewer is viewer for each in self._open()):
            raise Refusal("this is already being analysed")
        self._waiting.append(Question(kind, viewer.node, viewer, fields=fields))

    def questions_of(self, viewer: Viewer) -> list[dict[str, Any]]:
        """The open questions of a page."""
        return [{"what": each.kind, "node": each.node} for each in self._open()
                if each.viewer is viewer]

    def stop(self, viewer: Viewer) -> None:
        """End the questions of a page; a running one gets the results so far."""
        self._waiting = [each for each in self._waiting if each.viewer is not viewer]
        if self._running and self._running.viewer is viewer:
            self._stop()

    def recall(self, viewer: Viewer) -> None:
        """Send a page the stored result of its analysis, if there is one."""
        if viewer.analysis and (result := self._results.get((viewer.node, viewer.analysis))):
            viewer.page.say(**result)

    def forget(self, node: int) -> None:
        """Discard the results for a node after a change of its position."""
        for key in [key for key in self._results if key[0] == node]:
            del self._results[key]
        self._finished = {key for key in self._finished if key[0] != node}
        if self._running and self._running.node == node:
            self._stop()

    async def settle(self) -> None:
        """Drop obsolete questions, and start the next one if none is running."""
        self._waiting = [each for each in self._waiting if self._is_current(each)]
        running = self._running
        if running and (not self._is_current(running)
                        or running.kind == ANALYSE and self._waiting):
            self._stop()
        if running is None:
            await self._ask_next()

    def end(self) -> None:
        """End the process; open questions remain without an answer."""
        if self._analyst:
            self._analyst.end()
        self._analyst = self._running = None
        self._waiting = []

    def _open(self) -> list[Question]:
        return [*([self._running] if self._running else []), *self._waiting]

    def _is_current(self, question: Question) -> bool:
        if question.kind == ANALYSE:
            return question.key in self._analyses()
        viewer = question.viewer
        return viewer is not None and viewer in self._viewers and viewer.node == question.node

    def _analyses(self) -> list[Key]:
        # The unfinished analyses that pages request.
        requests = dict.fromkeys((viewer.node, viewer.analysis) for viewer in self._viewers
                                 if viewer.analysis)
        return [key for key in requests if key not in self._finished]

    def _stop(self) -> None:
        assert self._running
        if self._analyst and not self._running.is_ending:
            self._running.is_ending = True
            self._analyst.tell(do="stop")

    async def _ask_next(self) -> None:
        if self._waiting:
            question = self._waiting.pop(0)
        else:
            keys = self._analyses()
            if not keys:
                return
            after = keys.index(self._last) + 1 if self._last in keys else 0
            node, analysis = self._last = keys[after % len(keys)]
            question = Question(ANALYSE, node, None, analysis)
        self._request += 1
        request = self._request
        self._running = question
        if self._analyst is None:
            try:
                analyst = await self._processes.start("study.analyst", self._on_message, self._died)
            except TooMany:
                self._give_up(ENGINES_BUSY)
                return
            if self._running is not question:  # `end` was called during the start
                analyst.end()
                return
            self._analyst = analyst
        self._analyst.tell(
            do=question.kind, request=request,
            position=data_of_position(self._tree.position(question.node)),
            player=question.analysis.player, settings=dict(question.analysis.settings),
            **question.fields)

    def _on_message(self, message: Mapping[str, Any]) -> None:
        question = self._running
        if question is None or message["request"] != self._request:
            return
        if message.get("done"):
            self._running = None
            if "error" in message:
                self._tell(question, do="notice", text=f"{question.kind}: {message['error']}")
            if question.kind == ANALYSE and not question.is_ending:
                self._finished.add(question.key)
            self._changed()
            return
        message = {"do": question.kind, "node": question.node,
                   **{key: value for key, value in message.items() if key != "request"}}
        if question.kind != ANALYSE:
            self._tell(question, **message)
            question.viewer, question.is_ending = None, True  # it needs no stop
        elif not question.is_ending:
            self._on_search_info(question, message)

    def _on_search_info(self, question: Question, message: dict[str, Any]) -> None:
        # A new turn begins with a search of lower depth than the stored result.
        before = self._results.get(question.key)
        if before is None or depth_of(message) >= depth_of(before):
            self._results.pop(question.key, None)
            self._results[question.key] = message
            if len(self._results) > MOST_RESULTS:
                del self._results[next(iter(self._results))]
            self._tell(question, **message)
            self._on_analysis(question.node, message["report"])
        if message["seconds"] > TURN and len(self._analyses()) > 1:
            self._stop()

    def _tell(self, question: Question, **message: Any) -> None:
        # Sends a message to the viewer of the question, or to all viewers of the analysis.
        for viewer in self._viewers:
            if viewer is question.viewer or question.kind == ANALYSE and (
                    question.key == (viewer.node, viewer.analysis)):
                viewer.page.say(**message)

    def _died(self) -> None:
        self._analyst = None
        self._give_up("the analysis has stopped; start it anew")
        self._changed()

    def _give_up(self, text: str) -> None:
        # Ends all questions, and sends the reason to the pages that wait.
        waiting_viewers = {each.viewer for each in self._open()}
        for viewer in self._viewers:
            if viewer.analysis or viewer in waiting_viewers:
                viewer.analysis = None
                viewer.page.say(do="notice", text=text)
        self._running, self._waiting = None, []


def depth_of(message: Mapping[str, Any]) -> int:
    """The depth of the search of an analysis; 0 for a player without depth."""
    return int(message["report"]["figures"].get("depth", 0))
