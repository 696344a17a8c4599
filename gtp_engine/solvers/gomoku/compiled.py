"""The fast check of the short files of Gomoku proofs.

Compiled kernels search for the threats that the file omits, follow their trees and compute zones:
`kernels/proof_threats` and `kernels/proof_check`.  This module checks the entries with them.  It
also reads trees for the plain rules.  docs/proof-soundness.md explains the check.
"""

from typing import Iterator, Mapping, NamedTuple, Optional

import numpy as np

from ...kernels import Call, proof_check
from ...kernels.proof_check import (
    COMPLETES,
    LOST,
    NO_POINT,
    NUMBERS,
    ONE_END,
    PLIES,
    REACH,
    TWO_ENDS,
    WHITE,
    join,
    make_board,
    wins_too,
    words_of,
    zone,
)
from ...kernels.proof_threats import SIZE, SMALL_TABLE, STAMP, STAMPS, TABLE, make_search, prove
from .entries import NO_STONE, THREATS, Entry
from .rules import CARO, EXACT, GOMOKU, CheckFailed, NotFound, Rules, Tree, bits, rules_of

KERNEL_RULES = {GOMOKU: proof_check.FREE, EXACT: proof_check.EXACT, CARO: proof_check.CARO}
MOST_NUMBERS = 1 << 20  # of a tree

Reach = np.ndarray  # see kernels.proof_check
Key = tuple[int, int]  # of a position: see Rules.key


class Threats:
    """Wins by threats of a game, and their zones, by the compiled kernels."""

    def __init__(self, rules: Rules):
        self.rules, self._end = rules, 0
        self._board = make_board(rules.size, KERNEL_RULES[rules.game])
        self._search = make_search(rules.points)
        self._numbers = np.zeros(MOST_NUMBERS, np.int16)

    def begin(self, entries: int) -> None:
        """Forget all results.  From now on, use `entries` of the table."""
        numbers = self._search.numbers
        numbers[SIZE] = entries
        numbers[STAMP] += 1
        if numbers[STAMP] == STAMPS:
            self._search.values.fill(0)
            self._search.fours.fill(0)
            numbers[STAMP] = 1

    def win(self, own: int, other: int, last: int, nodes: int, passed: int = NO_POINT
            ) -> Optional[Reach]:
        """Search for a win with Black to move; return its reach, or None.

        last    the number of Black's last stone, at most
        nodes   searched positions, at most
        passed  a stone of White without which this position may have been searched before
        """
        hint = 0 if passed == NO_POINT else int(self._board.hashes[WHITE, passed])
        self._end = prove(self._board, self._search, self.words(own), self.words(other), last,
                          nodes, hint, self._numbers)
        reach: Reach = self._board.reaches[0]
        if self._end == LOST or reach[NUMBERS, PLIES] > 2 * (last - own.bit_count()) - 1:
            return None
        return reach.copy()

    def wins_too(self, own: int, other: int) -> Optional[Reach]:
        """Return the reach of the last win's tree in another position, None if it fails there."""
        won = wins_too(self._board, self.words(own), self.words(other), self._numbers, self._end)
        return self._board.reaches[0].copy() if won else None

    def order(self) -> list[int]:
        """Return the numbers of the last win's tree; its points come in the order of play."""
        numbers: list[int] = self._numbers[:self._end].tolist()
        return numbers

    def zone(self, reach: Reach, own: int, other: int) -> int:
        """Return the answers that could spoil a win after a pass."""
        points = self.words(0)
        zone(self._board, self.words(own), self.words(other), reach, points)
        return int.from_bytes(points.tobytes(), "little")

    def tree(self, own: int, other: int, nodes: int) -> Optional[Tree]:
        """Search for a win of any length, and return its tree for the plain rules."""
        self.begin(TABLE)
        won = self.win(own, other, self.rules.points, nodes) is not None
        return self.last_tree() if won else None

    def last_tree(self) -> Tree:
        """Return the tree of the last win."""
        return _tree(iter(self.order()))

    def calls(self) -> list[Call]:
        """Return the kernel calls of a check, for `load`."""
        points, reach = self.words(0), self._board.reaches[0]
        return [Call(prove, (self._board, self._search, points, points, 0, 0, 0, self._numbers)),
                Call(zone, (self._board, points, points, reach, points)),
                Call(wins_too, (self._board, points, points, self._numbers, 0)),
                Call(join, (reach, reach, 0))]

    def words(self, points: int) -> np.ndarray:
        """Return a set of points as a kernel takes it."""
        size = 8 * words_of(self.rules.points)
        return np.frombuffer(points.to_bytes(size, "little"), np.int64).copy()


