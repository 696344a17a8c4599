"""Analysis, review, proofs and puzzles of a game, made by processes."""
