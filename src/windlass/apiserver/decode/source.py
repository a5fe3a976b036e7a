from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from windlass.apiserver.decode.problem import DecodeError, described
from windlass.apiserver.go_json import NotJsonError, parse_for_types
from windlass.apiserver.negotiate import JSON, PROTOBUF, YAML, media_type
from windlass.apiserver.refusal import Refusal
from windlass.schema import quoted

if TYPE_CHECKING:
    from windlass.api import Kind
    from windlass.apiserver.protobuf import Envelope

_UNKNOWN_FORMAT: Final = (
    "the body of the request was in an unknown format - accepted media types include: "
    "application/json, application/yaml, application/vnd.kubernetes.protobuf"
)
_LARGEST: Final = 3 * 2**20
_HEADER: Final = (
    r'struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }'
)
_SHOWN: Final = 30
_CLAIMS: Final = {"kind": "kind", "apiversion": "apiVersion"}


@dataclass(frozen=True, slots=True)
class Claim:
    """The kind that a body says it is, as far as it says so; the rest is what the path says."""

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """Group and version as objects have them."""
        return f"{self.group}/{self.version}" if self.group else self.version


@dataclass(frozen=True, slots=True)
class Source:
    """The body of a request for objects of a kind: its text as JSON, the value of that, and how to refuse it.

    `repeated` are the keys that a YAML text has twice, which its JSON does not show. A body in protobuf has
    no text, but an `envelope`.
    """

    body: bytes
    kind: Kind
    text: bytes
    value: Any
    repeated: tuple[str, ...] = ()
    envelope: Envelope | None = None

    @classmethod
    def of(cls, body: bytes, content_type: str, kind: Kind, *, protobuf: bool = False) -> Self:
        """Read a body; `protobuf` is one of the forms that it may have.

        Raises:
            Refusal: 400, 413 or 415.
        """
        try:
            return cls.parsed(body, content_type, kind, protobuf=protobuf)
        except DecodeError as error:
            raise _unrecognized(body, kind, str(error)) from error

    @classmethod
    def parsed(cls, body: bytes, content_type: str, kind: Kind, *, protobuf: bool) -> Self:
        """Read a body, as `of` does.

        Raises:
            DecodeError: it cannot be read.
            Refusal: 413 or 415.
        """
        if len(body) > _LARGEST:
            raise Refusal(413, f"Request entity too large: limit is {_LARGEST}")
        media = media_type(content_type)
        if media == PROTOBUF and protobuf:
            from windlass.apiserver.protobuf import Envelope  # only who sends it pays for it

            return cls(body, kind, b"", None, envelope=Envelope.open(body))
        if media not in (JSON, YAML):
            raise Refusal(415, _UNKNOWN_FORMAT)
        try:
            text, repeated = (body, ()) if media == JSON else _from_yaml(body)
            return cls(body, kind, text, parse_for_types(text), repeated)
        except NotJsonError as error:
            raise DecodeError(f"couldn't get version/kind; json parse error: {error}") from error

    @classmethod
    def recognized(cls, body: bytes, kind: Kind) -> Self:
        """Read a body of which only its looks tell what it is written in: JSON, otherwise YAML.

        Raises:
            DecodeError: it cannot be read.
        """
        try:
            text, repeated = (body, ()) if body.lstrip().startswith(b"{") else _from_yaml(body)
            return cls(body, kind, text, parse_for_types(text), repeated)
        except NotJsonError as error:
            raise DecodeError(f"couldn't get version/kind; json parse error: {error}") from error

    @property
    def shown(self) -> str:
        """The text as messages have it."""
        return self.body.decode("utf-8", "replace")

    def claim(self) -> Claim:
        """The kind that the body says it is.

        Raises:
            Refusal: 400, it does not say so in a way that can be understood.
        """
        try:
            return self.said()
        except DecodeError as error:
            raise _unrecognized(self.body, self.kind, str(error)) from error

    def said(self) -> Claim:
        """The kind that the body says it is, as `claim` gives it.

        Raises:
            DecodeError: it does not say so in a way that can be understood.
        """
        if self.envelope is not None:
            return _enveloped(self.envelope, self.kind)
        return _claim(self.value, self.kind)

    def unhandled(self, claim: Claim, why: str) -> Refusal:
        """400: the body is of a kind, but cannot be what is wanted."""
        return Refusal.bad_request(
            f"{claim.kind} in version {quoted(claim.version)} cannot be handled as a {self.kind.name}: {why}"
        )

    def unrecognized(self, why: str) -> Refusal:
        """400: the body is nothing that is known."""
        return _unrecognized(self.body, self.kind, why)

    def judge(self, claim: Claim, complaints: tuple[str, ...], validation: str) -> tuple[str, ...]:
        """What to warn of, given the unknown and repeated fields and what the client wants to become of them.

        Raises:
            Refusal: 400, the client wants it to be refused.
        """
        if validation == "Ignore" or not (complaints or self.repeated):
            return ()
        if validation != "Strict":
            return (*self.repeated, *complaints)
        of_yaml = ("yaml: unmarshal errors:\n  " + "\n  ".join(self.repeated),) if self.repeated else ()
        raise self.unhandled(claim, f"strict decoding error: {', '.join((*of_yaml, *complaints))}")


def _from_yaml(body: bytes) -> tuple[bytes, tuple[str, ...]]:
    import orjson

    from windlass.apiserver.decode.yaml_text import parse_yaml  # only who sends YAML pays for it

    value, repeated = parse_yaml(body)
    return orjson.dumps(value), repeated


def _claim(value: Any, kind: Kind) -> Claim:
    if not isinstance(value, dict):
        if value is not None:
            raise DecodeError(_unfit(f"{described(value)} into Go value of type {_HEADER}"))
        value = {}
    named = {"kind": "", "apiVersion": ""}
    for name, item in value.items():
        header = _CLAIMS.get(name.lower())  # this one look at the body takes names in any case
        if header and item is not None:
            if not isinstance(item, str):
                raise DecodeError(_unfit(f"{described(item)} into Go struct field .{header} of type string"))
            named[header] = item
    group, version = _group_version(named["apiVersion"])
    if not version and group in ("", kind.group):
        group, version = kind.group, kind.version
    return Claim(group, version, named["kind"] or kind.name)


def _enveloped(envelope: Envelope, kind: Kind) -> Claim:
    group, _, version = envelope.api_version.rpartition("/")
    if not version or "/" in group:
        group, version = kind.group, kind.version
    return Claim(group, version, envelope.kind or kind.name)


def _group_version(text: str) -> tuple[str, str]:
    if text.count("/") > 1:
        raise DecodeError(f"unexpected GroupVersion string: {text}")
    group, _, version = text.rpartition("/")
    return group, version


def _unfit(what: str) -> str:
    return f"couldn't get version/kind; json parse error: json: cannot unmarshal {what}"


def _unrecognized(body: bytes, kind: Kind, why: str) -> Refusal:
    start = body[:_SHOWN]
    shown = start.decode("utf-8", "replace") if body.startswith(b"{") else start.hex()
    shown = f"{shown or '<empty>'}{' ...' if len(body) > _SHOWN else ''}"
    return Refusal.bad_request(
        f"the object provided is unrecognized (must be of type {kind.name}): {why} ({shown})"
    )
