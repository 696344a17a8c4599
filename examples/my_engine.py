"""A player of one's own: it wins, it blocks, and otherwise it plays near the middle."""

import gtp_engine


def my_engine(game: gtp_engine.Game) -> str:
    """Return a move for the side to move."""
    def wins(move: str, colour: str) -> bool:
        trial = game.copy()
        trial.play(move, colour)
        return trial.outcome is not None and trial.outcome.winner == colour

    def distance(move: str) -> int:
        column, row, *_ = game.to_coordinates(move)
        return abs(column - game.width // 2) + abs(row - game.height // 2)

    moves = sorted(game.legal_moves(), key=distance)
    for colour in (game.turn, "white" if game.turn == "black" else "black"):
        for move in moves:
            if wins(move, colour):
                return move
    return moves[0]


if __name__ == "__main__":
    gtp_engine.serve(my_engine)
