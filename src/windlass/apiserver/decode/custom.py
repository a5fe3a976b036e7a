"""The body of a request, as a custom resource whose schema is still to be asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode.body import read_metadata
from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.decode.source import Claim, Source
from windlass.apiserver.go_json import NotJsonError, duplicates, unstructured
from windlass.apiserver.refusal import Refusal
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Kind
    from windlass.apiserver.decode.types import Types

_NOT_AN_INTEGER: Final = re.compile(rb"[0-9][.eE]|[0-9]{19}")
_UNVERSIONED: Final = "Object 'apiVersion' is missing in 'object has no apiVersion field'"

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Draft:
    """A custom resource as it was sent, with its metadata in the server's form.

    `complaints` are repeated fields, and unknown ones of the metadata; what the schema does not know is added
    by `judge`.
    """

    object: Object
    complaints: tuple[str, ...]
    _source: Source
    _claim: Claim

    def unhandled(self, why: str) -> Refusal:
        """400: the schema cannot read the object."""
        return self._source.unhandled(self._claim, why)

    def judge(self, unknown: Iterable[str], validation: str) -> tuple[str, ...]:
        """What to warn of, given the paths of the fields that the schema does not know.

        Raises:
            Refusal: 400, these fields are not wanted.
        """
        found = tuple(f"unknown field {quoted(path)}" for path in unknown)
        source, claim = self._source, self._claim
        if claim.kind != source.kind.name:  # what could be read is known by its own name
            source = replace(source, kind=replace(source.kind, name=claim.kind))
        try:
            return source.judge(claim, (*self.complaints, *found), validation)
        except Refusal as refusal:
            if claim.version:
                raise
            raise Refusal.bad_request(_UNVERSIONED) from refusal

    def check_version(self) -> None:
        """Refuse a body of another version.

        Raises:
            Refusal: 400.
        """
        kind = self._source.kind
        claimed = self.object.get("apiVersion", "")
        if claimed != kind.api_version:
            raise Refusal.bad_request(
                f"the API version in the data ({claimed}) "
                f"does not match the expected API version ({kind.api_version})"
            )


def decode_custom(body: bytes, content_type: str, kind: Kind, types: Types, validation: str) -> Draft:
    """The body as a custom resource of a kind; `types` know what metadata is.

    The kind that it has may still be another: that is for validation to say.

    Raises:
        Refusal: 400, 413 or 415, with the message of the real server.
    """
    source = Source.of(body, content_type, kind)
    claim = source.claim()
    value = source.value or {}
    if not value.get("kind"):
        why = f"Object 'Kind' is missing in '{source.shown}'"
        raise source.unhandled(claim, why) if validation == "Ignore" else source.unrecognized(why)
    if value.get("apiVersion", "") is None:
        why = ".apiVersion accessor error: <nil> is of the type <nil>, expected string"
        raise source.unhandled(Claim("", "", claim.kind), why)
    if not (value.get("apiVersion") or "").rpartition("/")[2]:
        claim = replace(claim, version="")  # the path does not stand in for it
    repeated = () if validation == "Ignore" else duplicates(source.text, value)
    try:
        if _NOT_AN_INTEGER.search(source.text):
            value = unstructured(value)
        unknown: tuple[str, ...] = ()
        if "metadata" in value:
            value["metadata"], unknown = read_metadata(value["metadata"], types)
    except (DecodeError, NotJsonError) as error:
        raise source.unhandled(claim, str(error)) from error
    complaints = (*repeated, *(f'unknown field "metadata.{path}"' for path in unknown))
    return Draft(value, complaints, source, claim)
