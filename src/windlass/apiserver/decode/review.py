"""The answers of webhooks: reviews that come back with a response."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode.body import read_text, unregistered
from windlass.apiserver.decode.container import Field, ListOf, MapOf, Struct
from windlass.apiserver.decode.node import Bytes, Flag, Text
from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.decode.source import Source
from windlass.apiserver.decode.types import builtin_types
from windlass.apiserver.go_json import NotJsonError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.api import Kind
    from windlass.apiserver.decode.node import Node

Object = dict[str, Any]

REVIEW_VERSIONS: Final = ("v1", "v1beta1")
_STATUS: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.Status"
_EXTENSION: Final = "io.k8s.apimachinery.pkg.runtime.RawExtension"


def decode_review(body: bytes, kind: Kind) -> Object:
    """A review of a kind, AdmissionReview or ConversionReview, of which only the response is read.

    Raises:
        DecodeError: it is none; the message is that of a client written in Go.
    """
    source = Source.recognized(body, kind)
    claim = source.said()
    if (claim.group, claim.version, claim.kind) == ("", "v1", "Status"):
        raise DecodeError(f"converting (v1.Status) to ({kind.version}.{kind.name}): unknown conversion")
    if (claim.group, claim.kind) != (kind.group, kind.name) or claim.version not in REVIEW_VERSIONS:
        raise DecodeError(unregistered(claim))
    try:
        found, _ = read_text(source, _review(kind.name, claim.version))
    except NotJsonError as error:  # a number beyond all numbers, in an object that is passed on as it is
        raise DecodeError(str(error)) from error
    if claim.version != kind.version:
        ours, theirs = f"{kind.version}.{kind.name}", f"{claim.version}.{kind.name}"
        raise DecodeError(f"converting ({theirs}) to ({ours}): unknown conversion")
    return found


@cache
def _review(kind: str, version: str) -> Node:
    response = f"{kind.removesuffix('Review')}Response"
    fields = {"AdmissionReview": _admission, "ConversionReview": _conversion}[kind]
    text = Text("string")
    review: Mapping[str, Node] = {
        "kind": text,
        "apiVersion": text,
        "request": builtin_types().node(_EXTENSION),
        "response": Struct(f"{version}.{response}", partial(_fields, response, fields(version))),
    }
    return Struct(f"{version}.{kind}", partial(_fields, kind, review))


def _admission(version: str) -> Mapping[str, Node]:
    text = Text("string")
    return {
        "uid": Text("types.UID"),
        "allowed": Flag("bool"),
        "status": builtin_types().node(_STATUS, "v1.Status"),
        "patch": Bytes("[]uint8"),
        "patchType": Text(f"{version}.PatchType"),
        "auditAnnotations": MapOf("map[string]string", text),
        "warnings": ListOf("[]string", text),
    }


def _conversion(_version: str) -> Mapping[str, Node]:
    objects = ListOf("[]runtime.RawExtension", builtin_types().node(_EXTENSION))
    return {
        "uid": Text("types.UID"),
        "convertedObjects": objects,
        "result": builtin_types().node(_STATUS, "v1.Status"),
    }


_POINTERS: Final = frozenset({"response", "status", "patchType"})


def _fields(struct: str, nodes: Mapping[str, Node]) -> Iterable[Field]:
    for name, node in nodes.items():
        yield Field(
            name=name,
            struct=struct,
            shown=name,
            node=node,
            plain=node.plain,
            pointer=name in _POINTERS,
            kept=False,
        )
