"""Analysis, reviews, proofs and puzzles of a game; processes compute them."""
