"""Games, boards and rules in pure Python, which starts fast."""
