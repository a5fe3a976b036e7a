"""get: the headers around an answer."""

from email.utils import parsedate_to_datetime
from typing import Any
from uuid import UUID

import orjson
import pytest

from contract import JSON, Api, config_map
from contract_reads import raw

LARGE = {"key": "x" * 140_000}  # above 128 KiB with what is around it


async def test_no_answer_may_be_kept_by_a_cache(api: Api, config_maps: str) -> None:
    reply = await api.get(config_maps)

    assert reply.headers["cache-control"] == "no-cache, private"
    assert reply.headers["content-type"] == JSON


async def test_every_answer_says_when_it_was_given(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    date = (await api.get(f"{config_maps}/a")).headers["date"]

    assert date.endswith(" GMT")
    assert parsedate_to_datetime(date).strftime("%Y-%m-%d") >= created["metadata"]["creationTimestamp"][:10]


async def test_every_request_has_its_own_audit_id(api: Api, config_maps: str) -> None:
    first = (await api.get(config_maps)).headers["audit-id"]
    second = (await api.get(f"{config_maps}/absent")).headers["audit-id"]

    assert UUID(first) != UUID(second)


async def test_an_audit_id_of_the_client_is_kept(api: Api, config_maps: str) -> None:
    response = await raw(api, config_maps, Audit_ID="mine")

    assert response.headers["audit-id"] == "mine"


@pytest.mark.parametrize(
    "path", ["/nonsense", "/apis/nonsense", "/healthz", "/readyz?verbose", "/livez/nonsense"]
)
async def test_plain_text_is_not_to_be_taken_for_anything_else(api: Api, path: str) -> None:
    path, _, flag = path.partition("?")

    reply = await api.get(path, **({flag: ""} if flag else {}))

    assert reply.headers["content-type"] == "text/plain; charset=utf-8"
    assert reply.headers["x-content-type-options"] == "nosniff"


async def test_a_request_may_have_long_lines(api: Api, config_maps: str) -> None:
    selector = f"a in ({','.join(f'value-{number}' for number in range(3000))})"

    listed = await api.get(config_maps, labelSelector=selector)
    found = await raw(api, config_maps, X_Long="x" * 30_000)

    assert listed.ok()["items"] == []
    assert found.status == 200


def item_of(body: bytes) -> Any:
    """The object that an answer is, or has; the version of a list moves with whatever else happens."""
    found = orjson.loads(body)
    return found.get("items", found)


@pytest.mark.parametrize("path", ["/large", ""])
async def test_a_large_answer_is_compressed_when_the_client_asks(
    api: Api, config_maps: str, path: str
) -> None:
    (await api.create(config_maps, config_map("large", LARGE))).ok()

    response = await raw(api, config_maps + path, Accept_Encoding="deflate, gzip")

    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["vary"] == "Accept-Encoding"
    assert int(response.headers["content-length"]) < 10_000
    assert item_of(response.body) == item_of((await raw(api, config_maps + path)).body)


@pytest.mark.parametrize("encoding", ["deflate", "br", "*"])
async def test_gzip_is_the_only_compression(api: Api, config_maps: str, encoding: str) -> None:
    (await api.create(config_maps, config_map("large", LARGE))).ok()

    response = await raw(api, f"{config_maps}/large", Accept_Encoding=encoding)

    assert len(response.body) > len(LARGE["key"])
    assert "content-encoding" not in response.headers


async def test_a_small_answer_is_not_compressed(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("small", {"key": "x" * 1000}))).ok()

    response = await raw(api, f"{config_maps}/small", Accept_Encoding="gzip")

    assert int(response.headers["content-length"]) == len(response.body) > 1000
    assert "content-encoding" not in response.headers


@pytest.mark.parametrize(
    ("path", "warning"),
    [
        ("endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"),
        ("endpoints/absent", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"),
    ],
)
async def test_reading_a_deprecated_kind_comes_with_a_warning(
    api: Api, namespace: str, path: str, warning: str
) -> None:
    reply = await api.get(f"/api/v1/namespaces/{namespace}/{path}")

    assert reply.warnings == (f'299 - "{warning}"',)


async def test_reading_a_current_kind_comes_without_a_warning(api: Api, config_maps: str) -> None:
    reply = await api.get(config_maps)

    assert (reply.ok()["kind"], reply.warnings) == ("ConfigMapList", ())


async def test_a_media_type_that_no_route_has_is_refused_before_the_warning(api: Api, namespace: str) -> None:
    endpoints = f"/api/v1/namespaces/{namespace}/endpoints/absent"

    unread = await api.patch(endpoints, {}, "application/json", accept="text/plain")
    unwritten = await api.get(endpoints, accept="text/plain")
    unconverted = await api.get(endpoints, accept="application/json;as=Nonsense")

    assert (unread.status, unread.warnings) == (415, ())
    assert (unwritten.status, unwritten.warnings) == (406, ())
    assert (unconverted.status, len(unconverted.warnings)) == (406, 1)
