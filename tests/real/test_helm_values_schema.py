"""Objects that Helm accepts by a chart's schema are accepted by API servers too, and wrong choices are not."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from branching import write_chart
from polling import until
from servers import embedded_fixture, server_fixture
from windlass.api import Untyped
from windlass.client import connect, load_config, survey
from windlass.errors import Invalid, ToolError
from windlass.helm import HelmWatch, watch_definitions
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.tools import find_helm

if TYPE_CHECKING:
    from pathlib import Path

    from servers import Server
    from windlass.api import Json, Kind
    from windlass.client import Client

embedded = embedded_fixture
server = server_fixture
pytestmark = pytest.mark.timeout(120)

WORDS = {"type": "string", "enum": ["small", "large"]}
SCHEMA = {
    "$id": "https://example.com/values.json",
    "type": "object",
    "properties": {
        "mode": WORDS,
        "level": {"type": "integer", "enum": [1, 2]},
        "ratio": {"type": "number", "enum": [0.5, 1]},
        "fixed": {"const": "yes"},
        "size": {"type": "integer", "minimum": 0},
        "modes": {"type": "array", "items": WORDS},
        "byName": {"type": "object", "additionalProperties": WORDS},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
        "own": {"$id": "https://example.com/own.json", "type": "object",
                "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "string"}}},
    },
    "$defs": {"a": {"type": "integer"}},
}  # fmt: skip
VALUES = """
mode: small
level: 1
ratio: 1
fixed: "yes"
byName: {a: small}
"""
ACCEPTED: list[Json] = [
    {"mode": "large", "level": 2, "ratio": 0.5, "fixed": "yes", "modes": ["small"], "byName": {"b": "large"}},
    {"mode": None, "level": None, "ratio": None, "fixed": None, "byName": {"a": None}},
    {"size": 1e20},
    {"pair": ["a", 1]},
    {"own": {"a": "text"}},
]
REFUSED: list[Json] = [
    {"mode": "huge"},
    {"level": 3},
    {"ratio": 2},
    {"fixed": "no"},
    {"size": "many"},
    {"modes": ["huge"]},
    {"byName": {"b": "huge"}},
]


def helm_accepts(chart: Path, values: Json) -> bool:
    """Whether `helm` renders the chart with these values."""
    file = chart / "given.json"
    file.write_text(json.dumps(values), encoding="utf-8")
    command = [str(each) for each in (find_helm(), "template", "a", chart, "--values", file)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


async def is_served(client: Client, kind: Kind) -> bool:
    return kind in [each.kind for each in (await survey(client)).served]


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    """A chart with the schema."""
    try:
        find_helm()
    except ToolError as error:
        pytest.skip(f"needs helm: {error}")
    files = {
        "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
        "values.yaml": VALUES,
        "values.schema.json": json.dumps(SCHEMA),
    }
    return write_chart(tmp_path, files).path


async def test_an_api_server_accepts_what_helm_accepts_and_checks_choices(
    server: Server, chart: Path
) -> None:
    watch = HelmWatch(group=f"{server.namespace}.example.com", version="v1", kind="Shop", chart=chart)
    (document,) = watch_definitions([watch])
    shop: Any = Untyped.of(watch.guess)
    place = {"name": "a", "namespace": server.namespace}
    head = {"apiVersion": watch.api_version, "kind": "Shop", "metadata": place}
    async with connect(load_config(server.access.kubeconfig)) as client:
        definition = await client.create(CustomResourceDefinition.from_wire(document))
        try:
            await until(lambda: is_served(client, watch.guess))
            for spec in ACCEPTED:
                assert helm_accepts(chart, spec), spec
                await client.create(shop.from_wire(head | {"spec": spec}))
                await client.delete(shop, "a", server.namespace)
            for spec in REFUSED:
                assert not helm_accepts(chart, spec), spec
                with pytest.raises(Invalid):
                    await client.create(shop.from_wire(head | {"spec": spec}))
        finally:
            await client.delete(CustomResourceDefinition, definition.metadata.name)
