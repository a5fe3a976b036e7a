"""What a server serves: its version, and its kinds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from windlass.api import Kind, Untyped
from windlass.client.transport import Request
from windlass.errors import Answer, NotFound, ServiceUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.client.client import Client

_AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"
_CLASSIC = ("APIVersions", "APIGroupList")
_STALE = "Stale"  # what an extension server said last; it is out of reach now


@dataclass(frozen=True, slots=True)
class Served:
    """One kind that a server serves."""

    kind: Kind
    verbs: tuple[str, ...] = ()
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    preferred: bool = True


@dataclass(frozen=True, slots=True)
class Survey:
    """What a server serves, and which versions it could not ask about, such as `metrics.k8s.io/v1beta1`.

    Of those, `served` has what their extension server said last, or nothing: neither proves anything.
    """

    served: list[Served] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


async def server_version(client: Client) -> dict[str, str]:
    """The server's version, as `/version` tells it: `gitVersion`, `major`, `minor` and more."""
    version: dict[str, str] = await client.json(Request(method="GET", path="/version"))
    return version


async def discover(client: Client) -> list[Served]:
    """Every kind that the server serves; those of older versions of a group come later.

    It takes two requests, and one more for each version of a group where the server is too old to tell all at
    once (Kubernetes before 1.30). An extension server that is down is left out.
    """
    return (await survey(client)).served


async def survey(client: Client) -> Survey:
    """As `discover`, for those to whom a kind that is not served and one of which nothing is known differ."""
    found = Survey()
    for root in ("/api", "/apis"):
        said = await client.json(Request(method="GET", path=root, headers={"Accept": _AGGREGATED}))
        if said.get("kind") in _CLASSIC:
            await _walk(client, said, found)
        else:
            for group in said.get("items") or ():
                _take_group(group, found)
    return found


async def find_kind(client: Client, api_version: str, name: str) -> type[Untyped]:
    """The untyped class for any kind that the server serves: `find_kind(client, "apps/v1", "Deployment")`.

    Raises:
        NotFound: the server does not serve it.
    """
    group, _, version = api_version.rpartition("/")
    for served in await _version(client, group, version):
        if served.kind.name == name:
            return Untyped.of(served.kind)
    message = f"the server serves {api_version}, but no {name} in it"
    request = f"GET {_path(group, version)}"
    raise NotFound(Answer(code=404, reason="NotFound", message=message, request=request))


async def _walk(client: Client, said: dict[str, Any], found: Survey) -> None:
    """Follow a document that names groups and versions only; the core group's names no group."""
    core = {"name": "", "versions": [{"version": version} for version in said.get("versions") or ()]}
    for group in said.get("groups") or [core]:
        for index, each in enumerate(group["versions"]):
            try:
                listed = await _version(client, group["name"], each["version"])
            except (NotFound, ServiceUnavailable):  # from an extension server that is down, or has just left
                found.unknown.append(_api_version(group["name"], each["version"]))
                continue
            found.served.extend(replace(one, preferred=index == 0) for one in listed)


async def _version(client: Client, group: str, version: str) -> list[Served]:
    """The kinds of one version of a group, from its own document."""
    found = await client.json(Request(method="GET", path=_path(group, version)))
    resources = {each["name"]: each for each in found.get("resources") or ()}
    served = []
    for plural, resource in resources.items():
        if "/" in plural:
            continue
        below = tuple(sorted(name.split("/", 1)[1] for name in resources if name.startswith(f"{plural}/")))
        kind = Kind(group, version, resource["kind"], plural, resource["namespaced"], below)
        served.append(_served(kind, resource, preferred=True))
    return served


def _path(group: str, version: str) -> str:
    return f"/apis/{group}/{version}" if group else f"/api/{version}"


def _api_version(group: str, version: str) -> str:
    return f"{group}/{version}" if group else version


def _take_group(group: dict[str, Any], found: Survey) -> None:
    name = group["metadata"].get("name", "")
    for index, version in enumerate(group["versions"]):
        if version.get("freshness") == _STALE:
            found.unknown.append(_api_version(name, version["version"]))
        found.served.extend(_resources(name, version, preferred=index == 0))


def _resources(group: str, version: dict[str, Any], *, preferred: bool) -> Iterator[Served]:
    for resource in version.get("resources") or ():
        answered = (resource.get("responseKind") or {}).get("kind")
        if not answered:  # nothing but subresources, or of a kind that the server does not know itself
            continue
        below = tuple(sorted(each["subresource"] for each in resource.get("subresources") or ()))
        namespaced = resource["scope"] == "Namespaced"
        kind = Kind(group, version["version"], answered, resource["resource"], namespaced, below)
        yield _served(kind, resource, preferred=preferred)


def _served(kind: Kind, resource: dict[str, Any], *, preferred: bool) -> Served:
    """What both forms of discovery say in the same words."""
    return Served(
        kind,
        tuple(resource.get("verbs") or ()),
        tuple(resource.get("shortNames") or ()),
        tuple(resource.get("categories") or ()),
        preferred=preferred,
    )
