"""The proof that Black wins Gomoku: its search, and an independent check."""
