"""SPDY/3.1, as far as kubectl and the API server speak it: many streams on one connection.

    session = Session()
    for event in session.receive(data):
        match event:
            case Opened(stream=stream, headers=headers): ...
            case Received(stream=stream, data=data): ...
    connection.write(session.pending())

Bytes go in and events come out; nothing here waits or connects. It is the side of the server, which opens no
streams. Windows are not kept: the peers that still speak SPDY neither respect nor update them.
"""

from windlass.apiserver.streaming.spdy.header import MalformedFrame
from windlass.apiserver.streaming.spdy.session import Closed, Event, Opened, Received, Session

__all__ = ["Closed", "Event", "MalformedFrame", "Opened", "Received", "Session"]
