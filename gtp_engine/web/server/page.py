"""A page in a browser: its connection, its current game, and helpers for its messages."""

import asyncio
import base64
import json
import os
from random import Random
from typing import Any, Awaitable, Callable, Mapping, Optional, Union

from ... import __version__
from ...arena.seats.base import TimeControl
from ...arena.seats.spec import seat_of
from ...games import catalogue
from ...games.lattice import BLACK, WHITE, Size
from ...games.opening_rules import RULES
from ...games.rules import Rules
from ...players.alphabeta.levels import choices
from ...players.options import OPTIONS
from ...players.proofs import gomoku as gomoku_proof
from ...players.registry import PLAYERS, complaint
from ...wire.declared import Kind
from ...wire.notation import COLOUR_NAMES
from ..fields import Refusal
from ..game.live_node import NO_PROGRAMS
from ..game.room import Room
from ..games import PERSON, Seat, options_of, text_of_seat
from ..lesson.watch import Tournament
from ..lesson.watched import WatchedGame
from ..openings import FREE
from ..study.puzzles import Puzzles
from .site import Site

MOST_WAITING = 1000  # messages in the outbox of a page
FIRST_GAME = (catalogue.GOMOKU, 15)  # of a user without games

# A message: its function, its fields, and whether spectators may send it.
Command = tuple[Callable[..., Awaitable[None]], Mapping[str, Kind], bool]

# The entry of K-in-a-row in the list of games, with the least and the greatest K.
FAMILY = {"name": catalogue.FAMILY, "smallest": catalogue.GOMOKU.smallest, "cube": False,
          "largest": catalogue.GOMOKU.largest, "default": catalogue.k_in_a_row(4).default_size,
          "lengths": [catalogue.SHORTEST, catalogue.LONGEST]}


