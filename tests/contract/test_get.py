"""get: what is found, what is not, and how each is said."""

import re
from urllib.parse import unquote

import pytest

from contract import JSON, Api, config_map
from contract_reads import raw, version_of

NO_SUCH_RESOURCE = "the server could not find the requested resource"
NO_SUCH_METHOD = "the server does not allow this method on the requested resource"
FAR_AHEAD = 999_999_999


async def test_get_answers_the_object_with_its_kind(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a", {"key": "value"}))).ok()

    found = (await api.get(f"{config_maps}/a")).ok()

    assert found == created
    assert (found["kind"], found["apiVersion"]) == ("ConfigMap", "v1")


async def test_an_absent_object_is_named_in_the_refusal(api: Api, config_maps: str) -> None:
    reply = await api.get(f"{config_maps}/absent")

    assert reply.body == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": 'configmaps "absent" not found',
        "reason": "NotFound",
        "details": {"name": "absent", "kind": "configmaps"},
        "code": 404,
    }
    assert reply.status == 404
    assert reply.headers["content-type"] == JSON


async def test_the_refusal_names_the_group_of_a_resource(api: Api, deployments: str) -> None:
    refused = (await api.get(f"{deployments}/absent")).refused(404, "NotFound")

    assert refused["message"] == 'deployments.apps "absent" not found'
    assert refused["details"] == {"name": "absent", "group": "apps", "kind": "deployments"}


async def test_in_an_unknown_namespace_it_is_the_object_that_is_absent(api: Api, namespace: str) -> None:
    reply = await api.get(f"/api/v1/namespaces/{namespace}-unknown/configmaps/a")

    assert reply.refused(404, "NotFound")["message"] == 'configmaps "a" not found'


async def test_a_name_that_no_object_could_have_is_simply_not_found(api: Api, config_maps: str) -> None:
    reply = await api.get(f"{config_maps}/Not_A_Name")

    assert reply.refused(404, "NotFound")["message"] == 'configmaps "Not_A_Name" not found'


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a%22b", r"a\"b"), ("a%5Cb", r"a\\b"), ("a%0Ab", r"a\nb"), ("%00", r"\x00"), ("%C2%A0", r"\u00a0")],
)
async def test_a_name_is_quoted_in_a_refusal_and_plain_in_its_details(
    api: Api, config_maps: str, name: str, shown: str
) -> None:
    refused = (await api.get(f"{config_maps}/{name}")).refused(404, "NotFound")

    assert refused["message"] == f'configmaps "{shown}" not found'
    assert refused["details"]["name"] == unquote(name)


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("path", ["/api/v1/namespaces/%zz", "/api/v1/%2", "/healthz%"])
async def test_a_path_with_a_broken_escape_is_no_request(api: Api, method: str, path: str) -> None:
    response = await raw(api, path, method=method)

    assert (response.status, response.body) == (400, b"400 Bad Request")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert not {"audit-id", "cache-control"} & response.headers.keys()


async def test_a_name_that_would_leave_its_folder_is_refused(api: Api, config_maps: str) -> None:
    refused = (await api.get(f"{config_maps}/..%2f")).refused(400, "BadRequest")

    assert refused["message"] == "Name parameter invalid: \"..\": may not be '..'"


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/nonsense",
        "/api/v2",
        "/apis/apps/v2",
        "/api/v1/configmaps/a",
        "/api/v1/namespaces/default/nodes",
        "/api/v1/namespaces/default/ConfigMaps",
        "/api/v1/namespaces/default/services/kubernetes/nonsense",
        "/api/v1/namespaces/default/serviceaccounts/default/status",
        "/api/v1/namespaces/default/status/nonsense",
        "/api/v1/namespaces/default/pods/a/log/nonsense",
        "/apis/apps/v1/namespaces/default/deployments/a/scale/nonsense",
        "/api/v1/namespaces/default/namespaces",
        "/api/v1/namespaces/default/namespaces/kube-system",
    ],
)
async def test_within_a_known_group_an_unknown_path_is_a_status(api: Api, path: str) -> None:
    refused = (await api.get(path)).refused(404, "NotFound")

    assert refused["message"] == NO_SUCH_RESOURCE
    assert refused["details"] == {}


