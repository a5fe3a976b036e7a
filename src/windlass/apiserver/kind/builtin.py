from __future__ import annotations

from copy import deepcopy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.decode import DecodeError, builtin_types, complete, convert, decode, read, read_again
from windlass.apiserver.defaulting import fill
from windlass.apiserver.kind.fact import CONDITIONAL, COUNTED, ORPHANING, RETURNED, UNCOLLECTED, UPSERTED
from windlass.apiserver.kind.status import KEPT_BY_STATUS
from windlass.apiserver.scaling import Scaling, WorkloadScaling
from windlass.apiserver.table import builtin_layout
from windlass.apiserver.traits import Traits
from windlass.apiserver.validation import validate
from windlass.apiserver.warning import warnings_for
from windlass.schema.ownership import Grammar, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.table import Layout
    from windlass.apiserver.world import World
    from windlass.schema import Fault

Object = dict[str, Any]

_GRAMMAR: Final = Grammar()
_ONLY_NAMES: Final = '"{}" is not a known field selector: only "metadata.name", "metadata.namespace"'


class BuiltinTraits(Traits):
    """A kind that every API server has: decoded, defaulted and validated as the real server does."""

    def __init__(self, builtin: BuiltinKind) -> None:
        self.kind = builtin.kind
        self.name = f"{builtin.kind.group}/{builtin.kind.name}"
        """The kind as the tables name it: `apps/Deployment`."""
        self.status = "status" in builtin.subresources
        self.generation = self.name in COUNTED
        self.unconditional = self.name not in CONDITIONAL
        self.upserts = self.name in UPSERTED
        self.returns_deleted = self.name in RETURNED
        self.orphans = self.name in ORPHANING
        if not self.field_labels:
            self.unknown_label = _ONLY_NAMES
        self.collected = self.name not in UNCOLLECTED
        self.kept_by_status = KEPT_BY_STATUS.get(self.name, ())

    @cached_property
    def empty(self) -> Object:
        """What an object of the kind holds before anything is set."""
        empty: Object = {}
        complete(empty, self.kind, builtin_types())
        return empty

    @override
    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        content_type = call.headers.get("content-type", "")
        decoded = decode(body, content_type, resource.kind, builtin_types(), validation)
        call.warnings.extend(decoded.warnings)
        return self.finished(resource, decoded.object)

    @override
    def patched(self, resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
        try:
            obj, unknown = self._read_patched(outcome)
        except DecodeError as error:
            raise outcome.refusal(str(error)) from error
        judge(outcome, unknown if outcome.patch is None else sorted(unknown), call, validation)
        return self.finished(resource, obj)

    @override
    def applied(self, resource: Resource, document: Object) -> Object:
        try:
            obj, _ = self._converted(document)
        except DecodeError as error:
            kind = f"{self.kind.group}/{self.kind.version}, Kind={self.kind.name}"
            raise DecodeError(f"unable to convert unstructured object to {kind}: {error}") from error
        return self.finished(resource, obj)

    def _read_patched(self, outcome: Patched) -> tuple[Object, Sequence[str]]:
        if outcome.patch is None:
            return read_again(outcome.document, self.kind, builtin_types())
        return self._converted(outcome.document)

    def _converted(self, document: Object) -> tuple[Object, Sequence[str]]:
        try:
            return read(document, self.kind, builtin_types())
        except DecodeError:  # what cannot be decoded can perhaps be converted
            return convert(document, self.kind, builtin_types())

    @override
    def finished(self, resource: Resource, obj: Object) -> Object:
        fill(f"{resource.kind.api_version}/{resource.kind.name}", obj)
        complete(obj, resource.kind, builtin_types())
        return obj

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        if not self.status:
            return
        if "status" in self.empty:
            obj["status"] = deepcopy(self.empty["status"])
        else:
            obj.pop("status", None)

    @override
    def rules(self, resource: Resource, subresource: str) -> Rules:
        version = resource.kind.api_version
        return Rules(
            shapes={version: resource.shape},
            empty={version: self.empty},
            reset={version: self.reset(subresource)},
            grammar=_GRAMMAR,
        )

    @override
    def validate(self, obj: Object, old: Object | None, subresource: str) -> Iterable[Fault]:
        return validate(self.name, obj, old, subresource)

    @override
    def scaling(self, resource: Resource) -> Scaling:
        return WorkloadScaling(resource.kind)

    @override
    def warnings(self, obj: Object, old: Object | None) -> Iterable[str]:
        warn = warnings_for(self.name)
        return warn(obj, old) if warn else ()

    @override
    def layout(self) -> Layout:
        group, _, kind = self.name.rpartition("/")
        return builtin_layout(group, kind)


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
