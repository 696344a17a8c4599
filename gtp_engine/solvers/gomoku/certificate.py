"""The certificate of a Gomoku proof, written from the tree of the proof.

`players/proofs/gomoku` describes the short file.  The long file is its header as a JSON string,
and one line of JSON per entry: [moves, move, entries, whole, answers, other].  `entries` are the
answers with an entry of their own.  `answers` and `other` are the winning trees after all other
answers.  A tree is [move, {answer: tree}, other]; the last two are optional.
"""

from concurrent.futures import Executor, as_completed
from functools import partial
from pathlib import Path
from typing import Callable, Iterator, Mapping, NamedTuple, Optional, Sequence

from ...kernels.plane.proof_file import ELSEWHERE, END, OPEN, THREATS
from ...players.alphabeta.threat_search import CHECK_NODES
from ...players.proofs.gomoku import packed
from ...wire.files import write_file
from .advice import Advice
from .attacks import Plan
from .board import Moves, lattice_of, position_after, text, threat_search
from .entries import Board
from .lines import line_of
from .questions import Expansion, Line, loses, refute, shorter_win
from .tree import Branch, Node, Tree
from .work import EntryFile


class Entry(NamedTuple):
    """A position of the certificate.

    moves    the moves that lead to it
    move     Black's move
    answers  the answers with an entry of their own: True if it follows, False if it is elsewhere
    whole    does Black win after all other answers?
    plans    by other answer, its winning plan or the first move of its win, which becomes an entry
             if a search finds no threats
    other    the winning plan after a pass, if threats do not win
    advised  the answers whose plans are only the first moves of the advice
    """

    moves: Moves
    move: int
    answers: dict[int, bool]
    whole: bool
    plans: Mapping[int, Optional[Plan]] = {}
    other: Optional[Plan] = None
    advised: Moves = ()


class Wins(NamedTuple):
    """The wins after the answers without an entry, of one entry.

    key      their place in the entry file
    plies    plies of the longest one, the answer included
    refuted  the answers that lose to threats, if a plan wins after a pass
    numbers  the entries of that plan, as numbers of the proof file
    """

    key: str
    plies: int
    refuted: Moves
    numbers: tuple[int, ...]


