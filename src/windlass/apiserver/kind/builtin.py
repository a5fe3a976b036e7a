from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.defaulting import rewrite
from windlass.apiserver.kind.fact import CONDITIONAL, COUNTED, ORPHANING, RAW, RETURNED, UNCOLLECTED, UPSERTED
from windlass.apiserver.kind.form import BuiltinForm
from windlass.apiserver.kind.status import KEPT_BY_STATUS
from windlass.apiserver.scaling import Scaling, WorkloadScaling
from windlass.apiserver.validation import validate
from windlass.apiserver.warning import warnings_for
from windlass.schema.ownership import Grammar, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.world import World
    from windlass.schema import Fault

Object = dict[str, Any]

_GRAMMAR: Final = Grammar()
_ONLY_NAMES: Final = '{1} is not a known field selector: only "metadata.name", "metadata.namespace"'


class BuiltinTraits(BuiltinForm):
    """A kind that every API server has: decoded, defaulted and validated as the real server does."""

    def __init__(self, builtin: BuiltinKind) -> None:
        super().__init__(builtin.kind)
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
        self._raw = tuple(tuple(place.split(".")) for place in RAW.get(self.name, ()))
        self.kept_by_status = KEPT_BY_STATUS.get(self.name, ())

    @override
    def rewrite(self, obj: Object) -> None:
        rewrite(f"{self.kind.api_version}/{self.kind.name}", obj)

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
            raw=self._raw,
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
