"""The environments in Gymnasium's registry."""

import gymnasium

from ...games import catalogue

NAMESPACE = "gtp_engine"
SIZES = (7, 9, 13, 15, 19)  # of boards in the plane, besides the default size
SINGLE = f"{__name__.rpartition('.')[0]}.single:BoardEnv"
VECTOR = f"{__name__.rpartition('.')[0]}.vector:BoardVectorEnv"


def register() -> None:
    """Register NAME-v0 of every game, and NAME and size, as in gtp_engine/Gomoku15-v0.

    gtp_engine/Board-v0 takes any game and size as arguments.
    """
    add("Board", {})
    for rules in catalogue.GAMES.values():
        add(rules.name, {"game": rules.name})
        for size in SIZES:
            if rules.smallest <= size <= rules.largest and not rules.cube:
                add(f"{rules.name}{size}", {"game": rules.name, "size": size})


def add(name: str, arguments: dict[str, object]) -> None:
    """Register an environment and its vector version."""
    identity = f"{NAMESPACE}/{name}-v0"
    if identity not in gymnasium.registry:
        gymnasium.register(identity, SINGLE, vector_entry_point=VECTOR, kwargs=arguments)
