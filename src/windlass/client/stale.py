"""The pitfall of a stale CRD: what its schema does not know, the server drops without an error."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.api import Untyped
from windlass.client.transport import Request
from windlass.errors import NotFound
from windlass.schema import Drift, drift, is_foreign, structural

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.api import Kind, Resource
    from windlass.client.client import Client

_ADDED = ("x-kubernetes-group-version-kind", "x-kubernetes-selectable-fields")
_TYPE_META = ("apiVersion", "kind", "metadata")
_log = logging.getLogger("windlass.client")


@dataclass(frozen=True, slots=True)
class Stale:
    """A kind whose schema in the cluster is not what its type says; `str()` is a message for people."""

    kind: Kind
    drift: Drift

    def __str__(self) -> str:
        """What is wrong, what happens because of it, and what to do."""
        name = f"{self.kind.plural}.{self.kind.group} ({self.kind.version})"
        if not self.drift.unknown and not self.drift.different:
            extra = ", ".join(self.drift.extra)
            return (
                f"the cluster's definition of {name} is newer than its Python type, which does not know "
                f"{extra}; these fields are kept as they are. Upgrade the operator, not the definition"
            )
        said = [f"the cluster's definition of {name} does not match its Python type"]
        if self.drift.unknown:
            fields = ", ".join(self.drift.unknown)
            said.append(f"it does not know {fields}: what is written there is DROPPED without an error")
        if self.drift.extra:
            said.append(f"it has {', '.join(self.drift.extra)}, which the type does not know")
        if self.drift.different:
            said.append(f"it sees {', '.join(self.drift.different)} differently")
        file = f"config/crd/bases/{self.kind.group}_{self.kind.plural}.yaml"
        return "; ".join(said) + f". Mend it: `windlass generate crds MODULE`, then `kubectl apply -f {file}`"


async def stale_definitions(client: Client, kinds: Iterable[type[Resource]]) -> list[Stale]:
    """Compare what the cluster serves with what the types say, and log each difference.

    Fields that the cluster would drop are an error, fields that it has beyond the type a warning. It reads
    the OpenAPI document, which every authenticated user may. A kind that is not served (yet) is not stale,
    and those that are not ours to define are passed over: the built-in ones, the untyped ones, and models
    that were generated from somebody else's definition.
    """
    found = []
    for kind in filter(_is_ours, kinds):
        served = await _served_schema(client, kind.__kind__)
        difference = drift(served, _published(structural(kind))) if served else Drift()
        if difference:
            found.append(Stale(kind.__kind__, difference))
            harmful = difference.unknown or difference.different
            _log.log(logging.ERROR if harmful else logging.WARNING, "%s", found[-1])
    return found


def _is_ours(kind: type[Resource]) -> bool:
    if kind.__module__.startswith("windlass.kinds.") or issubclass(kind, Untyped):
        return False
    return not is_foreign(kind)


async def _served_schema(client: Client, kind: Kind) -> dict[str, Any] | None:
    path = f"/openapi/v3/apis/{kind.group}/{kind.version}"
    try:
        document = await client.json(Request(method="GET", path=path))
    except NotFound:
        return None
    wanted = {"group": kind.group, "version": kind.version, "kind": kind.name}
    schemas: dict[str, Any] = document.get("components", {}).get("schemas", {})
    for schema in schemas.values():
        if wanted in schema.get("x-kubernetes-group-version-kind", ()):
            return _published(schema)
    return None


def _published(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a kind without what the server's document adds to it or states in its own words."""
    kept = {key: value for key, value in schema.items() if key not in _ADDED}
    return _without_type_meta(_below(kept))


def _below(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same for the objects that are embedded somewhere in a schema."""
    changed = dict(schema)
    if "properties" in schema:
        changed["properties"] = {name: _below(each) for name, each in schema["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            changed[key] = _below(schema[key])
    return _without_type_meta(changed) if schema.get("x-kubernetes-embedded-resource") else changed


def _without_type_meta(schema: Mapping[str, Any]) -> dict[str, Any]:
    """An object without what every Kubernetes object has, which the server describes by itself."""
    kept = {key: value for key, value in schema.items() if key not in ("properties", "required")}
    properties = {name: each for name, each in schema.get("properties", {}).items() if name not in _TYPE_META}
    required = [name for name in schema.get("required", ()) if name not in _TYPE_META]
    return (
        kept
        | ({"properties": properties} if properties else {})
        | ({"required": required} if required else {})
    )
