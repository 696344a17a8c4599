"""The certificate of a Gomoku proof, written from the tree of the proof.

`players/proofs/gomoku` describes the short file.  The long file has one line of JSON per entry:
[moves, move, entries, whole, answers, other].  `entries` are the answers with an entry of their
own.  `answers` and `other` are the winning trees after all other answers.  A tree is
[move, {answer: tree}, other]; the last two are optional.
"""

from concurrent.futures import Executor
from pathlib import Path
from typing import Callable, Iterable, Iterator, Mapping, NamedTuple, Optional, Sequence

from ...kernels.plane.proof_file import ELSEWHERE, END, OPEN, THREATS
from ...players.proofs.gomoku import NO_STONE, packed
from ...wire.files import write_file
from .attacks import Plan, position_after
from .lines import Moves, line_of, text
from .questions import Line, Refutation, refute
from .tree import Branch, Node, Tree
from .work import EntryFile

BATCH = 16  # entries per task of a worker


class Entry(NamedTuple):
    """A position of the certificate.

    moves    the moves that lead to it
    move     Black's move
    answers  the answers with an entry of their own: True if it follows, False if it is elsewhere
    whole    does Black win after all other answers?
    plans    the winning plan by other answer; becomes an entry if the search finds no threats
    other    the winning plan after a pass, if threats do not win
    """

    moves: Moves
    move: int
    answers: dict[int, bool]
    whole: bool
    plans: Mapping[int, Optional[Plan]] = {}
    other: Optional[Plan] = None


