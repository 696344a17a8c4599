"""Boards in the plane where five in a row win: Gomoku, Caro, Pente."""
