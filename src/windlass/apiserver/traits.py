from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.schema.ownership import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.scaling import Scaling
    from windlass.apiserver.store import Record
    from windlass.apiserver.table import Layout
    from windlass.apiserver.verb.delete_options import DeleteOptions
    from windlass.apiserver.world import World
    from windlass.schema import Fault

    FieldReader = Callable[[Mapping[str, Any]], str]

Object = dict[str, Any]

IGNORED_BY_GENERATION: Final = frozenset({"metadata", "status", "kind", "apiVersion"})
WHOLE_METADATA: Final = ("labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp")


class Traits:
    """What is particular to a kind, with what most kinds have in common as the default.

    `generation`: whether changes are counted in `metadata.generation`.
    `status`: whether `/status` is a subresource, so that writes elsewhere leave it alone.
    `unconditional`: whether an update may come without a resourceVersion.
    `upserts`: whether an update of what does not exist creates it.
    `returns_deleted`: whether a delete answers with the object instead of a Status.
    `collected`: whether there can be dependents, so that it matters what a deletion says of them.
    `orphans`: whether a delete without a policy leaves dependents alone; `orphan_warning` is then said of it.
    `field_labels`: the field selectors beside name and namespace, each with the path that it reads, or with a
    function that reads it; `unknown_label` is what is said of another one, with `{}` in its place.
    `fault_group`: the group that the refusal of an invalid object names, if it is another than the kind's.
    `kept_by_status`: the metadata that a write to `/status` leaves as it was.
    `lingers`: whether the kind itself decides when a deleted object is gone.
    """

    generation: bool = False
    status: bool = False
    unconditional: bool = True
    upserts: bool = False
    returns_deleted: bool = False
    collected: bool = True
    orphans: bool = False
    orphan_warning: str = ""
    field_labels: Mapping[str, tuple[str, ...] | FieldReader] = {}
    unknown_label: str = "field label not supported: {}"
    fault_group: str | None = None
    kept_by_status: tuple[str, ...] = ()
    lingers: bool = False

    def body(self, resource: Resource, record: Record) -> bytes:  # noqa: ARG002 - for kinds that convert
        """The stored JSON as the resource's version shows it, without kind and apiVersion."""
        return record.body

    def to_storage(self, resource: Resource, obj: Object) -> Object:  # noqa: ARG002 - for kinds that convert
        """An object of the resource's version as it is stored."""
        return obj

    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        """A body as an object with its defaults, or refused.

        What `validation` says of unknown and duplicate fields is a refusal, a warning of the call or nothing.
        """
        raise NotImplementedError

    def patched(self, resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
        """The outcome of a patch as an object with its defaults, or refused; like `decode` of its text."""
        raise NotImplementedError

    def applied(self, resource: Resource, document: Object) -> Object:
        """What an apply leaves, as an object with its defaults; it takes the document over.

        Raises:
            DecodeError: it is no object of the kind.
        """
        raise NotImplementedError

    def finished(self, resource: Resource, obj: Object) -> Object:  # noqa: ARG002 - for kinds with defaults
        """An object with its defaults, and with everything that its kind always shows."""
        return obj

    def layout(self) -> Layout:
        """What stands in the columns of a table."""
        raise NotImplementedError

    def admit(self, obj: Object, old: Object | None, world: World) -> None:
        """What the server's own admission adds to a new object, or to a change."""

    def permit(self, obj: Object, old: Object | None, world: World) -> None:
        """Refuse what the server's own admission does not allow of an object that is valid.

        Raises:
            Refusal: 403.
        """

    def begin(self, obj: Object, old: Object | None, world: World, *, dry_run: bool) -> None:
        """Choose for an object what it needs of what is scarce, such as an address; `stored` takes it.

        Raises:
            Refusal: what it asks for is not to be had.
        """

    def prepare_create(self, obj: Object, world: World) -> None:
        """Set what the server sets on a new object; its metadata is done elsewhere."""
        if self.status:
            obj.pop("status", None)

    def settle(self, obj: Object) -> None:
        """Leave an object that was found valid as it is stored, with defaults that only follow now."""

    def prepare_update(self, obj: Object, old: Object, world: World) -> None:
        """Put back what an update must not change, before it is validated."""
        if self.status:
            keep(obj, old, "status")

    def prepare_status(self, obj: Object, old: Object, world: World) -> None:
        """Leave nothing of a write to `/status` but its status and some metadata."""
        for name in old.keys() | obj.keys():
            if name not in ("status", "metadata", "kind", "apiVersion"):
                keep(obj, old, name)
        for name in self.kept_by_status:
            keep(obj["metadata"], old["metadata"], name)

    def prepare_part(self, part: str, obj: Object, old: Object, world: World) -> None:
        """Leave nothing of a write to a subresource but what the subresource is."""
        if part == "status":
            self.prepare_status(obj, old, world)
        else:
            self.prepare_update(obj, old, world)

    def counts(self, obj: Object, old: Object) -> bool:
        """Whether a change is one that the generation counts."""
        return any(
            obj.get(name) != old.get(name)
            for name in obj.keys() | old.keys()
            if name not in IGNORED_BY_GENERATION
        )

    def freed(self, obj: Object) -> bool:
        """Whether an object that is being deleted waits for nothing any more."""
        meta = obj["metadata"]
        return (
            "deletionTimestamp" in meta
            and not meta.get("finalizers")
            and not meta.get("deletionGracePeriodSeconds")
        )

    def delete(
        self,
        obj: Object,  # noqa: ARG002 - for kinds that wait
        options: DeleteOptions,  # noqa: ARG002
        world: World,  # noqa: ARG002
    ) -> Object | None:
        """The object marked for deletion, where the kind itself decides when it is gone."""
        return None

    def stored(self, obj: Object, world: World) -> None:
        """React to what was just stored."""

    def deleted(self, obj: Object, world: World) -> None:
        """Give back what a deleted object held, such as an address."""

    def grace(self, obj: Object, wanted: int | None) -> int | None:  # noqa: ARG002 - for kinds that know it
        """The seconds that an object is given to end, `None` for kinds that are not given any."""
        return None

    def validate(self, obj: Object, old: Object | None, subresource: str) -> Iterable[Fault]:
        """What is wrong with a new object, or with a change."""
        raise NotImplementedError

    def warnings(self, obj: Object, old: Object | None) -> Iterable[str]:
        """What a client is warned of."""
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


def keep(obj: Object, old: Object, name: str) -> None:
    """Give a field the value that it had."""
    if name in old:
        obj[name] = old[name]
    else:
        obj.pop(name, None)
