from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import timedelta

FieldValidation = Literal["Strict", "Warn", "Ignore"]
Propagation = Literal["Background", "Foreground", "Orphan"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ListOptions:
    """How to list. Without a `resource_version` the answer is the newest state; `"0"` is any that is at hand.

    `page_size` asks for pages of that many objects, all of one consistent snapshot. Managed fields, which
    are often most of an object and seldom wanted, are left out unless `managed_fields` asks for them;
    objects without them can be written back safely.

    `shard` is a selector of a part of the objects, by the hash of their uid or namespace:
    `shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')`. A server that does not know
    it answers with everything; `Listing.shard` tells which shard one was given.
    """

    page_size: int | None = None
    managed_fields: bool = False
    resource_version: str | None = None
    resource_version_match: Literal["Exact", "NotOlderThan"] | None = None
    shard: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchOptions:
    """How to watch: from which version, and for how long at most.

    `initial_events` streams the present objects first (`ADDED`), closed by a bookmark whose
    `initial_events_end` is true: a list that needs no memory for the whole answer on either side. Managed
    fields are left out as in lists. `shard` is as in lists, but nobody tells whether the server knows it.
    """

    resource_version: str | None = None
    bookmarks: bool = True
    managed_fields: bool = False
    initial_events: bool = False
    timeout: timedelta | None = None
    shard: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class WriteOptions:
    """What every write of a client carries."""

    field_manager: str = "windlass"
    dry_run: bool = False
    field_validation: FieldValidation | None = None

    def query(self) -> tuple[tuple[str, str], ...]:
        """As query parameters."""
        return (
            ("fieldManager", self.field_manager),
            *((("dryRun", "All"),) if self.dry_run else ()),
            *((("fieldValidation", self.field_validation),) if self.field_validation else ()),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class DeleteOptions:
    """How to delete: what becomes of dependents, how long to wait, and only if it is still the one meant."""

    propagation: Propagation | None = None
    grace_period: timedelta | None = None
    uid: str = ""
    resource_version: str = ""

    def body(self, *, dry_run: bool) -> dict[str, Any]:
        """As the body of the request."""
        preconditions = {
            key: value
            for key, value in (("uid", self.uid), ("resourceVersion", self.resource_version))
            if value
        }
        body: dict[str, Any] = {"apiVersion": "v1", "kind": "DeleteOptions"}
        if self.propagation:
            body["propagationPolicy"] = self.propagation
        if self.grace_period is not None:
            body["gracePeriodSeconds"] = ceil(self.grace_period.total_seconds())  # up: 0 is no grace at all
        if preconditions:
            body["preconditions"] = preconditions
        if dry_run:
            body["dryRun"] = ["All"]
        return body


@dataclass(frozen=True, slots=True)
class JsonPatch:
    """A list of operations (RFC 6902): `JsonPatch([{"op": "remove", "path": "/spec/paused"}])`."""

    operations: Sequence[Mapping[str, Any]]
    content_type = "application/json-patch+json"

    @property
    def content(self) -> Any:
        """The body of the request."""
        return list(self.operations)


@dataclass(frozen=True, slots=True)
class MergePatch:
    """What to change, `None` for what to remove (RFC 7386); lists are replaced."""

    content: Mapping[str, Any]
    content_type = "application/merge-patch+json"


@dataclass(frozen=True, slots=True)
class StrategicPatch:
    """As a merge patch, but lists are merged by their keys; built-in kinds only."""

    content: Mapping[str, Any]
    content_type = "application/strategic-merge-patch+json"


Patch = JsonPatch | MergePatch | StrategicPatch
