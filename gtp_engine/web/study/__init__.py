"""Analysis, reviews, proofs and puzzles, in processes of their own."""
