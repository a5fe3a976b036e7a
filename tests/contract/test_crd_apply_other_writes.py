"""writes to custom resources: patches, updates and deletions, mostly where built-in kinds differ."""

import pytest

from contract import JSON_PATCH, STRATEGIC, Api, Object
from contract_crd import Definitions, array, integer, invalid, mapping, obj, spec, string


async def test_a_strategic_merge_patch_is_refused(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    refused = (await api.patch(widgets.at("a"), {}, STRATEGIC)).refused(415, "UnsupportedMediaType")

    assert refused["message"] == (
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"
    )


async def test_a_merge_patch_merges_objects_and_replaces_lists(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(list=array(obj(a=integer())), map=mapping(string())))
    (await widgets.create("a", spec={"list": [{"a": 1}, {"a": 2}], "map": {"x": "1", "y": "2"}})).ok()

    patched = await api.patch(widgets.at("a"), {"spec": {"list": [{"a": 3}], "map": {"x": None, "z": "3"}}})

    assert patched.ok()["spec"] == {"list": [{"a": 3}], "map": {"y": "2", "z": "3"}}


async def test_a_json_patch_reaches_into_lists(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(list=array(obj(a=integer())), map=mapping(string())))
    (await widgets.create("a", spec={"list": [{"a": 1}], "map": {"x/y": "1"}})).ok()

    patch = [
        {"op": "test", "path": "/spec/list/0/a", "value": 1},
        {"op": "add", "path": "/spec/list/-", "value": {"a": 2}},
        {"op": "remove", "path": "/spec/map/x~1y"},
    ]

    assert (await api.patch(widgets.at("a"), patch, JSON_PATCH)).ok()["spec"] == {
        "list": [{"a": 1}, {"a": 2}],
        "map": {},
    }


async def test_a_json_patch_whose_test_fails_changes_nothing(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))
    (await widgets.create("a", spec={"a": 1})).ok()
    patch = [
        {"op": "replace", "path": "/spec/a", "value": 2},
        {"op": "test", "path": "/spec/a", "value": 1},
    ]

    refused = (await api.patch(widgets.at("a"), patch, JSON_PATCH)).refused(422, "Invalid")

    assert refused["message"] == "the server rejected our request due to an error in our request"
    assert (await api.get(widgets.at("a"))).ok()["spec"] == {"a": 1}


async def test_an_update_needs_a_resource_version(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    assert invalid(await api.update(widgets.at("a"), widgets.object("a"))) == {
        "metadata.resourceVersion: Invalid value: 0: must be specified for an update"
    }


async def test_an_update_creates_nothing(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    refused = (await api.update(widgets.at("a"), widgets.object("a"))).refused(404, "NotFound")

    assert refused["message"] == f'widgets.{crds.group} "a" not found'


async def test_an_update_of_an_old_copy_is_a_conflict(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))
    old = (await widgets.create("a")).ok()
    (await api.patch(widgets.at("a"), {"spec": {"a": 1}})).ok()

    refused = (await api.update(widgets.at("a"), {**old, "spec": {"a": 2}})).refused(409, "Conflict")

    assert refused["message"] == (
        f'Operation cannot be fulfilled on widgets.{crds.group} "a": the object has been modified; '
        "please apply your changes to the latest version and try again"
    )


@pytest.mark.parametrize(
    ("patch", "complaint"),
    [
        ({"kind": "Gadget"}, 'kind: Invalid value: "Gadget": must be Widget'),
        ({"apiVersion": "a.b/v1"}, 'apiVersion: Invalid value: "a.b/v1": must be {}/v1'),
        ({"metadata": {"uid": "x"}}, 'metadata.uid: Invalid value: "x": field is immutable'),
    ],
    ids=["kind", "api-version", "uid"],
)
async def test_a_patch_cannot_change_what_an_object_is(
    api: Api, crds: Definitions, patch: Object, complaint: str
) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    assert invalid(await api.patch(widgets.at("a"), patch)) == {complaint.format(crds.group)}


async def test_an_object_stays_until_its_finalizers_are_gone(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("a", {"finalizers": ["example.com/f"]})).ok()

    deleted = (await api.delete(widgets.at("a"))).ok()
    again = (await api.delete(widgets.at("a"))).ok()
    more = await api.patch(widgets.at("a"), {"metadata": {"finalizers": ["example.com/f", "example.com/g"]}})
    released = (await api.patch(widgets.at("a"), {"metadata": {"finalizers": []}})).ok()

    assert deleted["metadata"]["deletionTimestamp"]
    assert deleted["metadata"]["deletionGracePeriodSeconds"] == 0
    assert deleted["metadata"]["generation"] == 2
    assert again["metadata"]["resourceVersion"] == deleted["metadata"]["resourceVersion"]
    assert invalid(more) == {
        (
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, "
            'found new finalizers []string{"example.com/g"}'
        )
    }
    assert "finalizers" not in released["metadata"]
    (await api.get(widgets.at("a"))).refused(404, "NotFound")


async def test_deletion_of_one_object_is_answered_with_a_status(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    created = (await widgets.create("a")).ok()

    deleted = (await api.delete(widgets.at("a"))).ok()

    assert (deleted["kind"], deleted["status"]) == ("Status", "Success")
    assert deleted["details"] == {
        "name": "a",
        "group": crds.group,
        "kind": "widgets",
        "uid": created["metadata"]["uid"],
    }


async def test_deletion_of_a_collection_is_answered_with_what_went(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()
    for name, colour in (("a", "red"), ("b", "blue"), ("c", "red")):
        (await widgets.create(name, {"labels": {"colour": colour}})).ok()

    deleted = (await api.delete(widgets.path, labelSelector="colour=red")).ok()

    assert deleted["kind"] == "WidgetList"
    assert [item["metadata"]["name"] for item in deleted["items"]] == ["a", "c"]
    left = (await api.get(widgets.path)).ok()["items"]
    assert [item["metadata"]["name"] for item in left] == ["b"]


async def test_a_client_that_prefers_protobuf_gets_json(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    reply = await api.get(widgets.path, accept="application/vnd.kubernetes.protobuf,application/json")

    assert reply.headers["content-type"] == "application/json"
    assert reply.ok()["kind"] == "WidgetList"
