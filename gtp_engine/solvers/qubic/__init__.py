"""The proof that the first player wins 4x4x4, and its check."""
