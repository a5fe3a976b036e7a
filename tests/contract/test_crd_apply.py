"""server-side apply to custom resources: the schema says what is merged."""

import pytest

from contract import Api, Object, Reply
from contract_crd import (
    ATOMIC_LIST,
    ATOMIC_MAP,
    PRESERVE,
    SET,
    CustomKind,
    Definitions,
    array,
    integer,
    invalid,
    map_by,
    mapping,
    needs,
    obj,
    spec,
    string,
)

PORTS = array(obj(port=integer(), protocol=string(default="TCP"), name=string()) | needs("port")) | map_by(
    "port", "protocol"
)


async def apply(kind: CustomKind, manager: str, *, force: bool = False, **fields: object) -> Reply:
    """Apply these fields of `spec`."""
    return await kind.api.apply(kind.at("a"), kind.object("a", spec=fields), manager, force=force)


def owned(body: Object, manager: str) -> Object:
    """The fields of `spec` that a manager has applied."""
    (entry,) = [entry for entry in body["metadata"]["managedFields"] if entry["manager"] == manager]
    assert (entry["operation"], entry["fieldsType"]) == ("Apply", "FieldsV1")
    fields: Object = entry["fieldsV1"]["f:spec"]
    return fields


def conflicts(reply: Reply) -> set[str]:
    """Each conflict as `field: message`."""
    causes = reply.refused(409, "Conflict")["details"]["causes"]
    assert {cause["reason"] for cause in causes} == {"FieldManagerConflict"}
    return {f"{cause['field']}: {cause['message']}" for cause in causes}


@pytest.mark.parametrize(
    ("schema", "first", "second", "merged"),
    [
        pytest.param(obj(a=string(), b=string()), {"a": "1"}, {"b": "2"}, {"a": "1", "b": "2"}, id="object"),
        pytest.param(mapping(string()), {"a": "1"}, {"b": "2"}, {"a": "1", "b": "2"}, id="map"),
        pytest.param(array(string()) | SET, ["a", "b"], ["b", "c"], ["a", "b", "c"], id="set"),
        pytest.param(
            PORTS,
            [{"port": 1, "name": "x"}],
            [{"port": 2}],
            [{"port": 1, "protocol": "TCP", "name": "x"}, {"port": 2, "protocol": "TCP"}],
            id="list-by-keys",
        ),
        pytest.param(
            {"type": "object"} | PRESERVE,
            {"a": {"b": 1}},
            {"a": {"c": 2}},
            {"a": {"b": 1, "c": 2}},
            id="unknown-objects",
        ),
    ],
)
async def test_what_two_managers_apply_is_merged(
    crds: Definitions, *, schema: Object, first: object, second: object, merged: object
) -> None:
    widgets = await crds.serve(spec(f=schema))

    assert (await apply(widgets, "one", f=first)).status == 201
    reply = await apply(widgets, "two", f=second)

    assert reply.status == 200
    assert reply.body["spec"] == {"f": merged}


@pytest.mark.parametrize(
    ("schema", "first", "second"),
    [
        pytest.param(array(string()) | ATOMIC_LIST, ["a"], ["b"], id="atomic-list"),
        pytest.param(array(obj(a=integer())), [{"a": 1}], [{"a": 2}], id="list-without-a-type"),
        pytest.param(obj(a=string(), b=string()) | ATOMIC_MAP, {"a": "1"}, {"b": "2"}, id="atomic-object"),
        pytest.param(PRESERVE, [1], [2], id="unknown-list"),
    ],
)
async def test_what_is_atomic_belongs_to_one_manager(
    crds: Definitions, *, schema: Object, first: object, second: object
) -> None:
    widgets = await crds.serve(spec(f=schema))
    (await apply(widgets, "one", f=first)).ok()

    assert conflicts(await apply(widgets, "two", f=second)) == {'.spec.f: conflict with "one"'}

    taken = (await apply(widgets, "two", force=True, f=second)).ok()
    assert taken["spec"] == {"f": second}
    assert owned(taken, "two") == {"f:f": {}}


async def test_a_field_that_its_only_manager_stops_applying_goes(crds: Definitions) -> None:
    widgets = await crds.serve(spec(ports=PORTS, tags=array(string()) | SET, map=mapping(string())))
    (await apply(widgets, "one", ports=[{"port": 1}, {"port": 2}], tags=["a", "b"], map={"k": "1"})).ok()
    (await apply(widgets, "two", ports=[{"port": 3}], tags=["b"])).ok()

    reply = await apply(widgets, "one", ports=[{"port": 2}], tags=["a"])

    assert reply.ok()["spec"] == {
        "ports": [{"port": 2, "protocol": "TCP"}, {"port": 3, "protocol": "TCP"}],
        "tags": ["a", "b"],
    }


async def test_items_are_owned_by_their_keys_with_defaults_filled_in(crds: Definitions) -> None:
    widgets = await crds.serve(spec(ports=PORTS, tags=array(string()) | SET, list=array(string())))

    applied = (await apply(widgets, "one", ports=[{"port": 1}], tags=["a"], list=["x"])).ok()

    assert owned(applied, "one") == {
        "f:ports": {'k:{"port":1,"protocol":"TCP"}': {".": {}, "f:port": {}}},
        "f:tags": {'v:"a"': {}},
        "f:list": {},
    }


