"""What our engine does in an opening by a rule: what is even where the other side may choose, and
else the better side."""

from random import Random
from typing import cast

from ...games.lattice import BLACK, WHITE
from ...games.opening_rules import (
    CHOOSE,
    DECLARE,
    NAMED,
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

SPARE = 12  # fifth moves that are ranked beyond those that are offered: some are symmetrical
EVENEST = 3  # one of so many even openings is taken


def choice(opening: Agreement, player: AnalysingPlayer, rng: Random, limits: Limits) -> Action:
    """What the person whose turn it is does best, as the player sees it; nothing has changed."""
    actions, position = opening.actions, opening.position
    if CHOOSE in actions:
        order = player.best_moves(position, [*opening.offered], limits, len(opening.offered))
        return Action(CHOOSE, (order[-1],))
    if DECLARE in actions:
        return Action(DECLARE, number=_even_number(opening, player, limits))
    if OFFER in actions:
        points, score = _fifth_moves(position, player, limits, opening.wanted)
        if len(actions) == 1 or score >= 0 and len(points) == opening.wanted:
            return Action(OFFER, tuple(points))
    if SWAP in actions:
        return Action(SWAP, yes=_worth(opening, player, limits) < 0)
    return Action(PLACE, _stones(opening, player, rng, limits))


def _stones(opening: Agreement, player: AnalysingPlayer, rng: Random, limits: Limits
            ) -> tuple[int, ...]:
    # The stones that are put in this step.
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
    # One of the most even of the 26 openings.
    settings = Settings(rng=rng, nodes=JUDGE_NODES, memory=1)
    judging = cast(AnalysingPlayer, make_player("alphabeta", settings))
    worth = []
    for named in NAMED:
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
    # So many fifth moves that the last one of them is about even.
    position, most = opening.position, opening.wanted
    if position.side == WHITE:
        position = after_moves(position, (judge(position, player, limits)[1],))
    scores = [_score(player, point)
              for point in _fifth_moves(position, player, limits, most)[0]]
    return min(range(1, len(scores) + 1), key=lambda number: abs(scores[number - 1]))


def _fifth_moves(position: Position, player: AnalysingPlayer, limits: Limits, number: int
                 ) -> tuple[list[int], int]:
    # So many of Black's best moves, of which no two are symmetrical, and the score of the last.
    order = player.best_moves(position, position.legal_moves(), limits, number + SPARE)
    order += [point for point in position.legal_moves() if point not in order]
    found: list[int] = []
    for point in order:
        if len(found) < number and not any(
                are_symmetrical(position, point, other) for other in found):
            found.append(point)
    return found, _score(player, found[-1])


def _score(player: AnalysingPlayer, point: int) -> int:
    # Of a move that the player has ranked; what it has left out is worse than all.
    scores = player.report.scores
    return int(scores.get(point, min(scores.values(), default=0)))
