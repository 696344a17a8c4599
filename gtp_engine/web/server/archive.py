"""The collections of a server: games to explore, to search and to open."""

import logging
from pathlib import Path
from typing import Any, Sequence

from ...games.lattice import Size
from ...games.rules import Position, Rules
from ...records.collection import Answer, Collection, merged
from ...records.record import Record
from ..fields import Refusal

ONLY_OFFLINE = "RenjuNet"  # the format of files whose licence forbids to publish them
PAGE = 20  # games in one message


class Archive:
    """The collections of a server, as one."""

    def __init__(self, collections: Sequence[Collection] = ()):
        self.collections = collections

    def games(self, rules: Rules, size: Size) -> int:
        """The number of games with these rules and this size."""
        return sum(each.kinds().get((rules, size), 0) for each in self.collections)

    def answers(self, position: Position) -> list[Answer]:
        """The answers of all games to a position, the most frequent first."""
        return merged(each.answers(position) for each in self.collections)

    def search(self, position: Position, words: str, skip: int
               ) -> tuple[list[dict[str, Any]], int]:
        """Find games that reach a position, see `Collection.search`.

        Returns PAGE games after the first `skip`, in the types of JSON, and the number of matches.
        """
        games: list[dict[str, Any]] = []
        count = 0
        for number, collection in enumerate(self.collections):
            found, matches = collection.search(position, words=words, most=PAGE - len(games),
                                               skip=max(0, skip - count))
            count += matches
            games += [{"collection": number, "id": each.id, "black": each.black,
                       "white": each.white, "result": each.result, "date": each.date,
                       "event": each.event} for each in found]
        return games, count

    def record(self, collection: int, id: int) -> Record:
        """Read a game from its file.  Raises Refusal if this is impossible."""
        try:
            return self.collections[collection].record(id)
        except LookupError:
            raise Refusal("there is no such game") from None
        except FileNotFoundError:
            raise Refusal("the file of this game is gone") from None
        except OSError as error:
            raise Refusal(f"the file of this game cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise Refusal(f"the file of this game cannot be read: {error}") from None

    def close(self) -> None:
        """Close the files."""
        for each in self.collections:
            each.close()


def open_archive(paths: Sequence[Path], watch_only: bool) -> Archive:
    """Open collections.

    A server that can only be watched is for others, so it leaves out collections with games that
    may only be used offline.  Raises OSError, and ValueError if a file is no collection.
    """
    collections = []
    for path in paths:
        path.stat()
        collection = Collection(path)
        if watch_only and ONLY_OFFLINE in collection.formats():
            logging.getLogger(__name__).warning(
                "%s is left out: games of %s may only be used offline", path, ONLY_OFFLINE)
            collection.close()
        else:
            collections.append(collection)
    return Archive(collections)
