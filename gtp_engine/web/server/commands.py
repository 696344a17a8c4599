"""The messages of pages by name, and their dispatch."""

import logging
from typing import Mapping

from ...command_line.terminal import harmless, import_error_text
from ...wire.declared import Wrong, one_of, table
from ..fields import Refusal, object_of
from .messages import edit, games, play, study, watching
from .page import Command, Page

COMMANDS: Mapping[str, Command] = {
    **games.COMMANDS, **play.COMMANDS, **edit.COMMANDS, **study.COMMANDS, **watching.COMMANDS}


async def answer(page: Page, text: str) -> None:
    """Run the command of a message from a page; no fault closes the connection.

    A message is a JSON object: `do` names the command, COMMANDS lists its other fields.  The reply
    to an impossible or malformed message is `refused`, with a text.
    """
    try:
        message = object_of(text)
        run, fields, is_for_spectators = COMMANDS[one_of(*COMMANDS)("do", message.pop("do", None))]
        if page.site.watch_only and not is_for_spectators:
            raise Refusal("this page is read-only")
        await run(page, **table(fields)("", message))
    except Refusal as refusal:
        page.say(do="refused", text=str(refusal), place=refusal.place, field=refusal.field)
    except Wrong as wrong:
        page.say(do="refused", text=str(wrong), place=None, field=wrong.path)
    except ImportError as error:
        page.say(do="refused", text=import_error_text(error), place=None, field=None)
    except Exception:
        logging.getLogger(__name__).exception("while answering %s", harmless(text[:200]))
        page.say(do="refused", text="internal error", place=None, field=None)
