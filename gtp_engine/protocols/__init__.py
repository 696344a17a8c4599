"""How a controller talks to us."""
