"""Even and balanced openings, books, swaps."""
