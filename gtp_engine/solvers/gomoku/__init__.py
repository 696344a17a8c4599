"""The proof that Black wins Gomoku: how it is made, and independently checked."""