class Page:
    """A page in a browser, as long as it is connected.

    room    the current game: a Room, or a WatchedGame if the page cannot change it
    outbox  messages to send, as text; None disconnects the page
    ticket  identifies the guesses of the page in a lesson, see audience.py
    """

    def __init__(self, site: Site):
        self.site = site
        self.outbox: asyncio.Queue[Optional[str]] = asyncio.Queue()
        self.room: Union[Room, WatchedGame, None] = None
        self.tournament: Optional[Tournament] = None
        self.puzzles = Puzzles(self, site.processes, site.score, Random())
        self.ticket = ""
        self._sent_games = 0  # number of sent games of the tournament
        self._sent_version: Any = None

    def say(self, **message: Any) -> None:
        """Send a message with these fields."""
        self.send(json.dumps(message, separators=(",", ":")))

    def send(self, text: str) -> None:
        """Send a message as text; disconnect the page if its outbox is full."""
        waiting = self.outbox.qsize()
        if waiting < MOST_WAITING:
            self.outbox.put_nowait(text)
        elif waiting == MOST_WAITING:
            self.outbox.put_nowait(None)

    async def enter(self) -> None:
        """Register the page and send it the current state."""
        site = self.site
        site.pages.add(self)
        if not site.watch_only:
            site.preparation.begin(catalogue.GOMOKU)
        self.say(do="hello", version=__version__, watch_only=site.watch_only,
                 programs=site.programs.any, own=[
                     {"command": command, "name": name}
                     for command, name in site.programs.names.items()], cores=os.cpu_count() or 1,
                 preparing=site.preparation.is_running, lesson=site.lesson.state is not None,
                 games=[{"name": rules.name, "smallest": rules.smallest, "cube": rules.cube,
                         "largest": rules.largest, "default": rules.default_size}
                        for rules in catalogue.GAMES.values()] + [FAMILY],
                 levels={rules.name: choices(rules) for rules in catalogue.GAMES.values()}
                 | {catalogue.FAMILY: []},
                 openings=[FREE, *RULES],
                 proofs=gomoku_proof.games(),
                 players={player: options_of(player) for player in PLAYERS},
                 options=[{"name": name, "help": option.help, "values": option.values,
                           "unit": option.unit,
                           "default": "" if option.default is None else str(option.default)}
                          for name, option in OPTIONS.items()],
                 collections=len(site.archive.collections),
                 tournaments=[tournament.path.name for tournament in site.tournaments])
        site.lesson.tell(self)

    def leave(self) -> None:
        """Remove the page."""
        self.site.pages.discard(self)
        self.leave_room()

    async def watch_tournament(self, tournament: Tournament) -> None:
        """Show a tournament and send its changes."""
        self.tournament, self._sent_version = tournament, None
        await tournament.look()
        self.tell_tournament()

    def tell_tournament(self) -> None:
        """Send the changes of the tournament that the page shows."""
        tournament = self.tournament
        if tournament is None or self._sent_version == (tournament.era, tournament.version):
            return
        if self._sent_version is None or self._sent_version[0] != tournament.era:
            self._sent_games = 0
        self._sent_version = tournament.era, tournament.version
        message = tournament.message(self._sent_games)
        self._sent_games += len(message.get("games", ()))
        self.say(do="tournament", index=self.site.tournaments.index(tournament), **message)

    def send_file(self, kind: str, data: bytes) -> None:
        """Send an SGF file of the current game; `kind` becomes part of its name."""
        game = self.current().game
        name = "-".join(filter(None, [game.tree.rules.name, game.id[:6], kind]))
        self.say(do="saved", name=f"{name}.sgf", data=base64.b64encode(data).decode())

    async def open(self, id: str, node: Optional[int] = None) -> None:
        """Show a game, at a node or at its live node."""
        if self.site.watch_only:
            self.watch_game(await self.site.saved_game(id), node)
        else:
            await self.enter_room(await self.site.room(id), node)

    async def enter_room(self, room: Room, node: Optional[int] = None) -> None:
        """Show a game of the user."""
        self.leave_room()
        self.room = room
        self.site.preparation.begin(room.game.tree.rules)
        await room.enter(self, node)

    def watch_game(self, watched: WatchedGame, node: Optional[int] = None) -> None:
        """Show a game that the page cannot change."""
        self.leave_room()
        self.room = watched
        watched.enter(self, node)

    def leave_room(self) -> None:
        """Show no game."""
        if self.room:
            self.room.leave(self)
        self.room = None
        self.puzzles.end()

    def current(self) -> Union[Room, WatchedGame]:
        """The game that the page shows.  Raises Refusal without one."""
        if self.room is None:
            raise Refusal("open a game first")
        return self.room

    def own(self) -> Room:
        """The game that the page shows.  Raises Refusal if the page cannot change it."""
        room = self.current()
        if isinstance(room, WatchedGame):
            raise Refusal("this game can only be watched")
        return room

    def rules_and_size(self) -> tuple[Rules, Size]:
        """The rules and size of the game that the page shows; those of FIRST_GAME without one."""
        return (self.room.game.tree.rules, self.room.game.tree.size) if self.room else FIRST_GAME

    def check_seats(self, black: Seat, white: Seat, rules: Rules, size: Size) -> dict[int, Seat]:
        """The seats by colour, for a game on a board of this size.

        Raises Refusal for a program that this server does not allow, and for a player that does not
        play the game.
        """
        lattice = catalogue.start(rules, size).lattice
        seats = {BLACK: black, WHITE: white}
        for colour, seat in seats.items():
            if not self.site.programs.allow(seat):
                raise Refusal(NO_PROGRAMS, field=f"{COLOUR_NAMES[colour]}.player")
            if seat["player"] != PERSON:
                try:
                    seat_of(text_of_seat(seat), TimeControl(), Random(0))
                except ValueError as error:
                    raise Refusal(f"{COLOUR_NAMES[colour]}: {error}",
                                  field=f"{COLOUR_NAMES[colour]}.command") from None
            if seat["player"] in PLAYERS:
                reason = complaint(seat["player"], rules, lattice,
                                   seat["settings"].get("policy", "random"))
                if reason:
                    raise Refusal(reason, field=f"{COLOUR_NAMES[colour]}.player")
        return seats
