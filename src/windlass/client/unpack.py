from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from windlass.errors import ConnectionFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.client.transport import Packing, Request, Response

_PLAIN_SIZE = 2**16
_PACKED_SIZE = 2**12  # a list shrinks to a tenth or less
_GZIP = zlib.MAX_WBITS | 16
_ZLIB = zlib.MAX_WBITS
_BARE = -zlib.MAX_WBITS
_DEFLATE_METHOD = 8


def pieces(request: Request, response: Response) -> Iterator[bytes]:
    """The text of an answer, piece by piece; a packed one is unpacked on the way, so its text is never whole.

    Raises:
        ConnectionFailedError: what is packed was damaged or cut off.
    """
    if not response.packing:
        yield from _cut(response.body, _PLAIN_SIZE)
        return
    try:
        yield from _unpacked(response.body, response.packing)
    except zlib.error as error:
        raise ConnectionFailedError(
            f"{request}: the answer is damaged and cannot be unpacked ({response.packing}: {error}); "
            "a proxy may have changed it on its way",
            sent=True,
        ) from error


def _cut(body: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


def _unpacked(body: bytes, packing: Packing) -> Iterator[bytes]:
    form = _form(body, packing)
    unpacking = None
    for packed in _cut(body, _PACKED_SIZE):
        rest = packed
        while rest:
            if unpacking is None or unpacking.eof:  # gzip allows several, one after the other
                unpacking = zlib.decompressobj(form)
            yield unpacking.decompress(rest)
            rest = unpacking.unused_data
    if unpacking is None or not unpacking.eof:
        raise zlib.error("it ends too early")


def _form(body: bytes, packing: Packing) -> int:
    """How zlib is to read it. Some who say deflate leave out the header that belongs to it."""
    if packing == "gzip":
        return _GZIP
    return _ZLIB if body and body[0] & 0xF == _DEFLATE_METHOD else _BARE
