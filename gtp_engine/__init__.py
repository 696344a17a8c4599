"""An engine for k-in-a-row games: Gomoku, Pente and their relatives, over GTP.

Who imports whom: games and kernels nothing of ours; players these; command_line games and players;
solvers all of these; protocols games, players, solvers and command_line; arena games, players,
command_line, and of protocols the clock, files and notation; __main__ what it starts, when it
starts it.
"""

__version__ = "1.0"
