"""Game review and opening explorer."""
