from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.verb.delete_options import DeleteOptions
    from windlass.apiserver.world import World

Object = dict[str, Any]


class Deletion:
    """How objects of a kind go.

    `returns_deleted`: whether a delete answers with the object instead of a Status.
    `collected`: whether there can be dependents, so that it matters what a deletion says of them.
    `orphans`: whether a delete without a policy leaves dependents alone; `orphan_warning` is then said of it.
    `lingers`: whether the kind itself decides when a deleted object is gone.
    `immortal`: the names of objects that cannot be deleted one by one, each with the reason.
    """

    returns_deleted: bool = False
    collected: bool = True
    orphans: bool = False
    orphan_warning: str = ""
    lingers: bool = False
    immortal: Mapping[str, str] = {}

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

    def deleted(self, obj: Object, world: World) -> None:
        """Give back what a deleted object held, such as an address."""

    def grace(self, obj: Object, wanted: int | None) -> int | None:  # noqa: ARG002 - for kinds that know it
        """The seconds that an object is given to end, `None` for kinds that are not given any."""
        return None
