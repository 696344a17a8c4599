"""The report of a contest: games and tables as files, and a self-contained page.

This module replays the games.  The page only places stones and removes captured ones.
"""

import json
from pathlib import Path
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from ..arena.page import PageBoard
from ..arena.record import BY_REASON, sgf_result
from ..arena.verdict import Ending
from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE, as_size, opponent, sides
from ..games.rules import Position
from ..learn.explorer import HEADINGS, Explorer
from ..records.sgf import sgf_of
from ..wire.files import write_files
from .csv_text import csv_text
from .first_plies import game_of_contest, openings_of
from .plots import HUES, limits_text, number_text, plots_of
from .scripts import script, styles

USUAL_LOSSES = (Ending.TIME, Ending.CRASH, Ending.INVALID_MOVE)  # endings that always have a column
FORFEITS = [ending for ending in Ending
            if ending not in BY_REASON.values() and ending != Ending.INTERRUPTED]


def write_report(folder: Path, summary: dict[str, Any], games: Sequence[dict[str, Any]]) -> None:
    """Write games.csv, players.csv, report.json, games.sgf and index.html into the folder.

    Creates the folder if it is missing.  Replaces each file atomically.  Raises OSError.
    """
    board = PageBoard(catalogue.find(summary["contest"]["game"]), summary["contest"]["size"])
    scene = Scene(board, [player["name"] for player in summary["players"]])
    records, explorer = [], Explorer(board.rules, board.size)
    for game in games:
        position, captures = board.play(game["opening"] + game["moves"])
        records.append(_sgf(game, position))
        scene.add(game, position, captures)
        explorer.add(*game_of_contest(game, position))
    contents: dict[str, Union[str, bytes]] = {
        "games.csv": csv_text(map(_game_row, games)),
        "players.csv": csv_text(map(_player_row, summary["players"])),
        "report.json": json.dumps({"summary": summary, "games": games}, allow_nan=False),
        "games.sgf": b"".join(records),
        "index.html": _page(summary, games, scene.data(), openings_of(explorer))}
    write_files(folder, contents)


# --- files --------------------------------------------------------------------------------------


def _game_row(game: dict[str, Any]) -> dict[str, Any]:
    opening, moves, seconds = game["opening"], game["moves"], game["seconds"]
    begins = len(opening) % 2  # 0: the first player makes the first move after the opening
    return {
        **{key: game[key] for key in ("game", "round", "first", "second", "winner", "ending")},
        "plies": len(opening) + len(moves), "opening": " ".join(opening),
        "moves": " ".join(moves), "seconds_first": round(sum(seconds[begins::2]), 4),
        "seconds_second": round(sum(seconds[1 - begins::2]), 4)}


def _player_row(player: dict[str, Any]) -> dict[str, Any]:
    keys = ("rank", "name", "points", "games", "won", "drawn", "lost", "elo", "low", "high",
            "sonneborn_berger")
    sides = {f"{side}_{key}": player[side][key]
             for side in ("first", "second") for key in ("won", "drawn", "lost")}
    losses = {f"lost_{ending.name.lower()}": player["losses"].get(ending.name, 0)
              for ending in FORFEITS}
    habits = {key: player[key] for key in ("plies", "seconds", "longest", "depth", "nodes")}
    return {**{key: player[key] for key in keys}, **sides, **losses, **habits}


def _sgf(game: dict[str, Any], position: Position) -> bytes:
    first = position.rules.first
    names = {first: game["first"], opponent(first): game["second"]}
    winner = next((colour for colour, name in names.items() if name == game["winner"]), EMPTY)
    return sgf_of(position, {
        "PB": names[BLACK], "PW": names[WHITE],
        "RE": sgf_result(winner, Ending[game["ending"]]), "C": game["verdict"]})


# --- games for the page -------------------------------------------------------------------------


class Scene:
    """The games in the format of the page, with numbers for players, openings and points."""

    def __init__(self, board: PageBoard, names: Sequence[str]):
        self.board, self.names = board, names
        self._openings: dict[tuple[str, ...], int] = {}
        self._opening_points: list[list[int]] = []
        self._games: list[dict[str, Any]] = []

    def add(self, game: dict[str, Any], position: Position, captures: dict[int, list[int]]
            ) -> None:
        """Add a game.

        position  the last position
        captures  the captured points by ply, see `PageBoard.play`
        """
        board = self.board
        points: list[Any] = board.numbers(record.point for record in position.history)
        opening = tuple(game["opening"])
        if opening not in self._openings:
            self._openings[opening] = len(self._opening_points)
            self._opening_points.append(points[:len(opening)])
        names = {name: number for number, name in enumerate(self.names)}
        entry = {
            **{key: game[key] for key in ("game", "round", "ending", "verdict")},
            "first": names[game["first"]], "second": names[game["second"]],
            "winner": names.get(game["winner"]), "opening": self._openings[opening],
            "moves": points + [*opening, *game["moves"]][len(points):],
            "ms": [round(1000 * seconds) for seconds in game["seconds"]],
            "removed": {ply: board.numbers(points) for ply, points in captures.items()},
            "row": board.numbers(position.winning_stones()),
            **_by_kind(game["told"])}
        self._games.append({key: value for key, value in entry.items()
                            if value not in (None, {}, [])})

    def data(self) -> dict[str, Any]:
        """Return the data of the page."""
        endings = {game["ending"] for game in self._games}
        return {"players": self.names, "openings": self._opening_points, "games": self._games,
                "endings": {ending.name: ending.value for ending in Ending
                            if ending.name in endings},
                "hues": HUES, "layout": self.board.layout(),
                "notation": next(iter(self.board.notations().values()))}