def _tree(numbers: Iterator[int]) -> Tree:
    # Read the next tree of `proof_threats.write`.
    move, kind = next(numbers), next(numbers)
    if kind == COMPLETES:
        return Tree(move, {}, None)
    if kind == TWO_ENDS:
        return _two_ends(move, next(numbers), next(numbers))
    if kind == ONE_END:
        end = next(numbers)
        return Tree(move, {end: _tree(numbers)}, Tree(end, {}, None))
    other = _two_ends(next(numbers), next(numbers), next(numbers))
    return Tree(move, {next(numbers): _tree(numbers) for _ in range(next(numbers))}, other)


def _two_ends(move: int, first: int, second: int) -> Tree:
    return Tree(move, {first: Tree(second, {}, None)}, Tree(first, {}, None))


class Effort(NamedTuple):
    """The effort of searches for threats.

    last    the number of Black's last stone, at most
    nodes   positions of each search, at most
    passed  a stone of White without which the positions may have been searched before
    """

    last: int
    nodes: int
    passed: int = NO_POINT


class Attempt(NamedTuple):
    """A search for threats after an answer of White.

    nodes   searched positions, at most
    afresh  does it begin with an empty table?
    before  positions of a search without the answer that comes first, 0 for none
    hint    does it follow the search without the answer?
    """

    nodes: int
    afresh: bool
    before: int
    hint: bool


ATTEMPTS = (Attempt(20_000, False, 0, True), Attempt(200_000, True, 3_000, True),
            Attempt(10**9, True, 0, False))


