"""GTP and the extensions of GoGui."""
