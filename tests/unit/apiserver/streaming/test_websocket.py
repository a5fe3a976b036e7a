"""WebSocket frames without a connection."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.apiserver.streaming.websocket import MalformedMessage, WebSocket, accept_key

MASK = b"\x01\x02\x03\x04"


def frame(payload: bytes, code: int = 2, *, fin: bool = True, mask: bytes = MASK) -> bytes:
    """A frame as a client sends it."""
    size = len(payload)
    if size < 126:
        length = bytes([0x80 | size])
    elif size < 65536:
        length = b"\xfe" + size.to_bytes(2, "big")
    else:
        length = b"\xff" + size.to_bytes(8, "big")
    masked = bytes(each ^ mask[at % 4] for at, each in enumerate(payload))
    return bytes([(0x80 if fin else 0) | code]) + length + mask + masked


def test_a_key_is_answered_as_the_specification_has_it() -> None:
    assert accept_key("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536])
def test_a_message_of_any_size_is_read(size: int) -> None:
    message = bytes(each % 256 for each in range(size))

    assert list(WebSocket().receive(frame(message))) == [message]


@pytest.mark.parametrize(("size", "head"), [(3, "8203"), (300, "827e012c"), (70_000, "827f0000000000011170")])
def test_a_message_of_any_size_is_written(size: int, head: str) -> None:
    socket = WebSocket()
    socket.send(b"x" * size)

    assert socket.pending() == bytes.fromhex(head) + b"x" * size


def test_a_message_may_come_in_parts_with_a_ping_between() -> None:
    socket = WebSocket()
    data = frame(b"one ", fin=False) + frame(b"?", 9) + frame(b"two", 0)

    assert list(socket.receive(data)) == [b"one two"]
    assert socket.pending() == b"\x8a\x01?"


def test_a_goodbye_is_answered_and_nothing_is_heard_after_it() -> None:
    socket = WebSocket()

    assert list(socket.receive(frame(b"\x03\xe8", 8) + frame(b"late"))) == []
    assert socket.closed
    assert socket.pending() == b"\x88\x02\x03\xe8"


@pytest.mark.parametrize(
    "data",
    [
        b"\x82\x01x",
        b"\xc2\x80" + MASK,
        frame(b"", 3),
        frame(b"x" * 126, 9),
        frame(b"", 9, fin=False),
        frame(b"on", 0),
        frame(b"a", fin=False) + frame(b"b"),
        b"\x82\xff" + (1 << 40).to_bytes(8, "big") + MASK,
    ],
    ids=[
        "unmasked",
        "reserved",
        "unknown",
        "long-ping",
        "cut-ping",
        "no-beginning",
        "two-beginnings",
        "huge",
    ],
)
def test_what_no_client_sends_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedMessage):
        list(WebSocket().receive(data))


def test_the_parts_of_a_message_are_limited_together() -> None:
    socket, part = WebSocket(), b"x" * 2**20
    for number in range(4):
        assert list(socket.receive(frame(part, 0 if number else 2, fin=False, mask=bytes(4)))) == []

    with pytest.raises(MalformedMessage, match="larger than"):
        list(socket.receive(frame(part, 0, mask=bytes(4))))


@given(st.binary(max_size=200))
def test_whatever_comes_is_understood_or_refused(data: bytes) -> None:
    with contextlib.suppress(MalformedMessage):
        list(WebSocket().receive(data))


@given(st.lists(st.binary(max_size=300), max_size=5), st.binary(min_size=4, max_size=4), st.data())
def test_it_does_not_matter_how_bytes_are_cut(
    messages: list[bytes], mask: bytes, data: st.DataObject
) -> None:
    whole = b"".join(frame(each, mask=mask) for each in messages)
    cuts = sorted({0, len(whole), *data.draw(st.lists(st.integers(0, len(whole)), max_size=10))})
    socket = WebSocket()

    found = [each for start, end in itertools.pairwise(cuts) for each in socket.receive(whole[start:end])]

    assert found == messages