@pytest.mark.parametrize(
    "path",
    [
        "/nonsense",
        "/API/v1",
        "//api/v1",
        "/apis/nonsense.example.com",
        "/apis/nonsense.example.com/v1",
        "/apis/nonsense.example.com/v1/namespaces/default/widgets/a",
    ],
)
async def test_outside_of_every_group_an_unknown_path_is_plain_text(api: Api, path: str) -> None:
    reply = await api.get(path)

    assert (reply.status, reply.body) == (404, "404 page not found\n")
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"


async def test_a_trailing_slash_makes_no_difference(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    assert (await api.get(f"{config_maps}/a/")).ok() == created
    assert (await api.get(f"{config_maps}/")).ok()["kind"] == "ConfigMapList"


async def test_an_escaped_letter_is_that_letter(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    assert (await api.get(f"{config_maps}/%61")).ok() == created


@pytest.mark.parametrize(
    ("method", "name"),
    [("POST", "/a"), ("OPTIONS", "/a"), ("OPTIONS", ""), ("PUT", ""), ("PATCH", "")],
)
async def test_a_method_that_a_path_does_not_have_is_refused(
    api: Api, config_maps: str, method: str, name: str
) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    refused = (await api.send(method, config_maps + name, {})).refused(405, "MethodNotAllowed")

    assert refused["message"] == NO_SUCH_METHOD
    assert refused["details"] == {}


@pytest.mark.parametrize("name", ["/a", ""])
async def test_head_is_a_method_that_objects_do_not_have(api: Api, config_maps: str, name: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    assert (await api.send("HEAD", config_maps + name)).status == 405


async def test_the_status_of_an_object_reads_as_the_whole_object(api: Api, namespace: str) -> None:
    whole = (await api.get(f"/api/v1/namespaces/{namespace}")).ok()

    assert whole["status"] == {"phase": "Active"}
    assert (await api.get(f"/api/v1/namespaces/{namespace}/status")).ok() == whole


async def test_a_version_asks_for_an_object_that_is_at_least_as_new(api: Api, config_maps: str) -> None:
    old = (await api.create(config_maps, config_map("a"))).ok()
    new = (await api.patch(f"{config_maps}/a", {"data": {"key": "value"}})).ok()

    assert (await api.get(f"{config_maps}/a", resourceVersion=version_of(new))).ok() == new
    assert (await api.get(f"{config_maps}/a", resourceVersion=version_of(old))).ok() in (old, new)


async def test_a_version_from_the_future_is_a_timeout(api: Api, namespace: str) -> None:
    events = f"/api/v1/namespaces/{namespace}/events"  # nobody waits here for a version to come about

    refused = (await api.get(f"{events}/a", resourceVersion=FAR_AHEAD)).refused(504, "Timeout")

    assert refused["details"]["causes"] == [
        {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
    ]
    expected = rf"Timeout: Too large resource version: {FAR_AHEAD}, current: \d+"
    assert re.fullmatch(expected, refused["message"])


async def test_a_version_that_is_no_number_is_an_error_of_the_server(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.get(f"{config_maps}/a", resourceVersion="abc")

    assert reply.status == 500
    assert reply.body["message"] == (
        'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax'
    )


async def test_parameters_of_other_verbs_are_ignored(api: Api, config_maps: str) -> None:
    created = (await api.create(config_maps, config_map("a"))).ok()

    reply = await api.get(
        f"{config_maps}/a", watch=True, limit="x", labelSelector="not a selector", fieldSelector="no=no"
    )

    assert reply.ok() == created


async def test_json_is_compact_unless_it_is_to_be_read(api: Api, config_maps: str) -> None:
    (await api.create(config_maps, config_map("a"))).ok()
    path = f"{config_maps}/a"

    compact = (await raw(api, path)).body
    pretty = (await raw(api, path, query=(("pretty", "true"),))).body
    for_curl = (await raw(api, path, User_Agent="curl/8.0")).body
    compact_for_curl = (await raw(api, path, User_Agent="curl/8.0", query=(("pretty", "false"),))).body

    assert compact.startswith(b'{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a",')
    assert pretty.startswith(b'{\n  "kind": "ConfigMap",\n  "apiVersion": "v1",\n  "metadata": {\n')
    assert for_curl == pretty
    assert compact_for_curl == compact
