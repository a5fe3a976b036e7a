"""Which groups, versions and resources there are."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, Final, Protocol

from windlass.apiserver.discovery.document import Document
from windlass.apiserver.discovery.health import health_checks
from windlass.apiserver.discovery.maturity import by_maturity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from windlass.api import Kind
    from windlass.apiserver.resource import Subresource

_DOCUMENTS: Final = ("/metrics", "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/version")
_HEALTH: Final = ("healthz", "livez", "readyz")
_CUSTOM_VERBS: Final = ("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch")
_CUSTOM_SUBRESOURCES: Final = ("status", "scale")

Json = dict[str, Any]


class Described(Protocol):
    """What discovery wants to know of a resource in one version."""

    @property
    def kind(self) -> Kind:
        """The kind of its objects, and its plural name."""

    @property
    def singular(self) -> str:
        """Its singular name."""

    @property
    def verbs(self) -> Collection[str]:
        """What can be done with it."""

    @property
    def short_names(self) -> Collection[str]:
        """Its short names."""

    @property
    def categories(self) -> Collection[str]:
        """The groupings that it is in, such as `all`."""

    @property
    def subresources(self) -> Mapping[str, Subresource]:
        """What lies below its objects, by name."""

    @property
    def storage_hash(self) -> str:
        """See `storage_hash`; empty where nothing is stored."""

    @property
    def custom(self) -> bool:
        """Whether it comes from a custom resource definition."""


def storage_hash(group: str, version: str, kind: str) -> str:
    """What tells clients when the version that objects are stored in changes."""
    from hashlib import sha256  # not needed to start

    return b64encode(sha256(f"{group}/{version}/{kind}".encode()).digest()[:8]).decode()


class Discovery:
    """The documents about everything that is served.

    Built-in groups and versions come in the order in which they are given, custom ones after them: groups by
    name, versions by maturity.
    """

    def __init__(self, resources: Iterable[Described]) -> None:
        self._groups: dict[str, dict[str, list[Described]]] = {}
        custom: dict[str, dict[str, list[Described]]] = {}
        for resource in resources:
            kind = resource.kind
            group = custom if resource.custom and kind.group not in self._groups else self._groups
            group.setdefault(kind.group, {}).setdefault(kind.version, []).append(resource)
        for name in sorted(custom):
            versions = custom[name]
            self._groups[name] = {version: versions[version] for version in sorted(versions, key=by_maturity)}

    def root(self) -> Json:
        """`/`: the addresses of all documents."""
        found = {"/api", "/apis", *_DOCUMENTS}
        for group, versions in self._groups.items():
            above = f"/apis/{group}" if group else "/api"
            found |= {above, *(f"{above}/{version}" for version in versions)}
        for endpoint in _HEALTH:
            found |= {f"/{endpoint}", *(f"/{endpoint}/{check}" for check in health_checks(endpoint))}
        return {"paths": sorted(found)}

    def core_versions(self, address: str) -> Json:
        """`/api`: the versions of the group without a name, and where the server is."""
        return {
            "kind": "APIVersions",
            "versions": list(self._groups.get("", ())),
            "serverAddressByClientCIDRs": [{"clientCIDR": "0.0.0.0/0", "serverAddress": address}],
        }

    def group_list(self) -> Json:
        """`/apis`: every group with its versions."""
        groups = [self._group(name) for name in self._groups if name]
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}

    def group(self, name: str) -> Json | None:
        """`/apis/GROUP`: the versions of a group; `None` where there is no such group."""
        if not name or name not in self._groups:
            return None
        return {"kind": "APIGroup", "apiVersion": "v1"} | self._group(name)

    def resource_list(self, group: str, version: str) -> Json | None:
        """`/apis/GROUP/VERSION`, `/api/VERSION`: the resources of a version; `None` where there is none."""
        resources = self._groups.get(group, {}).get(version)
        if resources is None:
            return None
        listed = [entry for resource in _ordered(resources) for entry in _entries(resource)]
        # The core group is older than the version of this document.
        header = {"kind": "APIResourceList"} | ({"apiVersion": "v1"} if group else {})
        name = f"{group}/{version}" if group else version
        return header | {"groupVersion": name, "resources": listed}

    def aggregated(self, *, core: bool) -> Document:
        """`/api` or `/apis` for who asks for everything in one answer."""
        groups = [name for name in self._groups if (not name) is core]
        listing = {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}}
        return Document.of(listing | {"items": [self._aggregated_group(name) for name in groups]})

    def _group(self, name: str) -> Json:
        versions = [{"groupVersion": f"{name}/{each}", "version": each} for each in self._groups[name]]
        return {"name": name, "versions": versions, "preferredVersion": versions[0]}

    def _aggregated_group(self, name: str) -> Json:
        versions = [
            {
                "version": version,
                "resources": [_aggregated(resource) for resource in _ordered(resources)],
                "freshness": "Current",
            }
            for version, resources in self._groups[name].items()
        ]
        return {"metadata": {"name": name} if name else {}, "versions": versions}


def _ordered(resources: Iterable[Described]) -> list[Described]:
    return sorted(resources, key=lambda resource: resource.kind.plural)


def _verbs(verbs: Collection[str], *, custom: bool) -> list[str]:
    return [verb for verb in _CUSTOM_VERBS if verb in verbs] if custom else sorted(verbs)


def _below(resource: Described) -> Iterator[Subresource]:
    names = _CUSTOM_SUBRESOURCES if resource.custom else sorted(resource.subresources)
    return (resource.subresources[name] for name in names if name in resource.subresources)


def _entries(resource: Described) -> Iterator[Json]:
    """A resource and its subresources, one after the other."""
    kind = resource.kind
    entry: Json = {
        "name": kind.plural,
        "singularName": resource.singular,
        "namespaced": kind.namespaced,
        "kind": kind.name,
        "verbs": _verbs(resource.verbs, custom=resource.custom),
    }
    yield entry | _names(resource) | _storage(resource)
    for below in _below(resource):
        own = (below.kind.group, below.kind.version) == (kind.group, kind.version)
        foreign = {} if own else {"group": below.kind.group, "version": below.kind.version}
        yield {
            "name": f"{kind.plural}/{below.name}",
            "singularName": "",
            "namespaced": kind.namespaced,
            **foreign,
            "kind": below.kind.name,
            "verbs": sorted(below.verbs),
        }


def _aggregated(resource: Described) -> Json:
    """A resource with its subresources inside."""
    kind = resource.kind
    entry: Json = {
        "resource": kind.plural,
        "responseKind": _response(resource, kind),
        "scope": "Namespaced" if kind.namespaced else "Cluster",
        "singularResource": resource.singular,
        "verbs": _verbs(resource.verbs, custom=resource.custom),
    }
    below = [
        {
            "subresource": each.name,
            "responseKind": _response(resource, each.kind),
            "verbs": sorted(each.verbs),
        }
        for each in _below(resource)
    ]
    return entry | _names(resource) | ({"subresources": below} if below else {})


def _response(resource: Described, kind: Kind) -> Json:
    """The kind of an answer; built-in resources leave out the group and version that are their own."""
    own = (kind.group, kind.version) == (resource.kind.group, resource.kind.version)
    if own and not resource.custom:
        return {"group": "", "version": "", "kind": kind.name}
    return {"group": kind.group, "version": kind.version, "kind": kind.name}


def _names(resource: Described) -> Json:
    names = {"shortNames": resource.short_names, "categories": resource.categories}
    return {name: list(values) for name, values in names.items() if values}


def _storage(resource: Described) -> Json:
    return {"storageVersionHash": resource.storage_hash} if resource.storage_hash else {}
