"""What the embedded server knows of the built-in kinds, and what it says of bodies, beside the real API server."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from bodies import Body, bodies
from contract import Api
from contract_reads import AGGREGATED
from contract_target import transport_to
from described import builtin_resources
from windlass.apiserver.builtin import groups, kinds, library
from windlass.apiserver.discovery import Discovery
from windlass.apiserver.openapi import OpenApi

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.cluster import Access

ROOT = Path(__file__).resolve().parents[2]
PLURALS = {each.kind.plural: each.kind for each in kinds()}
DOCUMENTS = [
    f"apis/{group}/{version}" if group else f"api/{version}"
    for group, versions in groups().items()
    for version in versions
]

CONNECTED = ("/attach", "/exec", "/log", "/portforward", "/proxy", "/proxy/{path}")
"""The ends of paths that lead into a container or a node, which this server does not have."""


@pytest.fixture
async def api(control_plane: Access) -> AsyncIterator[Api]:
    """Plain requests as an administrator."""
    transport = transport_to(control_plane)
    yield Api(transport)
    await transport.close()


@pytest.mark.skipif(shutil.which("go") is None, reason="reads Go types, for which it needs `go` on PATH")
@pytest.mark.timeout(300)  # the modules are fetched and compiled where that has not been done
def test_the_data_is_what_the_server_and_its_published_modules_say(control_plane: Access) -> None:
    script = ROOT / "scripts" / "generate_definitions.py"

    done = subprocess.run(
        [sys.executable, script, "--check", "--kubeconfig", control_plane.kubeconfig],
        check=False,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("core", [True, False])
async def test_discovery_is_that_of_the_real_server_byte_for_byte(api: Api, *, core: bool) -> None:
    real = (await api.get("/api" if core else "/apis", accept=AGGREGATED)).ok()
    real["items"] = [item for item in real["items"] if item["metadata"].get("name", "") in groups()]

    assert Discovery(builtin_resources()).aggregated(core=core).body == orjson.dumps(real)


@pytest.mark.parametrize("root", DOCUMENTS)
async def test_each_list_of_resources_is_that_of_the_real_server(api: Api, root: str) -> None:
    group, version = ([*root.split("/")][1:] if root.startswith("apis") else ["", "v1"])[:2]

    assert Discovery(builtin_resources()).resource_list(group, version) == (await api.get(f"/{root}")).ok()


@pytest.mark.parametrize("root", DOCUMENTS)
async def test_schemas_and_paths_are_published_as_the_real_server_does(api: Api, root: str) -> None:
    document = OpenApi(builtin_resources(), library()).document(root)
    real = facts((await api.get(f"/openapi/v3/{root}")).ok())

    assert document is not None
    ours = facts(orjson.loads(document.body))
    schemas = real["components"]["schemas"]
    assert ours["components"]["schemas"] == {
        # Nobody is told of the paths under /watch, which the real server has given up long ago.
        name: schema
        for name, schema in schemas.items()
        if name in ours["components"]["schemas"] or not name.endswith((".WatchEvent", ".RawExtension"))
    }
    assert {path: item for path, item in ours["paths"].items() if not path.endswith(CONNECTED)} == {
        path: {method: item[method] if method != "delete" else ours["paths"][path][method] for method in item}
        for path, item in real["paths"].items()
        if "/watch/" not in path and not path.endswith(CONNECTED)
    }


def facts(value: Any) -> Any:
    """A document without prose, and with references written in one way."""
    if isinstance(value, list):
        return [facts(item) for item in value]
    if not isinstance(value, dict):
        return value
    found = {
        name: facts(item)
        for name, item in value.items()
        if not (name == "description" and isinstance(item, str))
    }
    match found:
        case {"allOf": [{"$ref": _} as reference]} if len(found) == 1:
            return reference
    return found


@pytest.mark.parametrize("body", bodies(), ids=lambda body: repr(body.text)[:60])
@pytest.mark.parametrize("validation", ["Strict", "Warn"])
async def test_the_recorded_answers_are_those_of_the_real_server(
    api: Api, body: Body, validation: str
) -> None:
    path = PLURALS[body.plural].path(namespace="default")  # nothing is left there by a dry run

    reply = await api.create(
        path, body.text, content_type=body.media, dryRun="All", fieldValidation=validation
    )

    if body.message and (validation == "Strict" or not body.warnings):
        assert reply.refused(400, "BadRequest")["message"] == body.message
    else:
        assert reply.status in (201, 422)
        assert len([text for text in reply.warnings if "field" in text or "already set" in text]) == len(
            body.warnings
        )
