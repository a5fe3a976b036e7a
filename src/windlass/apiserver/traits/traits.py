from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from windlass.apiserver.traits.admitting import Admitting
from windlass.apiserver.traits.deletion import Deletion
from windlass.apiserver.traits.form import Form
from windlass.apiserver.traits.stored import Stored
from windlass.apiserver.traits.writing import WHOLE_METADATA, Writing
from windlass.schema.ownership import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from windlass.apiserver.resource import Resource
    from windlass.apiserver.scaling import Scaling
    from windlass.schema import Fault

Object = dict[str, Any]
FieldReader = Callable[[Mapping[str, Any]], str]


class Traits(Form, Stored, Admitting, Writing, Deletion):
    """What is particular to a kind, with what most kinds have in common as the default.

    `field_labels`: the field selectors beside name and namespace, each with the path that it reads, or with a
    function that reads it; `unknown_label` is what is said of another one: `{0}`, in quotes `{1}`.
    `fault_group`: the group that the refusal of an invalid object names, if it is another than the kind's.
    """

    field_labels: Mapping[str, tuple[str, ...] | FieldReader] = {}
    unknown_label: str = "field label not supported: {0}"
    fault_group: str | None = None

    def validate(self, obj: Object, old: Object | None, subresource: str) -> Iterable[Fault]:
        """What is wrong with a new object, or with a change."""
        raise NotImplementedError

    def warnings(self, obj: Object, old: Object | None) -> Iterable[str]:  # noqa: ARG002 - for some kinds
        """What a client is warned of."""
        return ()

    def excuses(
        self,
        obj: Object,  # noqa: ARG002 - for some kinds
        old: Object,  # noqa: ARG002
        faults: Sequence[Fault],  # noqa: ARG002
    ) -> Iterable[str]:
        """What a client is warned of that a change did not bring about, even if the change is refused."""
        return ()

    def rules(self, resource: Resource, subresource: str) -> Rules:
        """Who can own what by writes to an object, or to a part of it."""
        version = resource.kind.api_version
        return Rules(shapes={version: resource.shape}, reset={version: self.reset(subresource)})

    def reset(self, subresource: str) -> Object:
        """The fields that nobody can own by a write here, because it does not change them."""
        if not self.status:
            return {}
        if subresource != "status":
            return {"f:status": {}}
        if self.kept_by_status == WHOLE_METADATA:
            return {"f:spec": {}, "f:metadata": {}}
        kept: Object = {f"f:{name}": {} for name in self.kept_by_status}
        return {"f:spec": {}, "f:metadata": kept} if kept else {"f:spec": {}}

    def scaling(self, resource: Resource) -> Scaling:
        """How `/scale` reads and changes an object."""
        raise NotImplementedError
