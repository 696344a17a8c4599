"""Questions to the analyst of a game: analyses, hints, threats and proofs."""

from typing import Any, Callable, Collection, Mapping, Optional

from ...games.tree import GameTree
from ..fields import Refusal
from ..pipe import sent_position
from ..processes import ENGINES_BUSY, Child, Processes, TooMany
from ..viewer import Analysis, Viewer

ANALYSE = "analyse"
TURN = 5.0  # seconds of an analysis while another one is wanted
MOST_FOUND = 200  # analyses that are remembered
USUAL = Analysis("alphabeta", ())

Key = tuple[int, Analysis]  # the node and its analysis


class Question:
    """Something that the analyst is asked about a node.

    kind     analyse, hint, threats, solve or judge
    viewer   who waits for the answer; None for an analysis, which is for all that want it
    fields   what else there is to say to the analyst
    stopped  is it about to end?  The analyst has answered, or was asked to stop
    """

    def __init__(self, kind: str, node: int, viewer: Optional[Viewer] = None,
                 analysis: Analysis = USUAL, fields: Mapping[str, Any] = {}):
        self.kind, self.node, self.viewer, self.analysis = kind, node, viewer, analysis
        self.fields = fields
        self.stopped = False

    @property
    def key(self) -> Key:
        """What an analysis is remembered by."""
        return self.node, self.analysis


class Questions:
    """The questions of the pages of a game, which one process answers one after the other.

    Each is about the node that the page shows, and is dropped when the page leaves that node.
    Hints, threats and proofs come before analyses; analyses of several nodes take turns.

    viewers  the pages of the game
    learnt   called with a node and what an analysis says about it
    changed  called when a question has come to its end
    """

    def __init__(self, tree: GameTree, viewers: Collection[Viewer], processes: Processes,
                 learnt: Callable[[int, Mapping[str, Any]], None], changed: Callable[[], None]):
        self._tree, self._viewers, self._processes = tree, viewers, processes
        self._learnt, self._changed = learnt, changed
        self._analyst: Optional[Child] = None
        self._running: Optional[Question] = None
        self._waiting: list[Question] = []
        self._found: dict[Key, dict[str, Any]] = {}  # the last message of each analysis
        self._finished: set[Key] = set()
        self._last: Optional[Key] = None  # the analysis that had its turn
        self._request = 0

    @property
    def is_busy(self) -> bool:
        """Is there a process for them?"""
        return self._analyst is not None

    def ask(self, kind: str, viewer: Viewer, **fields: Any) -> None:
        """A page asks about its node, with these fields for the analyst.  Raises Refusal."""
        if any(each.kind == kind and each.viewer is viewer for each in self._open()):
            raise Refusal("this is already being analysed")
        self._waiting.append(Question(kind, viewer.node, viewer, fields=fields))

    def questions_of(self, viewer: Viewer) -> list[dict[str, Any]]:
        """The open questions of a page."""
        return [{"what": each.kind, "node": each.node} for each in self._open()
                if each.viewer is viewer]

    def stop(self, viewer: Viewer) -> None:
        """End the questions of a page; a running one is answered with its results so far.
        """
        self._waiting = [each for each in self._waiting if each.viewer is not viewer]
        if self._running and self._running.viewer is viewer:
            self._stop()

    def recall(self, viewer: Viewer) -> None:
        """Tell a page what the analysis that it wants has found about its node before."""
        if viewer.analysis and (found := self._found.get((viewer.node, viewer.analysis))):
            viewer.page.say(**found)

    def forget(self, node: int) -> None:
        """The position of a node is another one now."""
        for key in [key for key in self._found if key[0] == node]:
            del self._found[key]
        self._finished = {key for key in self._finished if key[0] != node}
        if self._running and self._running.node == node:
            self._stop()

    async def settle(self) -> None:
        """Let the analyst work on the current question."""
        self._waiting = [each for each in self._waiting if self._is_wanted(each)]
        running = self._running
        if running and (not self._is_wanted(running)
                        or running.kind == ANALYSE and self._waiting):
            self._stop()
        if running is None:
            await self._ask_next()

    def end(self) -> None:
        """End the process; open questions get no answer."""
        if self._analyst:
            self._analyst.end()
        self._analyst = self._running = None
        self._waiting = []

    def _open(self) -> list[Question]:
        return [*([self._running] if self._running else []), *self._waiting]

    def _is_wanted(self, question: Question) -> bool:
        if question.kind == ANALYSE:
            return question.key in self._analyses()
        viewer = question.viewer
        return viewer is not None and viewer in self._viewers and viewer.node == question.node

    def _analyses(self) -> list[Key]:
        # Those that are wanted, without those that have found all they can.
        wanted = dict.fromkeys((viewer.node, viewer.analysis) for viewer in self._viewers
                               if viewer.analysis)
        return [key for key in wanted if key not in self._finished]

    def _stop(self) -> None:
        assert self._running
        if self._analyst and not self._running.stopped:
            self._running.stopped = True
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
            if self._running is not question:  # all was ended meanwhile
                analyst.end()
                return
            self._analyst = analyst
        self._analyst.tell(
            do=question.kind, request=request,
            position=sent_position(self._tree.position(question.node)),
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
            if question.kind == ANALYSE and not question.stopped:
                self._finished.add(question.key)
            self._changed()
            return
        message = {"do": question.kind, "node": question.node,
                   **{key: value for key, value in message.items() if key != "request"}}
        if question.kind != ANALYSE:
            self._tell(question, **message)
            question.viewer, question.stopped = None, True  # it is answered, and ends by itself
        elif not question.stopped:
            self._analysed(question, message)

    def _analysed(self, question: Question, message: dict[str, Any]) -> None:
        before = self._found.get(question.key)
        if before is None or depth_of(message) >= depth_of(before):  # its turn has come again
            self._found.pop(question.key, None)
            self._found[question.key] = message
            if len(self._found) > MOST_FOUND:
                del self._found[next(iter(self._found))]
            self._tell(question, **message)
            self._learnt(question.node, message["report"])
        if message["seconds"] > TURN and len(self._analyses()) > 1:
            self._stop()

    def _tell(self, question: Question, **message: Any) -> None:
        # To who has asked, or to all that want the analysis.
        for viewer in self._viewers:
            if viewer is question.viewer or question.kind == ANALYSE and (
                    question.key == (viewer.node, viewer.analysis)):
                viewer.page.say(**message)

    def _died(self) -> None:
        self._analyst = None
        self._give_up("the analysis has stopped; start it anew")
        self._changed()

    def _give_up(self, text: str) -> None:
        # Ends all questions; the pages that wait receive the reason.
        questions_of = {each.viewer for each in self._open()}
        for viewer in self._viewers:
            if viewer.analysis or viewer in questions_of:
                viewer.analysis = None
                viewer.page.say(do="notice", text=text)
        self._running, self._waiting = None, []


def depth_of(message: Mapping[str, Any]) -> int:
    """How deep the search of an analysis has gone."""
    return int(message["report"]["figures"].get("depth", 0))
