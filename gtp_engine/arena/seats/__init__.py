"""Who plays a game for the referee: players of ours, people, programs."""