class Certificate:
    """The entries of a tree after an opening, each before the entries after its answers.

    With advice the entries are those of the advice.  `plies` is the goal for the longest game.

    lines   the entries by the moves that lead to them
    wins    the wins of whole entries, by the same moves
    open    the positions after answers that `refute` found no win for
    search  the task of the workers for an entry
    """

    search = staticmethod(refute)

    def __init__(self, board: Board, tree: Tree, opening: Moves, plies: int,
                 advice: Optional[Advice] = None):
        self.board, self.tree, self.advice, self.goal = board, tree, advice, plies
        self.lines, self.wins = dict[Moves, Entry](), dict[Moves, Wins]()
        self.open: list[Moves] = []
        self._with_entry: dict[Node, bool] = {}
        self._visited: set[int] = set()
        if advice:
            self._follow_advice(opening)
            return
        start = tree.find(opening)
        last = start is not None and self._needs_entry(start)
        self._add_opening(opening, last)
        if len(opening) % 2:
            whole = all(not node.pn for _, node in self._answered(opening))
            self._follow(Entry(opening[:-1], opening[-1], {}, whole), dict(self._answered(opening)))
        elif start and last:
            self._add(opening, start)

    def _add_opening(self, opening: Moves, last: bool) -> None:
        # Add the entries of an opening with White's moves; does an entry follow the last one?
        for ply in range(0, len(opening) - 1, 2):
            follows = last or ply + 2 < len(opening)
            self.lines[opening[:ply]] = Entry(
                opening[:ply], opening[ply], {opening[ply + 1]: True} if follows else {}, False)

    def _follow_advice(self, opening: Moves) -> None:
        start, node = opening[:len(opening) // 2 * 2], self.tree.find(opening)
        self._add_opening(opening, True)
        if start == opening and node and not node.pn and not self._advised_wins(start, node):
            self._add_proved(start, node)
        elif not self._add_advised(start) or opening[len(start):] not in (
                (), (self.lines[start].move,)):
            raise ValueError(f"no complete advice for the opening {text(self.board, opening)}")

    def _add_advised(self, moves: Moves) -> bool:
        # Add the entry that the advice has after these moves; is there one, which does not lose?
        advised = self.advice and self.advice.after(moves)
        if not self.advice or not advised or loses(self.board, moves, advised.move):
            return False
        below = {answer: self.advice.after((*moves, advised.move, answer))
                 for answer in advised.answers}
        plans = {answer: Plan(after.move, {}, None) for answer, after in below.items() if after}
        self.lines[moves] = Entry(moves, advised.move, {}, True, plans, advised.other, (*plans,))
        return True

    def _answered(self, opening: Moves) -> Iterator[tuple[int, Node]]:
        # All answers to the last move of an opening, with their nodes.
        for answer in lattice_of(self.board).points:
            if answer not in opening:
                yield answer, self._node((*opening, answer))

    def _node(self, moves: Moves) -> Node:
        node = self.tree.find(moves)
        assert node is not None
        return node

    def _add(self, moves: Moves, node: Node) -> None:
        # Add the entry of a node that these moves reach.
        image = self.tree.image(node.hashes, self.tree.hashes(moves))
        plan = turned(node.winning_plan, image)
        if plan:
            self.add_plan(moves, plan)
            return
        branch = self._branch(node)
        assert branch is not None
        move = image[branch.point]
        answers = [image[answer] for answer in branch.answers]
        self._follow(Entry(moves, move, {}, not node.pn, {}, turned(branch.other, image)),
                     {answer: self._node((*moves, move, answer)) for answer in answers})

    def _follow(self, line: Entry, answers: dict[int, Node]) -> None:
        # Add an entry; of these answers, list those that need an entry, with all below an open one.
        needed = {answer: node for answer, node in answers.items() if self._needs_entry(node)}
        if line.whole:
            line = line._replace(plans={
                answer: self._plan((*line.moves, line.move, answer), node)
                for answer, node in needed.items()})
        self.lines[line.moves] = line
        for answer, node in needed.items() if not line.whole else ():
            after = (*line.moves, line.move, answer)
            line.answers[answer] = self._is_new(after)
            if line.answers[answer]:
                self._add(after, node)

    def _plan(self, moves: Moves, node: Node) -> Plan:
        # The plan of a proved node that these moves reach, or its first move alone.
        image, winner = self.tree.image(node.hashes, self.tree.hashes(moves)), node.winner
        plan = (turned(node.winning_plan, image)
                or winner and Plan(image[winner.point], {}, None))
        assert plan
        return plan

    def add_plan(self, moves: Moves, plan: Plan) -> None:
        """Add the entry of a plan that wins after these moves."""
        self.lines[moves] = Entry(moves, plan.move, {}, True, plan.answers, plan.other)

    def _list(self, line: Entry, answer: int, plan: Optional[Plan]) -> None:
        # List an answer that needs an entry, and add its entry: that of the tree, of a plan, or of
        # the advice.  Without any of them the position is open.
        after = (*line.moves, line.move, answer)
        line.answers[answer] = self._is_new(after)
        if not line.answers[answer]:
            return
        if answer in line.advised:
            plan = None
        node = self.tree.find(after)
        if node and not node.pn and not self._advised_wins(after, node):
            self._add_proved(after, node, plan)
        elif plan:
            self.add_plan(after, plan)
        elif not self._add_advised(after):
            self.open.append(after)

    def _add_proved(self, moves: Moves, node: Node, plan: Optional[Plan] = None) -> None:
        # Add the entry of a proved node that these moves reach; `plan` may be another proof of it.
        if self._needs_entry(node):
            self._add(moves, node)
        else:
            self.add_plan(moves, plan or self._threat(moves))

    def _advised_wins(self, moves: Moves, node: Node) -> bool:
        # Is the move of the advice the one that wins this node?
        advised = self.advice and self.advice.after(moves)
        image = self.tree.image(node.hashes, self.tree.hashes(moves))
        return bool(advised and not node.won and node.winner
                    and image[node.winner.point] == advised.move)

    def _threat(self, moves: Moves) -> Plan:
        # The first move of the threats that win.  Raises RuntimeError if a search finds none.
        win = threat_search(self.board).win(position_after(self.board, moves), CHECK_NODES)
        if not win:
            raise RuntimeError(f"{text(self.board, moves)}: no win by threats found")
        return Plan(win.tree.move, {}, None)

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
            self._with_entry[node] = node.winning_plan is not None or branch is not None and (
                not node.pn or any(map(self._needs_entry, branch.open)))
        return self._with_entry[node]

    def refute(self, pool: Executor, entry_file: EntryFile, with_trees: bool,
               report: Callable[[int, int], None]) -> None:
        """Find the wins after the other answers of all whole entries, with their trees or without.

        Adds entries for plans where the search finds no win by threats, and open positions where
        it finds no win.  Reuses the results of the entry file, and stores new results there.  Calls
        `report` after each entry, with its number and the current number of entries.  Raises
        RuntimeError if a search finds a win by threats no longer.
        """
        done = sum(not line.whole or moves in self.wins for moves, line in self.lines.items())
        while todo := self.next_lines():
            questions = [*map(self.question, todo)]
            keys = [entry_file.key(question, with_trees) for question in questions]
            tasks = {pool.submit(self.search, self.board, question, with_trees): key
                     for question, key in zip(questions, keys) if key not in entry_file}
            done += len(todo) - len(tasks)
            for task in as_completed(tasks):
                entry_file.add(tasks.pop(task), task.result())
                done += 1
                report(done, len(self.lines))
            for line, key in zip(todo, keys):
                found = entry_file[key]
                self.wins[line.moves] = Wins(key, found.plies, found.refuted, found.numbers)
                for answer, plan in found.plans.items():
                    self._list(line, answer, plan)
                for answer in found.open:
                    self._list(line, answer, None)

    def next_lines(self) -> list[Entry]:
        """Return the whole entries whose wins are unknown, those to search now."""
        return [line for line in self.lines.values() if line.whole and line.moves not in self.wins]

    def question(self, line: Entry) -> Line:
        """Return the task of an entry."""
        return Line((*line.moves, line.move), line.plans, line.other,
                    self.goal - len(line.moves) - 2)

    def shorten(self, pool: Executor, tried: set[tuple[Moves, int]]) -> bool:
        """Search for shorter wins in the positions that miss the goal; are there any?

        The tree has them from now on, and another certificate follows them.  Adds the positions
        with their plies to `tried`, and leaves those that are there.
        """
        plies = self.plies()
        too_long = {moves: plies[moves] for moves in self.lines
                    if len(moves) > 1 and len(moves) + plies[moves] > self.goal
                    and (moves, plies[moves]) not in tried}
        tried.update(too_long.items())
        plans = [*pool.map(partial(shorter_win, self.board, self.goal), *zip(*too_long.items()))]
        for moves, plan in zip(too_long, plans):
            if plan:
                node = self.tree.start(moves)
                image = self.tree.image(self.tree.hashes(moves), node.hashes)
                self.tree.grow(node, Expansion(True, turned(plan, image)))
        return any(plans)

    def plies(self) -> dict[Moves, int]:
        """Compute the plies of each entry; 0 if it is incomplete."""
        plies: dict[Moves, int] = {}
        keys = {moves: min(self.tree.hashes(moves)) for moves in self.lines}
        by_key: dict[int, int] = {}
        for moves, line in sorted(self.lines.items(), key=lambda item: -len(item[0])):
            below = [by_key.get(min(self.tree.hashes((*moves, line.move, answer))), 0)
                     for answer in line.answers]
            whole = line.whole and all(below)
            plies[moves] = by_key[keys[moves]] = whole and 1 + max(
                [self.wins[moves].plies, *(1 + each for each in below)])
        return plies

    def stream(self, plies: dict[Moves, int], moves: Moves = ()) -> Iterator[int]:
        """Yield an entry and the entries below it as numbers of the proof file."""
        line, number = self.lines[moves], self.tree.number
        yield from (number[line.move], plies[moves])
        for answer, follows in line.answers.items():
            after = (*moves, line.move, answer)
            if not follows:
                yield from (number[answer], ELSEWHERE)
            elif after in self.lines:
                yield number[answer]
                yield from self.stream(plies, after)
        wins = self.wins.get(moves)
        if wins and wins.numbers and plies[moves]:
            for answer in wins.refuted:
                yield from (number[answer], THREATS)
            yield from (len(number), *wins.numbers)
        yield END if plies[moves] else OPEN


def turned(plan: Optional[Plan], image: Sequence[int]) -> Optional[Plan]:
    """Return the image of a plan under a symmetry."""
    return plan and Plan(image[plan.move], {
        image[answer]: turned(after, image) for answer, after in plan.answers.items()},
                         turned(plan.other, image))


def write(certificate: Certificate, entry_file: EntryFile, output: Path, long: Optional[Path]
          ) -> int:
    """Write the short file, and the long file if it has a path.

    Returns the plies to the end, or 0 if the proof is incomplete.  Raises OSError.
    """
    board, plies = certificate.board, certificate.plies()

    def lines() -> Iterator[str]:
        yield line_of(board.header())
        for moves, line in certificate.lines.items():
            found = entry_file[certificate.wins[moves].key] if plies[moves] else None
            yield line_of([
                text(board, moves), text(board, [line.move]), text(board, [*line.answers]),
                plies[moves] > 0, *((found.answers, found.other) if found else ({}, None))])

    if long:
        write_file(long, lines())
    write_file(output, packed([*certificate.stream(plies)], *board))
    return plies[()]
