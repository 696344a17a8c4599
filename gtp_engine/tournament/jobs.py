"""Jobs of a tournament worker: play a game, or probe a player's name and protocol."""

import os
import time
from pathlib import Path
from random import Random
from typing import NamedTuple, Optional, Union

from ..arena.agree import Disagreement, agree
from ..arena.record import GameRecord
from ..arena.referee import play_game
from ..arena.seats.base import Seat
from ..arena.seats.person import PersonSeat
from ..arena.seats.spec import check, seat_of
from ..games import catalogue
from ..games.lattice import Size, opponent
from ..games.opening_rules import RULES, Agreement
from ..games.rules import Rules
from ..wire.notation import GtpPoints
from .contest import Contest, Entrant, PlannedGame
from .live import Live, Running
from .openings import Opening, made_opening, play_opening
from .results import Played


class Task(NamedTuple):
    """The job of a worker for one game.

    opening  the points, a seed for `made_opening`, or the name of an opening rule
    live     the folder for spectators, or ""
    runner   the process id of the tournament
    """

    game: PlannedGame
    rules: Rules
    size: Size
    opening: Union[Opening, int, str]
    seed: str
    schedule: str
    live: str
    runner: int


def task_of(contest: Contest, game: PlannedGame, schedule: str, live: str = "") -> Task:
    """Return the job for a game of a contest.

    schedule  the fingerprint of the contest
    live      the folder for spectators, or ""
    """
    return Task(game, contest.rules, contest.size, contest.opening(game.round),
                f"{contest.seed} {game.number}", schedule, live, os.getpid())


def play(task: Task) -> Played:
    """Play a game.  Failures of programs end the game; they raise nothing."""
    rng = Random(task.seed)
    return play_between(task, *(seat_of(player.seat, player.control, rng, player.name)
                                for player in (task.game.first, task.game.second)))


def play_between(task: Task, first: Seat, second: Seat) -> Played:
    """Play the game of a job between two seats; `first` has the colour of the first move."""
    game, position = task.game, catalogue.start(task.rules, task.size)
    opening = task.opening
    names = game.first.name, game.second.name
    verdict = None
    if isinstance(opening, str):
        try:
            black, _ = agree(Agreement(RULES[opening], position), first, second,
                             lambda line: None, lambda: None)
            if black is not first:
                first, second = second, first
                names = names[::-1]
        except Disagreement as disagreement:
            verdict = disagreement.verdict
            if disagreement.won_by_first == (verdict.winner != task.rules.first):
                names = names[::-1]
    else:
        if isinstance(opening, int):
            opening = made_opening(task.rules, task.size, opening)
        play_opening(position, opening)
    record, opening_plies = GameRecord(None), len(position.history)
    points = GtpPoints(position.lattice).name
    opening_moves = [points[move.point] for move in position.history]
    live = task.live and Live(Path(task.live), Running(
        game.number, names[0], names[1], opening_moves, [], task.runner))
    if verdict is None:
        verdict = play_game(position, first, second, record,
                            live.show if live else lambda position: None)
    if live:
        live.close()
    winner = {task.rules.first: names[0], opponent(task.rules.first): names[1]}.get(verdict.winner)
    return Played(
        game.number, game.round, names[0], names[1], opening_moves,
        [points[move.point] for move in position.history[opening_plies:]], record.seconds,
        record.search_info, winner, verdict.ending.name, verdict.text, round(time.time(), 3),
        task.schedule)


class ProbeResult(NamedTuple):
    """The result of probing a player: its name, or the reason why it cannot play."""

    name: str
    complaint: Optional[str] = None


class Probe(NamedTuple):
    """The job of a worker to probe a player.

    with_opening  do the games begin with an opening?
    with_rule     do the players open by an opening rule?
    """

    player: Entrant
    rules: Rules
    size: Size
    with_opening: bool
    with_rule: bool


def probe(task: Probe) -> ProbeResult:
    """Check whether a player can take part: start its program on the game, and end it."""
    player, rules, size, with_opening, with_rule = task
    position = catalogue.start(rules, size)
    try:
        seat = seat_of(player.seat, player.control, Random(0), player.name)
        check([seat], rules, with_opening, size)
        if with_rule and not seat.agrees:
            raise ValueError(f"{seat.name}: it supports no opening rules")
        if isinstance(seat, PersonSeat):
            raise ValueError(f"{seat.name}: a person takes part in single games only: see referee")
        seat.probe(position)
    except ValueError as error:
        prefix = f"{player.name}: " if player.name else ""
        return ProbeResult("", prefix + str(error).removeprefix(prefix))
    return ProbeResult(seat.name)
