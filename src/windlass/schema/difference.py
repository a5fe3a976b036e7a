"""The fields by which a served schema and a type differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Drift:
    """What a cluster's schema lacks, has beyond the type, or sees differently: paths such as `.status.url`.

    Fields that the cluster does not know (`unknown`) are dropped from every write without an error.
    """

    unknown: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    different: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.unknown or self.extra or self.different)


def drift(served: Mapping[str, Any], wanted: Mapping[str, Any]) -> Drift:
    """Compare the schema that a cluster serves with the one that a type says; descriptions do not matter."""
    found: dict[str, list[str]] = {"unknown": [], "extra": [], "different": []}
    for verdict, path in _compare(served, wanted, ""):
        found[verdict].append(path)
    return Drift(**{verdict: tuple(paths) for verdict, paths in found.items()})


_DOCUMENTATION = frozenset(
    {"description", "title", "example", "externalDocs", "properties", "items", "additionalProperties"}
)


def _compare(served: Mapping[str, Any], wanted: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    keeps_all = served.get("x-kubernetes-preserve-unknown-fields", False)
    if _facts(served) != _facts(wanted):
        yield "different", path or "."
    known, named = served.get("properties", {}), wanted.get("properties", {})
    for name in named:
        if name in known:
            yield from _compare(known[name], named[name], f"{path}.{name}")
        elif not keeps_all:
            yield "unknown", f"{path}.{name}"
    for name in known:
        if name not in named:
            yield "extra", f"{path}.{name}"
    for key, step in (("items", "[]"), ("additionalProperties", ".*")):
        below, wanted_below = served.get(key), wanted.get(key)
        if isinstance(below, dict) and isinstance(wanted_below, dict):
            yield from _compare(below, wanted_below, path + step)
        elif (below or None) != (wanted_below or None):
            yield "different", path + step


def _facts(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What a schema says about its own value, in a form that does not depend on order."""
    facts = {key: value for key, value in schema.items() if key not in _DOCUMENTATION}
    for key in ("required", "enum"):
        if key in facts:
            facts[key] = sorted(facts[key], key=str)
    return facts