async def test_each_operator_keeps_its_own_conditions(api: Api, crds: Definitions) -> None:
    condition = obj(type=string(), status=string()) | needs("type")
    schema = obj(spec=obj(), status=obj(conditions=array(condition) | map_by("type")))
    widgets = await crds.serve(schema, subresources={"status": {}})
    (await widgets.create("a")).ok()

    async def report(manager: str, **conditions: str) -> Reply:
        listed = [{"type": kind, "status": status} for kind, status in conditions.items()]
        body = widgets.object("a", status={"conditions": listed})
        return await api.apply(widgets.at("a") + "/status", body, manager)

    (await report("one", Ready="False", Synced="True")).ok()
    (await report("two", Backup="True")).ok()
    last = (await report("one", Ready="True")).ok()

    assert last["status"]["conditions"] == [
        {"type": "Ready", "status": "True"},
        {"type": "Backup", "status": "True"},
    ]
    assert conflicts(await report("two", Ready="False")) == {
        '.status.conditions[type="Ready"].status: conflict with "one" with subresource "status"'
    }


async def test_a_default_belongs_to_nobody(crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer(default=1), b=integer()))
    applied = (await apply(widgets, "one", b=1)).ok()

    assert applied["spec"] == {"a": 1, "b": 1}
    assert owned(applied, "one") == {"f:b": {}}
    assert (await apply(widgets, "two", a=2)).ok()["spec"] == {"a": 2, "b": 1}


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        pytest.param({"x": 1}, ".spec.x: field not declared in schema", id="unknown-field"),
        pytest.param(
            {"ports": [{"port": 2}, {"port": 2}]},
            '.spec.ports: duplicate entries for key [port=2,protocol="TCP"]',
            id="keys-twice",
        ),
        pytest.param({"tags": ["a", "a"]}, '.spec.tags: duplicate entries for key [="a"]', id="item-twice"),
        pytest.param({"text": 1}, ".spec.text: expected string, got ", id="wrong-type"),
    ],
)
async def test_what_does_not_fit_the_schema_cannot_be_applied(
    crds: Definitions, fields: Object, fault: str
) -> None:
    widgets = await crds.serve(spec(ports=PORTS, tags=array(string()) | SET, text=string()))

    reply = await apply(widgets, "one", **fields)

    assert (reply.status, reply.body["code"], reply.body["status"]) == (500, 500, "Failure")
    assert reply.body["message"].startswith(
        f"failed to create typed patch object (/a; {crds.group}/v1, Kind=Widget): {fault}"
    )


async def test_what_fits_the_schema_is_still_validated(crds: Definitions) -> None:
    widgets = await crds.serve(spec(ports=PORTS, text=string(maxLength=2)))

    assert invalid(await apply(widgets, "one", ports=[{"name": "x"}], text="abc")) == {
        "spec.ports[0].port: Required value",
        "spec.text: Too long: may not be more than 2 bytes",
    }


async def test_an_applied_null_is_a_value_not_an_absence(crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer(), b=integer(nullable=True)))

    assert (await apply(widgets, "one", b=None)).ok()["spec"] == {"b": None}
    assert invalid(await apply(widgets, "one", a=None)) == {
        'spec.a: Invalid value: "null": spec.a in body must be of type integer: "null"'
    }


async def test_an_applied_null_in_the_place_of_nothing_is_a_change(crds: Definitions) -> None:
    widgets = await crds.serve(spec() | {"properties": {"more": string(nullable=True)}})
    (await widgets.create("a")).ok()

    applied = (await widgets.api.apply(widgets.at("a"), widgets.object("a", more=None))).ok()

    assert (applied["more"], applied["metadata"]["generation"]) == (None, 2)


async def test_what_is_applied_below_unknown_fields_is_pruned_where_fields_are_known(
    api: Api, crds: Definitions
) -> None:
    widgets = await crds.serve(obj(spec=obj(m=obj(a=integer())) | PRESERVE))

    applied = (await apply(widgets, "one", m={"a": 1, "unknown": 2, "nothing": None}, free=3)).ok()

    assert applied["spec"] == {"m": {"a": 1}, "free": 3}
    assert (await api.get(widgets.at("a"))).ok() == applied


async def test_an_update_of_an_applied_field_takes_it_over(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve(spec(a=integer()))
    (await apply(widgets, "one", a=1)).ok()

    (await api.patch(widgets.at("a"), {"spec": {"a": 2}}, fieldManager="editor")).ok()

    assert conflicts(await apply(widgets, "one", a=1)) == {
        f'.spec.a: conflict with "editor" using {crds.group}/v1'
    }


async def test_applying_the_same_again_changes_nothing(crds: Definitions) -> None:
    widgets = await crds.serve(spec(ports=PORTS))
    first = (await apply(widgets, "one", ports=[{"port": 1}])).ok()

    again = (await apply(widgets, "one", ports=[{"port": 1}])).ok()

    assert again["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]


async def test_the_object_that_is_applied_must_be_the_one_of_the_path(api: Api, crds: Definitions) -> None:
    widgets = await crds.serve()

    name = await api.apply(widgets.at("a"), widgets.object("b"))
    kind = await api.apply(widgets.at("a"), widgets.object("a") | {"kind": "Gadget"})
    managers = await api.apply(widgets.at("a"), widgets.object("a", {"managedFields": [{}]}))

    assert name.refused(400, "BadRequest")["message"] == (
        "the name of the object (b) does not match the name on the URL (a)"
    )
    assert kind.refused(400, "BadRequest")["message"] == (
        f"invalid object type: {crds.group}/v1, Kind=Gadget"
    )
    assert managers.refused(400, "BadRequest")["message"] == "metadata.managedFields must be nil"
