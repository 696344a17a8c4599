"""A certificate as advice for the proof on another board, or for a shorter proof on its own."""

from typing import NamedTuple, Optional

from ...games.lattice import BLACK, WHITE
from ...players.proofs.gomoku import Hashes, Symmetric
from .attacks import Plan
from .board import Moves, lattice_of
from .entries import ELSEWHERE, NO_STONE, Board, Entry, board_of, entries


class Advised(NamedTuple):
    """The advice for a position with Black to move.

    move     Black's move
    answers  White's answers with an entry of their own, and those outside the smaller board
    other    the winning plan after a pass, if threats do not win
    """

    move: int
    answers: Moves
    other: Optional[Plan]


class Advice:
    """The moves of a certificate; its board lies in the middle of the other one.

    Raises ValueError if the file is damaged, or if its board is larger.
    """

    def __init__(self, board: Board, data: bytes):
        own = board_of(data)
        edge = (board.size - own.size) // 2
        if edge < 0:
            raise ValueError(f"the advice is for {own}, a larger board than {board}")
        self._lattice = lattice_of(board)
        ours, theirs = self._lattice.points, lattice_of(own).points
        self._points = [ours[x + edge + board.size * (y + edge)]
                        for y in range(own.size) for x in range(own.size)]
        self._inside = dict(zip(self._points, range(len(self._points))))
        self._near = {point: self._nearest(point) for point in ours if point not in self._inside}
        self._theirs, self._symmetric = theirs, Symmetric(lattice_of(own))
        self._number = {point: number for number, point in enumerate(theirs)}
        self._after: dict[Moves, Optional[Advised]] = {}
        self._by_moves: dict[Moves, Entry] = {}
        self._by_key: dict[int, tuple[Hashes, Entry]] = {}
        hashes_after: dict[Moves, Hashes] = {(): self._symmetric.nothing}
        for entry in entries(data):
            self._by_moves[entry.moves] = entry
            if NO_STONE not in entry.moves:
                before = hashes_after[entry.moves]
                if entry.plies:
                    self._by_key[min(before)] = before, entry
                after = self._play(before, entry.move, BLACK)
                for answer, mark in entry.answers.items():
                    if answer != NO_STONE and mark is True:
                        hashes_after[(*entry.moves, entry.move, answer)] = self._play(
                            after, answer, WHITE)

    def _play(self, hashes: Hashes, number: int, colour: int) -> Hashes:
        return self._symmetric.play(hashes, colour, self._theirs[number])

    def after(self, moves: Moves) -> Optional[Advised]:
        """Return the advice after alternating moves, with Black to move; None if there is none.

        A stone of White outside the smaller board counts as one on its nearest free point.
        """
        if moves not in self._after:
            self._after[moves] = self._search(moves)
        return self._after[moves]

    def _search(self, moves: Moves) -> Optional[Advised]:
        numbers = [self._inside.get(move) for move in moves]
        hashes = self._symmetric.nothing
        for ply, (move, number) in enumerate(zip(moves, numbers)):
            if number is None:
                number = next(near for near in self._near[move] if near not in numbers)
                numbers[ply] = number
            hashes = self._play(hashes, number, (BLACK, WHITE)[ply % 2])
        if None in [*map(self._inside.get, moves[::2])] or min(hashes) not in self._by_key:
            return None
        before, entry = self._by_key[min(hashes)]
        image = self._symmetric.images[before.index(hashes[0])]
        ours = [self._points[self._number[image[point]]] for point in self._theirs]
        answers = [ours[answer] for answer, mark in entry.answers.items()
                   if answer != NO_STONE and mark in (True, ELSEWHERE)]
        outside = [point for point in self._near if point not in moves]
        return Advised(ours[entry.move], (*answers, *outside),
                       self._plan((*entry.moves, entry.move, NO_STONE), ours))

    def _nearest(self, move: int) -> list[int]:
        # The numbers of the points of the smaller board, the nearest to a point first.
        x, y, _ = self._lattice.coordinates(move)

        def distance(number: int) -> int:
            a, b, _ = self._lattice.coordinates(self._points[number])
            return (a - x) ** 2 + (b - y) ** 2
        return sorted(range(len(self._points)), key=distance)

    def _plan(self, moves: Moves, ours: list[int]) -> Optional[Plan]:
        # The plan of the entry below a pass.
        entry = self._by_moves.get(moves)
        if not entry:
            return None
        after = (*moves, entry.move)
        return Plan(ours[entry.move], {
            ours[answer]: self._plan((*after, answer), ours)
            for answer in entry.answers if answer != NO_STONE
            }, self._plan((*after, NO_STONE), ours))
