"""version: what the server says it is."""

import re

import pytest

from contract import JSON, Api
from contract_callers import bearer, with_headers
from windlass.testing import Access


async def test_the_version_is_that_of_kubernetes(api: Api) -> None:
    reply = await api.get("/version")

    version = reply.ok()
    assert (version["major"], version["minor"]) == ("1", "36")
    assert re.fullmatch(r"v1\.36\.\d+([-+].*)?", version["gitVersion"])
    assert reply.headers["content-type"] == JSON


async def test_the_version_is_made_of_texts(api: Api) -> None:
    version = (await api.get("/version")).ok()

    assert set(version) == {
        "major",
        "minor",
        "emulationMajor",
        "emulationMinor",
        "minCompatibilityMajor",
        "minCompatibilityMinor",
        "gitVersion",
        "gitCommit",
        "gitTreeState",
        "buildDate",
        "goVersion",
        "compiler",
        "platform",
    }
    assert all(isinstance(value, str) and value for value in version.values())
    assert re.fullmatch(r"\w+/\w+", version["platform"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", version["buildDate"])


async def test_strangers_may_ask_for_the_version(control_plane: Access) -> None:
    async with with_headers(control_plane) as stranger:
        assert (await stranger.get("/version")).ok()["major"] == "1"


async def test_a_wrong_token_may_not_ask_for_the_version(control_plane: Access) -> None:
    async with bearer(control_plane, "wrong") as impostor:
        (await impostor.get("/version")).refused(401, "Unauthorized")


async def test_the_version_cannot_be_written(api: Api) -> None:
    (await api.send("POST", "/version", {})).refused(405, "MethodNotAllowed")


@pytest.mark.parametrize("accept", ["text/plain", "text/html"])
async def test_the_version_is_to_be_had_as_json_only(api: Api, accept: str) -> None:
    refused = (await api.get("/version", accept=accept)).refused(406, "NotAcceptable")

    assert refused["message"] == "406: Not Acceptable\n\nAvailable representations: application/json"
