"""Games as pente.org writes them: headers in brackets, numbered moves with GTP's letters."""

import re
from typing import Iterator, Optional

from ..games import catalogue
from ..games.lattice import BLACK, EMPTY, WHITE
from ..games.rules import Rules
from ..games.tree import GameTree
from .charsets import decoded
from .moves import GTP_COLUMNS
from .record import Line, Notes, Record, Source, choose_rules, choose_size, quoted, set_headers

PENTE_ORG, SIZE = "pente.org", 19
HEADER = re.compile(r'\s*\[\s*([A-Za-z0-9][A-Za-z0-9 ]*?)\s+"(.*)"\s*\]\s*')
SIGNATURE = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[[A-Za-z0-9 ]+ "[^"\n]*"\]\s*){0,9}'
                       rb'\[(?:Game|Player 1 Name) "')
GAMES = {"pente": catalogue.PENTE, "keryo pente": catalogue.KERYO_PENTE,
         "gomoku": catalogue.GOMOKU, "renju": catalogue.RENJU, "d pente": catalogue.PENTE_FREE,
         "g pente": catalogue.PENTE, "swap2 pente": catalogue.PENTE_FREE}
INFO = {"black": "Player 1 Name", "white": "Player 2 Name", "black rank": "Player 1 Rating",
        "white rank": "Player 2 Rating", "event": "Event", "round": "Round", "place": "Site",
        "time limit": "TimeControl"}
RESULTS = {"1-0": "B+", "0-1": "W+", "1/2-1/2": "0"}
_TOKEN = re.compile(r"([0-9]+\.)|([A-HJ-Ta-hj-t][0-9]{1,2})\b|(pass|--)\b|(\S+)")


def read(source: Source) -> Iterator[Record]:
    """Yield the games of a text of pente.org; player 1 is Black."""
    text, note = decoded(source.data())
    headers: dict[str, str] = {}
    moves: list[str] = []
    for line in [*text.splitlines(), '[Game ""]']:
        header = HEADER.fullmatch(line)
        if not header:
            moves.append(line)
            continue
        if any(map(str.strip, moves)) or header[1] in headers:
            yield _record(headers, " ".join(moves), note, source)
            headers, moves, note = {}, [], ""
        headers[header[1]] = header[2]


def _record(headers: dict[str, str], moves: str, note: str, source: Source) -> Record:
    notes = Notes()
    if note:
        notes.add(note)
    name = headers.get("Game", "")
    rules = _rules(name)
    if rules is None and name:
        return Record(GameTree(catalogue.PENTE, SIZE), PENTE_ORG, notes=notes,
                      error=f"the game {quoted(name)} is not supported "
                      f"(supported: {', '.join(GAMES)})")
    rules = choose_rules(rules or "", source, catalogue.PENTE, notes)
    size, noted = choose_size(SIZE, source, SIZE, notes), len(notes)
    line = _play(GameTree(rules, size), moves, notes)
    if rules == catalogue.PENTE and len(line.position.history) < min(line.moves, 3):
        del notes[noted:]
        line = _play(GameTree(catalogue.PENTE_FREE, size), moves, notes)
        notes.add("the first stones break the tournament rule of Pente; read as Pente-free")
    tree = line.tree
    result = RESULTS.get(headers.get("Result", ""), "")
    month = re.fullmatch("([0-9]{2})/([0-9]{2})/([0-9]{4})", headers.get("Date", ""))
    set_headers(tree, {**{key: headers.get(header, "").strip("-") for key, header in INFO.items()},
                       "date": f"{month[3]}-{month[1]}-{month[2]}" if month else
                       headers.get("Date", ""), "result": result}, notes)
    return line.record(PENTE_ORG, {"B+": BLACK, "W+": WHITE, "0": EMPTY}.get(result))


def _play(tree: GameTree, moves: str, notes: Notes) -> Line:
    line = Line(tree, notes)
    for found in _TOKEN.finditer(moves):
        _, point, skip, other = found.groups()
        if point:
            line.play((GTP_COLUMNS.index(point[0].lower()), int(point[1:]) - 1), point)
        elif skip:
            line.play(None, skip)
        elif other and other not in RESULTS and other != "*":
            notes.add(f"{quoted(other)} is not a move")
    return line


def _rules(name: str) -> Optional[Rules]:
    words = name.lower().replace("-", " ").split()
    return GAMES.get(" ".join(word for word in words
                              if word not in ("speed", "turn", "based", "tb")))
