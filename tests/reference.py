"""Gomoku and Pente once more, by another road: whole-board scans over a dict of coordinates."""

from gtp_engine.games.lattice import EMPTY

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]
EIGHT = DIRECTIONS + [(-x, -y) for x, y in DIRECTIONS]


def other(colour):
    return "w" if colour == "b" else "b"


def text(point):
    return f"{LETTERS[point[0]]}{point[1] + 1}"


class ReferenceGame:
    """One game by the rules of `name`; colours are b and w, points (x, y) from the lower left."""

    def __init__(self, name, size):
        self.name, self.size = name, size
        self.stones, self.taken, self.moves = {}, {"b": 0, "w": 0}, []
        self.side, self.result = "b", "unknown"
        self.lengths = {"Pente": [2], "Pente-free": [2], "Ninuki": [2],
                        "Keryo-Pente": [2, 3]}.get(name, [])
        self.pente = bool(self.lengths)
        self.target = 15 if name == "Keryo-Pente" else 10

    def points(self):
        return [(x, y) for x in range(self.size) for y in range(self.size)]

    def line(self, point, direction, length):
        return [(point[0] + i * direction[0], point[1] + i * direction[1]) for i in range(length)]

    def row_through(self, stones, point, colour):
        """Is there a winning row of the colour with this point in it?"""
        for dx, dy in DIRECTIONS:
            row = [point]
            for sign in (1, -1):
                x, y = point
                while stones.get((x + sign * dx, y + sign * dy)) == colour:
                    x, y = x + sign * dx, y + sign * dy
                    row.append((x, y))
            first, last = min(row), max(row)
            around = [stones.get((first[0] - dx, first[1] - dy)),
                      stones.get((last[0] + dx, last[1] + dy))]
            blocked = "Caro" in self.name and around == [other(colour)] * 2
            if len(row) == 5 and not blocked or len(row) > 5 and not self.exact(colour):
                return True
        return False

    def exact(self, colour):
        return "exact" in self.name or self.name == "Renju" and colour == "b"

    def captured_by(self, point, colour):
        gone = []
        for direction in EIGHT:
            if self.stones.get((point[0] + direction[0], point[1] + direction[1])) != other(colour):
                continue
            for length in self.lengths:
                cells = self.line(point, direction, length + 2)[1:]
                held = [self.stones.get(cell) for cell in cells]
                if held == [other(colour)] * length + [colour]:
                    gone += cells[:-1]
        return gone

    def complaint(self, colour, point):
        if point in self.stones:
            return "occupied"
        order = "".join(c for c, _ in self.moves)
        if self.name in ("Pente", "Keryo-Pente") and colour == "b":
            if order == "":
                near = {(self.size - 1) // 2, self.size // 2}
                if not (point[0] in near and point[1] in near):
                    return "not in the center"
            if order == "bw":
                first = self.moves[0][1]
                if max(abs(point[0] - first[0]), abs(point[1] - first[1])) < 3:
                    return "too close to the center"
        if self.name == "Renju" and colour == "b":
            kind = renju_kind(self.stones, self.size, point)
            if kind not in (None, "five"):
                return f"forbidden: {kind}"
        return "game over" if self.result != "unknown" else None

    def play(self, colour, point):
        assert self.complaint(colour, point) is None
        gone = self.captured_by(point, colour)
        self.stones[point] = colour
        for cell in gone:
            del self.stones[cell]
        self.taken[colour] += len(gone)
        self.moves.append((colour, point))
        self.side = other(colour)
        if self.row_through(self.stones, point, colour) or (
                self.pente and self.taken[colour] >= self.target):
            self.result = {"b": "black", "w": "white"}[colour]
        elif not self.legal():
            self.result = "draw"

    def legal(self):
        return [p for p in self.points() if self.complaint(self.side, p) is None]

    def would_win(self, colour, point):
        if point in self.stones:
            return False
        if self.row_through({**self.stones, point: colour}, point, colour):
            return True
        more = len(self.captured_by(point, colour))
        return self.pente and self.taken[colour] + more >= self.target

    def windows(self, colour):
        """Lines of six, ends empty, three stones of the colour and a fourth point empty."""
        for direction in DIRECTIONS:
            for point in self.points():
                cells = self.line(point, direction, 6)
                if not all(0 <= x < self.size and 0 <= y < self.size for x, y in cells):
                    continue
                held = [self.stones.get(cell) for cell in cells]
                if held[0] or held[5] or sorted(map(str, held[1:5])) != sorted(
                        ["None"] + [colour] * 3):
                    continue
                before = (point[0] - direction[0], point[1] - direction[1])
                outer = [self.stones.get(before),
                         self.stones.get(self.line(point, direction, 7)[6])]
                if self.exact(colour) and colour in outer:
                    continue
                hole = next(c for c in cells[1:5] if c not in self.stones)
                if (self.complaint(colour, hole) or "").startswith("forbidden"):
                    continue
                if "Caro" in self.name and other(colour) in outer:
                    continue
                yield (direction, frozenset(c for c in cells if c in self.stones),
                       {c for c in cells if c not in self.stones},
                       next(c for c in cells[1:5] if c not in self.stones))

    def policy_moves(self):
        legal = self.legal()
        if not legal:
            return ""
        us, them = self.side, other(self.side)
        wins = [p for p in legal if self.would_win(us, p)]
        if wins:
            return self.answer("Win", wins)
        threats = [p for p in self.points()
                   if p not in self.stones and self.would_win(them, p)]
        if threats:
            blocks = []
            for p in legal:
                gone = self.captured_by(p, us)
                before = dict(self.stones)
                self.stones[p] = us
                for cell in gone:
                    del self.stones[cell]
                if not all(self.would_win(them, t) for t in threats):
                    blocks.append(p)
                self.stones = before
            if blocks:
                return self.answer("BlockWin", blocks)
        fours = {hole for _, _, _, hole in self.windows(us)}
        if fours:
            return self.answer("OpenFour", fours)
        groups = {}
        for direction, stones, empty, _ in self.windows(them):
            groups.setdefault((direction, stones), []).append(empty)
        blocks = set().union(*(set.intersection(*sets) for sets in groups.values()))
        blocks &= set(legal)
        if blocks and self.name != "Ninuki":
            return self.answer("BlockOpenFour", blocks)
        captures = [p for p in legal if self.captured_by(p, us)]
        if captures:
            return self.answer("Capture", captures)
        return self.answer("Random", legal)

    @staticmethod
    def answer(name, points):
        return " ".join([name] + sorted(text(p) for p in points))

    def board(self):
        return "\n".join(
            "".join({"b": "X", "w": "O", None: "."}[self.stones.get((x, y))]
                    for x in range(self.size)) for y in reversed(range(self.size)))


def renju_kind(stones, size, point):
    """What a black stone on an empty point makes in Renju, by the definitions: five, overline,
    double four, double three or None."""
    after = {**stones, point: "b"}
    lines = [renju_line(size, point, direction) for direction in DIRECTIONS]
    runs = [run_of(after, line, point) for line in lines]
    if any(len(run) == 5 for run in runs):
        return "five"
    if any(len(run) > 5 for run in runs):
        return "overline"
    fours = set()
    for line in lines:
        for last in line:
            run = run_of({**after, last: "b"}, line, last)
            if last not in after and point in run and len(run) == 5:
                fours.add(frozenset(run) - {last})
    if len(fours) >= 2:
        return "double four"
    threes = sum(any(opens_four(after, size, line, point, fourth)
                     and renju_kind(after, size, fourth) is None for fourth in line)
                 for line in lines)
    return "double three" if threes >= 2 else None


def renju_line(size, point, direction):
    """All points of the board in line with the point, in order."""
    steps = range(-size, size + 1)
    cells = [(point[0] + i * direction[0], point[1] + i * direction[1]) for i in steps]
    return [(x, y) for x, y in cells if 0 <= x < size and 0 <= y < size]


def run_of(stones, line, point):
    """The unbroken black stones of the line around the point."""
    run = []
    for cell in line:
        if stones.get(cell) == "b":
            run.append(cell)
        elif point in run:
            break
        else:
            run = []
    return run


def opens_four(stones, size, line, point, fourth):
    """Does a black stone on `fourth` make four of which the point is one, and that turn into five
    on the empty points on either side?"""
    if fourth in stones:
        return False
    after = {**stones, fourth: "b"}
    run = run_of(after, line, fourth)
    if len(run) != 4 or point not in run:
        return False
    before, behind = line.index(run[0]) - 1, line.index(run[3]) + 1
    return before >= 0 and behind < len(line) and all(
        end not in after and len(run_of({**after, end: "b"}, line, end)) == 5
        for end in (line[before], line[behind]))


def wins_by_fours(position, fours):
    """The moves with which the side to move wins at once or, if there are none, those that win by
    at most so many fours, whatever the opponent does: a four is a move after which it could win."""
    side, moves = position.side, position.legal_moves()
    at_once = {move for move in moves if position.wins(side, move)}
    if at_once or fours == 0:
        return at_once
    winning = set()
    for move in moves:
        position.play(side, move)
        threat = next((point for point in position.legal_moves() if position.wins(side, point)),
                      None)
        if threat and all(loses(position, reply, side, threat, fours - 1)
                          for reply in position.legal_moves()):
            winning.add(move)
        position.undo()
    return winning


def loses(position, reply, winner, threat, fours):
    """Does `winner` win, on `threat` or by so many fours, after this move of the other side?"""
    position.play(position.side, reply)
    lost = position.outcome is None and (
        position.cells[threat] == EMPTY and position.wins(winner, threat)
        or bool(wins_by_fours(position, fours)))
    position.undo()
    assert position.side != winner
    return lost


def holds(position, fours):
    """The moves after which the opponent has no win by at most so many fours."""
    held = set()
    for move in position.legal_moves():
        position.play(position.side, move)
        if position.outcome or not wins_by_fours(position, fours):
            held.add(move)
        position.undo()
    return held
