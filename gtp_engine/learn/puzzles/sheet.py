"""Sheets."""
def write_sheet(path, puzzles):
    pass
