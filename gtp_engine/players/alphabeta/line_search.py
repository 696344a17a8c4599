"""The alpha-beta search for boards as long as a row; a perfect first player of 4x4x4."""

from contextlib import nullcontext
from typing import ContextManager, Optional

import numpy as np

from ...games import catalogue
from ...games.lattice import BLACK, Lattice
from ...games.rules import Position, Rules
from ...kernels import Call, load
from ...kernels.control import MATE, clear, shared
from ...kernels.lines.board import LineBoard, make, unmake
from ...kernels.lines.moves import generate, wins_at
from ...kernels.lines.search import principal_variation, search_position
from ...kernels.lines.threats import forced_win
from ..adapters import calls_of_set_up, empty_line_board, set_up, table_bits
from ..base import Settings
from ..proofs import qubic as strategy
from ..proofs.lines import threat_win
from .search import Search, SearchResult

ROOT_THREATS = 100_000  # nodes of the first threat search
PROOF_THREATS = 20_000  # nodes of each threat search for the shortest win
LONGEST_WIN = 65  # plies of threats and answers
MOST_WINS = 10_000  # stored positions
TABLE_ENTRY = 24  # bytes


class LineSearch(Search):
    """A search of positions of tic-tac-toe, in the plane or in a cube.

    With `by_strategy` it uses the table of winning moves for 4x4x4.
    """

    score_unit = 100  # a rough value

    def __init__(self, settings: Settings, by_strategy: bool = True):
        self.settings, self.by_strategy = settings, by_strategy
        self._setup: Optional[tuple[Rules, Lattice, int]] = None
        self._board: Optional[LineBoard] = None
        self._plan: dict[bytes, int] = {}
        self._won: tuple[int, ...] = ()
        self._wins: dict[bytes, tuple[int, ...]] = {}

    def begin(self, position: Position, stop: bytearray) -> Optional[int]:
        """Prepare the search of a position with more than one legal move.

        Returns the strategy's winning move if threat searches find no win.  Otherwise sets `best`
        to the most promising move.
        """
        self.set_position(position, stop)
        board, colour, control = self._arrays[0], self._colour, self._control
        self._won, move = self._wins.get(self._key(), ()), None
        if self._won:
            return None
        if self.by_strategy and position.rules == catalogue.QUBIC:
            move = strategy.load().winning_move(position, ROOT_THREATS, self._plan)
            stones = 0 if move is None else LONGEST_WIN
        else:
            stones = threat_win(board, colour, ROOT_THREATS)
        if stones and self._win_by_threats(stones):
            return None
        if move is not None:
            return move
        count = generate(board, 0, colour, -1)  # 0 if neither side can complete a row
        control.best = board.moves[0, 0] if count else position.legal_moves()[0]
        return None

    def proved_win(self) -> int:
        """The plies of a stored win by threats in the position, or 0."""
        return len(self._won)

    def win_by_fours(self, plies: int, nodes: int) -> int:
        """Search `nodes` nodes for a win by threats within `plies` plies; its plies, or 0."""
        board = self._arrays[0]
        stones = threat_win(board, self._colour, nodes, max(0, (plies - 3) // 2))
        if not 0 < stones <= plies:
            return 0
        self.best = int(board.pairs[0, board.tried[0, 1], 0])
        return stones

    def winning_line(self) -> tuple[int, ...]:
        """The moves of a proved win, with the longest defence."""
        return self._won

    def prove(self, plies: int) -> int:
        """Search for a complete proof of a win in at most `plies` plies.

        The win is by threats, at once or after the best move and any answer to it.  Returns its
        plies, or 0 if none is found.  Stores the win for later positions.
        """
        board, colour, best = self._arrays[0], self._colour, int(self._control.best)
        if self._win_by_threats(plies):
            self._control.best = self._won[0]
            return len(self._won)
        make(board, 0, best, colour)
        longest: tuple[int, ...] = ()
        complete = not wins_at(board, 1 - colour, board.out)
        for reply in [int(point) for point in board.points if board.cells[point] == 0]:
            make(board, 1, reply, 1 - colour)
            complete = complete and self._win_by_threats(plies - 2)
            unmake(board, 1, reply, 1 - colour)
            if not complete:
                break
            longest = max(longest, (best, reply, *self._won), key=len)
        unmake(board, 0, best, colour)
        self._won = longest if complete else ()
        return len(self._won)

    def _win_by_threats(self, most: int) -> bool:
        # Is there a win by threats in at most `most` plies?  Stores the shortest one.
        board, colour = self._arrays[0], self._colour
        for threats in range(max(1, (most - 1) // 2)):
            stones = threat_win(board, colour, PROOF_THREATS, threats)
            if 0 < stones <= most:
                pairs = [board.pairs[ply, last].tolist() for ply, last in enumerate(
                    board.tried[:max(1, stones // 2), 1])]
                self._store_win([point for pair in pairs for point in pair][:-1], stones)
                return True
        return False

    def _store_win(self, moves: list[int], stones: int) -> None:
        # Store a win for all its positions.  After these moves there are two threats at once.
        board, colour, keys = self._arrays[0], self._colour, []
        for number, point in enumerate(moves):
            keys.append(self._key())
            make(board, number + 2, point, (colour + number) & 1)
        if stones > 1:
            wins_at(board, colour, board.out)
            moves = [*moves, *board.out[:2].tolist()]
        if len(self._wins) > MOST_WINS:
            self._wins.clear()
        for number in range(len(keys) - 1, -1, -1):
            unmake(board, number + 2, moves[number], (colour + number) & 1)
        self._won = tuple(moves)
        for number in range(0, len(keys), 2):
            self._wins[keys[number]] = self._won[number:]

    def _key(self) -> bytes:
        # The key of the position and the colour to move.
        board = self._arrays[0]
        return bytes(board.cells[board.points]) + bytes([self._colour])

    def set_position(self, position: Position, stop: bytearray) -> None:
        """Set the position to search."""
        board = self._prepared(position)
        self._control, self._colour = shared(board.control), position.side - BLACK
        self._arrays = board, np.frombuffer(stop, np.uint8)
        self._line = np.zeros(position.vacant, np.int64)
        clear(self._control)

    def order(self, moves: list[int]) -> list[int]:
        """The moves in order of the number of rows through them."""
        board = self._arrays[0]
        return sorted(moves, key=lambda move: (-board.degree[move], move))

    def helped(self) -> ContextManager[None]:
        """Do nothing: one thread searches."""
        return nullcontext()

    def look(self, depth: int, guess: int) -> SearchResult:
        """Search to `depth` with an infinite window."""
        return self.result(search_position(*self._arrays, depth, -MATE, MATE, 0, self._colour))

    def line(self) -> list[int]:
        """The principal variation, as far as the transposition table has it."""
        count = principal_variation(self._arrays[0], self._colour, self._line)
        return [*map(int, self._line[:count])]

    def _prepared(self, position: Position) -> LineBoard:
        setup = position.rules, position.lattice, self.settings.memory
        if self._board is None or self._setup != setup:
            self._setup, self._board = setup, empty_line_board(
                position.rules, position.lattice,
                table_bits(self.settings.memory, TABLE_ENTRY), symmetric=False)
            load(_calls(self._board))
        set_up(position, self._board)
        return self._board

    def calls(self, position: Position) -> list[Call]:
        """The kernel calls of a search of this position, for `load`."""
        return _calls(empty_line_board(position.rules, position.lattice, 1, symmetric=False))


def _calls(board: LineBoard) -> list[Call]:
    # The slowest kernels to compile come first.
    return [Call(search_position, (board, np.zeros(2, np.uint8), 0, 0, 0, 0, 0)),
            Call(principal_variation, (board, 0, board.out)),
            Call(generate, (board, 0, 0, 0)),
            Call(forced_win, (board, 0, 0)),
            Call(make, (board, 0, 0, 0)),
            Call(unmake, (board, 0, 0, 0)),
            Call(wins_at, (board, 0, board.out)),
            *calls_of_set_up(board)]
