"""HTML pages from the templates in the folder pages; text from submissions is escaped."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..command_line.terminal import harmless

if TYPE_CHECKING:
    from jinja2 import Environment


def page(template: str, title: str, **values: Any) -> str:
    """Render a template with a title and values."""
    return _environment().get_template(template).render(title=printable(title), **values)


def printable(text: str) -> str:
    """Replace all control characters except line ends by escapes."""
    return "\n".join(map(harmless, text.split("\n")))


@lru_cache(maxsize=None)
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent / "pages"),
                              autoescape=True, trim_blocks=True, lstrip_blocks=True,
                              undefined=StrictUndefined)
    environment.filters["printable"] = printable
    return environment
