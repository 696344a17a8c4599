"""Text and time, for both ends of a pipe."""
