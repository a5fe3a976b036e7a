"""pruning: objects embedded in custom resources."""

import pytest

from contract import Api, Object
from contract_crd import (
    EMBEDDED,
    PRESERVE,
    Definitions,
    array,
    integer,
    invalid,
    obj,
    spec,
    unknown_fields,
)

FREE = {"type": "object"} | EMBEDDED | PRESERVE
NARROW = obj(spec=obj(a=integer())) | EMBEDDED


async def test_an_embedded_object_keeps_its_type_and_metadata_without_a_schema_for_them(
    crds: Definitions,
) -> None:
    widgets = await crds.serve(spec(child=NARROW))
    child = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "a", "labels": {"b": "c"}, "x": 1},
        "spec": {"a": 1, "x": 1},
        "data": {},
    }

    reply = await widgets.create("a", spec={"child": child})

    assert reply.ok()["spec"]["child"] == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "a", "labels": {"b": "c"}},
        "spec": {"a": 1},
    }
    assert sorted(unknown_fields(reply)) == [
        "spec.child.data",
        "spec.child.metadata.x",
        "spec.child.spec.x",
    ]


async def test_an_embedded_object_that_keeps_unknown_fields_is_kept_whole(crds: Definitions) -> None:
    widgets = await crds.serve(spec(children=array(FREE)))
    child = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"b": "c"}}

    assert (await widgets.create("a", spec={"children": [child]})).ok()["spec"]["children"] == [child]


@pytest.mark.parametrize("schema", [FREE, NARROW], ids=["free", "narrow"])
async def test_an_embedded_object_needs_a_type(crds: Definitions, schema: Object) -> None:
    widgets = await crds.serve(spec(child=schema))

    assert invalid(await widgets.create("a", spec={"child": {"metadata": {"name": "a"}}})) == {
        "spec.child.apiVersion: Required value",
        "spec.child.kind: Required value",
    }


@pytest.mark.parametrize(
    ("child", "complaint"),
    [
        pytest.param(
            {"apiVersion": "a/b/c", "kind": "Pod"},
            'spec.child.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
            id="api-version",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "a pod"},
            'spec.child.kind: Invalid value: "a pod": may have mixed case, but should otherwise match: ',
            id="kind",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a b": "c"}}},
            'spec.child.metadata.labels: Invalid value: "a b": name part must consist of ',
            id="labels",
        ),
    ],
)
async def test_the_type_and_metadata_of_an_embedded_object_are_validated(
    crds: Definitions, child: Object, complaint: str
) -> None:
    widgets = await crds.serve(spec(child=FREE))

    (found,) = invalid(await widgets.create("a", spec={"child": child}))

    assert found.startswith(complaint)


@pytest.mark.parametrize(
    ("child", "message"),
    [
        pytest.param(
            {"apiVersion": 1, "kind": "Pod"},
            "spec.child.apiVersion: Invalid value: 1: must be a string",
            id="api-version",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a": 1}}},
            'spec.child.metadata: Invalid value: {"labels":{"a":1}}: '
            "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
            id="label",
        ),
    ],
)
async def test_metadata_of_a_wrong_type_in_an_embedded_object_is_not_even_read(
    crds: Definitions, child: Object, message: str
) -> None:
    widgets = await crds.serve(spec(child=FREE))

    refused = (await widgets.create("a", spec={"child": child})).refused(400, "BadRequest")

    assert refused["message"] == f'Widget in version "v1" cannot be handled as a Widget: {message}'


async def test_the_name_of_an_embedded_object_is_not_validated(crds: Definitions) -> None:
    widgets = await crds.serve(spec(child=FREE))
    child = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "Not_A_Name"}}

    assert (await widgets.create("a", spec={"child": child})).ok()["spec"]["child"] == child


async def test_metadata_that_was_not_read_in_an_object_of_another_version_is_invalid(
    crds: Definitions,
) -> None:
    widgets = await crds.serve(spec(child=FREE))
    child = {"apiVersion": "v1", "kind": "Pod"}
    (await widgets.create("a", spec={"child": child})).ok()

    reply = await widgets.api.patch(
        widgets.at("a"), {"apiVersion": "other", "spec": {"child": {"metadata": 2.0}}}
    )

    reply.refused(422, "Invalid")
    assert (
        "spec.child.metadata: Invalid value: 2: json: cannot unmarshal number into" in reply.body["message"]
    )
    assert sorted(reply.fields) == ["apiVersion", "spec.child.metadata"]


async def test_a_patch_that_takes_the_name_away_is_refused_for_that_before_all(crds: Definitions) -> None:
    widgets = await crds.serve()
    (await widgets.create("a")).ok()

    reply = await widgets.api.patch(widgets.at("a"), {"apiVersion": None, "metadata": {"name": None}})

    assert "name must be provided" in reply.refused(400, "BadRequest")["message"]


@pytest.mark.parametrize("query", [{}, {"dryRun": "All"}], ids=["stored", "tried"])
async def test_metadata_of_an_embedded_object_that_are_applied_are_read_when_they_are_stored(
    api: Api, crds: Definitions, query: dict[str, str]
) -> None:
    widgets = await crds.serve(spec(child=FREE))
    child = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "", "labels": {}}}
    (await widgets.create("a")).ok()

    applied = await api.apply(widgets.at("a"), widgets.object("a", None, spec={"child": child}), **query)

    assert applied.ok()["spec"]["child"]["metadata"] == {}
