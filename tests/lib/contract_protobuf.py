"""Protobuf: what the tests of bodies and answers in that form share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from contract_reads import PROTOBUF
from windlass.api import Kind
from windlass.apiserver.decode import builtin_types, complete, read
from windlass.apiserver.protobuf import Envelope, read_message, write_object
from windlass.client import Request

if TYPE_CHECKING:
    from contract import Api, Object

_META = "io.k8s.apimachinery.pkg.apis.meta"
_FRAME = 4


def sent(obj: Object) -> bytes:
    """A manifest as a client of the real server's types would send it in protobuf."""
    copy = orjson.loads(orjson.dumps(obj))
    return write_object(read(copy, kind_of(obj["apiVersion"], obj["kind"]), builtin_types())[0])


def received(body: bytes) -> Object:
    """An object in protobuf as the same object is in JSON."""
    envelope = Envelope.open(body)
    kind = kind_of(envelope.api_version or "v1", envelope.kind)
    named = {"kind": envelope.kind, "apiVersion": envelope.api_version}
    definition = builtin_types().definition(kind.group, kind.version, kind.name)
    if definition is None:
        return named | read_message(f"{_META}.{kind.version}.{kind.name}", envelope.message)
    found = named | read_message(definition, envelope.message)
    complete(found, kind, builtin_types())
    return found


def kind_of(api_version: str, name: str) -> Kind:
    """A kind, of which only the name matters here."""
    group, _, version = api_version.rpartition("/")
    return Kind(group, version, name, "")


def field(number: int, content: bytes) -> bytes:
    """A field of bytes in a message; both are short."""
    assert number < 16
    assert len(content) < 128
    return bytes([number << 3 | 2, len(content)]) + content


def envelope(kind: str, api_version: str, message: bytes) -> bytes:
    """An envelope, whatever is in it."""
    return b"k8s\0" + field(1, field(1, api_version.encode()) + field(2, kind.encode())) + field(2, message)


async def exchanged(api: Api, method: str, path: str, body: bytes = b"", **query: str) -> tuple[int, Any]:
    """The status and the object of an answer, both the body and the answer in protobuf."""
    headers = {"Accept": PROTOBUF, **({"Content-Type": PROTOBUF} if body else {})}
    request = Request(method=method, path=path, query=tuple(query.items()), headers=headers, body=body)
    response = await api.transport.send(request)
    assert response.headers["content-type"] == PROTOBUF
    return response.status, received(response.body)


def frames(stream: bytes) -> list[bytes]:
    """What stands in a stream of messages with their lengths."""
    found = []
    while stream:
        end = _FRAME + int.from_bytes(stream[:_FRAME], "big")
        found.append(stream[_FRAME:end])
        stream = stream[end:]
    return found


def event(frame: bytes) -> tuple[str, Object]:
    """The type and the object of an event."""
    found = read_message(f"{_META}.v1.WatchEvent", frame.partition(b"\x12")[0])
    return found["type"], received(frame[frame.index(b"k8s\0") :])
