"""Proofs of the value of a position with perfect play."""

from typing import NamedTuple, Optional

import numpy as np

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, opponent
from ..games.rules import Position, Rules
from ..kernels import Call, load
from ..kernels.control import WON
from ..kernels.lines import proof
from ..kernels.lines.board import LineBoard
from ..kernels.plane.state import LONGEST_PATH
from ..players.adapters import calls_of_set_up, empty_line_board, set_up, table_bits
from ..players.alphabeta.line_search import TABLE_ENTRY
from ..players.alphabeta.plane_search import PlaneSearch
from ..players.base import DEFAULT_SECONDS, Limits, Settings, alarm
from ..players.proofs import gomoku as gomoku_proof, qubic as strategy
from ..players.proofs.lines import ProofSearch
from ..players.registry import complaint

FIRST_SLICE = 20_000  # nodes
THREATS = 20_000  # node limit of a threat search on line boards


class Value(NamedTuple):
    """A proved result.

    winner  the colour that wins, EMPTY for a draw, None if unknown
    move    a move of the side to move that reaches this result, if it has one
    """

    winner: Optional[int]
    move: Optional[int] = None


def solve(position: Position, settings: Settings, limits: Limits) -> Value:
    """Prove the value of a position, which is unchanged.

    Two searches take turns, with more nodes in each round.  Proof-number search also proves draws:
    that neither side can force a win.  Alpha-beta with threats finds wins on large boards; it
    runs where five in a row win on square boards.  Both support the forbidden points of Renju.
    """
    if position.outcome:
        return Value(position.outcome.winner)
    moves = position.legal_moves()
    for move in moves:
        if position.wins(position.side, move):
            return Value(position.side, move)
    swap = position.may_swap
    if swap is not None:
        # A swap exchanges the sides, and with them the result.
        without = position.copy()
        without.setup([])
        value = solve(without, settings, limits)
        return Value(position.side, swap) if value.winner == opponent(position.side) else value
    stored = _by_strategy(position) if position.rules == catalogue.QUBIC else _by_proof(position)
    if stored:
        return stored
    with alarm(limits.stop, DEFAULT_SECONDS if limits.seconds is None else limits.seconds):
        return _search(position, settings, limits)


def _by_strategy(position: Position) -> Optional[Value]:
    # The value by the strategy of 4x4x4: it wins for the side to move, or for the opponent after
    # every move.
    table = strategy.load()
    plan: dict[bytes, int] = {}
    move = table.winning_move(position, THREATS, plan)
    if move is not None:
        return Value(position.side, move)
    board, moves = position.copy(), position.legal_moves()
    while moves:
        board.play(board.side, moves.pop())
        if table.winning_move(board, THREATS, plan) is None:
            return None
        board.undo()
    return Value(opponent(position.side))


def _by_proof(position: Position) -> Optional[Value]:
    # The value by a proof of Gomoku.
    proof = gomoku_proof.of(position)
    advice = proof and proof.advice(position)
    if advice and advice.plies:
        return Value(BLACK, advice.move)
    return Value(BLACK) if proof and proof.loss(position) else None


def _search(position: Position, settings: Settings, limits: Limits) -> Value:
    solver, nodes = _Solver(position, settings, limits), FIRST_SLICE
    while not any(limits.stop):
        value = solver.by_proof(nodes) or solver.by_alphabeta(nodes // 2)
        if value:
            return value
        nodes *= 2
    return Value(None)


class _Solver:
    # Both searches of one position; each call continues the one before.

    def __init__(self, position: Position, settings: Settings, limits: Limits):
        self.position, self.limits = position, limits
        self.refuted: set[int] = set()  # attackers that cannot force a win
        self.drawing_move: Optional[int] = None  # after it the opponent cannot force a win
        board = empty_line_board(
            position.rules, position.lattice, table_bits(settings.memory, TABLE_ENTRY))
        load(_calls(board))
        set_up(position, board)
        self.proofs = ProofSearch(board, THREATS if position.rules.row_fills_board() else 0)
        self.prove(position.side, 0)
        self.depth, self.score = 1, 0
        self.search: Optional[PlaneSearch] = None
        if _is_for_alphabeta(position) and position.vacant > 1:
            self.search = PlaneSearch(settings)
            self.search.begin(position, limits.stop)

    def by_proof(self, nodes: int) -> Optional[Value]:
        """Return the value by proof-number search, or None; `nodes` is the limit per attacker."""
        side = self.position.side
        for attacker in (side, opponent(side)):
            if attacker not in self.refuted:
                won, move = self.prove(attacker, nodes)
                if won:
                    return Value(attacker, move if attacker == side else None)
                if won is False:
                    self.refuted.add(attacker)
                    if attacker != side:
                        self.drawing_move = move
        if len(self.refuted) == 2:
            return Value(EMPTY, self.drawing_move or self.position.legal_moves()[0])
        return None

    def prove(self, attacker: int, nodes: int) -> tuple[Optional[bool], int]:
        """Return whether the attacker wins (None: unknown), and the best move."""
        result = self.proofs.prove(self.position.side - BLACK, attacker - BLACK, nodes,
                                   self.limits.stop)
        return result.won, result.best

    def by_alphabeta(self, nodes: int) -> Optional[Value]:
        """Return the value by alpha-beta within `nodes` nodes, or None."""
        if self.search is None:
            return None
        side, search = self.position.side, self.search
        search.node_limit = search.nodes + nodes
        while self.depth <= min(LONGEST_PATH - 10, self.position.vacant):
            score, best, complete = search.look(self.depth, self.score)
            if not complete:
                search.go_on()
                return None
            self.score = score
            if score > WON:
                return Value(side, best)
            if score < -WON:
                return Value(opponent(side))
            self.depth += 1
        return None


def load_proof(rules: Rules) -> None:
    """Load the kernels that `solve` calls for a game; compile those that the cache lacks."""
    load(calls_of_proof(catalogue.start(rules, rules.default_size)))


def calls_of_proof(position: Position) -> list[Call]:
    """Return the kernel calls of `solve` for a position."""
    calls = _calls(empty_line_board(position.rules, position.lattice, 1))
    if _is_for_alphabeta(position):
        calls += PlaneSearch(Settings()).calls(position)
    return calls


def _calls(board: LineBoard) -> list[Call]:
    return [Call(proof.prove, (board, np.zeros(2, np.uint8), 0, 0, 0, 0, 0)),
            *calls_of_set_up(board)]


def _is_for_alphabeta(position: Position) -> bool:
    return position.lattice.depth == 1 and not complaint(
        "alphabeta", position.rules, position.lattice)
