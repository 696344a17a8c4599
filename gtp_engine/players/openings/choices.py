"""The engine's decisions under opening rules.

It makes an even position if the opponent may choose next, and otherwise takes the better side.
"""

from random import Random
from typing import cast

from ...games.lattice import BLACK, WHITE
from ...games.opening_rules import (
    CHOOSE,
    DECLARE,
    NAMED_OPENINGS,
    OFFER,
    PLACE,
    SWAP,
    Action,
    Agreement,
    are_symmetrical,
    opening_points,
)
from ...games.rules import Position
from ..base import AnalysingPlayer, Limits, Settings
from ..registry import make_player
from .balanced import JUDGE_NODES, even_stones, judge
from .balancing import after_moves, balancing_moves

SPARE = 12  # fifth moves ranked beyond the offered ones, since some are symmetrical
EVENEST = 3  # the choice is among the EVENEST most even openings


def choice(opening: Agreement, player: AnalysingPlayer, rng: Random, limits: Limits) -> Action:
    """The best action of the person to act, by the player's rating; changes nothing."""
    actions, position = opening.actions, opening.position
    if CHOOSE in actions:
        order = player.best_moves(position, [*opening.offered], limits, len(opening.offered))
        return Action(CHOOSE, (order[-1],))
    if DECLARE in actions:
        return Action(DECLARE, number=_even_number(opening, player, limits))
    if OFFER in actions:
        points, score = _fifth_moves(position, player, limits, opening.quota)
        if len(actions) == 1 or score >= 0 and len(points) == opening.quota:
            return Action(OFFER, tuple(points))
    if SWAP in actions:
        return Action(SWAP, yes=_worth(opening, player, limits) < 0)
    return Action(PLACE, _stones(opening, player, rng, limits))


def _stones(opening: Agreement, player: AnalysingPlayer, rng: Random, limits: Limits
            ) -> tuple[int, ...]:
    # The stones of this step.
    step, position = opening.step, opening.position
    assert step is not None
    if step.named:
        return _named(position, rng)
    if step.number > 1:
        return even_stones(position, step.number, rng, limits)
    points = opening.may_place()
    if len(points) == 1:
        return (points[0],)
    if opening.may_be_swapped():
        return balancing_moves(position, points, 1, 0, limits)[0]
    return (player.best_moves(position, points, limits)[0],)


def _named(position: Position, rng: Random) -> tuple[int, ...]:
    # One of the most even of the 26 named openings.
    settings = Settings(rng=rng, nodes=JUDGE_NODES, memory=1)
    judging = cast(AnalysingPlayer, make_player("alphabeta", settings))
    worth = []
    for named in NAMED_OPENINGS:
        points = opening_points(named, position.lattice)
        score, _ = judge(after_moves(position, tuple(points)), judging, Limits(bytearray(2)))
        worth.append((abs(score), tuple(points)))
    return rng.choice(sorted(worth)[:EVENEST])[1]


def _worth(opening: Agreement, player: AnalysingPlayer, limits: Limits) -> int:
    # The score for the person who may swap now.
    position, person = opening.position, opening.actor
    if opening.declared and position.side == BLACK:
        _, score = _fifth_moves(position, player, limits, opening.declared)
    else:
        score, _ = judge(position, player, limits)
    return score if opening.person_of(position.side) == person else -score


def _even_number(opening: Agreement, player: AnalysingPlayer, limits: Limits) -> int:
    # The number of fifth moves for which the last one is about even.
    position, most = opening.position, opening.quota
    if position.side == WHITE:
        position = after_moves(position, (judge(position, player, limits)[1],))
    scores = [_score(player, point)
              for point in _fifth_moves(position, player, limits, most)[0]]
    return min(range(1, len(scores) + 1), key=lambda number: abs(scores[number - 1]))


def _fifth_moves(position: Position, player: AnalysingPlayer, limits: Limits, number: int
                 ) -> tuple[list[int], int]:
    # The best `number` moves of Black, no two of them symmetrical, and the score of the last one.
    order = player.best_moves(position, position.legal_moves(), limits, number + SPARE)
    order += [point for point in position.legal_moves() if point not in order]
    moves: list[int] = []
    for point in order:
        if len(moves) < number and not any(
                are_symmetrical(position, point, other) for other in moves):
            moves.append(point)
    return moves, _score(player, moves[-1])


def _score(player: AnalysingPlayer, point: int) -> int:
    # The score of a move in the player's ranking; unranked moves get the lowest score.
    scores = player.report.scores
    return int(scores.get(point, min(scores.values(), default=0)))
