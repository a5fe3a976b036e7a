"""The body of a request, as an object of a built-in kind or as a refusal."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Kind
from windlass.apiserver.decode.problem import DecodeError, InexactError, Notes
from windlass.apiserver.decode.source import Source
from windlass.apiserver.go_json import has_repeated_fields, parse_carefully, written
from windlass.apiserver.refusal import Refusal
from windlass.schema import quoted

if TYPE_CHECKING:
    from windlass.apiserver.decode.node import Node
    from windlass.apiserver.decode.source import Claim
    from windlass.apiserver.decode.types import Types

_HEADER: Final = ("kind", "apiVersion")
_SCHEME: Final = "pkg/runtime/scheme.go:111"
_METADATA: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
_METADATA_TYPE: Final = "v1.ObjectMeta"
_OPTIONS: Final = Kind("meta.k8s.io", "v1", "DeleteOptions", "", namespaced=False)
_OPTIONS_DEFINITION: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"
_UNDEFINED: Final = frozenset(
    {
        *("List", "APIVersions", "APIGroup", "APIGroupList", "APIResourceList"),
        *(f"{verb}Options" for verb in ("Create", "Get", "List", "Patch", "Update")),
    }
)
_OLDER_SCALES: Final = frozenset({"apps/v1beta1", "apps/v1beta2", "extensions/v1beta1"})
_INTERNAL: Final = {"": "core", "events.k8s.io": "core"}

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Decoded:
    """An object, what its sender is to be warned of, and whether the body itself says its version."""

    object: Object
    warnings: tuple[str, ...] = ()
    versioned: bool = True


def decode(body: bytes, content_type: str, kind: Kind, types: Types, validation: str = "Warn") -> Decoded:
    """The body as an object of a built-in kind, with its kind and apiVersion.

    Fields that are nothing to Go are left out: null, and what is empty or zero unless Go has a pointer there.
    Quantities, times and base64 are in the form in which the server writes them. `validation` says what
    becomes of unknown and repeated fields: `Strict`, `Warn` or `Ignore`.

    Raises:
        Refusal: 400, 413 or 415, with the message of the real server.
    """
    source = Source.of(body, content_type, kind, protobuf=True)
    claim = source.claim()
    definition = types.definition(claim.group, claim.version, claim.kind)
    if not claim.version:
        raise source.unhandled(claim, f"Object 'apiVersion' is missing in '{source.shown}'")
    if definition is None:
        _check_older(claim, kind)
        raise source.unhandled(claim, _foreign(claim, kind))
    try:
        found, complaints = _read(source, definition, types)
    except DecodeError as error:
        raise source.unhandled(claim, str(error)) from error
    if (claim.group, claim.kind) != (kind.group, kind.name):
        internal = f"{_package(kind.group)}.{kind.name}"
        if f"{_package(claim.group)}.{claim.kind}" != internal:
            why = f"converting ({claim.version}.{claim.kind}) to ({internal}): unknown conversion"
            raise source.unhandled(claim, why)
    warnings = source.judge(claim, complaints, validation)
    if (claim.group, claim.version) != (kind.group, kind.version):
        raise _of_another_version(claim, kind)
    versioned = source.envelope is not None or "apiVersion" in found
    found["kind"], found["apiVersion"] = kind.name, kind.api_version
    return Decoded(found, warnings, versioned)


def decode_delete_options(body: bytes, content_type: str, types: Types) -> Object:
    """The body of a deletion: its options, of whichever group's version they say that they are.

    Raises:
        Refusal: 400, 413 or 415, with the message of the real server.
    """
    try:
        source = Source.parsed(body, content_type, _OPTIONS, protobuf=True)
        claim = source.said()
        known = claim.kind == _OPTIONS.name
        found, _ = _read(source, _OPTIONS_DEFINITION, types) if known else ({}, ())
    except DecodeError as error:
        raise Refusal.bad_request(str(error)) from error
    if not known:
        raise Refusal.bad_request(unregistered(claim))
    return found


def read(value: Object, kind: Kind, types: Types) -> tuple[Object, tuple[str, ...]]:
    """A parsed object as `decode` would have it, and its unknown fields; it takes the value over.

    Raises:
        DecodeError: the value does not fit its kind.
    """
    definition = types.definition(kind.group, kind.version, kind.name)
    if definition is None:
        raise DecodeError(f'no kind "{kind.name}" is registered for version "{kind.api_version}"')
    notes = Notes()
    try:
        found: Object = types.node(definition).read(value, None, notes)
    except InexactError:
        return read(parse_carefully(written(value)), kind, types)
    if notes.error:
        raise DecodeError(notes.error)
    _keep_reset(found, value)
    found["kind"], found["apiVersion"] = kind.name, kind.api_version
    return found, notes.complaints


def read_again(value: Object, kind: Kind, types: Types) -> tuple[Object, tuple[str, ...]]:
    """A parsed object as `read` would have it, provided that it still says to be of its kind.

    Without an apiVersion it is read as the server's own type, whose fields have other names than clients use.

    Raises:
        DecodeError: the value does not fit its kind, or claims to be of another.
    """
    if value.get("kind") == kind.name and value.get("apiVersion") == kind.api_version:
        return read(value, kind, types)
    claim = Source(b"", kind, b"", value).said()
    if not (value.get("apiVersion") or "").rpartition("/")[2]:
        if claim.kind != kind.name:
            internal = f'the internal version of group "{kind.group}"'
            raise DecodeError(f'no kind "{claim.kind}" is registered for {internal} in scheme "{_SCHEME}"')
        return {}, tuple(f'unknown field "{name}"' for name in value if name not in _HEADER)
    if types.definition(claim.group, claim.version, claim.kind) is None:
        raise DecodeError(_foreign(claim, kind))
    ours, theirs = f"{_package(kind.group)}.{kind.name}", f"{_package(claim.group)}.{claim.kind}"
    if ours != theirs:
        raise DecodeError(f"converting ({claim.version}.{claim.kind}) to ({ours}): unknown conversion")
    return read(value, kind, types)


def check_claim(value: Object, kind: Kind, types: Types) -> None:
    """Refuse what says to be of another kind, and does not become one of this by a conversion.

    Raises:
        DecodeError: why it does not.
    """
    if not value.get("apiVersion"):
        raise DecodeError("Object 'apiVersion' is missing in 'unstructured object has no version'")
    claim = Source(b"", kind, b"", value).said()
    if types.definition(claim.group, claim.version, claim.kind) is None:
        raise DecodeError(unregistered(claim))
    if (claim.kind, claim.group) != (kind.name, kind.group):
        ours = f"{kind.version}.{kind.name}"
        raise DecodeError(f"converting ({claim.version}.{claim.kind}) to ({ours}): unknown conversion")


def convert(value: Object, kind: Kind, types: Types) -> tuple[Object, tuple[str, ...]]:
    """A parsed object as `read` would have it, where the server converts and does not decode.

    Raises:
        DecodeError: the value cannot be converted to its kind.
    """
    definition = types.definition(kind.group, kind.version, kind.name)
    if definition is None:
        raise DecodeError(f'no kind "{kind.name}" is registered for version "{kind.api_version}"')
    return read(types.node(definition).convert(value), kind, types)


def read_metadata(value: Any, types: Types) -> tuple[Object, tuple[str, ...]]:
    """The metadata of any object as the server writes it, and the paths in it of unknown fields.

    Raises:
        DecodeError: it does not fit.
    """
    if value is None:
        return {}, ()
    notes = Notes()
    node = types.node(_METADATA, _METADATA_TYPE)
    found: Object = node.read(value, None, notes)
    if notes.error:
        raise DecodeError(notes.error)
    node.complete(found)
    return found, tuple(sorted(notes.paths))


def complete(obj: Object, kind: Kind, types: Types) -> None:
    """Write into an object, in place, the fields that Go always writes though they are zero."""
    definition = types.definition(kind.group, kind.version, kind.name)
    if definition is not None:
        types.node(definition).complete(obj)


def _read(source: Source, definition: str, types: Types) -> tuple[Object, tuple[str, ...]]:
    """The value of a body, and its unknown and repeated fields."""
    if source.envelope is not None:
        from windlass.apiserver.protobuf import read_message

        return read_message(definition, source.envelope.message), ()
    return read_text(source, types.node(definition))


def read_text(source: Source, node: Node) -> tuple[Object, tuple[str, ...]]:
    """The value of a text, and its unknown and repeated fields.

    Raises:
        DecodeError: it does not fit its type.
    """
    if not has_repeated_fields(source.text, source.value):
        notes = Notes()
        with suppress(DecodeError, InexactError):
            found: Object = node.read(source.value or {}, None, notes)
            if not notes.error:
                _keep_reset(found, source.value)
                return found, notes.complaints
    # Only now does it matter how numbers were written, and which fields were repeated where.
    notes = Notes()
    found = node.read(parse_carefully(source.text) or {}, None, notes)
    if notes.error:
        raise DecodeError(notes.error)
    return found, notes.complaints


def _keep_reset(found: Object, value: Any) -> None:
    """Keep managed fields that are empty: that is not nothing, it asks for all of them to be forgotten."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    if isinstance(metadata, dict) and metadata.get("managedFields") == []:
        found.setdefault("metadata", {})["managedFields"] = []


def _check_older(claim: Claim, kind: Kind) -> None:
    """Refuse versions of a kind that the server knows, and no longer serves."""
    if claim.kind == kind.name == "Scale" and claim.api_version in _OLDER_SCALES:
        raise _of_another_version(claim, kind)


def _of_another_version(claim: Claim, kind: Kind) -> Refusal:
    return Refusal.bad_request(
        f"the API version in the data ({claim.api_version}) "
        f"does not match the expected API version ({kind.api_version})"
    )


def _foreign(claim: Claim, kind: Kind) -> str:
    """What is said of a kind without a definition: some are known all the same."""
    if claim.api_version == "v1" and claim.kind in _UNDEFINED:
        ours = f"{_package(kind.group)}.{kind.name}"
        return f"converting (v1.{claim.kind}) to ({ours}): unknown conversion"
    return unregistered(claim)


def unregistered(claim: Claim) -> str:
    """What is said of a kind that nobody knows."""
    kind, version = quoted(claim.kind), quoted(claim.api_version)
    return f'no kind {kind} is registered for version {version} in scheme "{_SCHEME}"'


def _package(group: str) -> str:
    """The Go package of the internal types of a group."""
    return _INTERNAL.get(group) or group.partition(".")[0]
