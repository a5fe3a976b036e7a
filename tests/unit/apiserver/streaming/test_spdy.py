"""SPDY without a connection: bytes in, events out."""

from __future__ import annotations

import contextlib
import itertools
import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.apiserver.streaming.spdy import Closed, Event, MalformedFrame, Opened, Received, Session
from windlass.apiserver.streaming.spdy.frame import Kind, control_frame, data_frames
from windlass.apiserver.streaming.spdy.header import DICTIONARY, HeaderReader, HeaderWriter


class Client:
    """The bytes that a client sends."""

    def __init__(self) -> None:
        self._headers = HeaderWriter()

    def opening(self, stream: int, *, fin: bool = False, **headers: str) -> bytes:
        body = struct.pack("!IIH", stream, 0, 0) + self._headers.write(headers)
        return control_frame(Kind.SYN_STREAM, body, int(fin))


def reset(stream: int, status: int) -> bytes:
    return control_frame(Kind.RST_STREAM, struct.pack("!II", stream, status))


def heard(session: Session, data: bytes) -> list[Event]:
    return list(session.receive(data))


def merged(events: list[Event]) -> list[Event]:
    """Events with the pieces of a stream that follow each other as one."""
    found: list[Event] = []
    for event in events:
        last = found[-1] if found else None
        if isinstance(event, Received) and isinstance(last, Received) and last.stream == event.stream:
            found[-1] = Received(event.stream, last.data + event.data)
        else:
            found.append(event)
    return found


def test_the_dictionary_is_that_of_the_specification() -> None:
    assert (len(DICTIONARY), zlib.adler32(DICTIONARY)) == (1423, 0xE3C6A7C2)


def test_headers_of_one_connection_build_on_each_other() -> None:
    write, read = HeaderWriter(), HeaderReader()
    first, second = write.write({"StreamType": "data", "port": "80"}), write.write({"streamtype": "data"})

    assert read.read(first) == {"streamtype": "data", "port": "80"}
    assert read.read(second) == {"streamtype": "data"}
    assert len(second) < len(first)


def test_a_stream_is_opened_used_and_closed() -> None:
    session, client = Session(), Client()

    events = heard(
        session,
        client.opening(1, streamtype="stdin")
        + data_frames(1, b"abc", fin=False)
        + data_frames(1, b"", fin=True),
    )
    session.accept(1)
    session.send(1, b"back")
    session.finish(1)

    assert events == [Opened(1, {"streamtype": "stdin"}), Received(1, b"abc"), Closed(1)]
    reply = control_frame(Kind.SYN_REPLY, struct.pack("!I", 1) + HeaderWriter().write({}))
    assert session.pending() == reply + data_frames(1, b"back", fin=False) + data_frames(1, b"", fin=True)
    assert session.pending() == b""


def test_a_stream_may_end_as_it_begins() -> None:
    assert heard(Session(), Client().opening(1, fin=True)) == [Opened(1, {}), Closed(1)]


def test_nothing_is_sent_on_a_stream_that_has_ended() -> None:
    session = Session()
    heard(session, Client().opening(1) + control_frame(Kind.RST_STREAM, struct.pack("!II", 1, 5)))

    session.accept(1)
    session.send(1, b"x")
    session.finish(1)

    assert session.pending() == b""


def test_a_stream_that_is_reset_is_closed_once() -> None:
    session = Session()
    gone = control_frame(Kind.RST_STREAM, struct.pack("!II", 1, 5))

    assert heard(session, Client().opening(1) + gone + gone) == [Opened(1, {}), Closed(1, reset=True)]


def test_only_the_pings_of_the_other_side_are_answered() -> None:
    session = Session()
    ping, answer = (control_frame(Kind.PING, struct.pack("!I", number)) for number in (7, 8))

    assert heard(session, ping + answer) == []
    assert session.pending() == ping


@pytest.mark.parametrize("stream", [2, 0, 1], ids=["even", "nought", "again"])
def test_a_stream_of_a_wrong_number_is_reset(stream: int) -> None:
    session, client = Session(), Client()
    heard(session, client.opening(1))

    assert heard(session, client.opening(stream)) == []
    assert session.pending() == reset(stream, 1)


