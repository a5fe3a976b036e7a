"""The headers of a stream, compressed with the dictionary of SPDY/3."""

from __future__ import annotations

import zlib
from struct import Struct
from typing import TYPE_CHECKING, Final

from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Mapping

_LENGTH: Final = Struct("!I")
_LARGEST_BLOCK: Final = 64 * 1024
_MOST_HEADERS: Final = 128

_WORDS: Final = (
    "options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges "
    "age allow authorization cache-control connection content-base content-encoding content-language "
    "content-length content-location content-md5 content-range content-type date etag expect expires from "
    "host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location "
    "max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer "
    "transfer-encoding upgrade user-agent vary via warning www-authenticate method get status 200_OK version "
    "HTTP/1.1 url public set-cookie keep-alive origin"
)
_REST: Final = (
    "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505"
    "203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized"
    "403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable"
    "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT"
    "chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,"
    "text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0."
)


def _counted(data: bytes) -> bytes:
    return _LENGTH.pack(len(data)) + data


def _dictionary() -> bytes:
    words = (word.replace("_", " ").encode() for word in _WORDS.split())
    return b"".join(map(_counted, words)) + _REST.encode()


DICTIONARY: Final = _dictionary()
"""What both sides know of headers before the first one: words with their lengths, then text."""


class MalformedFrame(WindlassError):
    """What came is not SPDY, or more of it than anybody needs; the connection is of no use any more."""


class HeaderWriter:
    """Compresses the headers of one connection, each block with what went before."""

    def __init__(self) -> None:
        self._zlib = zlib.compressobj(zdict=DICTIONARY)

    def write(self, headers: Mapping[str, str]) -> bytes:
        """The block of these headers."""
        block = _LENGTH.pack(len(headers)) + b"".join(
            _counted(name.lower().encode()) + _counted(value.encode()) for name, value in headers.items()
        )
        return self._zlib.compress(block) + self._zlib.flush(zlib.Z_SYNC_FLUSH)


class HeaderReader:
    """Decompresses the headers of one connection."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(zdict=DICTIONARY)

    def read(self, data: bytes) -> dict[str, str]:
        """The headers of a block, names in lower case.

        Raises:
            MalformedFrame: it is none, or too large.
        """
        try:
            block = self._zlib.decompress(data, _LARGEST_BLOCK)
        except zlib.error as error:
            raise MalformedFrame(f"the headers cannot be decompressed: {error}") from error
        if self._zlib.unconsumed_tail:
            raise MalformedFrame(f"the headers are larger than {_LARGEST_BLOCK} bytes")
        return _parsed(block)


def _parsed(block: bytes) -> dict[str, str]:
    if len(block) < _LENGTH.size:
        raise MalformedFrame("the headers end too soon")
    count, at = _LENGTH.unpack_from(block)[0], _LENGTH.size
    if count > _MOST_HEADERS:
        raise MalformedFrame(f"{count} headers are more than {_MOST_HEADERS}")
    texts = []
    for _ in range(2 * count):
        end = at + _LENGTH.size
        if end > len(block) or (size := _LENGTH.unpack_from(block, at)[0]) > len(block) - end:
            raise MalformedFrame("the headers end too soon")
        at = end + size
        texts.append(block[end:at].decode(errors="replace"))
    return {name.lower(): value for name, value in zip(texts[::2], texts[1::2], strict=True)}
