"""An object whose row in a table is looked at, and short ways to write one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Object = dict[str, Any]

CONTAINERS = [{"name": "one", "image": "a:1"}, {"name": "two", "image": "b:2"}]
POD = {"containers": CONTAINERS}
EXPRESSIONS = [
    {"key": "tier", "operator": "In", "values": ["b", "a"]},
    {"key": "env", "operator": "NotIn", "values": ["x"]},
    {"key": "any", "operator": "Exists"},
    {"key": "none", "operator": "DoesNotExist"},
]
LABELS = {"app": "x", "tier": "a", "any": "1"}
SELECTOR = {"matchLabels": {"app": "x"}, "matchExpressions": EXPRESSIONS}
TEMPLATE = {"metadata": {"labels": LABELS}, "spec": POD}
LONG_AGO = "2020-01-01T00:00:00Z"
LATER = "2020-01-01T00:07:30Z"


@dataclass(frozen=True)
class Case:
    """An object to be created, and what its status becomes.

    `path` is that of its collection, with a place for the namespace.
    """

    path: str
    kind: str
    body: Object = field(default_factory=dict)
    status: Object = field(default_factory=dict)
    metadata: Object = field(default_factory=dict)

    @property
    def group(self) -> str:
        """The API group of the kind."""
        parts = self.path.split("/")
        return "" if parts[1] == "api" else parts[2]

    def manifest(self, name: str) -> Object:
        """The object under a name."""
        parts = self.path.split("/")
        version = parts[2] if parts[1] == "api" else f"{parts[2]}/{parts[3]}"
        return {
            "apiVersion": version,
            "kind": self.kind,
            "metadata": {"name": name, **self.metadata},
            **self.body,
        }


def core(plural: str, kind: str, *, cluster: bool = False, **more: Any) -> Case:
    return Case(f"/api/v1/{plural}" if cluster else f"/api/v1/namespaces/{{}}/{plural}", kind, **more)


def of(group: str, plural: str, kind: str, *, cluster: bool = False, **more: Any) -> Case:
    where = "" if cluster else "namespaces/{}/"
    return Case(f"/apis/{group}/{where}{plural}", kind, **more)
