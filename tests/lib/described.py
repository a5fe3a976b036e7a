"""Resources as discovery and OpenAPI want them: the built-in ones, and one of a custom resource definition."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from windlass.api import Kind
from windlass.apiserver.builtin import kinds, library
from windlass.apiserver.resource import ALL_VERBS, Subresource
from windlass.schema import Shape

if TYPE_CHECKING:
    from collections.abc import Mapping

CHANGES = frozenset({"get", "patch", "update"})


@dataclass
class Described:
    """A resource in one version, with nothing but what documents about it need."""

    kind: Kind
    shape: Shape
    singular: str = ""
    verbs: frozenset[str] = ALL_VERBS
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subresources: Mapping[str, Subresource] = field(default_factory=dict)
    storage_hash: str = ""
    custom: bool = False
    list_kind: str = ""


def builtin_resources() -> list[Described]:
    """All that a server has of itself."""
    return [
        Described(
            kind=each.kind,
            shape=library().shape(each.definition),
            singular=each.singular,
            verbs=each.verbs,
            short_names=each.short_names,
            categories=each.categories,
            subresources=each.subresources,
            storage_hash=each.storage_hash,
        )
        for each in kinds()
    ]


def custom_resource(
    group: str, version: str = "v1", schema: Mapping[str, Any] | None = None, kind: str = "Widget"
) -> Described:
    """A resource of a custom resource definition, with a status and a scale."""
    plural = f"{kind.lower()}s"
    own = Kind(group, version, kind, plural)
    scale = Kind("autoscaling", "v1", "Scale", plural)
    return Described(
        kind=own,
        shape=Shape(schema or {"type": "object"}),
        singular=kind.lower(),
        short_names=("wd",),
        categories=("all",),
        subresources={
            "scale": Subresource("scale", CHANGES, scale),
            "status": Subresource("status", CHANGES, own),
        },
        storage_hash="hash",
        custom=True,
    )
