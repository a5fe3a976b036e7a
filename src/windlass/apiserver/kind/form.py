from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from windlass.apiserver.decode import DecodeError, builtin_types, complete, convert, decode, read, read_again
from windlass.apiserver.defaulting import fill
from windlass.apiserver.kind.fact import SCALED
from windlass.apiserver.refusal import Refusal, Unconvertible
from windlass.apiserver.table import builtin_layout
from windlass.apiserver.traits import Traits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.api import Kind
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.table import Layout

Object = dict[str, Any]


class BuiltinForm(Traits):
    """How the kinds that every API server has are read and shown: as Go reads and writes its types."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    @cached_property
    @override
    def empty(self) -> Object:
        empty: Object = {}
        complete(empty, self.kind, builtin_types())
        return empty

    @property
    @override
    def blank(self) -> Object:
        blank = {"metadata": {}, **super().blank}
        if f"{self.kind.group}/{self.kind.name}" in SCALED:
            blank["spec"] = {"replicas": 0, **blank["spec"]}
        return blank

    @override
    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        content_type = call.headers.get("content-type", "")
        decoded = decode(body, content_type, resource.kind, builtin_types(), validation)
        found = self.finished(resource, decoded.object)
        call.warnings.extend(decoded.warnings)
        return found

    @override
    def patched(self, resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
        try:
            obj, unknown = self.read_patched(outcome)
        except DecodeError as error:
            raise outcome.refusal(str(error)) from error
        judge(outcome, unknown if outcome.patch is None else sorted(unknown), call, validation)
        try:
            return self.finished(resource, obj)
        except Unconvertible as error:  # a strategic patch is converted apart from being read
            why = error.why
            raise (outcome.refusal(why) if outcome.patch is None else Refusal(500, why, "")) from error

    @override
    def applied(self, resource: Resource, document: Object) -> Object:
        try:
            obj, _ = self._converted(document)
        except DecodeError as error:
            kind = f"{self.kind.group}/{self.kind.version}, Kind={self.kind.name}"
            raise DecodeError(f"unable to convert unstructured object to {kind}: {error}") from error
        return self.finished(resource, obj)

    @override
    def finished(self, resource: Resource, obj: Object) -> Object:
        fill(f"{resource.kind.api_version}/{resource.kind.name}", obj)
        complete(obj, resource.kind, builtin_types())
        return obj

    @override
    def layout(self) -> Layout:
        return builtin_layout(self.kind.group, self.kind.name)

    def read_patched(self, outcome: Patched) -> tuple[Object, Sequence[str]]:
        """What a patch leaves as an object of the kind, and its unknown fields.

        Raises:
            DecodeError: it is none.
        """
        if outcome.patch is None:
            return read_again(outcome.document, self.kind, builtin_types())
        return self._converted(outcome.document)

    def _converted(self, document: Object) -> tuple[Object, Sequence[str]]:
        try:
            return read(document, self.kind, builtin_types())
        except DecodeError:  # what cannot be decoded can perhaps be converted
            return convert(document, self.kind, builtin_types())


def judge(outcome: Patched, unknown: Iterable[str], call: Call, validation: str) -> None:
    """Refuse, warn of or ignore what is unknown or repeated in a patch and its outcome.

    Raises:
        Refusal: 422, there is something and validation is strict.
    """
    problems = (*outcome.problems, *unknown)
    if not problems or validation == "Ignore":
        return
    if validation == "Strict":
        raise outcome.strict_refusal(unknown)
    for text in problems:
        call.warn(text)
