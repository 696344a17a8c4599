"""The certificate of what is proved of Gomoku, from the tree of the proof.

The short file is that of `gomoku_bytes`.  The long one has a line of JSON for each entry:
[moves, move, entries, whole, answers, other], where `entries` are the answers with an entry of
their own, and `answers` and `other` what follows the other ones: trees of threats as
[move, {answer: tree}, other], of which the last two may be left out.
"""

import json
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional, Sequence

from ..wire.files import write_file
from ..wire.notation import GtpPoints
from .gomoku_bytes import END, OPEN, SEEN, packed
from .gomoku_leaves import Refutation, position_after, refute
from .gomoku_tree import Branch, Node, Tree
from .threat_trees import ThreatTree

Moves = tuple[int, ...]
BATCH = 16  # entries that a worker gets at a time


class Line(NamedTuple):
    """An entry: Black's move after these moves, and the answers with an entry of their own.

    answers  by answer, does its entry follow?  Otherwise it stands elsewhere.
    whole    do threats refute all others?
    """

    moves: Moves
    move: int
    answers: dict[int, bool]
    whole: bool


class Certificate:
    """The entries that follow from a tree after an opening, each before those after its answers.

    lines  by the moves that lead there
    """

    def __init__(self, tree: Tree, opening: Moves):
        self.tree, self.lines = tree, dict[Moves, Line]()
        self._worth: dict[Node, bool] = {}
        self._seen: set[Node] = set()
        start = tree.find(opening)
        last = start is not None and self._is_worth(start)
        for ply in range(0, len(opening), 2):
            moves, after = opening[:ply], opening[ply + 1:ply + 2]
            if after:
                follows = dict.fromkeys(after, True) if last or ply + 2 < len(opening) else {}
                self.lines[moves] = Line(moves, opening[ply], follows, False)
            else:
                answers = self._answered(opening)
                whole = all(not node.pn for node in self._nodes(opening, answers))
                self._follow(moves, opening[ply], answers, whole)
        if start and last:
            self._add(opening, start)

    def _answered(self, opening: Moves) -> list[int]:
        taken = set(opening)
        return [point for point in position_after(()).lattice.points if point not in taken]

    def _nodes(self, moves: Moves, answers: Sequence[int]) -> Iterator[Node]:
        for answer in answers:
            node = self.tree.find((*moves, answer))
            assert node is not None
            yield node

    def _add(self, moves: Moves, node: Node) -> None:
        # Add the entry of a position that these moves lead to, and those below it.
        branch = self._branch(node)
        assert branch is not None
        image = self.tree.image(node, moves)
        self._follow(moves, image[branch.point], [image[point] for point in branch.answers],
                     not node.pn)

    def _follow(self, moves: Moves, move: int, answers: Sequence[int], whole: bool) -> None:
        line = self.lines[moves] = Line(moves, move, {}, whole)
        for answer, node in zip(answers, self._nodes((*moves, move), answers)):
            if self._is_worth(node):
                line.answers[answer] = node not in self._seen
                if node not in self._seen:
                    self._seen.add(node)
                    self._add((*moves, move, answer), node)

    def _branch(self, node: Node) -> Optional[Branch]:
        # The move that wins, or else the one that comes nearest to that.
        if not node.pn or not node.branches:
            return node.winner
        return min((branch for branch in node.branches if branch.complete and not branch.lost),
                   key=lambda branch: branch.pn, default=None)

    def _is_worth(self, node: Node) -> bool:
        # Is there anything to say of a position, but that threats win, or may do?
        if node not in self._worth:
            branch = self._branch(node)
            self._worth[node] = branch is not None and (
                not node.pn or any(map(self._is_worth, branch.open)))
        return self._worth[node]

    def refutations(self, pool: Executor) -> Iterator[tuple[Line, Optional[Refutation]]]:
        """The lines, in order, each with what threats do if it is whole."""
        whole = [line for line in self.lines.values() if line.whole]
        found = pool.map(refute, [(*line.moves, line.move) for line in whole],
                         [tuple(line.answers) for line in whole], chunksize=BATCH)
        for line in self.lines.values():
            yield line, next(found) if line.whole else None

    def plies(self, threats: dict[Moves, int]) -> dict[Moves, int]:
        """The plies of each entry, from those of the longest win by threats after its move."""
        found: dict[Moves, int] = {}
        keys = {moves: min(self.tree.hashes(moves)) for moves in self.lines}
        by_key: dict[int, int] = {}
        for moves, line in sorted(self.lines.items(), key=lambda item: -len(item[0])):
            below = [by_key[min(self.tree.hashes((*moves, line.move, answer)))]
                     for answer in line.answers]
            whole = line.whole and all(below)
            found[moves] = by_key[keys[moves]] = whole and 1 + max(
                [threats[moves], *(1 + plies for plies in below)])
        return found

    def stream(self, plies: dict[Moves, int], moves: Moves = ()) -> Iterator[int]:
        """The numbers of an entry and those below it, as `gomoku_bytes` has them."""
        line, number = self.lines[moves], self.tree.number
        yield from (number[line.move], plies[moves])
        for answer, follows in line.answers.items():
            yield number[answer]
            if follows:
                yield from self.stream(plies, (*moves, line.move, answer))
            else:
                yield SEEN
        yield END if plies[moves] else OPEN


def write(certificate: Certificate, pool: Executor, output: Path, long: Optional[Path]) -> int:
    """Write the short file and, if there is a path, the long one; returns the plies to the end.

    These are 0 if Black is not known to win after all answers.  Raises OSError.
    """
    names = GtpPoints(position_after(()).lattice).name

    def text(moves: Sequence[int]) -> str:
        return " ".join(map(names.__getitem__, moves))

    def listed(tree: ThreatTree) -> list[Any]:
        if tree.other is None:
            return [names[tree.move]]
        return [names[tree.move], {names[answer]: listed(after)
                                   for answer, after in tree.answers.items()}, listed(tree.other)]

    threats: dict[Moves, int] = {}
    lines = []
    for line, found in certificate.refutations(pool):
        threats[line.moves] = found.plies if found else 0
        if long:
            rest = [{names[answer]: listed(tree) for answer, tree in found.answers.items()},
                    found.other and listed(found.other)] if found else [{}, None]
            lines.append(json.dumps([text(line.moves), names[line.move], text([*line.answers]),
                                     line.whole, *rest], separators=(",", ":")) + "\n")
    if long:
        write_file(long, "".join(lines))
    plies = certificate.plies(threats)
    write_file(output, packed(list(certificate.stream(plies))))
    return plies[()]
