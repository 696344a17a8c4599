"""Game review: classes of moves, better moves, and an opening explorer."""
