"""The resources that a definition brings: one for each version that it serves."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Kind
from windlass.apiserver.crd.custom import CustomTraits
from windlass.apiserver.crd.family import Family
from windlass.apiserver.crd.version import better_version
from windlass.apiserver.resource import Resource, Subresource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.apiserver.crd.lifecycle import Lifecycle
    from windlass.apiserver.store import Collection
    from windlass.schema.custom import CustomSchema

Object = dict[str, Any]

_READ_AND_CHANGE: Final = frozenset({"get", "patch", "update"})


def resources_of(
    crd: Object, schemas: Mapping[str, CustomSchema], collection: Collection, lifecycle: Lifecycle
) -> Iterator[Resource]:
    """The resources of a definition whose names were accepted; `schemas` are by apiVersion."""
    spec, names = crd["spec"], {**crd["spec"]["names"], **crd["status"]["acceptedNames"]}
    family = Family(crd, schemas)
    digest = hashlib.sha256(f"{family.stored_as}/{names['kind']}".encode()).digest()[:8]
    for version in spec["versions"]:
        if not version["served"]:
            continue
        below = tuple(
            name for name in ("status", "scale") if (version.get("subresources") or {}).get(name) is not None
        )
        namespaced = spec["scope"] == "Namespaced"
        kind = Kind(spec["group"], version["name"], names["kind"], names["plural"], namespaced, below)
        traits = CustomTraits(crd, version, family, lifecycle)
        yield Resource(
            kind=kind,
            singular=names.get("singular", ""),
            shape=traits.schema.shape,
            traits=traits,
            collection=collection,
            stored_as=family.stored_as,
            list_kind=names.get("listKind", ""),
            short_names=tuple(names.get("shortNames", ())),
            categories=tuple(names.get("categories", ())),
            subresources=_subresources(below, kind),
            storage_hash=base64.b64encode(digest).decode(),
            custom=True,
            warning=_deprecation(crd, version),
        )


def _subresources(names: tuple[str, ...], kind: Kind) -> dict[str, Subresource]:
    scale = Kind("autoscaling", "v1", "Scale", kind.plural, kind.namespaced)
    return {name: Subresource(name, _READ_AND_CHANGE, scale if name == "scale" else kind) for name in names}


def _deprecation(crd: Object, version: Object) -> str:
    if not version.get("deprecated"):
        return ""
    if version.get("deprecationWarning") is not None:
        return str(version["deprecationWarning"])
    group, kind = crd["spec"]["group"], crd["spec"]["names"]["kind"]
    said = f"{group}/{version['name']} {kind} is deprecated"
    better = better_version(version["name"], crd["spec"]["versions"])
    return f"{said}; use {group}/{better} {kind}" if better else said
