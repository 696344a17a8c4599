"""Openings at Yixin-Board: swap2 and Soosyrv-8, a command for each step of the engine."""

from typing import Iterator, cast

from ..games.opening_rules import DECLARE, OFFER, PLACE, SWAP, Action, Agreement, find
from ..players.base import AnalysingPlayer, Limits
from ..players.openings.balanced import Line, even_stones, judge
from ..players.openings.choices import choice
from .gomocup import Brain, GomocupError, Handler, number_of

SOOSORV = find("soosyrv-8")
SOOSORV_BEFORE = (0, 1, 2, 4, 5, 6)  # actions before each of its steps
STEP_SECONDS = 10  # for a step at most: the board shows no progress and has no default limit


def open_swap2(brain: Brain, rest: str) -> Iterator[str]:
    """YXSWAP2STEP1: the first three stones of a game with swap2."""
    brain.begin_game(brain.started().lattice.width)
    position, engine = brain.to_move(), brain.engine
    limits = limits_of(brain)

    def work() -> Line:
        engine.try_load(position.rules)
        return even_stones(position, 3, engine.settings.rng, limits)

    for number, move in enumerate((yield from brain.think(work)), 1):
        brain.play(position.side, move)
        yield f"MESSAGE SWAP2 MOVE{number} {spaced(brain, move)}"


def swap2(number: int) -> Handler:
    """YXSWAP2STEP2 and YXSWAP2STEP3: swap after three or after five stones?"""
    def handler(brain: Brain, rest: str) -> Iterator[str]:
        # Yes, if the side to move, the side of the engine, is worse.
        position, engine = brain.to_move(), brain.engine
        limits = limits_of(brain)

        def work() -> int:
            engine.try_load(position.rules)
            return judge(position, cast(AnalysingPlayer, engine.player), limits)[0]

        score = yield from brain.think(work)
        yield f"MESSAGE SWAP2 SWAP{number} {'YES' if score < 0 else 'NO'}"
    return handler


def soosorv(step: int) -> Handler:
    """YXSOOSORVSTEP1 to YXSOOSORVSTEP6: the action of the engine in that step of Soosyrv-8.

    From the second step on, stones follow, up to DONE.
    """
    def handler(brain: Brain, rest: str) -> Iterator[str]:
        if step == 1:
            return open_soosorv(brain, step, rest, [])
        return brain.collect(lambda brain, _: open_soosorv(brain, step, rest, brain.points()))
    return handler


def open_soosorv(brain: Brain, step: int, rest: str, points: list[int]) -> Iterator[str]:
    """Reply with the action in that step; points from the fifth on are offered moves.

    Raises GomocupError.
    """
    offered = points[4:]
    number = len(offered) if step == 6 else number_of(rest or "1", least=1)
    before = [Action(PLACE, tuple(points[:3])), Action(SWAP), Action(PLACE, tuple(points[3:4])),
              Action(DECLARE, number=number), Action(SWAP), Action(OFFER, tuple(offered))]
    brain.begin_game(brain.started().lattice.width)
    try:
        opening = Agreement(SOOSORV, brain.to_move())
        for action in before[:SOOSORV_BEFORE[step - 1]]:
            opening.act(action)
    except ValueError as error:
        raise GomocupError(str(error)) from None
    engine, count = brain.engine, 2 if step == 3 else 1
    limits = limits_of(brain, count)

    def work() -> list[Action]:
        engine.try_load(opening.position.rules)
        done = []
        for _ in range(count):
            done.append(choice(opening, cast(AnalysingPlayer, engine.player),
                               engine.settings.rng, limits))
            opening.act(done[-1])
        return done

    first, *others = yield from brain.think(work)
    moves = [spaced(brain, point) for point in first.points]
    texts = {1: [f"MOVE{place} {move}" for place, move in enumerate(moves, 1)],
             3: [f"MOVE4 {move} {action.number}" for move, action in zip(moves, others)],
             5: ["MOVE5 REFRESH", *(f"MOVE5 {move}" for move in moves), "MOVE5 DONE"],
             6: [f"MOVE5C {move}" for move in moves]}
    for text in texts.get(step, [f"SWAP{step // 2} {'Y' if first.yes else 'N'}"]):
        yield f"MESSAGE SOOSORV {text}"


def limits_of(brain: Brain, parts: int = 1) -> Limits:
    """The limits of each of `parts` searches for one step."""
    engine = brain.engine
    seconds = brain.clock.budget(engine.position.side).seconds
    return Limits(engine.stop, min(seconds or STEP_SECONDS, STEP_SECONDS) / parts)


def spaced(brain: Brain, point: int) -> str:
    """The point as text in openings: r c."""
    return brain.text(point).replace(",", " ")


HANDLERS: dict[str, Handler] = {
    "YXSWAP2STEP1": open_swap2, "YXSWAP2STEP2": swap2(1), "YXSWAP2STEP3": swap2(2),
    **{f"YXSOOSORVSTEP{step}": soosorv(step) for step in range(1, 7)}}
