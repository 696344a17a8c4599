"""Jobs of a tournament worker: play a game, or probe a player's name and protocol."""

import os
import time
from pathlib import Path
from random import Random
from typing import NamedTuple, Optional, Union

from ..arena.agree import Disagreement, agree
from ..arena.record import GameRecord
from ..arena.referee import play_game
from ..arena.seats.person import PersonSeat
from ..arena.seats.spec import check, seat_of
from ..games import catalogue
from ..games.lattice import opponent
from ..games.opening_rules import RULES, Agreement
from ..games.rules import Rules
from ..wire.notation import GtpPoints
from .contest import Contest, Entrant, PlannedGame
from .live import Live, Running
from .openings import Opening, made_opening, play_opening
from .results import Played


class Task(NamedTuple):
    """A game to be played, small enough to be sent.

    opening  its points, or the seed from which it is made, or a rule by which the players open
    live     the folder where it can be watched, "" if there is none
    runner   the process that the folder is of
    """

    game: PlannedGame
    rules: Rules
    size: int
    opening: Union[Opening, int, str]
    seed: str
    schedule: str
    live: str
    runner: int


def task_of(contest: Contest, game: PlannedGame, schedule: str, live: str = "") -> Task:
    """The game of a contest with this fingerprint, to be watched in that folder."""
    return Task(game, contest.rules, contest.size, contest.opening(game.round),
                f"{contest.seed} {game.number}", schedule, live, os.getpid())


def play(task: Task) -> Played:
    """Play a game.  Only a fault of ours raises anything."""
    game, position = task.game, catalogue.start(task.rules, task.size)
    opening = task.opening
    rng = Random(task.seed)
    first, second = (seat_of(player.seat, player.control, rng, player.name)
                     for player in (game.first, game.second))
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
    record, begun = GameRecord(None), len(position.history)
    points = GtpPoints(position.lattice).name
    opened = [points[played.point] for played in position.history]
    live = task.live and Live(Path(task.live), Running(
        game.number, names[0], names[1], opened, [], task.runner))
    if verdict is None:
        verdict = play_game(position, first, second, record,
                            live.show if live else lambda position: None)
    if live:
        live.close()
    winner = {task.rules.first: names[0], opponent(task.rules.first): names[1]}.get(verdict.winner)
    return Played(
        game.number, game.round, names[0], names[1], opened,
        [points[played.point] for played in position.history[begun:]], record.seconds,
        record.search_info, winner, verdict.ending.name, verdict.text, round(time.time(), 3),
        task.schedule)


class Acquaintance(NamedTuple):
    """The result of probing a player: its name, or the reason why it cannot play."""

    name: str
    complaint: Optional[str] = None


class Introduction(NamedTuple):
    """May this player take part, in games that begin with an opening, or with one by a rule?"""

    player: Entrant
    rules: Rules
    size: int
    opened: bool
    agreed: bool


def meet(question: Introduction) -> Acquaintance:
    """See whether the player fits: a program is started, told the game, and ended."""
    player, rules, size, opened, agreed = question
    position = catalogue.start(rules, size)
    try:
        seat = seat_of(player.seat, player.control, Random(0), player.name)
        check([seat], rules, opened)
        if agreed and not seat.agrees:
            raise ValueError(f"{seat.name}: it supports no opening rules")
        if isinstance(seat, PersonSeat):
            raise ValueError(f"{seat.name}: a person takes part in single games only: see referee")
        seat.meet(position)
    except ValueError as error:
        prefix = f"{player.name}: " if player.name else ""
        return Acquaintance("", prefix + str(error).removeprefix(prefix))
    return Acquaintance(seat.name)
