"""beyond the embedded server: what a real one has around the API itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from contract import JSON, config_map, pod
from contract_reads import AGGREGATED, PROTOBUF, TABLE, raw

if TYPE_CHECKING:
    from contract import Api
    from contract_crd import Definitions


async def test_an_object_may_be_nested_deeply(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    body = b'{"apiVersion":"%s/v1","kind":"Widget","metadata":{"name":"a"},"spec":%s1%s}' % (
        crds.group.encode(),
        b'{"a":' * 1000,
        b"}" * 1000,
    )

    assert (await api.create(widgets.path, body)).status == 201


async def test_openapi_describes_fields_in_words(api: Api) -> None:
    document = (await api.get("/openapi/v3/api/v1")).ok()

    data = document["components"]["schemas"]["io.k8s.api.core.v1.ConfigMap"]["properties"]["data"]
    assert data["description"].startswith("Data contains the configuration data")


@pytest.mark.parametrize("form", [PROTOBUF, "application/yaml"])
async def test_everything_can_be_discovered_at_once_in_any_form(api: Api, form: str) -> None:
    aggregated = AGGREGATED.replace(JSON, form)

    assert (await raw(api, "/apis", Accept=aggregated)).status == 200


async def test_a_document_of_openapi_can_be_had_as_protobuf(api: Api) -> None:
    form = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf"

    assert (await raw(api, "/openapi/v3/api/v1", Accept=form)).status == 200


async def test_a_part_of_a_document_of_openapi_can_be_had(api: Api) -> None:
    response = await raw(api, "/openapi/v3/api/v1", Range="bytes=0-9")

    assert (response.status, len(response.body)) == (206, 10)
    assert response.headers["last-modified"].endswith(" GMT")


@pytest.mark.parametrize("path", ["/debug/pprof/", "/metrics/slis", "/statusz", "/flagz"])
async def test_the_server_can_be_looked_into(api: Api, path: str) -> None:
    assert (await raw(api, path, Accept="text/plain")).status == 200


async def test_an_ephemeral_container_may_not_have_empty_resources(api: Api, pods: str) -> None:
    (await api.create(pods, pod("a"))).ok()
    container = {"name": "d", "image": "example.com/debug:1", "resources": {"limits": {}}}

    reply = await api.patch(f"{pods}/a/ephemeralcontainers", {"spec": {"ephemeralContainers": [container]}})

    reply.refused(422, "Invalid")


@pytest.mark.parametrize(
    "group",
    ["apiregistration.k8s.io", "certificates.k8s.io", "flowcontrol.apiserver.k8s.io", "resource.k8s.io"],
)
async def test_every_stable_group_is_served(api: Api, group: str) -> None:
    assert (await api.get(f"/apis/{group}")).ok()["kind"] == "APIGroup"


async def test_an_answer_names_the_priority_level_that_it_was_given(api: Api, config_maps: str) -> None:
    response = await raw(api, config_maps)

    assert response.headers["x-kubernetes-pf-prioritylevel-uid"]


async def test_requests_are_counted(api: Api, config_maps: str) -> None:
    (await api.get(config_maps)).ok()

    assert 'apiserver_request_total{code="200"' in (await api.get("/metrics")).body


async def test_what_an_update_finds_twice_it_tells_twice(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.patch(f"{config_maps}/a", {"metadata": {"labels": {"a b": "c"}}})

    fields = [cause["field"] for cause in reply.refused(422, "Invalid")["details"]["causes"]]
    assert fields == ["metadata.labels"] * len(fields)
    assert len(fields) > 1


async def test_a_column_is_described_as_its_field_is(api: Api, config_maps: str) -> None:
    table = (await api.get(config_maps, accept=TABLE)).ok()

    assert "intended for creation idempotence" in table["columnDefinitions"][0]["description"]