def _by_kind(infos: Sequence[Mapping[str, float]]) -> dict[str, list[Optional[float]]]:
    # Lists over the moves by kind of search info, without kinds that no player reports.
    lists = {key: [move.get(key) for move in infos] for key in ("depth", "nodes", "value")}
    lists["value"] = [value if value is None else float(f"{value:.4g}") for value in lists["value"]]
    return {key: values for key, values in lists.items()
            if any(value is not None for value in values)}


# --- the page -----------------------------------------------------------------------------------


def _page(summary: dict[str, Any], games: Sequence[dict[str, Any]], data: dict[str, Any],
          openings: Sequence[tuple[int, tuple[str, ...]]]) -> str:
    here = Path(__file__).parent
    environment = Environment(loader=FileSystemLoader(here), autoescape=True,
                              trim_blocks=True, lstrip_blocks=True)
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    environment.filters.update(number=number_text, interval=limits_text, heat=_heat,
                               limits=_limits)
    endings = {name for player in summary["players"] for name, count in player["losses"].items()
            if count}
    return environment.get_template("report.html").render(
        summary=summary, data=data, openings=openings, headings=HEADINGS,
        plots=plots_of(summary, games), facts=[*_facts(summary)],
        names=[player["name"] for player in summary["players"]], styles=Markup(styles()),
        script=Markup(script((here / "report.js").read_text(encoding="utf-8"))),
        forfeits={ending.name: ending.value for ending in FORFEITS
                  if ending in USUAL_LOSSES or ending.name in endings})


def _heat(share: float) -> Markup:
    # Attributes of a coloured cell; the colour grows with the distance from one half.
    side = "more" if share > 0.5 else "less"
    return Markup('class="heat {}" style="--heat: {}%"').format(side, round(abs(share - 0.5) * 90))


def _facts(summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    contest, advantage = summary["contest"], summary["advantage"]
    yield "Game", f"{contest['game']}, {' × '.join(map(str, sides(as_size(contest['size']))))}"
    yield "Format", f"{contest['format']}, {contest['rounds']} rounds"
    yield "Openings", str(contest["openings"])
    yield "Seed", str(contest["seed"])
    yield "Points", ", ".join(f"{result} {points:g}"
                              for result, points in contest["points"].items())
    if contest.get("anchor"):
        yield "Anchors", ", ".join(f"{name} {number_text(elo)} Elo"
                                   for name, elo in contest["anchor"].items())
    yield "Games", f"{summary['games']:,} of {summary['scheduled']:,} played"
    if summary["games"]:
        yield "First move", (f"worth {number_text(advantage['elo'])} Elo (95 %: "
                             f"{limits_text(advantage)})")
        yield "Draws", f"{number_text(100 * summary['draws'], 1)} % between equals"
    if summary["test"]:
        yield from _test_facts(summary["test"])
    yield "Schedule", summary["schedule"]


def _limits(control: Mapping[str, Any]) -> str:
    words = {"per_move": "{:g} s a move", "per_game": "{:g} s a game",
             "increment": "{:g} s more after each move", "margin": "{:g} s late at most",
             "nodes": "{:,} nodes a move", "depth": "depth {}"}
    return ", ".join(text.format(control[key]) for key, text in words.items()
                     if control[key]) or "none"


def _test_facts(test: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Test", (f"H0: {test['elo0']:g} Elo, H1: {test['elo1']:g} Elo ({test['model']}), "
                   f"α = {test['alpha']:g}, β = {test['beta']:g}")
    accepted = f"{test['decision']} is accepted" if test["decision"] else "no decision yet"
    yield "Result", (f"{accepted}; log-likelihood ratio {number_text(test['llr'], 2)}, bounds "
                     f"{number_text(test['lower'], 2)} and {number_text(test['upper'], 2)}")
    yield "Pairs", ", ".join(f"{count} with {points:g}" for count, points in zip(
        test["pairs"], (0, 0.5, 1, 1.5, 2))) + " points"
