"""Changes that somebody has thought of: sensible ones, and those that the tables of broken manifests hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from broken import ABSENT
from differential_change import Change

if TYPE_CHECKING:
    from collections.abc import Iterable

    from broken import Edit, Sample

Group = tuple[Change, ...]
"""Changes that belong together."""

_END: Final = 1000
"""A place that no list reaches: what is put there comes last."""
_OWNER: Final = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "name": "owner",
    "uid": "00000000-0000-0000-0000-000000000001",
}
_OF_METADATA: Final[tuple[Edit, ...]] = (
    {"/metadata/labels": {"app": "a"}},
    {"/metadata/labels/tier": "web"},
    {"/metadata/labels": ABSENT},
    {"/metadata/annotations/example.com~1note": "x"},
    {"/metadata/annotations": ABSENT},
    {"/metadata/finalizers": ["example.com/held"]},
    {"/metadata/finalizers": ABSENT},
    {"/metadata/ownerReferences": [_OWNER]},
    {"/metadata/resourceVersion": ABSENT},
    {"/metadata/managedFields": []},
)


def group(edit: Edit) -> Group:
    """An edit, JSON pointers to values, as changes."""
    return tuple(
        Change(_way(pointer), what="drop") if value is ABSENT else Change(_way(pointer), value)
        for pointer, value in edit.items()
    )


def sensible(edits: Iterable[Edit] = ()) -> tuple[Group, ...]:
    """Changes that a server should take: of the metadata of any object, and those given."""
    return tuple(group(edit) for edit in (*_OF_METADATA, *edits))


def taken(sample: Sample) -> tuple[Group, ...]:
    """The changes of a sample's table that servers take, and those of metadata."""
    return sensible(_fit((*sample.changed.values(), *sample.accepted.values())))


def refused(sample: Sample) -> tuple[Group, ...]:
    """The changes of a sample's table that servers refuse."""
    tables = (sample.refused, sample.frozen, sample.status)
    return tuple(group(edit) for edit in _fit(edit for table in tables for edit in table.values()))


def _fit(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits but for large ones, and for those that do not fit the test.

    The real server goes through claims in any order, and what is the default would reach other tests.
    """
    return tuple(
        edit
        for edit in edits
        if len(str(edit)) < _END
        and not any(word in str(edit) for word in ("volumeClaimTemplates", "is-default"))
    )


def _way(pointer: str) -> tuple[Any, ...]:
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    return tuple(_END if step == "-" else int(step) if step.isdigit() else step for step in steps)
