from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from windlass.api import read_json
from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.api import Json
    from windlass.client.transport import Request

_ITEMS = b'"items":['
_PART_SIZE = 2**15  # at least; a little more and what is made of it still stay in the processor's cache


def parsed(request: Request, body: bytes) -> Any:
    """An answer as JSON. Objects that nest too deeply to be read lack the fields that do.

    Raises:
        ConnectionFailedError: it is something else: a login page, or an answer that was cut.
    """
    try:
        return read_json(body)
    except orjson.JSONDecodeError as error:
        raise unexpected(request, "not JSON", body) from error


def parsed_object(request: Request, body: bytes) -> Json:
    """An answer that must be an object, as everything is that an API server says about its resources.

    Raises:
        ConnectionFailedError: it is something else.
    """
    said = parsed(request, body)
    if not isinstance(said, dict):
        raise unexpected(request, "no object", body)
    return said


def unexpected(request: Request, what: str, body: bytes) -> ConnectionFailedError:
    """The error for an answer that no API server would give, with its beginning."""
    start = body[:80].decode(errors="replace")
    return ConnectionFailedError(
        f"{request}: the answer is {what} but {start!r}; is this an API server?", sent=True
    )


def parsed_parts(request: Request, texts: Iterable[bytes], size: int = _PART_SIZE) -> Iterator[Json]:
    """A list, whose text comes in pieces, as several short ones that together have its items and metadata.

    A long answer that is parsed at once becomes a heap of dictionaries many times its size. So it is cut
    where one item seems to end and the next to begin, with the key that the first one begins with. Such a
    place may also lie inside an item. What stands before it is then not valid, and a longer part is tried.

    Raises:
        ConnectionFailedError: the answer is not JSON, or no list.
    """
    opening = border = b""
    held, enough = bytearray(), size
    for text in texts:
        held += text
        if len(held) <= enough:
            continue
        if not border:
            opening, border = _frame(held)
            del held[: len(opening)]
        cut = held.rfind(border) if border else -1
        part = _part(opening + held[: cut + 1] + b"]}") if cut > 0 else None
        if part is None:
            enough = 2 * len(held)
            continue
        yield part
        del held[: cut + 2]
        opening, enough = b"{" + _ITEMS, size
    last = parsed(request, opening + held)
    # Without items it would pass for an empty list.
    if not isinstance(last, dict) or "items" not in last:
        raise unexpected(request, "no list", bytes(opening + held))
    yield last


def _frame(text: bytearray) -> tuple[bytes, bytes]:
    """What stands before the first item, and what seems to stand between two; nothing until it is there."""
    start = text.find(_ITEMS) + len(_ITEMS)
    colon = text.find(b":", start)
    if start < len(_ITEMS) or colon < 0:
        return b"", b""
    return bytes(text[:start]), b"}," + text[start : colon + 1]


def _part(text: bytes) -> Json | None:
    try:
        part: Json = read_json(text)
    except orjson.JSONDecodeError:
        return None
    return part