class Certificate:
    """The entries of a tree after an opening, each before the entries after its answers.

    lines  the entries by the moves that lead to them
    """

    def __init__(self, tree: Tree, opening: Moves):
        self.tree, self.lines = tree, dict[Moves, Entry]()
        self._with_entry: dict[Node, bool] = {}
        self._visited: set[int] = set()
        start = tree.find(opening)
        last = start is not None and self._needs_entry(start)
        for ply in range(0, len(opening), 2):
            moves, after = opening[:ply], opening[ply + 1:ply + 2]
            if after:
                follows = dict.fromkeys(after, True) if last or ply + 2 < len(opening) else {}
                self.lines[moves] = Entry(moves, opening[ply], follows, False)
            else:
                whole = all(not node.pn for _, node in self._answered(opening))
                self._follow(Entry(moves, opening[ply], {}, whole), dict(self._answered(opening)))
        if start and last:
            self._add(opening, start)

    def _answered(self, opening: Moves) -> Iterator[tuple[int, Node]]:
        # All answers to the last move of an opening, with their nodes.
        for answer in position_after(()).lattice.points:
            if answer not in opening:
                yield answer, self._node((*opening, answer))

    def _node(self, moves: Moves) -> Node:
        node = self.tree.find(moves)
        assert node is not None
        return node

    def _add(self, moves: Moves, node: Node) -> None:
        # Add the entry of a node that these moves reach, and the entries below it.
        image = self.tree.image(node, moves)
        plan = _turned(node.plan, image)
        if plan:
            self._add_plan(moves, plan)
            return
        branch = self._branch(node)
        assert branch is not None
        move = image[branch.point]
        answers = [image[answer] for answer in branch.answers]
        self._follow(Entry(moves, move, {}, not node.pn, {}, _turned(branch.other, image)),
                     {answer: self._node((*moves, move, answer)) for answer in answers})

    def _follow(self, line: Entry, answers: dict[int, Node]) -> None:
        self.lines[line.moves] = line
        for answer, node in answers.items():
            after = (*line.moves, line.move, answer)
            if self._needs_entry(node):
                line.answers[answer] = self._is_new(after)
                if line.answers[answer]:
                    self._add(after, node)

    def _add_plan(self, moves: Moves, plan: Plan) -> None:
        self.lines[moves] = Entry(moves, plan.move, {}, True, plan.answers, plan.other)

    def _add_answer(self, line: Entry, answer: int, plan: Plan) -> None:
        after = (*line.moves, line.move, answer)
        line.answers[answer] = self._is_new(after)
        if line.answers[answer]:
            self._add_plan(after, plan)

    def _is_new(self, moves: Moves) -> bool:
        # Is this the first entry of the position?  Marks the position as visited.
        key = min(self.tree.hashes(moves))
        is_new = key not in self._visited
        self._visited.add(key)
        return is_new

    def _branch(self, node: Node) -> Optional[Branch]:
        # The winning move, or else the move with the smallest proof number.
        if not node.pn:
            return node.winner
        return min((branch for branch in node.branches if not branch.lost),
                   key=lambda branch: branch.pn, default=None)

    def _needs_entry(self, node: Node) -> bool:
        # Does the proof have a plan or a proved move for the node or below, not only threats?
        if node not in self._with_entry:
            branch = self._branch(node)
            self._with_entry[node] = node.plan is not None or branch is not None and (
                not node.pn or any(map(self._needs_entry, branch.open)))
        return self._with_entry[node]

    def refutations(self, pool: Executor, entry_file: EntryFile, report: Callable[[int, int], None]
                    ) -> Iterator[tuple[Entry, Optional[Refutation]]]:
        """Yield the entries in order; each whole entry has the wins after its other answers.

        Adds entries for plans where the search finds no win by threats.  Reuses the results of the
        entry file, and stores new results there.  Calls `report` after each entry, with its number
        and the current number of entries.
        """
        done = 0
        while done < len(self.lines):
            lines = [*self.lines.values()][done:]
            questions = {line.moves: Line((*line.moves, line.move), tuple(line.answers), line.plans,
                                      line.other) for line in lines if line.whole}
            keys = {moves: entry_file.key(line) for moves, line in questions.items()}
            new = [line for moves, line in questions.items() if keys[moves] not in entry_file]
            results = pool.map(refute, new, chunksize=BATCH)
            for line in lines:
                refutation = None
                if line.whole:
                    key = keys[line.moves]
                    if key in entry_file:
                        refutation = entry_file[key]
                    else:
                        refutation = next(results)
                        entry_file.add(key, refutation)
                    for answer, plan in refutation.plans.items():
                        self._add_answer(line, answer, plan)
                done += 1
                report(done, len(self.lines))
                yield line, refutation

    def plies(self, longest: dict[Moves, int]) -> dict[Moves, int]:
        """Compute the plies of each entry from the longest win after its other answers."""
        plies: dict[Moves, int] = {}
        keys = {moves: min(self.tree.hashes(moves)) for moves in self.lines}
        by_key: dict[int, int] = {}
        for moves, line in sorted(self.lines.items(), key=lambda item: -len(item[0])):
            below = [by_key[min(self.tree.hashes((*moves, line.move, answer)))]
                     for answer in line.answers]
            whole = line.whole and all(below)
            plies[moves] = by_key[keys[moves]] = whole and 1 + max(
                [longest[moves], *(1 + each for each in below)])
        return plies

    def stream(self, plies: dict[Moves, int], plans: dict[Moves, tuple[Moves, Moves]],
               moves: Moves = ()) -> Iterator[int]:
        """Yield an entry and the entries below it as numbers of the proof file.

        `plans` maps an entry to the answers that threats refute, and to the numbers after a pass.
        """
        line, number = self.lines[moves], self.tree.number
        yield from (number[line.move], plies[moves])
        for answer, follows in line.answers.items():
            yield number[answer]
            if follows:
                yield from self.stream(plies, plans, (*moves, line.move, answer))
            else:
                yield ELSEWHERE
        refuted, other = plans.get(moves, ((), ()))
        if other and plies[moves]:
            for answer in refuted:
                yield from (number[answer], THREATS)
            yield from (NO_STONE, *other)
        yield END if plies[moves] else OPEN


def _turned(plan: Optional[Plan], image: Sequence[int]) -> Optional[Plan]:
    # The image of a plan under a symmetry.
    return plan and Plan(image[plan.move], {
        image[answer]: _turned(after, image) for answer, after in plan.answers.items()},
                         _turned(plan.other, image))


def write(certificate: Certificate, refutations: Iterable[tuple[Entry, Optional[Refutation]]],
          output: Path, long: Optional[Path]) -> int:
    """Write the short file, and the long file if it has a path.

    Returns the plies to the end, or 0 if the proof is incomplete.  Raises OSError.
    """
    longest, plans = dict[Moves, int](), dict[Moves, tuple[Moves, Moves]]()

    def lines() -> Iterator[str]:
        for line, wins in refutations:
            longest[line.moves] = wins.plies if wins else 0
            if wins and wins.numbers:
                plans[line.moves] = wins.refuted, wins.numbers
            yield line_of([text(line.moves), text([line.move]), text([*line.answers]), line.whole,
                           *((wins.answers, wins.other) if wins else ({}, None))])

    if long:
        write_file(long, lines())
    else:
        for _ in lines():
            pass
    plies = certificate.plies(longest)
    write_file(output, packed(list(certificate.stream(plies, plans))))
    return plies[()]
