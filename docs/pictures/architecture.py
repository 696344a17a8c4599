"""Draws architecture.svg: the rooms of the package, each above all that it imports.

A line leads to what a room imports, unless a room between them does so, too.

    python docs/pictures/architecture.py
"""

import ast
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent / "gtp_engine"
PROGRAMS = "programs"
WIDTH, HEIGHT, GAP, LAYER, MARGIN = 118, 34, 18, 92, 24


def imports():
    """By room the rooms that its modules import; a module of no folder is none.

    The programs of command_line draw on all packages, which share its options: a room apart.
    """
    found = {path.name: set() for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    found[PROGRAMS] = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).parts
        if parts[0] not in found:
            continue
        own = PROGRAMS if parts[1] == PROGRAMS else parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level:
                above = [*parts[:-1]][:len(parts) - node.level]
                target = [*above, *(node.module or "").split("."), *(
                    alias.name for alias in node.names)]
                room = next((part for part in target if part), "")
                if not above and room in found and room != own:
                    found[own].add(room)
    return found


def layers(rooms):
    """The rooms from the lowest layer to the highest, each in the first above all it imports.

    Raises ValueError if some import each other.
    """
    done, order = set(), []
    while len(done) < len(rooms):
        layer = sorted(room for room in rooms if room not in done and rooms[room] <= done)
        if not layer:
            raise ValueError(f"rooms import each other: {' '.join(sorted(set(rooms) - done))}")
        order.append(layer)
        done.update(layer)
    return order


def direct(rooms):
    """The same rooms with those alone that they import not only by way of others."""
    below = {}
    for room in (room for layer in layers(rooms) for room in layer):
        below[room] = rooms[room].union(*(below[other] for other in rooms[room]))
    return {room: {other for other in others
                   if not any(other in below[each] for each in others)}
            for room, others in rooms.items()}


def drawing(rooms):
    """The picture as text."""
    order, rooms = layers(rooms), direct(rooms)
    most = max(map(len, order))
    width = most * (WIDTH + GAP) - GAP + 2 * MARGIN
    height = len(order) * LAYER - (LAYER - HEIGHT) + 2 * MARGIN
    place = {}
    for i, layer in enumerate(order):
        left = (width - len(layer) * (WIDTH + GAP) + GAP) / 2
        for k, room in enumerate(layer):
            place[room] = left + k * (WIDTH + GAP), height - MARGIN - HEIGHT - i * LAYER
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
             'font-family="sans-serif" font-size="14">',
             '<rect width="100%" height="100%" fill="#ffffff"/>']
    for room in sorted(rooms):
        for other in sorted(rooms[room]):
            (x, y), (u, v) = place[room], place[other]
            lines.append(f'<path d="M{x + WIDTH / 2:g} {y + HEIGHT:g}L{u + WIDTH / 2:g} {v:g}" '
                         'stroke="#9a9184" fill="none"/>')
    for room in sorted(rooms):
        x, y = place[room]
        lines.append(f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
                     'fill="#f2e3c4" stroke="#7a5c28"/>')
        lines.append(f'<text x="{x + WIDTH / 2:g}" y="{y + HEIGHT / 2 + 5:g}" '
                     f'text-anchor="middle" fill="#222222">{room}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    (HERE / "architecture.svg").write_text(drawing(imports()), encoding="utf-8")
