"""Objects to and from bodies of requests and answers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.decode.types import builtin_types
from windlass.apiserver.protobuf.envelope import Envelope, framed_event
from windlass.apiserver.protobuf.messages import builtin_messages

if TYPE_CHECKING:
    from windlass.apiserver.protobuf.message import Message

Object = dict[str, Any]

_META: Final = "io.k8s.apimachinery.pkg.apis.meta"


def read_message(definition: str, message: bytes) -> Object:
    """A message as the object that `decode` would have made of the same object in JSON, without its kind.

    Raises:
        DecodeError: it is malformed. The text is the real server's.
    """
    try:
        found: Object = builtin_messages().message(definition).read(message, None)
    except RecursionError:
        raise DecodeError("exceeded max depth") from None
    return found


def write_object(obj: Object) -> bytes:
    """An object of a built-in kind, a list of them, a Status or mere metadata, in its envelope."""
    version, kind = obj.get("apiVersion", ""), obj["kind"]
    return Envelope(version, kind, _message(version, kind).content(obj)).sealed()


def write_event(kind: str, obj: Object) -> bytes:
    """An event of a watch, as it stands in the stream."""
    return framed_event(kind, write_object(obj))


@lru_cache(maxsize=512)
def _message(api_version: str, kind: str) -> Message:
    group, _, version = api_version.rpartition("/")
    version = version or "v1"  # which discovery leaves out where it speaks of the oldest group
    definition = builtin_types().definition(group, version, kind)
    return builtin_messages().message(definition or f"{_META}.{version}.{kind}")
