"""Answers piece by piece: what is packed is unpacked on the way, and what is damaged is told."""

import gzip
import zlib
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.client import Request, Response
from windlass.client.transport import Packing
from windlass.client.unpack import pieces
from windlass.errors import ConnectionFailedError

GET = Request(method="GET", path="/api/v1/configmaps")
LONG = Random(1).randbytes(50_000) + b"a" * 1_000_000


def bare(text: bytes) -> bytes:
    """Deflate without the header that HTTP asks for, as some servers send it."""
    packing = zlib.compressobj(wbits=-15)
    return packing.compress(text) + packing.flush()


def read(body: bytes, packing: Packing) -> bytes:
    """The whole text of an answer."""
    return b"".join(pieces(GET, Response(status=200, headers={}, body=body, packing=packing)))


FORMS = pytest.mark.parametrize(
    ("packing", "pack"),
    [
        ("", bytes),
        ("gzip", gzip.compress),
        ("gzip", lambda text: gzip.compress(text[:7]) + gzip.compress(text[7:])),
        ("deflate", zlib.compress),
        ("deflate", bare),
    ],
)
PACKED = pytest.mark.parametrize(("packing", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])


@FORMS
@pytest.mark.parametrize("text", [b"short", LONG], ids=["short", "long"])
def test_the_pieces_are_the_text(packing: Packing, pack: Callable[[bytes], bytes], text: bytes) -> None:
    assert read(pack(text), packing) == text


def test_a_long_text_is_never_whole() -> None:
    text = b"".join(b'{"metadata":{"name":"%d"}},' % number for number in range(50_000))
    answers = [
        Response(status=200, headers={}, body=text),
        Response(status=200, headers={}, body=gzip.compress(text), packing="gzip"),
    ]
    for answer in answers:
        assert max(map(len, pieces(GET, answer))) < len(text) / 5


@PACKED
@pytest.mark.parametrize("length", [1, 1000, -1])
def test_what_was_cut_off_is_a_failed_connection(
    packing: Packing, pack: Callable[[bytes], bytes], length: int
) -> None:
    with pytest.raises(
        ConnectionFailedError, match=r"GET /api/v1/configmaps: .* it ends too early"
    ) as caught:
        read(pack(LONG)[:length], packing)
    assert caught.value.sent


@PACKED
@pytest.mark.parametrize("place", [0, 30_000, -3], ids=["head", "middle", "check"])
def test_what_was_damaged_is_a_failed_connection(
    packing: Packing, pack: Callable[[bytes], bytes], place: int
) -> None:
    damaged = bytearray(pack(LONG))
    damaged[place] ^= 0xFF

    with pytest.raises(ConnectionFailedError, match="the answer is damaged and cannot be unpacked"):
        read(bytes(damaged), packing)


def test_what_follows_the_end_is_damage() -> None:
    with pytest.raises(ConnectionFailedError, match="the answer is damaged"):
        read(gzip.compress(b"a") + b"<html>", "gzip")


@pytest.mark.property
@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate"]))
def test_no_bytes_make_it_fail_otherwise(body: bytes, packing: Packing) -> None:
    with suppress(ConnectionFailedError):
        read(body, packing)
