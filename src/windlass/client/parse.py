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


def parsed_parts(request: Request, body: bytes, size: int = _PART_SIZE) -> Iterator[Json]:
    """A list as several short ones, which together have its items and its metadata.

    A long answer that is parsed at once becomes a heap of dictionaries many times its size. So it is cut
    where one item seems to end and the next to begin, with the key that the first one begins with. Such a
    place may also lie inside an item. What stands before it is then not valid, and a longer part is tried.

    Raises:
        ConnectionFailedError: the answer is not JSON.
    """
    found = body.find(_ITEMS)
    if found < 0 or len(body) <= size:
        yield parsed(request, body)
        return
    start = found + len(_ITEMS)
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
