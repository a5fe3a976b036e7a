"""Write `windlass.kinds` anew from a real API server; `--check` only tells whether it would change.

Facts only: names, types and references of the server's OpenAPI document, no descriptions.
"""

import asyncio
import shutil
import sys
from pathlib import Path
from typing import Any

from windlass.api import Kind
from windlass.client import Client, Request, connect, load_config
from windlass.codegen import compare_files, from_openapi, write_files
from windlass.testing import ControlPlane

PACKAGE = "windlass.kinds"
FOLDER = Path(__file__).resolve().parent.parent / "src" / "windlass" / "kinds"


async def get(client: Client, path: str) -> Any:
    """A document of the server."""
    return await client.json(Request(method="GET", path=path))


async def served_kinds(client: Client) -> list[Kind]:
    """Every kind of every group and version, those that only subresources take or give included."""
    groups = (await get(client, "/apis"))["groups"]
    versions = ["v1", *(version["groupVersion"] for group in groups for version in group["versions"])]
    kinds: dict[tuple[str, str, str], Kind] = {}
    forms: dict[tuple[str, str, str], Kind] = {}
    for api_version in versions:
        root = "/api/v1" if api_version == "v1" else f"/apis/{api_version}"
        group, _, version = api_version.rpartition("/")
        resources = (await get(client, root))["resources"]
        for resource in resources:
            plural, _, subresource = resource["name"].partition("/")
            key = (resource.get("group", group), resource.get("version", version), resource["kind"])
            if subresource:
                forms.setdefault(key, Kind(*key, subresource))
                continue
            below = [
                each["name"].partition("/")[2] for each in resources if each["name"].startswith(f"{plural}/")
            ]
            kinds[key] = Kind(*key, plural, resource["namespaced"], tuple(sorted(below)))
    return list((forms | kinds).values())


async def definitions(client: Client) -> dict[str, Any]:
    """The named schemas of all groups and versions."""
    index = await get(client, "/openapi/v3")
    found: dict[str, Any] = {}
    for name in sorted(index["paths"]):
        if name == "api/v1" or name.count("/") == 2:  # noqa: PLR2004 - apis/GROUP/VERSION
            document = await get(client, f"/openapi/v3/{name}")
            found |= document.get("components", {}).get("schemas", {})
    return found


async def generated() -> dict[str, str]:
    """The files that should be in the package."""
    async with ControlPlane() as access, connect(load_config(access.kubeconfig)) as client:
        schemas = await definitions(client)
        kinds = await served_kinds(client)
    known = {
        (each["group"], each["version"], each["kind"])
        for schema in schemas.values()
        for each in schema.get("x-kubernetes-group-version-kind", ())
    }
    described = [kind for kind in kinds if (kind.group, kind.version, kind.name) in known]
    return from_openapi(schemas, described, PACKAGE)


def main() -> None:
    """Write, or check."""
    files = asyncio.run(generated())
    if "--check" in sys.argv:
        differences = compare_files(FOLDER, files)
        sys.exit("".join(each.text for each in differences) if differences else None)
    for folder in (each for each in FOLDER.iterdir() if each.is_dir()):
        shutil.rmtree(folder)
    print(f"wrote {len(write_files(FOLDER, files))} files")  # noqa: T201 - a script's output


main()
