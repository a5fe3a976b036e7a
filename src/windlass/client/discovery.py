"""What a server serves: its version, and its kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windlass.api import Kind, Untyped
from windlass.client.transport import Request
from windlass.errors import Answer, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.client.client import Client

_AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"


@dataclass(frozen=True, slots=True)
class Served:
    """One kind that a server serves."""

    kind: Kind
    verbs: tuple[str, ...] = ()
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    preferred: bool = True


async def server_version(client: Client) -> dict[str, str]:
    """The server's version, as `/version` tells it: `gitVersion`, `major`, `minor` and more."""
    version: dict[str, str] = await client.json(Request(method="GET", path="/version"))
    return version


async def discover(client: Client) -> list[Served]:
    """Every kind that the server serves, by two requests; those of older versions of a group come later."""
    served: list[Served] = []
    for root in ("/api", "/apis"):
        found = await client.json(Request(method="GET", path=root, headers={"Accept": _AGGREGATED}))
        for group in found.get("items", ()):
            served.extend(_group(group))
    return served


async def find_kind(client: Client, api_version: str, name: str) -> type[Untyped]:
    """The untyped class for any kind that the server serves: `find_kind(client, "apps/v1", "Deployment")`.

    Raises:
        NotFound: the server does not serve it.
    """
    group, _, version = api_version.rpartition("/")
    path = f"/apis/{group}/{version}" if group else f"/api/{version}"
    found = await client.json(Request(method="GET", path=path))
    resources = found["resources"]
    for resource in resources:
        if resource["kind"] == name and "/" not in resource["name"]:
            below = (each["name"] for each in resources if each["name"].startswith(f"{resource['name']}/"))
            subresources = tuple(sorted(each.split("/", 1)[1] for each in below))
            plural, namespaced = resource["name"], resource["namespaced"]
            return Untyped.of(Kind(group, version, name, plural, namespaced, subresources))
    message = f"the server serves {api_version}, but no {name} in it"
    raise NotFound(Answer(code=404, reason="NotFound", message=message, request=f"GET {path}"))


def _group(group: dict[str, Any]) -> Iterator[Served]:
    name = group["metadata"].get("name", "")
    for index, version in enumerate(group["versions"]):
        for resource in version.get("resources", ()):
            kind = resource["responseKind"]
            below = tuple(sorted(each["subresource"] for each in resource.get("subresources", ())))
            yield Served(
                Kind(
                    name, version["version"], kind["kind"], resource["resource"], _namespaced(resource), below
                ),
                tuple(resource.get("verbs", ())),
                tuple(resource.get("shortNames", ())),
                tuple(resource.get("categories", ())),
                preferred=index == 0,
            )


def _namespaced(resource: dict[str, Any]) -> bool:
    return bool(resource["scope"] == "Namespaced")
