from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

from windlass._declaration import check_choice, check_words

if TYPE_CHECKING:
    from collections.abc import Mapping


ColumnType = Literal["string", "integer", "number", "boolean", "date"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of `kubectl get`. `path` is a JSONPath from the object's root: `.spec.replicas`."""

    name: str
    path: str
    _: KW_ONLY
    type: ColumnType = "string"
    description: str = ""
    format: str = ""
    priority: int = 0

    def __post_init__(self) -> None:
        check_choice(f"Column {self.name}", "type", self.type, get_args(ColumnType))


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """Where `kubectl scale` and autoscalers find the numbers, as paths from the object's root."""

    spec_path: str = ".spec.replicas"
    status_path: str = ".status.replicas"
    selector_path: str = ""


@dataclass(frozen=True, kw_only=True)
class Definition:
    """What a custom resource definition says beyond the schema.

    `storage` marks the version that is stored, where there are several; `deprecated` may be the warning
    that users of this version get. The status subresource is there when the type has a `status`.
    `ready` names the condition that tells whether an object is as it should be, which a controller derives
    from how a reconcile ended; empty where the conditions are none of its business.
    """

    singular: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    scale: Scale | None = None
    selectable_fields: tuple[str, ...] = ()
    storage: bool = False
    served: bool = True
    deprecated: str | bool = False
    status: bool = True
    ready: str = "Ready"
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_words("Definition", "short_names", self.short_names, "wa")
        check_words("Definition", "categories", self.categories, "all")
        check_words("Definition", "selectable_fields", self.selectable_fields, ".spec.image")
        columns: object = self.columns
        if not isinstance(columns, tuple | list) or not all(isinstance(each, Column) for each in columns):
            raise TypeError(
                f"Definition: columns is {columns!r}, which is no tuple of columns: "
                'write columns=(Column("Ready", ".status.readyReplicas"),), with the comma'
            )
        for name in ("storage", "served", "status"):
            value: object = getattr(self, name)
            if not isinstance(value, bool):
                raise TypeError(f"Definition: {name} is {value!r}: write {name}=True or {name}=False")
