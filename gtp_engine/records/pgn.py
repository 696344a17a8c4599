"""Results of games as BayesElo and Ordo read them: the headers of PGN, without moves of chess."""

from typing import Mapping

from ..games.lattice import BLACK, EMPTY, WHITE
from ..games.tree import GameTree
from .record import Notes, winner_of

RESULTS = {BLACK: "1-0", WHITE: "0-1", EMPTY: "1/2-1/2", None: "*"}  # the first colour is "White"


def write(tree: GameTree, notes: Notes) -> bytes:
    """Return the headers of a game; add to the notes that moves are left out."""
    notes.add("moves are left out")
    try:
        winner = winner_of(tree.info.get("result", ""))
    except ValueError:
        winner = None
    position = tree.position(tree.line(0)[-1])
    if position.outcome:
        winner = position.outcome.winner
    first, second = ("black", "white") if tree.rules.first == BLACK else ("white", "black")
    result = RESULTS[winner]
    if tree.rules.first == WHITE and winner in (BLACK, WHITE):
        result = RESULTS[BLACK + WHITE - winner]
    return game_of({
        "Event": tree.info.get("event", "?"), "Site": tree.info.get("place", "?"),
        "Date": tree.info.get("date", "????.??.??").replace("-", "."),
        "Round": tree.info.get("round", "?"), "White": tree.info.get(first, "?"),
        "Black": tree.info.get(second, "?"), "Result": result,
        "Variant": tree.rules.name}).encode("utf-8", "replace")


def game_of(headers: Mapping[str, str]) -> str:
    """Return a game of these headers; PGN's White is the player who moves first."""
    lines = [f'[{key} "{_value(text)}"]' for key, text in headers.items()]
    return "\n".join([*lines, "", headers["Result"], "", ""])


def _value(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
