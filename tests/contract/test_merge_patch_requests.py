"""patch requests of all forms: media types, options, subresources."""

import pytest

from contract import APPLY, JSON_PATCH, MERGE, STRATEGIC, Api, config_map, deployment
from contract_writes import (
    collection,
    custom_kind,
    managers,
    matching,
    pod_template,
    resource,
    version,
)


@pytest.fixture
async def path(api: Api, config_maps: str) -> str:
    """The path of a ConfigMap."""
    (await api.create(config_maps, config_map("a", {"one": "1"}))).ok()
    return f"{config_maps}/a"


@pytest.fixture
async def workload(api: Api, deployments: str) -> str:
    """The path of a Deployment."""
    (await api.create(deployments, deployment("a"))).ok()
    return f"{deployments}/a"


@pytest.mark.parametrize("media_type", ["application/json", "application/yaml", "text/plain"])
async def test_a_body_of_another_media_type_is_unsupported(api: Api, path: str, media_type: str) -> None:
    (await api.patch(path, {}, media_type)).refused(415, "UnsupportedMediaType")


@pytest.mark.parametrize("media_type", [f"{MERGE}, x", f"{MERGE} ;q=1", f"x, {MERGE}"])
async def test_a_media_type_of_a_patch_among_others_is_refused_by_name(
    api: Api, config_maps: str, media_type: str
) -> None:
    refused = (await api.patch(f"{config_maps}/a", {}, media_type)).refused(415, "UnsupportedMediaType")

    assert refused["message"] == (
        "the body of the request was in an unknown format - accepted media types include: "
        f"{JSON_PATCH}, {MERGE}, {STRATEGIC}, {APPLY}"
    )


async def test_parameters_of_the_media_type_are_passed_over(api: Api, path: str) -> None:
    reply = await api.patch(path, {"data": {"one": "2"}}, f"{MERGE}; charset=utf-8")

    assert reply.ok()["data"] == {"one": "2"}


async def test_a_custom_kind_takes_no_strategic_patch(api: Api, namespace: str) -> None:
    async with custom_kind(api, namespace) as things:
        refused = (await api.patch(f"{things}/absent", {}, STRATEGIC)).refused(415, "UnsupportedMediaType")

    assert refused["message"] == (
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
    )


@pytest.mark.parametrize(
    ("media_type", "body"),
    [(MERGE, {}), (STRATEGIC, {}), (JSON_PATCH, [])],
    ids=["merge", "strategic", "json"],
)
async def test_a_patch_of_an_absent_object_is_not_found(
    api: Api, config_maps: str, media_type: str, body: object
) -> None:
    refused = (await api.patch(f"{config_maps}/absent", body, media_type)).refused(404, "NotFound")

    assert refused["details"] == {"name": "absent", "kind": "configmaps"}
    assert refused["message"] == 'configmaps "absent" not found'


async def test_a_collection_cannot_be_patched(api: Api, config_maps: str) -> None:
    refused = (await api.patch(config_maps, {})).refused(405, "MethodNotAllowed")

    assert refused["message"] == "the server does not allow this method on the requested resource"


async def test_a_dry_run_answers_the_result_and_stores_nothing(api: Api, path: str) -> None:
    before = (await api.get(path)).ok()

    reply = await api.patch(path, {"data": {"one": "2"}}, dryRun="All")

    assert reply.ok()["data"] == {"one": "2"}
    assert version(reply.body) == version(before)
    assert (await api.get(path)).ok() == before


async def test_an_unknown_kind_of_dry_run_is_invalid(api: Api, path: str) -> None:
    reply = await api.patch(path, {}, dryRun="Some")

    refused = reply.refused(422, "Invalid")
    assert reply.fields == ["dryRun"]
    assert refused["details"]["kind"] == "PatchOptions"


async def test_only_apply_takes_force(api: Api, path: str) -> None:
    reply = await api.patch(path, {}, force=True)

    refused = reply.refused(422, "Invalid")
    assert reply.fields == ["force"]
    assert refused["message"] == (
        'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch'
    )


@pytest.mark.parametrize("media_type", [MERGE, APPLY], ids=["merge", "apply"])
@pytest.mark.parametrize("manager", ["x" * 129, "new\nline"], ids=["too long", "unprintable"])
async def test_a_field_manager_is_short_and_printable(
    api: Api, path: str, manager: str, media_type: str
) -> None:
    reply = await api.patch(path, config_map("a"), media_type, fieldManager=manager)

    reply.refused(422, "Invalid")
    assert reply.fields == ["fieldManager"]


async def test_a_field_manager_may_have_128_bytes(api: Api, path: str) -> None:
    body = (await api.patch(path, {"data": {"one": "2"}}, fieldManager="x" * 128)).ok()

    assert ("x" * 128, "Update", "") in managers(body)


async def test_the_main_resource_ignores_status(api: Api, workload: str) -> None:
    before = (await api.get(workload)).ok()

    assert (await api.patch(workload, {"status": {"replicas": 3}})).ok() == before


