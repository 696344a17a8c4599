"""HTML pages from the templates in the folder pages; whatever others wrote is escaped."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..command_line.terminal import harmless

if TYPE_CHECKING:
    from jinja2 import Environment


def page(template: str, title: str, **values: Any) -> str:
    """The page that a template makes of the values, under this title."""
    return _environment().get_template(template).render(title=shown(title), **values)


def shown(text: str) -> str:
    """The text with its line ends, all other control characters as escapes."""
    return "\n".join(map(harmless, text.split("\n")))


@lru_cache(maxsize=None)
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent / "pages"),
                              autoescape=True, trim_blocks=True, lstrip_blocks=True,
                              undefined=StrictUndefined)
    environment.filters["shown"] = shown
    return environment
