"""Games, boards and rules in pure Python, so that the engine starts fast."""
