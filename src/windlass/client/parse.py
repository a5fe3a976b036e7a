from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.api import Json
    from windlass.client.transport import Request

_ITEMS = b'"items":['
_PART_SIZE = 2**16  # what is parsed, and what is made of it, then stays in the processor's cache


def parsed(request: Request, body: bytes) -> Any:
    """An answer as JSON.

    Raises:
        ConnectionFailedError: it is something else: a login page, or an answer that was cut.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        start = body[:80].decode(errors="replace")
        raise ConnectionFailedError(
            f"{request}: the answer is not JSON but {start!r}; is this an API server?", sent=True
        ) from error


def parsed_parts(request: Request, body: bytes) -> Iterator[Json]:
    """A list as several short ones, one after the other: together they have its items and its metadata.

    A long answer that is parsed at once becomes a heap of dictionaries many times its size. So it is cut
    where an item seems to end and the next one to begin with the same key as the first. Such a place may
    also lie inside an item; the part before it is then no JSON, and is made longer until it is.

    Raises:
        ConnectionFailedError: the answer is not JSON.
    """
    found = body.find(_ITEMS)
    if found < 0 or len(body) <= _PART_SIZE:
        yield parsed(request, body)
        return
    start, size = found + len(_ITEMS), _PART_SIZE
    opening = body[:start]
    border = b"}," + body[start : body.find(b":", start) + 1]
    while (cut := body.find(border, start + size)) >= 0:
        try:
            part = orjson.loads(b"%b%b]}" % (opening, body[start : cut + 1]))
        except orjson.JSONDecodeError:
            size *= 2
            continue
        yield part
        opening, start = b"{" + _ITEMS, cut + 2
    yield parsed(request, opening + body[start:])
