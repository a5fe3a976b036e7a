"""custom resources: the scale subresource."""

import pytest

from contract import Api, Object
from contract_crd import CustomKind, Definitions, integer, invalid, obj, string

SCHEMA = obj(
    spec=obj(size=obj(replicas=integer()), other=integer()),
    status=obj(replicas=integer(), selector=string()),
)
PATHS = {
    "specReplicasPath": ".spec.size.replicas",
    "statusReplicasPath": ".status.replicas",
    "labelSelectorPath": ".status.selector",
}


async def serve(crds: Definitions) -> CustomKind:
    return await crds.serve(SCHEMA, subresources={"status": {}, "scale": PATHS})


def scale(kind: CustomKind) -> str:
    """The path of the scale of the one object."""
    return kind.at("a") + "/scale"


async def test_a_scale_is_read_from_the_paths_of_the_definition(
    api: Api, crds: Definitions, namespace: str
) -> None:
    widgets = await serve(crds)
    (await widgets.create("a", {"labels": {"x": "y"}}, spec={"size": {"replicas": 2}})).ok()
    full = await api.patch(widgets.at("a") + "/status", {"status": {"replicas": 1, "selector": "app=x"}})

    read = (await api.get(scale(widgets))).ok()

    assert (read["apiVersion"], read["kind"]) == ("autoscaling/v1", "Scale")
    assert read["spec"] == {"replicas": 2}
    assert read["status"] == {"replicas": 1, "selector": "app=x"}
    metadata = full.ok()["metadata"]
    assert read["metadata"] == {
        "name": "a",
        "namespace": namespace,
        "uid": metadata["uid"],
        "resourceVersion": metadata["resourceVersion"],
        "creationTimestamp": metadata["creationTimestamp"],
    }


async def test_an_absent_status_counts_as_no_replicas(api: Api, crds: Definitions) -> None:
    widgets = await serve(crds)
    (await widgets.create("a", spec={"size": {"replicas": 2}})).ok()

    assert (await api.get(scale(widgets))).ok()["status"] == {"replicas": 0}


async def test_an_absent_number_of_replicas_cannot_be_read_but_written(api: Api, crds: Definitions) -> None:
    widgets = await serve(crds)
    (await widgets.create("a", spec={})).ok()

    refused = (await api.get(scale(widgets))).refused(500, "InternalError")
    assert refused["message"] == (
        'Internal error occurred: the spec replicas field ".spec.size.replicas" does not exist'
    )

    assert (await api.patch(scale(widgets), {"spec": {"replicas": 4}})).ok()["spec"] == {"replicas": 4}
    assert (await api.get(widgets.at("a"))).ok()["spec"] == {"size": {"replicas": 4}}


async def test_a_scale_writes_the_number_of_replicas_and_nothing_else(api: Api, crds: Definitions) -> None:
    widgets = await serve(crds)
    (await widgets.create("a", spec={"size": {"replicas": 2}, "other": 1})).ok()

    patched = await api.patch(
        scale(widgets),
        {"spec": {"replicas": 5}, "status": {"replicas": 9}, "metadata": {"labels": {"x": "y"}}},
    )

    assert (patched.ok()["kind"], patched.body["spec"]) == ("Scale", {"replicas": 5})
    widget = (await api.get(widgets.at("a"))).ok()
    assert widget["spec"] == {"size": {"replicas": 5}, "other": 1}
    assert "status" not in widget
    assert "labels" not in widget["metadata"]
    assert widget["metadata"]["generation"] == 2


async def test_a_scale_to_zero_leaves_the_number_out_of_the_scale_only(api: Api, crds: Definitions) -> None:
    widgets = await serve(crds)
    (await widgets.create("a", spec={"size": {"replicas": 2}})).ok()

    assert (await api.patch(scale(widgets), {"spec": {"replicas": 0}})).ok()["spec"] == {}
    assert (await api.get(widgets.at("a"))).ok()["spec"] == {"size": {"replicas": 0}}


async def test_an_update_of_a_scale_heeds_a_resource_version_if_there_is_one(
    api: Api, crds: Definitions
) -> None:
    widgets = await serve(crds)
    (await widgets.create("a", spec={"size": {"replicas": 2}})).ok()
    old = (await api.get(scale(widgets))).ok()
    new: Object = {**old, "spec": {"replicas": 3}}
    (await api.update(scale(widgets), new)).ok()

    (await api.update(scale(widgets), {**old, "spec": {"replicas": 4}})).refused(409, "Conflict")

    del old["metadata"]["resourceVersion"]
    assert (await api.update(scale(widgets), {**old, "spec": {"replicas": 4}})).ok()["spec"] == {
        "replicas": 4
    }


