from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.apiserver.world import World

Object = dict[str, Any]

IGNORED_BY_GENERATION: Final = frozenset({"metadata", "status", "kind", "apiVersion"})
WHOLE_METADATA: Final = ("labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp")


class Writing:
    """What the server adds to a write of a kind, and what it leaves of it.

    `generation`: whether changes are counted in `metadata.generation`.
    `status`: whether `/status` is a subresource, so that writes elsewhere leave it alone.
    `unconditional`: whether an update may come without a resourceVersion.
    `upserts`: whether an update of what does not exist creates it.
    `kept_by_status`: the metadata that a write to `/status` leaves as it was.
    """

    generation: bool = False
    status: bool = False
    unconditional: bool = True
    upserts: bool = False
    kept_by_status: tuple[str, ...] = ()

    def rewrite(self, obj: Object) -> None:
        """Drop and rewrite, in place, what the server does not leave as it is; its owners have been noted."""

    def begin(self, obj: Object, old: Object | None, world: World, *, dry_run: bool) -> None:
        """Choose for an object what it needs of what is scarce, such as an address; `stored` takes it.

        Raises:
            Refusal: what it asks for is not to be had.
        """

    def prepare_create(self, obj: Object, world: World) -> None:  # noqa: ARG002 - for some kinds
        """Set what the server sets on a new object; its metadata is done elsewhere."""
        if self.status:
            obj.pop("status", None)

    def settle(self, obj: Object) -> bool:  # noqa: ARG002 - for some kinds
        """Leave an object that was found valid as it is shown, with defaults that only follow now.

        Whether there were any: the real server does not store those of a new object before the next write.
        """
        return False

    def prepare_update(self, obj: Object, old: Object, world: World) -> None:  # noqa: ARG002 - for some kinds
        """Put back what an update must not change, before it is validated."""
        if self.status:
            keep(obj, old, "status")

    def prepare_status(self, obj: Object, old: Object, world: World) -> None:  # noqa: ARG002 - for some kinds
        """Leave nothing of a write to `/status` but its status and some metadata."""
        for name in {**old, **obj}:  # in their order, which the stored object then has each time
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

    def stored(self, obj: Object, world: World) -> None:
        """React to what was just stored."""


def keep(obj: Object, old: Object, name: str) -> None:
    """Give a field the value that it had."""
    if name in old:
        obj[name] = old[name]
    else:
        obj.pop(name, None)