def test_more_streams_than_anybody_needs_are_refused() -> None:
    session, client = Session(), Client()
    for number in range(1024):
        assert len(heard(session, client.opening(2 * number + 1))) == 1

    assert heard(session, client.opening(2049)) == []
    assert session.pending() == reset(2049, 3)


def test_what_is_of_no_interest_is_passed_over() -> None:
    session, client = Session(), Client()
    settings = control_frame(Kind.SETTINGS, struct.pack("!III", 1, 4, 100))
    window = control_frame(Kind.WINDOW_UPDATE, struct.pack("!II", 1, 100))
    goodbye = control_frame(Kind.GOAWAY, struct.pack("!II", 0, 0))
    stray = data_frames(9, b"nobody's", fin=True)

    assert heard(session, settings + window + goodbye + stray + client.opening(1)) == [Opened(1, {})]


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (struct.pack("!II", 0x80020001, 0), "version 2"),
        (struct.pack("!II", 0x80030001, 0x10001), "larger than"),
        (control_frame(Kind.SYN_STREAM, b"12345"), "without its number"),
        (control_frame(Kind.PING, b""), "ends too soon"),
        (control_frame(Kind.SYN_STREAM, bytes(10) + b"no zlib"), "cannot be decompressed"),
    ],
)
def test_what_is_not_spdy_is_refused(data: bytes, complaint: str) -> None:
    with pytest.raises(MalformedFrame, match=complaint):
        heard(Session(), data)


def compressed(block: bytes) -> bytes:
    squeezing = zlib.compressobj(zdict=DICTIONARY)
    return squeezing.compress(block) + squeezing.flush(zlib.Z_SYNC_FLUSH)


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        (b"\x00" * 100_000, "larger than 65536"),
        (struct.pack("!I", 1000), "1000 headers"),
        (struct.pack("!II", 1, 100), "end too soon"),
        (b"", "end too soon"),
    ],
    ids=["bomb", "many", "short", "none"],
)
def test_headers_have_limits(block: bytes, complaint: str) -> None:
    with pytest.raises(MalformedFrame, match=complaint):
        HeaderReader().read(compressed(block))


def test_a_large_frame_arrives_as_it_comes() -> None:
    session = Session()
    heard(session, Client().opening(1))
    frame = struct.pack("!II", 1, 1 << 24 | 200_000) + b"x" * 200_000

    begun = heard(session, frame[:50_000])
    rest = heard(session, frame[50_000:])

    assert begun == [Received(1, b"x" * 49_992)]
    assert merged(rest) == [Received(1, b"x" * 150_008), Closed(1)]


def transcript() -> bytes:
    """What a client says that uses everything."""
    client = Client()
    return b"".join(
        [
            client.opening(1, streamtype="data", port="80"),
            data_frames(1, b"some data", fin=False),
            client.opening(3, streamtype="error", fin=True),
            control_frame(Kind.PING, struct.pack("!I", 1)),
            control_frame(Kind.HEADERS, struct.pack("!I", 1)),
            control_frame(Kind.RST_STREAM, struct.pack("!II", 3, 5)),
            data_frames(1, b"end", fin=True),
        ]
    )


@given(st.lists(st.tuples(st.integers(0, len(transcript()) - 1), st.integers(0, 255)), max_size=6))
def test_whatever_comes_is_understood_or_refused(damages: list[tuple[int, int]]) -> None:
    data = bytearray(transcript())
    for at, value in damages:
        data[at] = value

    with contextlib.suppress(MalformedFrame):
        heard(Session(), bytes(data))


@given(st.data())
def test_it_does_not_matter_how_bytes_are_cut(data: st.DataObject) -> None:
    client = Client()
    pieces = [
        client.opening(1, streamtype="data", port="80"),
        data_frames(1, b"x" * data.draw(st.integers(0, 70_000)), fin=False),
        client.opening(3, streamtype="error", fin=True),
        control_frame(Kind.PING, struct.pack("!I", 1)),
        data_frames(1, b"end", fin=True),
    ]
    whole = b"".join(pieces)
    cuts = sorted({0, len(whole), *data.draw(st.lists(st.integers(0, len(whole)), max_size=10))})
    at_once, cut = Session(), Session()

    expected = merged(heard(at_once, whole))
    found = merged(
        [event for start, end in itertools.pairwise(cuts) for event in heard(cut, whole[start:end])]
    )

    assert found == expected
    assert cut.pending() == at_once.pending()
