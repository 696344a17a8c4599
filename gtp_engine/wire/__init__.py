"""Text and time at the ends of a pipe: notations, clocks, streams, files."""
