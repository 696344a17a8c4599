"""The import map of the package, held against its sources."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "gtp_engine"

# What a folder may import of ours, besides itself.
ALLOWED = {
    "games": set(),
    "kernels": set(),
    "players": {"games", "kernels"},
    "solvers": {"games", "kernels", "players"},
    "protocols": {"games", "players", "solvers"},
    "arena": {"games", "players", "protocols"},
}
OUTSIDE = {"games": {"sgfmill"}, "arena": {"psutil"},
           "kernels": {"numpy", "numba", "llvmlite", "platformdirs"},
           "players": {"numpy"}, "solvers": {"numpy"}, "protocols": set()}


def imported(path):
    """(folder of ours or None, top-level module or None) for each import in a source file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((None, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level == 0:
                yield None, node.module.split(".")[0]
            else:
                package = ["gtp_engine", *path.relative_to(PACKAGE).parent.parts]
                target = package[:len(package) - node.level + 1]
                names = [node.module] if node.module else [alias.name for alias in node.names]
                for name in names:
                    parts = [*target, *name.split(".")]
                    yield (parts[1] if len(parts) > 1 else ""), None


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*/*.py")), ids=lambda path: path.stem)
def test_imports(path):
    import sys
    folder = path.parent.name
    for ours, module in imported(path):
        if module is None:
            assert ours in ALLOWED[folder] | {folder, "__version__"}, (path.name, ours)
        else:
            assert module in sys.stdlib_module_names | OUTSIDE[folder], (path.name, module)
