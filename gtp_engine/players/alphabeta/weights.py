"""The weights of the alpha-beta search, written by the programs in tuning/.

Each file in data/ holds the arrays of one kind of game and board:

value, policy   int16[2, COMBINATIONS], see `kernels.plane.state.Search`; `value` has four rows if
                shapes have other values for the second colour
extras          int64[EXTRAS + 1]
rows            int16[n, CHANNELS], one row for each pattern and its mirror image
input_bias      int16[CHANNELS]
layers          see `kernels.plane.network`

The last three are the network, which some files lack.
"""

from functools import lru_cache
from os import PathLike
from typing import IO, Mapping, NamedTuple, Optional, Union

import numpy as np

from ...games.lattice import BLACK
from ...games.rules import Rules
from ...kernels.plane.accumulator import CHANNELS, number_of_pattern
from ...kernels.plane.evaluation import EXTRAS
from ...kernels.plane.features import FEATURES, MARGIN, MARGINS, PENTE_MARGINS, RENJU_MARGINS
from ...kernels.plane.network import LAYERS
from ...kernels.plane.shapes import COMBINATIONS, PATTERNS
from .. import DATA
from ..arrays import Kind, arrays_in, check
from ..options import whole_number

STRATEGY = "strategy"  # the table of winning moves for 4x4x4
SCORE_UNIT = 200  # the score of a position that is won with odds of e to 1
SMALL = 9  # the largest size without a network: games are drawn with and without it
LARGE = 17  # the least size with the weights of 20x20 in place of 15x15
ROWS = (PATTERNS + 256) // 2  # patterns up to mirror images; 256 are their own mirror images

KINDS: Mapping[str, Kind] = {
    "value": (np.int16, (None, COMBINATIONS)), "policy": (np.int16, (2, COMBINATIONS)),
    "extras": (np.int64, (EXTRAS + 1,))}
NETWORK_KINDS: Mapping[str, Kind] = {
    "rows": (np.int16, (ROWS, CHANNELS)),
    "input_bias": (np.int16, (CHANNELS,)), "layers": (np.float32, (LAYERS,))}


class Network(NamedTuple):
    """The arrays of a network.

    rows        int16[PATTERNS, 2 * CHANNELS]; no rows if there is no network
    input_bias  int16[2 * CHANNELS]
    layers      float32[LAYERS], see kernels.plane.network
    """

    rows: np.ndarray
    input_bias: np.ndarray
    layers: np.ndarray


NO_NETWORK = Network(np.zeros((0, 2 * CHANNELS), np.int16), np.zeros(2 * CHANNELS, np.int16),
                     np.zeros(LAYERS, np.float32))


class Weights(NamedTuple):
    """The weights of a search, as in `kernels.plane.state.Search`.

    value   int16[2 * n, COMBINATIONS], see `kernels.plane.shapes.worth_of`
    policy  int16[2, COMBINATIONS]
    extras  int64[EXTRAS + 1]
    margins  MARGIN[1]
    """

    value: np.ndarray
    policy: np.ndarray
    extras: np.ndarray
    margins: np.ndarray
    network: Network


class Tuning(NamedTuple):
    """Changes to the search, for measurements of their worth.

    off      disabled features: of kernels.plane.features, or STRATEGY of the cube
    weights  replacement of the game's weights
    margins  replacements of numbers of kernels.plane.features.MARGINS, by name
    """

    off: tuple[str, ...] = ()
    weights: Optional[Weights] = None
    margins: Mapping[str, int] = {}

    def of(self, rules: Rules, size: int) -> Weights:
        """The weights for a game on boards of that size."""
        weights = self.weights or weights_of(rules, size)
        return weights._replace(margins=record_of({**margins_of(rules), **self.margins}))


def tuning_of(changes: Mapping[str, str]) -> Tuning:
    """The tuning of these texts: off=NAME+NAME, weights=FILE, and margins by name.

    Raises ValueError and OSError.
    """
    tuning = Tuning()
    for key, text in changes.items():
        if key == "off":
            tuning = tuning._replace(off=tuple(text.split("+")))
        elif key == "weights":
            tuning = tuning._replace(weights=read(text))
        elif key in MARGINS:
            tuning = tuning._replace(margins={**tuning.margins, key: whole_number(key, text)})
        else:
            raise ValueError(f"no such setting: {key} (for tuning: off weights "
                             f"{' '.join(MARGINS)})")
    for name in tuning.off:
        if name not in (*FEATURES, STRATEGY):
            raise ValueError(f"no such feature: {name} (available: "
                             f"{' '.join((*FEATURES, STRATEGY))})")
    return tuning


def kind(rules: Rules, size: int) -> str:
    """The name of the file with the weights of a game on boards of that size."""
    if rules.capture_lengths:
        return "pente"
    if size >= LARGE:  # the size matters more than the rules
        return "gomoku_large"
    if rules.renju:
        return "renju"
    if rules.caro:
        return "caro"
    return "gomoku_exact" if rules.exact(BLACK) else "gomoku"


@lru_cache(maxsize=None)
def weights_of(rules: Rules, size: int) -> Weights:
    """The weights of a game on boards of that size."""
    with (DATA / f"{kind(rules, size)}.npz").open("rb") as file:
        weights = read(file)._replace(margins=record_of(margins_of(rules)))
    return weights if size > SMALL else weights._replace(network=NO_NETWORK)


def margins_of(rules: Rules) -> Mapping[str, int]:
    """The tunable numbers of a game's search, by name."""
    if rules.renju:
        return RENJU_MARGINS
    return PENTE_MARGINS if rules.capture_lengths else MARGINS


def record_of(margins: Mapping[str, int]) -> np.ndarray:
    """Convert these numbers to MARGIN[1]."""
    return np.array([tuple(margins[name] for name in MARGINS)], MARGIN)


def read(file: Union[str, "PathLike[str]", IO[bytes]]) -> Weights:
    """Read the weights of a file, given by its path or open.  Raises ValueError and OSError."""
    data = arrays_in(file, KINDS)
    if len(data["value"]) not in (2, 4):
        raise ValueError(f"the array value has {len(data['value'])} rows, not 2 or 4")
    network = NO_NETWORK
    if NETWORK_KINDS.keys() & data.keys():
        check(data, NETWORK_KINDS)
        if not np.isfinite(data["layers"]).all():
            raise ValueError("the array layers has numbers that are not finite")
        network = Network(by_pattern(data["rows"]), np.tile(data["input_bias"], 2), data["layers"])
    return Weights(data["value"], data["policy"], data["extras"],
                   record_of(MARGINS), network)


def by_pattern(rows: np.ndarray) -> np.ndarray:
    """Expand int16[n, CHANNELS], by `number_of_pattern`, to int16[PATTERNS, 2 * CHANNELS]."""
    number = number_of_pattern()
    patterns = np.arange(PATTERNS)
    exchanged = patterns >> 8 | (patterns & 255) << 8
    return np.hstack([rows[number], rows[number[exchanged]]])