async def test_a_scale_is_never_negative(api: Api, crds: Definitions) -> None:
    widgets = await serve(crds)
    (await widgets.create("a", spec={"size": {"replicas": 2}})).ok()

    assert invalid(await api.patch(scale(widgets), {"spec": {"replicas": -1}})) == {
        ".spec.size.replicas: Invalid value: -1: should be a non-negative integer"
    }


async def test_a_number_of_replicas_that_no_integer_holds_is_none(crds: Definitions) -> None:
    widgets = await serve(crds)

    found = invalid(await widgets.create("a", spec={"size": {"replicas": 2**63}}))

    complaint = "accessor error: 9.223372036854776e+18 is of the type float64, expected int64"
    assert f".spec.size.replicas: Invalid value: 0: .spec.size.replicas {complaint}" in found


async def test_the_scale_of_a_missing_object_is_missing(api: Api, crds: Definitions) -> None:
    widgets = await serve(crds)

    assert (await api.get(scale(widgets))).refused(404, "NotFound")["message"] == (
        f'widgets.{crds.group} "a" not found'
    )


async def test_nobody_can_apply_the_scale_of_a_custom_resource(api: Api, crds: Definitions) -> None:
    widgets = await serve(crds)
    (await widgets.create("a", spec={"size": {"replicas": 2}})).ok()
    body: Object = {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "a"}}

    refused = (await api.apply(scale(widgets), body | {"spec": {"replicas": 3}}, force=True)).body
    assert (refused["code"], refused["message"]) == (
        500,
        (
            "failed to convert new object (/a; autoscaling/v1, Kind=Scale) to proper version: "
            "request to convert CR to an invalid group/version: autoscaling/v1"
        ),
    )
    assert (await api.apply(scale(widgets), body)).ok()["spec"] == {"replicas": 2}


async def test_a_scale_takes_the_number_of_replicas_over_from_who_applied_it(
    api: Api, crds: Definitions
) -> None:
    widgets = await serve(crds)
    (await api.apply(widgets.at("a"), widgets.object("a", spec={"size": {"replicas": 2}}), "user")).ok()

    (await api.patch(scale(widgets), {"spec": {"replicas": 3}}, fieldManager="scaler")).ok()
    again = await api.apply(widgets.at("a"), widgets.object("a", spec={"size": {"replicas": 2}}), "user")

    again.refused(409, "Conflict")
    assert again.fields == [".spec.size.replicas"]
    assert again.body["details"]["causes"][0]["message"] == (
        f'conflict with "scaler" with subresource "scale" using {crds.group}/v1'
    )


@pytest.mark.parametrize("said", [{}, {"apiVersion": ""}, {"apiVersion": None}])
async def test_nobody_owns_the_number_in_a_scale_that_does_not_say_its_version(
    api: Api, crds: Definitions, said: Object
) -> None:
    widgets = await serve(crds)
    for number in (3, 4):
        (await widgets.create("a", spec={"size": {"replicas": 2}})).ok()
        body = {"kind": "Scale", "metadata": {"name": "a"}, "spec": {"replicas": number}}
        if number == 3:
            (await api.update(scale(widgets), {**body, **said}, fieldManager="scaler")).ok()
        else:
            patch = {"apiVersion": None, "spec": {"replicas": number}, **said}
            (await api.patch(scale(widgets), patch, fieldManager="scaler")).ok()
        changed = (await api.get(widgets.at("a"))).ok()
        assert changed["spec"]["size"] == {"replicas": number}
        assert [entry["fieldsV1"] for entry in changed["metadata"]["managedFields"]] == [
            {"f:spec": {".": {}, "f:size": {}}}
        ]
        (await api.delete(widgets.at("a"))).ok()


@pytest.mark.parametrize(
    ("paths", "complaints"),
    [
        pytest.param(
            {},
            {
                "spec.subresources.scale.specReplicasPath: Required value",
                "spec.subresources.scale.statusReplicasPath: Required value",
            },
            id="absent",
        ),
        pytest.param(
            {**PATHS, "specReplicasPath": "spec.replicas"},
            {
                (
                    'spec.subresources.scale.specReplicasPath: Invalid value: "spec.replicas": '
                    "must be a simple json path starting with ."
                )
            },
            id="without-a-dot",
        ),
        pytest.param(
            {
                "specReplicasPath": ".status.a",
                "statusReplicasPath": ".spec.a",
                "labelSelectorPath": ".metadata.a",
            },
            {
                (
                    'spec.subresources.scale.specReplicasPath: Invalid value: ".status.a": '
                    "should be a json path under .spec"
                ),
                (
                    'spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.a": '
                    "should be a json path under .status"
                ),
                (
                    'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.a": '
                    "should be a json path under either .spec or .status"
                ),
            },
            id="in-the-wrong-place",
        ),
    ],
)
async def test_paths_of_a_scale_lead_into_spec_and_status(
    crds: Definitions, paths: Object, complaints: set[str]
) -> None:
    assert await crds.refuse(SCHEMA, subresources={"scale": paths}) == complaints
