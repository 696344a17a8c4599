"""The certificate of the proved part of Gomoku, from the tree of the proof.

The short file is that of `players/gomoku_proof`.  The long one has a line of JSON for each entry:
[moves, move, entries, whole, answers, other], where `entries` are the answers with an entry of
their own, and `answers` and `other` what follows the other ones: trees that win, as
[move, {answer: tree}, other], of which the last two may be left out.
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

BATCH = 16  # entries that a worker gets at a time


class Entry(NamedTuple):
    """Black's move after these moves, and the answers with an entry of their own.

    answers  by answer, does its entry follow?  Otherwise it stands elsewhere.
    whole    does Black win after all others?
    plans    by other answer the plan that wins; it gets an entry if threats are not found to win
    other    the plan that wins after a pass, if threats do not
    """

    moves: Moves
    move: int
    answers: dict[int, bool]
    whole: bool
    plans: Mapping[int, Optional[Plan]] = {}
    other: Optional[Plan] = None


class Certificate:
    """The entries that follow from a tree after an opening, each before those after its answers.

    lines  by the moves that lead there
    """

    def __init__(self, tree: Tree, opening: Moves):
        self.tree, self.lines = tree, dict[Moves, Entry]()
        self._worth: dict[Node, bool] = {}
        self._visited: set[int] = set()
        start = tree.find(opening)
        last = start is not None and self._is_worth(start)
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
        # All answers to the last move of an opening.
        for answer in position_after(()).lattice.points:
            if answer not in opening:
                yield answer, self._node((*opening, answer))

    def _node(self, moves: Moves) -> Node:
        node = self.tree.find(moves)
        assert node is not None
        return node

    def _add(self, moves: Moves, node: Node) -> None:
        # Add the entry of a position that these moves lead to, and those below it.
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
            if self._is_worth(node):
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
        # Was there no entry of this position yet?
        key = min(self.tree.hashes(moves))
        is_new = key not in self._visited
        self._visited.add(key)
        return is_new

    def _branch(self, node: Node) -> Optional[Branch]:
        # The move that wins, or else the one that comes nearest to that.
        if not node.pn:
            return node.winner
        return min((branch for branch in node.branches if not branch.lost),
                   key=lambda branch: branch.pn, default=None)

    def _is_worth(self, node: Node) -> bool:
        # Is there anything to say of a position, but that threats win, or may do?
        if node not in self._worth:
            branch = self._branch(node)
            self._worth[node] = node.plan is not None or branch is not None and (
                not node.pn or any(map(self._is_worth, branch.open)))
        return self._worth[node]

    def refutations(self, pool: Executor, entry_file: EntryFile, report: Callable[[int, int], None]
                    ) -> Iterator[tuple[Entry, Optional[Refutation]]]:
        """The entries, in order, each with the wins after the other answers if it is whole.

        Entries of plans are added where the search finds no win by threats.  Stored results are not
        searched again, and new results are stored.  `report` is called after each entry, with its
        number and the number of all entries so far.
        """
        done = 0
        while done < len(self.lines):
            lines = [*self.lines.values()][done:]
            questions = {line.moves: Line((*line.moves, line.move), tuple(line.answers), line.plans,
                                      line.other) for line in lines if line.whole}
            keys = {moves: entry_file.key(line) for moves, line in questions.items()}
            new = [line for moves, line in questions.items() if keys[moves] not in entry_file]
            found = pool.map(refute, new, chunksize=BATCH)
            for line in lines:
                refutation = None
                if line.whole:
                    key = keys[line.moves]
                    if key in entry_file:
                        refutation = entry_file[key]
                    else:
                        refutation = next(found)
                        entry_file.add(key, refutation)
                    for answer, plan in refutation.plans.items():
                        self._add_answer(line, answer, plan)
                done += 1
                report(done, len(self.lines))
                yield line, refutation

    def plies(self, longest: dict[Moves, int]) -> dict[Moves, int]:
        """The plies of each entry, from those of the longest win after its other answers."""
        found: dict[Moves, int] = {}
        keys = {moves: min(self.tree.hashes(moves)) for moves in self.lines}
        by_key: dict[int, int] = {}
        for moves, line in sorted(self.lines.items(), key=lambda item: -len(item[0])):
            below = [by_key[min(self.tree.hashes((*moves, line.move, answer)))]
                     for answer in line.answers]
            whole = line.whole and all(below)
            found[moves] = by_key[keys[moves]] = whole and 1 + max(
                [longest[moves], *(1 + plies for plies in below)])
        return found

    def stream(self, plies: dict[Moves, int], plans: dict[Moves, tuple[Moves, Moves]],
               moves: Moves = ()) -> Iterator[int]:
        """The numbers of an entry and those below it, as `gomoku_proof` has them.

        `plans` has by entry the answers that threats refute, and the numbers after a pass.
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
    # A plan as a symmetry shows it.
    return plan and Plan(image[plan.move], {
        image[answer]: _turned(after, image) for answer, after in plan.answers.items()},
                         _turned(plan.other, image))


def write(certificate: Certificate, refutations: Iterable[tuple[Entry, Optional[Refutation]]],
          output: Path, long: Optional[Path]) -> int:
    """Write the short file and, if there is a path, the long one; returns the plies to the end.

    These are 0 if Black is not known to win after all answers.  Raises OSError.
    """
    longest, plans = dict[Moves, int](), dict[Moves, tuple[Moves, Moves]]()

    def lines() -> Iterator[str]:
        for line, found in refutations:
            longest[line.moves] = found.plies if found else 0
            if found and found.numbers:
                plans[line.moves] = found.refuted, found.numbers
            yield line_of([text(line.moves), text([line.move]), text([*line.answers]), line.whole,
                           *((found.answers, found.other) if found else ({}, None))])

    if long:
        write_file(long, lines())
    else:
        for _ in lines():
            pass
    plies = certificate.plies(longest)
    write_file(output, packed(list(certificate.stream(plies, plans))))
    return plies[()]
