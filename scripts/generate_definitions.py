"""Write what `windlass.apiserver.builtin` knows anew; `--check` only tells whether it would change.

Two files: `definitions.json`, the schemas of the built-in kinds from a real server's OpenAPI documents joined
with what only the Go types know (see `facts/main.go`), and `kinds.json`, the resources from its discovery.
Facts only, no descriptions. The server is a control plane started for the purpose, or that of `--kubeconfig`.
"""

import argparse
import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import orjson

from windlass.client import Client, Request, connect, load_config
from windlass.testing import ControlPlane

FACTS = Path(__file__).resolve().parent / "facts"
FOLDER = FACTS.parent.parent / "src" / "windlass" / "apiserver" / "builtin"
GROUPS = frozenset(
    {
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "apps",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "autoscaling",
        "batch",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "events.k8s.io",
        "networking.k8s.io",
        "node.k8s.io",
        "policy",
        "rbac.authorization.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
    }
)
SERVED = "x-kubernetes-group-version-kind"
PREFIX = "#/components/schemas/"

Json = dict[str, Any]


async def get(client: Client, path: str) -> Any:
    """A document of the server."""
    return await client.json(Request(method="GET", path=path))


async def groups(client: Client) -> list[Json]:
    """The groups with their versions, preferred first, in the order of discovery; core comes first."""
    listed = [{"name": "", "versions": (await get(client, "/api"))["versions"]}]
    for group in (await get(client, "/apis"))["groups"]:
        versions = [each["version"] for each in group["versions"]]
        if group["name"] in GROUPS:
            listed.append({"name": group["name"], "versions": versions})
    return listed


def roots(listed: list[Json]) -> Iterator[tuple[str, str, str]]:
    """Each group and version with its path, without the slash at the beginning."""
    for group in listed:
        for version in group["versions"]:
            yield (
                group["name"],
                version,
                f"apis/{group['name']}/{version}" if group["name"] else f"api/{version}",
            )


async def resources(client: Client, listed: list[Json], definitions: Json) -> list[Json]:
    """Every resource with its subresources, in the order of discovery."""
    names = {
        (each["group"], each["version"], each["kind"]): name
        for name, schema in definitions.items()
        for each in schema.get(SERVED, ())
    }
    found: list[Json] = []
    for group, version, root in roots(listed):
        described = (await get(client, f"/{root}"))["resources"]
        below: dict[str, list[Json]] = {}
        for each in described:
            plural, _, subresource = each["name"].partition("/")
            kind = (each.get("group", group), each.get("version", version), each["kind"])
            fact = {"kind": kind[2], "verbs": each["verbs"], "definition": names.get(kind, "")}
            if subresource:
                fact |= {"name": subresource, "group": kind[0], "version": kind[1]}
                below[plural].append(fact)
                continue
            fact |= {"group": group, "version": version, "plural": plural, "singular": each["singularName"]}
            fact |= {"namespaced": each["namespaced"], "subresources": below.setdefault(plural, [])}
            optional = ("shortNames", "categories", "storageVersionHash")
            found.append(fact | {name: each[name] for name in optional if name in each})
    return found


async def schemas(client: Client, listed: list[Json]) -> Json:
    """The definitions of all groups and versions as the server has them."""
    found: Json = {}
    for _, _, root in roots(listed):
        for name, schema in (await get(client, f"/openapi/v3/{root}"))["components"]["schemas"].items():
            known = found.setdefault(name, schema)
            # A document names those kinds of a shared definition that are its own, and the core ones.
            for kind in schema.get(SERVED, ()):
                if kind not in known[SERVED]:
                    known[SERVED].append(kind)
    return found


def bare(schema: Json) -> Json:
    """A schema without descriptions and with plain references."""
    kept: Json = {key: value for key, value in schema.items() if key not in ("allOf", "description")}
    for reference in (schema.get("allOf") or [schema])[:1]:
        if "$ref" in reference:
            kept["$ref"] = reference["$ref"].removeprefix(PREFIX)
    if "properties" in schema:
        kept["properties"] = {name: bare(value) for name, value in schema["properties"].items()}
    for inner in ("items", "additionalProperties"):
        if isinstance(schema.get(inner), dict):
            kept[inner] = bare(schema[inner])
    return kept


def join(name: str, definition: Json, facts: Mapping[str, Any]) -> None:
    """Add to a definition what its Go type says."""
    structure = facts.get(name)
    if structure is None and not definition.get("properties"):
        return
    if structure is None:
        sys.exit(f"there is no Go type for {name}")
    definition["x-go-struct"] = structure["struct"]
    properties = definition.get("properties", {})
    if structure["fields"].keys() != properties.keys():
        sys.exit(f"{name} has the fields {list(structure['fields'])}, its schema {list(properties)}")
    for field, fact in structure["fields"].items():
        schema = properties[field]
        if fact.get("keep"):
            schema["x-keep-zero"] = True
        if "inside" in fact:
            schema["x-go-embedded"] = fact["inside"]
        if fact["proto"] != [0]:
            schema["x-proto"] = fact["proto"][0] if len(fact["proto"]) == 1 else fact["proto"]
        for go in fact["go"]:
            schema["x-go"] = go
            schema = schema.get("items") or schema.get("additionalProperties")


def go_facts() -> Json:
    """What the Go types know, by definition."""
    printed = subprocess.run(["go", "run", "."], cwd=FACTS, check=True, stdout=subprocess.PIPE).stdout
    found: Json = json.loads(printed)
    return found


@asynccontextmanager
async def server(kubeconfig: str | None) -> AsyncIterator[Client]:
    """A client of the server to ask."""
    if kubeconfig:
        async with connect(load_config(kubeconfig)) as client:
            yield client
        return
    async with ControlPlane() as access, connect(load_config(access.kubeconfig)) as client:
        yield client


async def generated(kubeconfig: str | None) -> dict[str, bytes]:
    """The files that should be in the package."""
    async with server(kubeconfig) as client:
        listed = await groups(client)
        definitions = {name: bare(each) for name, each in (await schemas(client, listed)).items()}
        kinds = {"groups": listed, "resources": await resources(client, listed, definitions)}
    facts = go_facts()
    for name, definition in definitions.items():
        join(name, definition, facts)
    return {"definitions.json": dump(definitions), "kinds.json": dump(kinds)}


def dump(document: Json) -> bytes:
    """The document in its one form."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


def main() -> None:
    """Write, or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if something would change")
    parser.add_argument("--kubeconfig", help="ask this server instead of starting one")
    arguments = parser.parse_args()
    files = asyncio.run(generated(arguments.kubeconfig))
    if arguments.check:
        stale = [
            name
            for name, data in files.items()
            if not (FOLDER / name).exists() or (FOLDER / name).read_bytes() != data
        ]
        sys.exit(f"stale: {', '.join(stale)}" if stale else None)
    for name, data in files.items():
        (FOLDER / name).write_bytes(data)


main()
