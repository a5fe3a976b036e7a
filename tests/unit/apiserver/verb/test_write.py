"""Writes that are odd: versions that are none, values that Python takes for the same, kinds that are lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract import JSON_PATCH, MERGE

if TYPE_CHECKING:
    from contract import Api

WIDGETS = "/apis/example.com/v1/namespaces/default/widgets"
HUGE = "9" * 5000


@pytest.fixture
async def widget(api: Api) -> str:
    """The path of an object of a kind that takes everything."""
    names = {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"}
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    spec = {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]}
    path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": spec,
    }
    (await api.send("POST", path, definition)).ok()
    obj = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"x": 1}}
    (await api.send("POST", WIDGETS, obj)).ok()
    return f"{WIDGETS}/a"


@pytest.mark.parametrize("version", ["", "0", "x", "-1", HUGE])
async def test_a_version_that_is_none_does_not_hinder_a_creation(
    api: Api, config_maps: str, version: str
) -> None:
    created = await api.send("POST", config_maps, {"metadata": {"name": "a", "resourceVersion": version}})

    assert created.ok()["metadata"]["resourceVersion"] not in ("", version)


@pytest.mark.parametrize(("version", "why"), [("x", "invalid syntax"), (HUGE, "value out of range")])
async def test_an_update_of_a_version_that_is_none_is_told_so(
    api: Api, config_maps: str, version: str, why: str
) -> None:
    (await api.send("POST", config_maps, {"metadata": {"name": "a"}})).ok()

    refused = await api.send(
        "PUT", f"{config_maps}/a", {"metadata": {"name": "a", "resourceVersion": version}}
    )

    said = f'strconv.ParseUint: parsing "{version}": {why}'
    assert (refused.status, refused.body["message"]) == (500, said)


@pytest.mark.parametrize("value", [True, [True], {"y": True}])
async def test_true_in_the_place_of_one_is_a_change(api: Api, widget: str, value: Any) -> None:
    one = {True: 1}.get(value) if isinstance(value, bool) else [1] if isinstance(value, list) else {"y": 1}
    before = (await api.send("PATCH", widget, {"spec": {"z": one}}, content_type=MERGE)).ok()

    after = (await api.send("PATCH", widget, {"spec": {"z": value}}, content_type=MERGE)).ok()

    found = (await api.send("GET", widget)).ok()
    assert str(found["spec"]["z"]) == str(value)
    assert after["metadata"]["generation"] == before["metadata"]["generation"] + 1


async def test_a_whole_number_loses_its_point_in_a_patch(api: Api, widget: str) -> None:
    (await api.send("PATCH", widget, b'{"spec":{"x":[2.0,2.5,1e3]}}', content_type=MERGE)).ok()

    assert repr((await api.send("GET", widget)).ok()["spec"]["x"]) == "[2, 2.5, 1000]"


@pytest.mark.parametrize(
    ("operation", "status", "why"),
    [
        ({"op": "remove", "path": "/kind"}, 422, "Object 'Kind' is missing in '{"),
        ({"op": "add", "path": "/kind", "value": 5}, 422, "into Go struct field .kind of type string"),
        ({"op": "remove", "path": "/apiVersion"}, 500, "Object 'apiVersion' is missing"),
        ({"op": "add", "path": "/apiVersion", "value": []}, 422, "cannot unmarshal array into Go struct"),
        ({"op": "add", "path": "/apiVersion", "value": None}, 422, ".apiVersion accessor error"),
    ],
)
async def test_a_patch_that_takes_away_the_kind_is_refused(
    api: Api, widget: str, operation: dict[str, Any], status: int, why: str
) -> None:
    refused = await api.send("PATCH", widget, [operation], content_type=JSON_PATCH)

    assert (refused.status, why in refused.body["message"]) == (status, True)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/v1/namespaces", {}),
        ("/apis/batch/v1/namespaces/default/jobs", {}),
        ("/apis/networking.k8s.io/v1/ipaddresses", {"spec": {"parentRef": {"name": "x", "resource": "y"}}}),
        ("/apis/networking.k8s.io/v1/servicecidrs", {}),
        ("/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies", {}),
    ],
)
async def test_what_has_no_name_is_not_stored(api: Api, path: str, body: dict[str, Any]) -> None:
    refused = await api.send("POST", path, body)

    refused.refused(422, "Invalid")
    assert "metadata.name" in refused.fields
