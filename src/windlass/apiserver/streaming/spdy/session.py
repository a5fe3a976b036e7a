from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING, Final

from windlass.apiserver.streaming.spdy.frame import (
    FIN,
    STREAM,
    Control,
    Data,
    FrameReader,
    Kind,
    control_frame,
    data_frames,
)
from windlass.apiserver.streaming.spdy.header import HeaderReader, HeaderWriter, MalformedFrame

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD: Final = Struct("!I")
_TWO_WORDS: Final = Struct("!II")
_OPENING: Final = 10  # its number, that of the stream it belongs to, its priority
_PROTOCOL_ERROR: Final = 1
_REFUSED: Final = 3
_MOST_STREAMS: Final = 1024


@dataclass(frozen=True, slots=True)
class Opened:
    """The other side opened a stream."""

    stream: int
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Received:
    """A piece of a stream came."""

    stream: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Closed:
    """Nothing more comes on a stream; with `reset`, nothing is heard there any more either."""

    stream: int
    reset: bool = False


Event = Opened | Received | Closed


class Session:
    """One connection, seen from the server: what comes in, and what is to be sent."""

    def __init__(self) -> None:
        self._frames = FrameReader()
        self._read = HeaderReader()
        self._write = HeaderWriter()
        self._out = bytearray()
        self._last = 0
        self._reading: set[int] = set()
        self._writing: set[int] = set()

    def receive(self, data: bytes) -> Iterator[Event]:
        """What bytes say. `pending` has the answer to some of it.

        Raises:
            MalformedFrame: they are not SPDY; the connection is of no use any more.
        """
        for frame in self._frames.feed(data):
            if isinstance(frame, Data):
                yield from self._data(frame)
            else:
                yield from self._control(frame)

    def pending(self) -> bytes:
        """What is to be sent now; it is forgotten here."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def accept(self, stream: int) -> None:
        """Agree to a stream that was opened."""
        if stream in self._writing:
            self._out += control_frame(Kind.SYN_REPLY, _WORD.pack(stream) + self._write.write({}))

    def send(self, stream: int, data: bytes) -> None:
        """Send something on a stream; on one that has ended, nothing is sent."""
        if stream in self._writing and data:
            self._out += data_frames(stream, data, fin=False)

    def finish(self, stream: int) -> None:
        """Send no more on a stream."""
        if stream in self._writing:
            self._writing.discard(stream)
            self._out += data_frames(stream, b"", fin=True)

    def reset(self, stream: int, status: int = _PROTOCOL_ERROR) -> None:
        """Neither hear nor send more on a stream."""
        self._forget(stream)
        self._out += control_frame(Kind.RST_STREAM, _TWO_WORDS.pack(stream, status))

    def _forget(self, stream: int) -> None:
        self._reading.discard(stream)
        self._writing.discard(stream)

    def _data(self, frame: Data) -> Iterator[Event]:
        if frame.stream not in self._reading:
            return  # it has ended, perhaps only just
        if frame.data:
            yield Received(frame.stream, frame.data)
        if frame.fin and frame.stream in self._reading:
            self._reading.discard(frame.stream)
            yield Closed(frame.stream)

    def _control(self, frame: Control) -> Iterator[Event]:
        match frame.kind:
            case Kind.SYN_STREAM:
                yield from self._opening(frame)
            case Kind.RST_STREAM:
                stream = _number(frame.body)
                if stream in self._reading or stream in self._writing:
                    self._forget(stream)
                    yield Closed(stream, reset=True)
            case Kind.PING:
                if _number(frame.body) % 2:  # even ones are answers to ours, and we have none
                    self._out += control_frame(Kind.PING, frame.body)
            case Kind.HEADERS | Kind.SYN_REPLY:
                self._read.read(frame.body[_WORD.size :])  # of no interest, but what comes later builds on it
            case _:
                pass  # settings, windows, and a farewell that the end of the connection says again

    def _opening(self, frame: Control) -> Iterator[Event]:
        if len(frame.body) < _OPENING:
            raise MalformedFrame("a stream is opened without its number")
        stream = _number(frame.body)
        headers = self._read.read(frame.body[_OPENING:])
        if stream % 2 == 0 or stream <= self._last:
            self.reset(stream)
            return
        self._last = stream
        if len(self._reading | self._writing) >= _MOST_STREAMS:
            self.reset(stream, _REFUSED)
            return
        self._reading.add(stream)
        self._writing.add(stream)
        yield Opened(stream, headers)
        if frame.flags & FIN:
            self._reading.discard(stream)
            yield Closed(stream)


def _number(body: bytes) -> int:
    if len(body) < _WORD.size:
        raise MalformedFrame("a control frame ends too soon")
    return int(_WORD.unpack_from(body)[0]) & STREAM
