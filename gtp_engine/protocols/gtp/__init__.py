"""GTP and what GoGui adds to it."""