class Checker:
    """A check of entries.

    rules     the rules of the game
    plans     the entries below passes, by their moves
    plies_of  the plies of complete entries, by position
    nodes     positions per search for threats
    """

    def __init__(self, rules: Rules, plans: Mapping[tuple[int, ...], Entry],
                 plies_of: Mapping[Key, int], nodes: int):
        self._rules, self._plans, self._plies_of, self._nodes = rules, plans, plies_of, nodes
        self._threats = Threats(rules)

    def check(self, entry: Entry) -> int:
        """Try every answer to an entry; return their number.

        Raises CheckFailed with the position that fails.
        """
        try:
            return self._check(entry)
        except CheckFailed as failure:
            line = " ".join(map(self._rules.name, (*entry.moves, entry.move)))
            raise type(failure)(f"{line}: {failure}") from None

    def _check(self, entry: Entry) -> int:
        rules, name = self._rules, self._rules.name
        own, other = rules.stones((*entry.moves, entry.move))
        empty, listed = rules.all & ~own & ~other, 0
        if not empty:
            raise CheckFailed("the board is full")
        last = self._last(entry, own, other)
        for answer, mark in entry.answers.items():
            if answer != NO_STONE and mark != THREATS:
                stone = rules.put(answer, own | other)
                plies = self._plies_of.get(rules.key(own, other | stone))
                if plies is None:
                    raise CheckFailed(f"after {name(answer)} there is no entry")
                if plies + 2 > entry.plies:
                    raise CheckFailed(f"after {name(answer)} the win takes {plies} plies, so it "
                                      f"takes more than {entry.plies} plies here")
                listed |= stone
        self._threats.begin(SMALL_TABLE)
        unlisted = empty & ~listed
        moves, effort = (*entry.moves, entry.move), Effort(last, self._nodes)
        rest = self._after_pass(moves, own, other, effort) if unlisted else None
        if rest is not None:
            unlisted &= self._threats.zone(rest, own, other)
        by_threats = rest is not None and (*moves, NO_STONE) not in self._plans
        first = self._threats.order() if by_threats else []
        for answer in (*first, *bits(unlisted)):
            if not unlisted >> answer & 1:
                continue
            unlisted ^= 1 << answer
            self._after_answer(moves, own, other, answer, effort)
            # The win after an answer may be one after a pass, too, with another zone.
            if by_threats and (another := self._threats.wins_too(own, other)) is not None:
                unlisted &= self._threats.zone(another, own, other)
        return empty.bit_count()

    def _last(self, entry: Entry, own: int, other: int) -> int:
        # The number of Black's last stone by the plies of an entry, after its move.
        winning = self._rules.fives(other, own)
        if winning:
            raise CheckFailed(f"White wins by {self._rules.name(winning.bit_length() - 1)}")
        if entry.plies % 2 == 0:
            raise CheckFailed("the plies to the win are an even number")
        return own.bit_count() + entry.plies // 2

    def _after_pass(self, moves: tuple[int, ...], own: int, other: int, effort: Effort
                    ) -> Optional[Reach]:
        # The win after these moves and a pass: by the plan of the file, or else by threats.
        plan = self._plans.get((*moves, NO_STONE))
        return (self._by_plan(plan, own, other, effort) if plan else
                self._threats.win(own, other, *effort))

    def _after_answer(self, moves: tuple[int, ...], own: int, other: int, answer: int,
                      effort: Effort) -> Reach:
        # The win after an answer without an entry: by threats, or by the plan after a pass, whose
        # threats are searched again with the answer on the board.
        white, plan = other | 1 << answer, self._plans.get((*moves, NO_STONE))
        for attempt in ATTEMPTS if effort.passed == NO_POINT else ATTEMPTS[:1]:
            if attempt.afresh:
                self._threats.begin(TABLE)
            if attempt.before:
                self._threats.win(own, other, effort.last, min(attempt.before, effort.nodes))
            passed = answer if attempt.hint and effort.passed == NO_POINT else effort.passed
            each = Effort(effort.last, min(attempt.nodes, effort.nodes), passed)
            reach = self._threats.win(own, white, *each)
            if reach is None and plan:
                try:
                    reach = self._by_plan(plan, own, white, each._replace(passed=answer))
                except CheckFailed:
                    pass
            if reach is not None:
                return reach
        raise NotFound(f"no win by threats found after {self._rules.name(answer)}, in "
                       f"{2 * (effort.last - own.bit_count()) - 1} plies")

    def _by_plan(self, plan: Entry, own: int, other: int, effort: Effort) -> Reach:
        # The win by an entry below a pass.  Its tree lists all answers in the zone.
        name, points = self._rules.name, self._threats.words(1 << plan.move)
        own |= self._rules.put(plan.move, own | other)
        reach = np.zeros((REACH, points.size), np.int64)
        reach[0] = points
        reach[NUMBERS, PLIES] = 1
        if self._rules.wins(own, other, plan.move):
            return reach
        last = self._last(plan, own, other)
        if last > effort.last:
            raise CheckFailed(f"the win after a pass and {name(plan.move)} takes too many plies")
        moves, effort = (*plan.moves, plan.move), effort._replace(last=last)
        rest = self._after_pass(moves, own, other, effort)
        if rest is None:
            raise NotFound(f"no win by threats found after a pass, {name(plan.move)} and a pass")
        join(reach, rest, NO_POINT)
        for answer in bits(self._threats.zone(rest, own, other)):
            below, white = self._plans.get((*moves, answer)), other | 1 << answer
            join(reach, self._by_plan(below, own, white, effort) if below else
                 self._after_answer(moves, own, other, answer, effort), answer)
        return reach


def complete(listed: list[Entry]) -> list[Entry]:
    """Return the complete entries that are not below a pass."""
    return [entry for entry in listed if entry.plies and NO_STONE not in entry.moves]


def plies_of(rules: Rules, whole: list[Entry]) -> dict[Key, int]:
    """Return the plies of complete entries, by position.  Raises CheckFailed."""
    plies = dict[Key, int]()
    for entry in whole:
        position = rules.key(*rules.stones(entry.moves))
        plies[position] = min(entry.plies, plies.get(position, entry.plies))
    return plies


def plans_of(listed: list[Entry]) -> dict[tuple[int, ...], Entry]:
    """Return the entries below passes, by their moves."""
    return {entry.moves: entry for entry in listed if NO_STONE in entry.moves}


def calls_of_check() -> list[Call]:
    """Return the kernel calls of a check of any game, for `load`."""
    return Threats(rules_of(GOMOKU, 15)).calls()