async def test_the_status_takes_nothing_but_status(api: Api, workload: str) -> None:
    before = (await api.get(workload)).ok()
    patch = {"metadata": {"labels": {"a": "b"}}, "spec": {"replicas": 9}, "status": {"replicas": 3}}

    patched = (await api.patch(f"{workload}/status", patch)).ok()

    assert patched["status"] == {"replicas": 3}
    assert patched["spec"] == before["spec"]
    assert "labels" not in patched["metadata"]
    assert patched["metadata"]["generation"] == before["metadata"]["generation"]


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        (MERGE, {"spec": {"replicas": 4}}),
        (STRATEGIC, {"spec": {"replicas": 4}}),
        (JSON_PATCH, [{"op": "replace", "path": "/spec/replicas", "value": 4}]),
    ],
    ids=["merge", "strategic", "json"],
)
async def test_the_scale_can_be_patched(api: Api, workload: str, media_type: str, body: object) -> None:
    scale = (await api.patch(f"{workload}/scale", body, media_type)).ok()

    assert (scale["apiVersion"], scale["kind"]) == ("autoscaling/v1", "Scale")
    assert scale["spec"] == {"replicas": 4}
    assert scale["status"] == {"replicas": 0, "selector": "app=a"}
    after = (await api.get(workload)).ok()
    assert after["spec"]["replicas"] == 4
    assert version(after) == version(scale)


async def test_a_negative_scale_is_invalid(api: Api, workload: str) -> None:
    reply = await api.patch(f"{workload}/scale", {"spec": {"replicas": -1}})

    refused = reply.refused(422, "Invalid")
    assert refused["message"] == (
        'Scale.autoscaling "a" is invalid: '
        "spec.replicas: Invalid value: -1: must be greater than or equal to 0"
    )


LONG = "123456789012345678901234567890"


@pytest.mark.parametrize(
    ("form", "body"),
    [
        (MERGE, '{"spec":{"replicas":%s}}'),
        (JSON_PATCH, '[{"op":"replace","path":"/spec/replicas","value":%s}]'),
    ],
)
@pytest.mark.parametrize("number", ["-9223372036854775809", LONG, "1.50", "1e3"])
async def test_a_number_that_does_not_fit_is_told_digit_by_digit(
    api: Api, workload: str, form: str, body: str, number: str
) -> None:
    refused = (await api.patch(workload, (body % number).encode(), form)).refused(422, "Invalid")

    assert refused["message"].endswith(
        f"json: cannot unmarshal number {number} into Go struct field DeploymentSpec.spec.replicas of type int32"
    )
    assert f'\\"replicas\\":{number}' in refused["message"]


@pytest.mark.parametrize("form", [STRATEGIC, APPLY])
async def test_a_number_that_became_a_float_is_told_as_go_writes_it(
    api: Api, workload: str, form: str
) -> None:
    surge = '"spec":{"strategy":{"rollingUpdate":{"maxSurge":9223372036854775808}}}'
    header = '"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},'
    body = "{" + (header if form == APPLY else "") + surge + "}"

    query = {"fieldManager": "b", "force": "true"} if form == APPLY else {}
    reply = await api.patch(workload, body.encode(), form, **query)

    assert reply.status == (500 if form == APPLY else 422)
    assert reply.body["message"].endswith(
        "json: cannot unmarshal number 9223372036854776000 into Go value of type int32"
    )


async def test_a_whole_number_may_be_written_as_a_float_where_it_goes_through_one(
    api: Api, workload: str
) -> None:
    body = b'{"spec":{"strategy":{"rollingUpdate":{"maxSurge":1e1}}}}'

    patched = (await api.patch(workload, body, STRATEGIC)).ok()

    assert patched["spec"]["strategy"]["rollingUpdate"]["maxSurge"] == 10


@pytest.mark.parametrize(
    ("form", "status", "said"),
    [
        (MERGE, 422, "patch: Invalid value: "),
        (STRATEGIC, 500, "strconv.ParseInt: "),
        (APPLY, 500, "failed to convert to unversioned (/a; apps/v1, Kind=DaemonSet): "),
    ],
)
async def test_a_patch_that_leaves_what_cannot_be_converted_is_refused_by_its_form(
    api: Api, namespace: str, form: str, status: int, said: str
) -> None:
    body = resource("apps/v1", "DaemonSet", spec={"selector": matching(), "template": pod_template()})
    path = f"{collection(namespace, body)}/a"
    (await api.create(collection(namespace, body), body)).ok()
    metadata = {"name": "a", "annotations": {"deprecated.daemonset.template.generation": "x"}}
    patch = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": metadata}

    forced = {"force": True} if form == APPLY else {}

    reply = await api.patch(path, patch, form, fieldManager="me", **forced)

    assert reply.status == status
    assert said in reply.body["message"]
    assert reply.body["message"].endswith('strconv.ParseInt: parsing "x": invalid syntax')
