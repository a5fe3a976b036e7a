"""ephemeralcontainers: debugging containers, which join a pod and never leave it."""

from typing import Any

import pytest

from contract import MERGE, STRATEGIC, Api, Object, pod
from contract_objects import generation_of
from contract_writes import owned


def debugger(name: str, **fields: Any) -> Object:
    return {"name": name, "image": "example.com/debug:1", **fields}


def spec(*containers: Object) -> Object:
    return {"spec": {"ephemeralContainers": list(containers)}}


@pytest.fixture
async def path(api: Api, pods: str) -> str:
    """The path of a pod."""
    (await api.create(pods, pod("a"))).ok()
    return f"{pods}/a"


async def test_an_ephemeral_container_joins_the_pod(api: Api, path: str) -> None:
    joined = await api.patch(f"{path}/ephemeralcontainers", spec(debugger("d")), STRATEGIC)

    assert [each["name"] for each in joined.ok()["spec"]["ephemeralContainers"]] == ["d"]
    assert generation_of(joined) == 2
    assert (await api.get(path)).ok() == joined.body


async def test_an_ephemeral_container_gets_the_defaults_of_a_container(api: Api, path: str) -> None:
    joined = (await api.patch(f"{path}/ephemeralcontainers", spec(debugger("d")))).ok()

    assert joined["spec"]["ephemeralContainers"] == [
        {
            "name": "d",
            "image": "example.com/debug:1",
            "resources": {},
            "terminationMessagePath": "/dev/termination-log",
            "terminationMessagePolicy": "File",
            "imagePullPolicy": "IfNotPresent",
        }
    ]


async def test_nothing_else_of_the_pod_is_changed(api: Api, path: str) -> None:
    before = (await api.get(path)).ok()
    patch = {**spec(debugger("d")), "metadata": {"labels": {"a": "b"}}, "status": {"phase": "Running"}}
    patch["spec"]["activeDeadlineSeconds"] = 5

    after = (await api.patch(f"{path}/ephemeralcontainers", patch)).ok()

    assert "labels" not in after["metadata"]
    assert after["status"] == before["status"]
    assert {**after["spec"], "ephemeralContainers": None} == {**before["spec"], "ephemeralContainers": None}


async def test_whoever_writes_there_owns_even_what_was_not_taken(api: Api, path: str) -> None:
    patch = {**spec(debugger("d")), "metadata": {"labels": {"a": "b"}}}

    after = (await api.patch(f"{path}/ephemeralcontainers", patch, fieldManager="debug")).ok()

    found = owned(after, "debug", "Update", "ephemeralcontainers")
    assert found is not None
    assert found["f:metadata"] == {"f:labels": {".": {}, "f:a": {}}}
    assert list(found["f:spec"]) == ["f:ephemeralContainers"]


@pytest.mark.parametrize("field", ["ports", "resizePolicy", "restartPolicyRules"])
@pytest.mark.parametrize("form", [MERGE, STRATEGIC])
async def test_an_ephemeral_container_may_not_even_have_an_empty_list_of_some(
    api: Api, path: str, field: str, form: str
) -> None:
    body = spec(debugger("d", **{field: []}))

    reply = await api.patch(f"{path}/ephemeralcontainers", body, form)

    reply.refused(422, "Invalid")
    assert reply.fields == [f"spec.ephemeralContainers[0].{field}"]


@pytest.mark.parametrize("field", ["args", "env", "volumeMounts"])
async def test_an_ephemeral_container_may_have_empty_lists_of_others(api: Api, path: str, field: str) -> None:
    body = spec(debugger("d", **{field: []}))

    (await api.patch(f"{path}/ephemeralcontainers", body, MERGE)).ok()


@pytest.mark.parametrize(
    ("containers", "complaint"),
    [
        pytest.param([], 'existing ephemeral containers "d" may not be removed', id="removed"),
        pytest.param(
            [debugger("d", command=["sh"])],
            'existing ephemeral containers "d" may not be changed',
            id="changed",
        ),
    ],
)
async def test_an_ephemeral_container_stays_as_it_is(
    api: Api, path: str, containers: list[Object], complaint: str
) -> None:
    (await api.patch(f"{path}/ephemeralcontainers", spec(debugger("d")))).ok()

    reply = await api.patch(f"{path}/ephemeralcontainers", spec(*containers), MERGE)

    assert reply.refused(422, "Invalid")["message"].startswith(
        f'Pod "a" is invalid: spec.ephemeralContainers: Forbidden: {complaint}'
    )


async def test_an_ephemeral_container_has_no_name_of_another(api: Api, path: str) -> None:
    reply = await api.patch(f"{path}/ephemeralcontainers", spec(debugger("main")))

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.ephemeralContainers[0].name"]


@pytest.mark.parametrize(
    "field",
    [{"lifecycle": {}}, {"restartPolicy": ""}, {"livenessProbe": {}}],
    ids=lambda field: next(iter(field)),
)
async def test_an_ephemeral_container_has_not_even_an_empty(api: Api, path: str, field: Object) -> None:
    reply = await api.patch(f"{path}/ephemeralcontainers", spec(debugger("d", **field)))

    reply.refused(422, "Invalid")
    assert f"spec.ephemeralContainers[0].{next(iter(field))}" in reply.fields


async def test_ephemeral_containers_have_no_other_door(api: Api, pods: str, path: str) -> None:
    created = await api.create(pods, pod("b", ephemeralContainers=[debugger("d")]))
    patched = await api.patch(path, spec(debugger("d")))

    created.refused(422, "Invalid")
    assert created.fields == ["spec.ephemeralContainers"]
    patched.refused(422, "Invalid")
    assert patched.fields == ["spec"]


async def test_ephemeral_containers_are_read_with_the_whole_pod(api: Api, path: str) -> None:
    assert (await api.get(f"{path}/ephemeralcontainers")).ok() == (await api.get(path)).ok()


async def test_a_missing_pod_takes_no_ephemeral_container(api: Api, pods: str) -> None:
    reply = await api.patch(f"{pods}/a/ephemeralcontainers", spec(debugger("d")))

    assert reply.refused(404, "NotFound")["message"] == 'pods "a" not found'
