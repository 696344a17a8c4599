"""RenjuNet's database of official games: .rif and .xml.

Its terms of use allow private offline use only; see docs/records.md.
"""

from typing import Any, Iterator, Mapping, Optional
from xml.parsers import expat

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE
from ..games.tree import ROOT, GameTree
from .moves import PLAIN_COLUMNS
from .record import (
    Line,
    Notes,
    Record,
    Source,
    choose_rules,
    choose_size,
    empty_record,
    set_headers,
)

RENJUNET, SIZE = "RenjuNet", 15
CHUNK = 1 << 18  # bytes
LONGEST_TEXT = 1 << 16  # characters of the moves or the remark of a game
LONGEST_VALUE = 1 << 12  # characters of an attribute
MOST_ROWS = 1 << 20  # of all tables
TABLES = {"player", "tournament", "rule", "opening", "country", "city"}
RESULTS = {"1": (BLACK, "B+"), "0": (WHITE, "W+"), "0.5": (EMPTY, "0"), "0,5": (EMPTY, "0")}


def begins(data: bytes) -> bool:
    """Return whether a file begins as XML with the element database."""
    text = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    return text.startswith((b"<?xml", b"<database")) and b"<database" in data[:4000]


def read(source: Source) -> Iterator[Record]:
    """Yield the games of a database; the tables of players and tournaments come before the games.

    A fault of the XML ends the reading with a record that has an error.
    """
    parser = _Parser(source)
    final = False
    while not final:
        data = source.stream.read(CHUNK)
        final = not data
        try:
            parser.expat.Parse(data, final)
        except (expat.ExpatError, ValueError, LookupError) as error:
            yield from parser.games
            reason = f"not XML: {error}" if isinstance(error, expat.ExpatError) else str(error)
            yield Record(GameTree(catalogue.RENJU, SIZE), RENJUNET, error=reason)
            return
        yield from parser.games
        parser.games.clear()


class _Parser:
    # Collects the rows of the tables, and the games since they were last taken.

    def __init__(self, source: Source):
        self.source = source
        self.tables: dict[str, dict[str, Mapping[str, str]]] = {name: {} for name in TABLES}
        self.rows = self.count = 0
        self.games: list[Record] = []
        self.game: Optional[dict[str, str]] = None
        self.text: list[str] = []
        self.expat = expat.ParserCreate()
        self.expat.buffer_text = True
        self.expat.StartElementHandler = self.start
        self.expat.EndElementHandler = self.end
        self.expat.CharacterDataHandler = self.characters
        self.expat.EntityDeclHandler = self.refuse

    def refuse(self, *entity: Any) -> None:
        """Refuse entities, which may expand without limit."""
        raise ValueError(f"line {self.expat.CurrentLineNumber}: entities are not allowed")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin a game, or add a row of a table."""
        self.text = []
        if name == "game":
            self.game = {key: value[:LONGEST_VALUE] for key, value in attributes.items()}
        elif name in TABLES and "id" in attributes:
            self.rows += 1
            if self.rows > MOST_ROWS:
                raise ValueError(f"the tables have more than {MOST_ROWS} rows")
            self.tables[name][attributes["id"]] = {
                key: value[:LONGEST_VALUE] for key, value in attributes.items()}

    def characters(self, text: str) -> None:
        """Collect the text of an element of a game."""
        if self.game is not None and sum(map(len, self.text)) < LONGEST_TEXT:
            self.text.append(text)

    def end(self, name: str) -> None:
        """End an element of a game, or the game."""
        if self.game is None:
            return
        if name in ("move", "info"):
            self.game[f"<{name}>"] = "".join(self.text).strip()
        elif name == "game":
            self.games.append(self.record(self.game) if self.count >= self.source.skip
                              else empty_record(RENJUNET))
            self.count += 1
            self.game = None

    def row(self, table: str, game: Mapping[str, str], key: str) -> Mapping[str, str]:
        """The row of a table for an attribute of a game."""
        number = game.get(key, "")
        found = self.tables[table].get(number)
        return found or ({"name": f"{table} {number}"} if number else {})

    def record(self, game: Mapping[str, str]) -> Record:
        """The record of a game."""
        notes = Notes()
        rule = self.row("rule", game, "rule").get("name", "")
        rules = choose_rules(
            catalogue.GOMOKU if "gomoku" in rule.lower() else catalogue.RENJU, self.source,
            catalogue.RENJU, notes)
        tree = GameTree(rules, choose_size(SIZE, self.source, SIZE, notes))
        winner, result = RESULTS.get(game.get("bresult", "").strip(), (None, ""))
        if winner is None and game.get("bresult"):
            notes.add(f"the result {game['bresult'][:20]!r} is not understood")
        event = self.row("tournament", game, "tournament")
        opening = self.row("opening", game, "opening")
        players = {side: self.row("player", game, side) for side in ("black", "white")}
        set_headers(tree, {
            **{side: " ".join(filter(None, (row.get("name"), row.get("surname"))))
               for side, row in players.items()},
            **{f"{side} team": self.row("country", row, "country").get("name", "")
               for side, row in players.items()},
            "event": event.get("name", ""), "date": _date(event), "round": game.get("round", ""),
            "rule": rule, "opening": opening.get("name", "") or opening.get("abbr", ""),
            "result": result, "source": f"RenjuNet {game.get('id', '')}"}, notes)
        if game.get("alt"):
            tree.info["about"] = f"fifth moves offered: {game['alt'][:200]}"
        tree.nodes[ROOT].comment = game.get("<info>", "")
        line = Line(tree, notes)
        for word in game.get("<move>", "").split():
            column = PLAIN_COLUMNS.find(word[0].lower())
            if column < 0 or not word[1:].isdecimal():
                notes.add(f"move {line.moves + 1} is not a point: {word[:20]!r}; the game is read "
                          "up to there")
                break
            line.play((column, int(word[1:3]) - 1), word)
        return line.record(RENJUNET, winner)


def _date(event: Mapping[str, str]) -> str:
    if event.get("start"):
        return event["start"]
    parts = [event.get("year", ""), event.get("month", "").zfill(2)]
    return "-".join(part for part in parts if part.strip("0"))
