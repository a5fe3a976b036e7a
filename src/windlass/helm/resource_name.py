"""Map kinds to the resources that roles name: from discovery, from CRDs, from the built-in kinds."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from windlass.api import Resource, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from windlass.api import Json, Kind

_DEPTH: Final = 3  # of `windlass.kinds.apps.v1`
_REMOVED: Final = {("policy", "PodSecurityPolicy"): False}
"""Built-in kinds that no supported Kubernetes serves, but old charts render; false: cluster-scoped."""


class ResourceName(NamedTuple):
    """A resource as roles name it. If it `is_guess`, plural and scope are assumed from the kind's name."""

    group: str
    plural: str
    namespaced: bool = True
    is_guess: bool = False

    def __str__(self) -> str:
        """As messages name it: `deployments.apps`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


class ResourceNames:
    """Find the resources of kinds.

    Kinds that a cluster serves (`served`) come first, then those that `definitions` (CRDs) define, then the
    built-in kinds. Anything else is a guess.
    """

    def __init__(self, definitions: Iterable[Json] = (), served: Iterable[Kind] = ()) -> None:
        self._known: dict[tuple[str, str], ResourceName] = {}
        for definition in definitions:
            spec = definition.get("spec") or {}
            names = spec.get("names") or {}
            if spec.get("group") and {"kind", "plural"} <= names.keys():
                namespaced = spec.get("scope") != "Cluster"
                found = ResourceName(spec["group"], names["plural"], namespaced)
                self._known[spec["group"], names["kind"]] = found
        for kind in served:
            self._known[kind.group, kind.name] = ResourceName(kind.group, kind.plural, kind.namespaced)

    def find(self, api_version: str, kind: str) -> list[ResourceName]:
        """Return the resources of a kind; without a version, those of every kind of that name.

        Without a version, a built-in kind is preferred to one of the same name that a CRD defines.
        """
        if not api_version:
            built_ins = dict.fromkeys(_name(each) for each in _called(kind))
            return list(built_ins) or [each for (_, name), each in self._known.items() if name == kind]
        group, _, version = api_version.rpartition("/")
        if (group, kind) in self._known:
            return [self._known[group, kind]]
        if built_in := _built_in(group, version, kind):
            return [built_in]
        if (group, kind) in _REMOVED:
            return [ResourceName(group, plural(kind), _REMOVED[group, kind])]
        is_known = "." not in group or _versions(group)  # an old version of a built-in kind
        return [ResourceName(group, plural(kind), is_guess=not is_known)]


def _built_in(group: str, version: str, kind: str) -> ResourceName | None:
    """Return the resource of a built-in kind, of the version or of another version of the group."""
    modules = sorted(_versions(group), key=lambda module: module.rpartition(".")[2] != version)
    found = (each for module in modules for each in _kinds(module, kind) if each.group == group)
    kind_of = next(found, None)
    return None if kind_of is None else _name(kind_of)


def _name(kind: Any) -> ResourceName:
    return ResourceName(kind.group, kind.plural, kind.namespaced)


def _versions(group: str) -> list[str]:
    """Return the modules of a built-in group; none for any other group."""
    folder = f"windlass.kinds.{group.partition('.')[0] or 'core'}."
    is_possible = "." not in group or group.endswith(".k8s.io")
    return [name for name in _modules() if name.startswith(folder)] if is_possible else []


def _called(kind: str) -> Iterator[Any]:
    for module in _modules():
        yield from _kinds(module, kind)


def _modules() -> Iterator[str]:
    import windlass.kinds

    for found in walk_packages(windlass.kinds.__path__, f"{windlass.kinds.__name__}."):
        if found.ispkg and found.name.count(".") == _DEPTH:
            yield found.name


def _kinds(module: str, kind: str) -> Iterator[Any]:
    found = getattr(import_module(module), kind, None)
    if isinstance(found, type) and issubclass(found, Resource):
        yield found.__kind__
