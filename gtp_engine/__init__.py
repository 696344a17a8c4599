"""An engine for k-in-a-row games: Gomoku, Pente and their relatives, over GTP.

Who imports whom: games and kernels nothing of ours; players games and kernels; protocols games and
players; __main__ what it starts, when it starts it.
"""

__version__ = "1.0"
