"""health: is the server alive, is it ready, and who may ask."""

import pytest

from contract import Api
from contract_callers import bearer, with_headers
from windlass.testing import Access

PLAIN_TEXT = "text/plain; charset=utf-8"
ENDPOINTS = ["healthz", "livez", "readyz"]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_a_healthy_server_says_ok(api: Api, endpoint: str) -> None:
    reply = await api.get(f"/{endpoint}")

    assert (reply.status, reply.body) == (200, "ok")
    assert reply.headers["content-type"] == PLAIN_TEXT


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_each_check_can_be_listed(api: Api, endpoint: str) -> None:
    reply = await api.get(f"/{endpoint}", verbose="")

    *checks, verdict, end = reply.body.split("\n")
    assert checks[0] == "[+]ping ok"
    assert all(check.startswith("[+]") and check.endswith(" ok") for check in checks)
    assert (verdict, end) == (f"{endpoint} check passed", "")
    assert reply.headers["content-type"] == PLAIN_TEXT


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_a_check_can_be_left_out(api: Api, endpoint: str) -> None:
    reply = await api.get(f"/{endpoint}", verbose="", exclude="ping")

    assert reply.body.startswith("[+]ping excluded: ok\n")


async def test_leaving_out_what_does_not_exist_is_a_warning(api: Api) -> None:
    reply = await api.get("/readyz", verbose="", exclude="nonsense")

    assert reply.status == 200
    assert reply.body.endswith(
        '\nwarn: some health checks cannot be excluded: no matches for "nonsense"\nreadyz check passed\n'
    )


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_a_check_can_be_asked_for_alone(api: Api, endpoint: str) -> None:
    assert (await api.get(f"/{endpoint}/ping")).body == "ok"

    unknown = await api.get(f"/{endpoint}/nonsense")
    assert (unknown.status, unknown.body) == (404, "404 page not found\n")


@pytest.mark.parametrize("path", ["/healthz", "/livez", "/readyz"])
async def test_strangers_may_ask_how_the_server_is(control_plane: Access, path: str) -> None:
    async with with_headers(control_plane) as stranger:
        assert (await stranger.get(path)).body == "ok"
        assert "[+]ping ok" in (await stranger.get(path, verbose="")).body


async def test_strangers_may_not_ask_for_a_check_alone(control_plane: Access) -> None:
    async with with_headers(control_plane) as stranger:
        refused = (await stranger.get("/readyz/ping")).refused(403, "Forbidden")

    assert refused["message"] == 'forbidden: User "system:anonymous" cannot get path "/readyz/ping"'


@pytest.mark.parametrize("path", ["/healthz", "/livez", "/readyz"])
async def test_a_wrong_token_is_worse_than_none(control_plane: Access, path: str) -> None:
    async with bearer(control_plane, "wrong") as impostor:
        refused = (await impostor.get(path)).refused(401, "Unauthorized")

    assert refused["message"] == "Unauthorized"


async def test_metrics_are_plain_text_about_requests(api: Api) -> None:
    reply = await api.get("/metrics")

    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4; charset=utf-8")
    assert "\n# TYPE apiserver_request_total counter\n" in reply.body


async def test_metrics_are_nowhere_else(api: Api) -> None:
    reply = await api.get("/metrics/")

    assert (reply.status, reply.body) == (404, "404 page not found\n")


async def test_strangers_may_not_see_metrics(control_plane: Access) -> None:
    async with with_headers(control_plane) as stranger:
        (await stranger.get("/metrics")).refused(403, "Forbidden")
