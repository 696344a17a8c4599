"""Play at the live node of an open game: players, clocks and the end of the game."""

from typing import Any, Callable, Collection, Mapping, Optional

from ...arena.verdict import Ending
from ...games.lattice import BLACK, WHITE
from ...games.tree import Step
from ...wire.notation import COLOUR_NAMES
from ..fields import Refusal
from ..games import PERSON, Game, Programs
from ..processes import ENGINES_BUSY, Processes, TooMany
from ..viewer import Viewer
from .keeper import Keeper
from .referee import Referee

NO_PROGRAMS = "the page may not start programs: see web --allow-programs"


class LiveNode:
    """Plays a game from its live node, and advances that node with each move.

    viewers    the pages of the game; pages at the live node follow it
    broadcast  sends a message to all of them
    settle     callback after each message of the referee's process, except search info
    """

    def __init__(self, game: Game, keeper: Keeper, viewers: Collection[Viewer],
                 processes: Processes, programs: Programs, broadcast: Callable[..., None],
                 settle: Callable[[], None]):
        """`programs`: the programs that may have seats."""
        self._game, self._keeper, self._viewers = game, keeper, viewers
        self._referee, self._programs = Referee(processes, self._on_message), programs
        self._broadcast, self._settle = broadcast, settle

    @property
    def is_playing(self) -> bool:
        """Whether a process plays the game."""
        return self._referee.is_playing

    @property
    def waits_for(self) -> Optional[str]:
        """The side to act: `you` for a person, the colour of a program, or None."""
        if not self._game.going_on:
            return None
        side = self._game.actor
        return "you" if self._game.seats[side]["player"] == PERSON else COLOUR_NAMES[side]

    def clock(self) -> dict[str, Any]:
        """The side to act, the colour with the running clock, and its elapsed seconds, as JSON."""
        return {"waiting": self.waits_for, "elapsed": self._referee.elapsed,
                "running": self._game.position.side if self._referee.is_asking else None}

    async def play(self) -> None:
        """Start the referee's process if programs or clocks need it; else end it.

        If it cannot start, pauses the game and raises Refusal.
        """
        game, referee = self._game, self._referee
        needs_referee = game.going_on and self._has_programs_or_clocks()
        if game.is_opening:
            needs_referee = game.seats[game.actor]["player"] != PERSON
        if referee.is_playing and not (needs_referee and referee.node in game.tree.nodes):
            self.end_match()
        if not needs_referee or referee.is_playing:
            return
        try:
            if not all(map(self._programs.allow, game.seats.values())):
                raise Refusal(NO_PROGRAMS)
            await referee.start(game)
        except (Refusal, TooMany) as reason:
            game.playing = False
            raise Refusal(ENGINES_BUSY if isinstance(reason, TooMany) else str(reason)) from None

    def _has_programs_or_clocks(self) -> bool:
        control = self._game.control
        return not self._game.has_persons_only or any(
            control[key] for key in ("per_move", "per_game"))

    def go(self, node: int) -> None:
        """Make a node the live node; pages at the old live node follow."""
        for viewer in self._viewers:
            if viewer.node == self._game.live:
                viewer.node = node
        self._game.live = node

    def after_move(self, node: int, colour: int, place: int) -> None:
        """Continue at `node` after a person's move in the game."""
        self.go(node)
        self._game.tree.promote(node)
        self._referee.play(colour, place)

    def move_now(self) -> None:
        """Make the thinking player move at once."""
        self._referee.move_now(self._game.actor)

    def end_match(self) -> None:
        """End the referee's process; deduct the elapsed time of the side to move."""
        elapsed, side = self._referee.end(), self._game.position.side
        left = self._game.left[side]
        if left is not None and elapsed:
            self._game.left[side] = max(0.0, left - elapsed)
            self._keeper.changed()

    def end_game(self, winner: int, text: str) -> None:
        """End the game at the live node with this result, such as a resignation."""
        self.end_match()
        self._game.result = {"node": self._game.live, "winner": winner, "text": text}

    # --- messages of the referee's process ----------------------------------------------------

    def _on_message(self, message: Mapping[str, Any]) -> None:
        game = self._game
        if message["do"] == "thinking":
            self._broadcast(do="thinking", node=self._referee.node, report=message["report"])
            return
        if "left" in message:
            game.left = dict(zip((BLACK, WHITE), message["left"]))
        if message["do"] == "opened":
            self.go(game.act(message["action"]))
        elif message["do"] == "move":
            self._program_moved(message)
        elif message["do"] == "end" and not game.position.outcome:
            self.end_game(message["winner"], Ending[message["ending"]].value)
        elif message["do"] in ("failed", "died"):
            game.playing = False
            self._broadcast(do="notice", text=message.get(
                "text", "the engine has stopped; Continue restarts it"))
        if message["do"] != "begin":
            self._keeper.changed()
        self._settle()

    def _program_moved(self, message: Mapping[str, Any]) -> None:
        game, referee = self._game, self._referee
        points = game.position.lattice.points
        step = Step(move=(message["colour"], points[message["point"]]))
        played_nodes = game.tree.path(game.live)
        try:
            referee.node = game.tree.add(referee.node, step)
        except ValueError as error:
            self.end_match()
            game.playing = False
            self._broadcast(do="notice", text=str(error))
            return
        if "value" in (info := message["search_info"]):
            value = min(max(info["value"], -1.0), 1.0)
            game.tree.set_value(referee.node, value if message["colour"] == BLACK else -value,
                               int(info.get("depth", 0)))
        if referee.node not in played_nodes:  # the live node may be ahead of the referee
            self.go(referee.node)
            game.tree.promote(game.live)
