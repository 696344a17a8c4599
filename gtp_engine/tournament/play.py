"""The games of a contest: players are probed, missing games are played, results are stored."""

import logging
from collections import Counter
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Callable, ContextManager, Mapping, Optional, Sequence

from ..arena.seats.base import LONGEST_NAME
from ..arena.work import REPEATED, Lost, Workers
from ..arena.workers import cores, workers_for
from ..command_line.terminal import harmless
from ..games.opening_rules import RULES
from .contest import GAUNTLET, Contest, Entrant, PlannedGame, contest_of
from .jobs import Probe, ProbeResult, Task, play, probe, task_of
from .live import live_games
from .openings import NONE
from .progress import Score, Show
from .results import Results

LOOK_SECONDS = 1.0  # longest wait for finished jobs, in seconds


def play_contest(contest: Contest, data: Mapping[str, Any], folder: Path, path: Path,
                 progress: Callable[[Contest, Score], ContextManager[Show]],
                 concurrency: Optional[int] = None, scheduler: Optional[str] = None,
                 skip_bad: bool = False, keep_bad: bool = False) -> tuple[Results, list[int]]:
    """Play the missing games of a contest; return the results and the numbers of games not played.

    data         the mapping of the contest, for a new contest without the players that fail
    folder       the folder for its relative paths
    path         the results file; its games are not played again
    progress     the context of the games; yields a function to call with those that have ended
    concurrency  number of parallel games; default: the number of cores
    scheduler    address of a Dask cluster
    skip_bad     leave out players that cannot take part
    keep_bad     include players that cannot take part; they lose their games

    Raises ValueError if a player cannot take part or the results file is of another contest, and
    OSError if the file cannot be written.
    """
    with ExitStack() as last, closing(workers_of(contest, concurrency, scheduler)) as workers:
        probes = probe_players(contest, workers)
        bad = [] if keep_bad else bad_players(contest, probes, skip_bad)
        if keep_bad:
            probes = [tolerate(player, each) for player, each in zip(contest.players, probes)]
        if bad:
            contest = contest_of({**data, "player": [
                each for place, each in enumerate(data["player"]) if place not in bad]}, folder)
        schedule = contest.fingerprint()
        contest = contest.with_names(distinct_names(contest.players, [
            each.name for place, each in enumerate(probes) if place not in bad]))
        results = Results.resume(path, contest.facts(), schedule)
        contest = contest.with_names([player["name"] for player in results.contest["players"]])
        score = Score(contest)
        score.add(results.games.values())
        if results.was_partial:
            logging.getLogger(__name__).warning(
                "removed the incomplete last line of %s", path)
        # the folder is removed only after the workers have stopped writing into it
        live = "" if scheduler else str(last.enter_context(live_games(path)))

        def task(game: PlannedGame) -> Task:
            return task_of(contest, game, schedule, live)

        with progress(contest, score) as show_games:
            missing = play_all(contest, task, results, workers, score, show_games)
    results.close()
    return results, missing


def workers_of(contest: Contest, concurrency: Optional[int], scheduler: Optional[str]) -> Workers:
    """Return the workers for the games."""
    count = concurrency or len(cores()) or 1
    if contest.over_files and count > 1 and not scheduler:
        logging.getLogger(__name__).warning("one game at a time: programs over files have only "
                                            "one set of files")
        count = 1
    return workers_for(scheduler, min(count, contest.games))


def probe_players(contest: Contest, workers: Workers) -> list[ProbeResult]:
    """Probe all players; return the results in the order of the contest."""
    with_opening, with_rule = contest.openings != NONE, contest.openings in RULES
    waiting = [(place, Probe(player, contest.rules, contest.size, with_opening, with_rule))
               for place, player in enumerate(contest.players)]
    results: dict[int, Any] = {}
    while len(results) < len(contest.players):
        while waiting and workers.free:
            place, task = waiting.pop(0)
            workers.submit(place, probe, task)
        results.update(workers.finished(LOOK_SECONDS))
    return [ProbeResult("", f"{player.seat}: {results[place].text.strip()}")
            if isinstance(results[place], Lost) else results[place]
            for place, player in enumerate(contest.players)]


def bad_players(contest: Contest, probes: Sequence[ProbeResult], skip: bool) -> list[int]:
    """Return the places of the players that cannot take part.

    Raises ValueError with all their complaints unless `skip`, or if the contest needs them.
    """
    bad = [place for place, each in enumerate(probes) if each.complaint]
    lines = [each.complaint for each in probes if each.complaint]
    if bad and not skip:
        raise ValueError(*lines)
    if len(probes) - len(bad) < 2:
        raise ValueError(*lines, "a tournament needs at least two players")
    if contest.format == GAUNTLET and 0 in bad:
        raise ValueError(*lines, "a gauntlet needs its first player")
    for line in lines:
        logging.getLogger(__name__).warning("left out: %s", line)
    return bad


def tolerate(player: Entrant, result: ProbeResult) -> ProbeResult:
    """Return the result without its complaint, which is logged."""
    if not result.complaint:
        return result
    logging.getLogger(__name__).warning("it loses its games: %s", harmless(result.complaint))
    return ProbeResult(player.name or player.seat[:LONGEST_NAME])


def distinct_names(players: Sequence[Entrant], names: Sequence[str]) -> list[str]:
    """Return distinct names of the players; a repeated name gets a number."""
    distinct: list[str] = []
    for player, own in zip(players, names):
        name, number = own, 2
        others = {*distinct, *(each.name for each in players if each is not player)}
        while name in others:
            name, number = f"{own} {number}", number + 1
        distinct.append(name)
    return distinct


def play_all(contest: Contest, task: Callable[[PlannedGame], Task], results: Results,
             workers: Workers, score: Score, show: Show) -> list[int]:
    """Play all missing games, or until the test is decided.

    task  returns the job for a game
    show  called with the games that have ended

    Returns the numbers of the games that could not be played.  Raises OSError if the results file
    is not writable.
    """
    missing = (game for game in contest.schedule() if game.number not in results.games)
    running: dict[int, PlannedGame] = {}
    repeated: list[PlannedGame] = []
    tries: Counter[int] = Counter()
    given_up: list[PlannedGame] = []
    unready: set[str] = set()
    left = sum(game.number not in results.games for game in contest.schedule())

    def begin_games() -> None:
        while workers.free and (game := repeated.pop() if repeated else next(missing, None)):
            running[game.number] = game
            workers.submit(game.number, play, task(game))

    while len(given_up) < left and not score.decision:
        begin_games()
        ended = [(running.pop(number), outcome)
                 for number, outcome in workers.finished(LOOK_SECONDS)]
        for game, outcome in ended:
            if isinstance(outcome, Lost):
                logging.getLogger(__name__).error(
                    "game %d, %s against %s: %s", game.number, harmless(game.first.name),
                    harmless(game.second.name),
                    "\n".join(map(harmless, outcome.text.strip().split("\n"))))
                tries[game.number] += outcome.tries
                (given_up if tries[game.number] > REPEATED else repeated).append(game)
        begin_games()  # the workers run while this process waits for the disk
        finished = [outcome for _, outcome in ended if not isinstance(outcome, Lost)]
        results.add(finished)
        left -= len(finished)
        score.add(finished)
        show(finished)
        for game in finished:
            if game.unready and game.unready not in unready:
                unready.add(game.unready)
                logging.getLogger(__name__).warning(
                    "game %d: %s lost before or at its first move: %s", game.game, game.unready,
                    game.verdict)
    return sorted(game.number for game in given_up)
