"""The program to begin with: it speaks GTP and plays at random; see `To do`."""

import random
import sys

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
NAMES = {"b": "black", "w": "white"}
AXES = ((1, 0), (0, 1), (1, 1), (1, -1))


class Game:
    def __init__(self, size=7):
        self.size, self.stones, self.side = size, {}, "b"

    def points(self):
        """All points, as column and row from 0."""
        return [(x, y) for x in range(self.size) for y in range(self.size)]

    def name(self, point):
        """The name of a point, as A1."""
        return f"{COLUMNS[point[0]]}{point[1] + 1}"

    def point(self, text):
        """The point with this name, or None."""
        column, row = COLUMNS.find(text[:1].upper()), text[1:]
        if 0 <= column < self.size and row.isdigit() and 1 <= int(row) <= self.size:
            return column, int(row) - 1
        return None

    def winner(self):
        """The colour with five in a row, or None."""
        for (x, y), colour in self.stones.items():
            for dx, dy in AXES:
                if all(self.stones.get((x + i * dx, y + i * dy)) == colour for i in range(5)):
                    return colour
        return None

    def legal(self):
        """The empty points; none once the game is won."""
        if self.winner():
            return []
        # To do: sort them by name, as in a dictionary.
        return [point for point in self.points() if point not in self.stones]

    def play(self, colour, text):
        """Put a stone on a point; return a complaint if that is illegal, else an empty text."""
        if colour.lower() not in NAMES:
            return f'illegal move: "{colour.lower()}" wrong color'
        point = self.point(text)
        if point is None:
            return f'illegal move: "{text.lower()}" wrong coordinate'
        if point in self.stones:
            return f'illegal move: "{text.lower()}" occupied'
        self.put(colour.lower(), point)
        return ""

    def put(self, colour, point):
        """Put a stone on an empty point; the other side is to move."""
        self.stones[point] = colour
        self.side = "w" if colour == "b" else "b"

    def genmove(self, colour):
        """Choose and play a random move; return its name, pass or resign."""
        if self.winner():
            return "resign" if self.winner() != colour else "pass"
        if not self.legal():
            return "pass"
        point = random.choice(self.legal())
        self.put(colour, point)
        return self.name(point)

    def result(self):
        """The result of the game so far: black, white, draw or unknown."""
        winner = self.winner()
        return NAMES[winner] if winner else "unknown" if self.legal() else "draw"


game = Game()


def boardsize(text):
    """Start a new game on a board of this size.  Raises ValueError."""
    global game
    if not text.isdigit() or not 3 <= int(text) <= 25:
        raise ValueError("unacceptable size")
    game = Game(int(text))
    return ""


def clear_board():
    """Start a new game on a board of the same size."""
    return boardsize(str(game.size))


COMMANDS = {
    "protocol_version": lambda: "2", "name": lambda: "Random", "version": lambda: "1",
    "list_commands": lambda: "\n".join(COMMANDS), "quit": lambda: "",
    "known_command": lambda name: str(name in COMMANDS).lower(),
    "boardsize": boardsize, "clear_board": clear_board,
    "play": lambda colour, point: game.play(colour, point),
    "genmove": lambda colour: game.genmove(colour.lower()),
    "gogui-rules_game_id": lambda: "Gomoku",
    "gogui-rules_board_size": lambda: str(game.size),
    "gogui-rules_legal_moves": lambda: " ".join(map(game.name, game.legal())),
    "gogui-rules_side_to_move": lambda: NAMES[game.side],
    # To do: gogui-rules_board.
    "gogui-rules_final_result": lambda: game.result(),
}


def main():
    """Answer the commands on standard input until quit or the end of input."""
    for line in sys.stdin:
        words = line.partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            continue
        sign = "="
        try:
            text = COMMANDS[words[0]](*words[1:])
        except KeyError:
            sign, text = "?", "unknown command"
        except (TypeError, ValueError) as error:
            sign, text = "?", str(error)
        print(f"{sign}{number} {text}\n", flush=True)
        if words[0] == "quit":
            break


if __name__ == "__main__":
    main()
