"""Games for spectators: lessons, their audience, tournaments."""
