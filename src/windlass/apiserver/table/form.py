"""Objects as a table, or as their metadata alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.table.builtin import PLAIN
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from windlass.apiserver.table.layout import Layout

    Object = dict[str, Any]

_DAEMON_SET: Final = ("DaemonSet", "apps/v1")
_GENERATION: Final = "deprecated.daemonset.template.generation"
_INCLUDES: Final = frozenset({"", "Metadata", "Object", "None"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForm:
    """How a table is wanted.

    `include`: how much of its object a row carries: `Metadata` (the same as nothing said), `Object`, `None`.
    `version`: that of the table, `v1` or the older `v1beta1`.
    `headers`: whether the columns are defined; later events of a watch leave them out.

    Raises:
        Refusal: 400, `include` is something else.
    """

    include: str = ""
    version: str = "v1"
    headers: bool = True

    def __post_init__(self) -> None:
        if self.include not in _INCLUDES:
            raise Refusal.bad_request(
                "Unable to convert to Table as requested: "
                f"includeObject: Invalid value: {quoted(self.include)}: "
                "must be 'Metadata', 'Object', 'None', or empty"
            )


_USUAL: Final = TableForm()


def table(
    objects: Iterable[Object],
    metadata: Mapping[str, Any],
    layout: Layout,
    now: datetime,
    form: TableForm = _USUAL,
) -> Object:
    """Objects as a Table.

    `metadata` is that of the list, or the `resourceVersion` of the only object.
    """
    rows: list[Object] | None = [_row(obj, layout, now, form) for obj in objects]
    if not rows and layout is PLAIN:
        rows = None  # as the real server has it
    return {
        "kind": "Table",
        "apiVersion": f"meta.k8s.io/{form.version}",
        "metadata": dict(metadata),
        "columnDefinitions": [column.wire for column in layout.columns] if form.headers else None,
        "rows": rows,
    }


def partial(obj: Object, version: str = "v1") -> Object:
    """What is left of an object when only its metadata is wanted."""
    return {
        "kind": "PartialObjectMetadata",
        "apiVersion": f"meta.k8s.io/{version}",
        "metadata": _own_metadata(obj),
    }


def _own_metadata(obj: Object) -> Object:
    """The metadata that the server itself has of an object; a field of daemon sets is no annotation to it."""
    metadata: Object = obj["metadata"]
    if (obj.get("kind"), obj.get("apiVersion")) != _DAEMON_SET:
        return metadata
    annotations = {
        name: value for name, value in metadata.get("annotations", {}).items() if name != _GENERATION
    }
    own = {**metadata, "annotations": annotations}
    if not annotations:
        del own["annotations"]
    return own


def partial_list(objects: Iterable[Object], metadata: Mapping[str, Any], version: str = "v1") -> Object:
    """What is left of a list when only the metadata of its items is wanted; no items are null."""
    return {
        "kind": "PartialObjectMetadataList",
        "apiVersion": f"meta.k8s.io/{version}",
        "metadata": dict(metadata),
        "items": [partial(obj, version) for obj in objects] or None,
    }


def _row(obj: Object, layout: Layout, now: datetime, form: TableForm) -> Object:
    row: Object = {"cells": layout.cells(obj, now)}
    conditions = layout.conditions(obj)
    if conditions:
        row["conditions"] = conditions
    if form.include == "Object":
        row["object"] = obj
    else:
        row["object"] = None if form.include == "None" else partial(obj, form.version)
    return row
