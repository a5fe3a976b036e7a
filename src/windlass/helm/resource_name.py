"""By which name roles know a kind, as far as that can be told without a cluster."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any, NamedTuple

from windlass.api import Resource, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.api import Json


class ResourceName(NamedTuple):
    """A resource as roles name it; if it `is_guess`, the plural is merely what it usually is."""

    group: str
    plural: str
    is_guess: bool = False

    def __str__(self) -> str:
        """As messages name it: `deployments.apps`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


class ResourceNames:
    """The names of built-in kinds, and of those that these definitions (CRDs) define."""

    def __init__(self, definitions: Iterable[Json]) -> None:
        self._defined = {
            (spec["group"], names["kind"]): names["plural"]
            for definition in definitions
            if (spec := definition.get("spec") or {}).get("group")
            and {"kind", "plural"} <= (names := spec.get("names") or {}).keys()
        }

    def find(self, api_version: str, kind: str) -> list[ResourceName]:
        """The names of a kind; without a version, those of every built-in kind that is called so."""
        if not api_version:
            return [ResourceName(each.group, each.plural) for each in _called(kind)]
        group, _, version = api_version.rpartition("/")
        if (group, kind) in self._defined:
            return [ResourceName(group, self._defined[group, kind])]
        module = f"windlass.kinds.{group.partition('.')[0] or 'core'}.{version}"
        built_in = [each.plural for each in _kinds(module, kind) if each.group == group]
        if built_in:
            return [ResourceName(group, built_in[0])]
        is_known = "." not in group or group.endswith(".k8s.io")  # an old version, whose plural is the usual
        return [ResourceName(group, plural(kind), is_guess=not is_known)]


def _called(kind: str) -> Iterator[Any]:
    import windlass.kinds

    for found in walk_packages(windlass.kinds.__path__, f"{windlass.kinds.__name__}."):
        if found.ispkg and found.name.count(".") == _DEPTH:
            yield from _kinds(found.name, kind)


def _kinds(module: str, kind: str) -> Iterator[Any]:
    try:
        found = getattr(import_module(module), kind, None)
    except ModuleNotFoundError:
        return
    if isinstance(found, type) and issubclass(found, Resource):
        yield found.__kind__


_DEPTH = 3  # of `windlass.kinds.apps.v1`
