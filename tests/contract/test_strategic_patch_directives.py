"""strategic merge patch: the directives that begin with a dollar."""

from typing import Any

import pytest

from contract import STRATEGIC, Api, Object, deployment
from contract_writes import container, in_template, names, pod_spec

FINALIZERS = ["example.com/a", "example.com/b", "example.com/c"]


@pytest.fixture
async def path(api: Api, deployments: str) -> str:
    """The path of a Deployment with three containers, variables, a volume, labels and finalizers."""
    body = deployment("a", labels={"one": "1", "two": "2"}, finalizers=FINALIZERS)
    variables = [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    pod_spec(body).update(
        containers=[container("one", env=variables), container("two"), container("three")],
        volumes=[{"name": "files", "emptyDir": {}}],
    )
    (await api.create(deployments, body)).ok()
    return f"{deployments}/a"


async def patched(api: Api, path: str, body: Object) -> Object:
    return (await api.patch(path, body, STRATEGIC)).ok()


async def test_delete_removes_an_item(api: Api, path: str) -> None:
    variable = {"name": "A", "$patch": "delete"}
    patch = in_template(containers=[{"name": "one", "env": [variable]}, {"name": "two", "$patch": "delete"}])

    containers = pod_spec(await patched(api, path, patch))["containers"]

    assert names(containers) == ["one", "three"]
    assert names(containers[0]["env"]) == ["B"]


async def test_delete_empties_a_map(api: Api, path: str) -> None:
    body = await patched(api, path, {"metadata": {"labels": {"$patch": "delete"}}})

    assert "labels" not in body["metadata"]


async def test_replace_as_an_item_replaces_the_list(api: Api, path: str) -> None:
    variables = [{"$patch": "replace"}, {"name": "Z", "value": "9"}]

    body = await patched(api, path, in_template(containers=[{"name": "one", "env": variables}]))

    assert pod_spec(body)["containers"][0]["env"] == [{"name": "Z", "value": "9"}]


async def test_replace_as_a_member_replaces_the_map(api: Api, path: str) -> None:
    body = await patched(api, path, {"metadata": {"labels": {"$patch": "replace", "three": "3"}}})

    assert body["metadata"]["labels"] == {"three": "3"}


async def test_the_element_order_sorts_the_items(api: Api, path: str) -> None:
    order = [{"name": name} for name in ("three", "new", "one", "two")]

    body = await patched(
        api, path, in_template(**{"$setElementOrder/containers": order, "containers": [container("new")]})
    )

    assert names(pod_spec(body)["containers"]) == ["three", "new", "one", "two"]


async def test_the_element_order_alone_sorts_the_items(api: Api, path: str) -> None:
    order = [{"name": name} for name in ("three", "two", "one")]

    body = await patched(api, path, in_template(**{"$setElementOrder/containers": order}))

    assert names(pod_spec(body)["containers"]) == ["three", "two", "one"]


async def test_the_element_order_sorts_a_set(api: Api, path: str) -> None:
    order = list(reversed(FINALIZERS))

    body = await patched(api, path, {"metadata": {"$setElementOrder/finalizers": order}})

    assert body["metadata"]["finalizers"] == order


async def test_delete_from_primitive_list_removes_members_of_a_set(api: Api, path: str) -> None:
    patch = {"$deleteFromPrimitiveList/finalizers": ["example.com/b"], "finalizers": ["example.com/z"]}

    body = await patched(api, path, {"metadata": patch})

    assert set(body["metadata"]["finalizers"]) == {"example.com/a", "example.com/c", "example.com/z"}


async def test_delete_from_primitive_list_merges_what_is_no_list(api: Api, path: str) -> None:
    patch = {
        "$deleteFromPrimitiveList/replicas": 3,
        "$deleteFromPrimitiveList/paused": True,
        "$deleteFromPrimitiveList/strategy": {"type": "Recreate", "rollingUpdate": None},
    }

    body = await patched(api, path, {"spec": patch})

    assert (body["spec"]["replicas"], body["spec"].get("paused")) == (3, None)
    assert body["spec"]["strategy"] == {"type": "Recreate"}


async def test_retain_keys_turns_one_volume_source_into_another(api: Api, path: str) -> None:
    volume = {"name": "files", "$retainKeys": ["name", "configMap"], "configMap": {"name": "b"}}

    body = await patched(api, path, in_template(volumes=[volume]))

    assert pod_spec(body)["volumes"] == [{"name": "files", "configMap": {"name": "b", "defaultMode": 0o644}}]


async def test_without_retain_keys_a_volume_has_two_sources_and_is_invalid(api: Api, path: str) -> None:
    volume = {"name": "files", "configMap": {"name": "b"}}

    reply = await api.patch(path, in_template(volumes=[volume]), STRATEGIC)

    refused = reply.refused(422, "Invalid")
    assert reply.fields == ["spec.template.spec.volumes[0].configMap"]
    assert "may not specify more than 1 volume type" in refused["message"]


async def test_retain_keys_drops_what_belongs_to_another_strategy(api: Api, path: str) -> None:
    body = await patched(api, path, {"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}})

    assert body["spec"]["strategy"] == {"type": "Recreate"}


async def test_without_retain_keys_the_defaults_of_another_strategy_stand_in_the_way(
    api: Api, path: str
) -> None:
    reply = await api.patch(path, {"spec": {"strategy": {"type": "Recreate"}}}, STRATEGIC)

    reply.refused(422, "Invalid")
    assert reply.fields == ["spec.strategy.rollingUpdate"]


async def test_retain_keys_must_name_every_key_of_the_patch(api: Api, path: str) -> None:
    patch = {"spec": {"strategy": {"$retainKeys": ["rollingUpdate"], "type": "Recreate"}}}

    refused = (await api.patch(path, patch, STRATEGIC)).refused(400, "BadRequest")

    assert refused["message"] == "invalid patch format of retainKeys"


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        (in_template(containers=[{"image": "x"}]), "does not contain declared merge key: name"),
        (in_template(containers=[{"name": "one", "$patch": "frobnicate"}]), "unknown patch type: frobnicate"),
        (
            in_template(
                **{"$setElementOrder/containers": [{"name": "two"}], "containers": [container("one")]}
            ),
            "doesn't match $setElementOrder list",
        ),
        (in_template(**{"$setElementOrder/containers": ["one"]}), "value for key 0 is not a map"),
        (in_template(**{"$setElementOrder/hostname": []}), "expected slice or array type, but got: struct"),
        (
            in_template(volumes=[{"name": "files", "emptyDir": {"$setElementOrder/medium": []}}]),
            "expected slice or array type, but got: ptr",
        ),
    ],
    ids=[
        "no merge key",
        "unknown directive",
        "order without the item",
        "order of names",
        "order of a text",
        "below a pointer",
    ],
)
async def test_a_patch_that_makes_no_sense_is_refused_as_an_internal_error(
    api: Api, path: str, patch: Any, message: str
) -> None:
    reply = await api.patch(path, patch, STRATEGIC)

    assert reply.status == 500
    assert message in reply.body["message"]
