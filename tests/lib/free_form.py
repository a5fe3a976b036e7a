"""Kinds that take anything, as charts have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.errors import NotFound
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

if TYPE_CHECKING:
    from windlass.api import Kind, Untyped
    from windlass.client import Client


def free_form(kind: Kind) -> CustomResourceDefinition:
    """The definition of a kind whose spec and status may be anything, even no map."""
    anything = {"x-kubernetes-preserve-unknown-fields": True}
    version = {
        "name": kind.version, "served": True, "storage": True, "subresources": {"status": {}},
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": anything, "status": anything}}},
    }  # fmt: skip
    names = {"kind": kind.name, "plural": kind.plural}
    scope = "Namespaced" if kind.namespaced else "Cluster"
    spec = {"group": kind.group, "scope": scope, "names": names, "versions": [version]}
    return CustomResourceDefinition.model_validate(
        {"metadata": {"name": f"{kind.plural}.{kind.group}"}, "spec": spec}
    )


async def is_created(client: Client, made: Untyped) -> bool:
    """Whether an object could be created: a definition is not served at once."""
    try:
        await client.create(made)
    except NotFound:
        return False
    return True
