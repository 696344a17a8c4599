"""An engine for k-in-a-row games: Gomoku, Pente and their relatives, over GTP.

Who imports whom: games and kernels nothing of ours; players games and kernels; solvers these;
protocols games, players and solvers; arena games, players and protocols; __main__ what it starts,
when it starts it.
"""

__version__ = "1.0"
