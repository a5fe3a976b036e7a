"""Writes to an object, and who owns what afterwards."""

from __future__ import annotations

import copy
import json

import pytest

from ownership_samples import (
    EARLIER,
    LATER,
    NOW,
    SPEC,
    STATUS,
    TEXT,
    V1,
    V2,
    Object,
    Server,
    obj,
    rules,
    shape,
    stored,
    thing,
)
from windlass.schema.ownership import OwnershipConflict, Unfit, Writer, applied, keep_times, updated

STATUS_ONLY: Object = {"f:spec": {}, "f:metadata": {}}


@pytest.fixture
def server() -> Server:
    return Server(rules())


def variables(*names: str) -> list[Object]:
    return [{"name": name, "value": "1"} for name in names]


def container(name: str, **fields: object) -> Object:
    return {"name": name, **fields}


def test_a_creator_owns_everything_but_what_belongs_to_the_server(server: Server) -> None:
    metadata = {"resourceVersion": "1", "namespace": "n", "labels": {"a": "1"}, "finalizers": ["x"]}
    server.update("creator", thing({"replicas": 1, "containers": [container("c")]}, metadata=metadata))

    assert server.entries() == [
        {
            "manager": "creator",
            "operation": "Update",
            "apiVersion": V1,
            "time": NOW,
            "fieldsType": "FieldsV1",
            "fieldsV1": {
                "f:metadata": {
                    "f:finalizers": {".": {}, 'v:"x"': {}},
                    "f:labels": {".": {}, "f:a": {}},
                },
                "f:spec": {
                    ".": {},
                    "f:containers": {".": {}, 'k:{"name":"c"}': {".": {}, "f:name": {}}},
                    "f:replicas": {},
                },
            },
        }
    ]


def test_what_is_in_every_object_of_a_kind_is_owned_by_nobody() -> None:
    server = Server(rules(empty={V1: {"spec": {"containers": None}, "status": {}}}))

    server.update("creator", thing({"replicas": 1, "containers": [container("c")]}, status={}))

    assert server.owned("creator", "Update") == {
        "f:spec": {"f:containers": {'k:{"name":"c"}': {".": {}, "f:name": {}}}, "f:replicas": {}}
    }


def test_managed_fields_that_come_with_a_create_are_passed_over(server: Server) -> None:
    server.update("creator", thing({"replicas": 1}, metadata={"managedFields": [{"manager": "x"}]}))

    assert [entry["manager"] for entry in server.entries()] == ["creator"]


def test_an_update_takes_what_it_changes_and_leaves_the_rest(server: Server) -> None:
    server.update("creator", thing({"replicas": 1, "tags": ["a"]}))
    server.update("editor", thing({"replicas": 2, "tags": ["a", "b"]}), now=LATER)

    assert server.owned("creator", "Update") == {"f:spec": {".": {}, "f:tags": {".": {}, 'v:"a"': {}}}}
    assert server.owned("editor", "Update") == {"f:spec": {"f:replicas": {}, "f:tags": {'v:"b"': {}}}}


def test_what_an_update_removes_is_owned_by_nobody(server: Server) -> None:
    server.update("creator", thing({"replicas": 1, "tags": ["a"]}))
    server.update("editor", thing({"tags": []}), now=LATER)

    assert server.owned("creator", "Update") == {"f:spec": {".": {}, "f:tags": {}}}
    assert server.owned("editor", "Update") is None


def test_updates_of_one_manager_share_an_entry_whose_time_moves(server: Server) -> None:
    server.update("m", thing({"replicas": 1}))
    server.update("m", thing({"replicas": 2, "tags": ["a"]}), now=LATER)

    (entry,) = server.entries()
    assert entry["time"] == LATER
    assert entry["fieldsV1"] == {
        "f:spec": {".": {}, "f:replicas": {}, "f:tags": {".": {}, 'v:"a"': {}}},
    }


def test_an_update_that_changes_nothing_keeps_the_entries_as_they_are(server: Server) -> None:
    server.update("m", thing({"replicas": 1}))
    before = server.entries()
    server.update("idle", thing({"replicas": 1}, metadata={"resourceVersion": "2"}), now=LATER)

    assert server.entries()[0] is before[0]
    assert len(server.entries()) == 1


@pytest.mark.parametrize("empty", [[], [{}]], ids=str)
def test_managed_fields_can_be_given_up_and_stay_so_until_something_is_applied(
    server: Server, empty: list[Object]
) -> None:
    server.update("creator", thing({"replicas": 1}))
    server.update("editor", thing({"replicas": 2}, metadata={"managedFields": empty}))
    assert server.entries() == []
    server.update("editor", thing({"replicas": 3}))
    assert server.entries() == []

    server.apply("applier", thing({"tags": ["a"]}))

    assert server.owned("before-first-apply", "Update") == {"f:spec": {".": {}, "f:replicas": {}}}
    assert server.owned("applier") == {"f:spec": {"f:tags": {'v:"a"': {}}}}


def test_managed_fields_are_not_taken_from_writes_to_subresources(server: Server) -> None:
    server.update("creator", thing({"replicas": 1}))
    server.update("other", thing({"replicas": 1}, metadata={"managedFields": []}), subresource="status")

    assert [entry["manager"] for entry in server.entries()] == ["creator"]


def test_an_object_that_does_not_fit_loses_its_managed_fields(server: Server) -> None:
    server.update("creator", thing({"replicas": 1}))
    server.update("editor", thing({"containers": [{"image": "x"}]}))

    assert server.entries() == []


def test_who_applies_owns_what_it_gives(server: Server) -> None:
    config = thing({"containers": [container("c", args=["x"])], "selector": {"a": "1"}, "tags": ["b", "a"]})

    new = server.apply("a", config)

    assert new["spec"] == config["spec"]
    assert server.entries() == [
        {
            "manager": "a",
            "operation": "Apply",
            "apiVersion": V1,
            "time": NOW,
            "fieldsType": "FieldsV1",
            "fieldsV1": {
                "f:spec": {
                    "f:containers": {'k:{"name":"c"}': {".": {}, "f:args": {}, "f:name": {}}},
                    "f:selector": {},
                    "f:tags": {'v:"a"': {}, 'v:"b"': {}},
                }
            },
        }
    ]


def test_applying_the_same_again_changes_nothing_at_all(server: Server) -> None:
    config = thing({"containers": [container("c", env=variables("A"))]}, metadata={"labels": {"a": "1"}})
    first = server.apply("a", config)

    assert server.apply("a", config, now=LATER) == first


def test_what_is_given_up_goes_unless_somebody_else_has_it(server: Server) -> None:
    server.apply(
        "a",
        thing({"replicas": 1, "tags": ["a", "b"], "containers": [container("c", env=variables("A", "B"))]}),
    )
    server.apply("b", thing({"tags": ["b"], "containers": [container("c", env=variables("B"))]}))

    new = server.apply("a", thing({"tags": []}), now=LATER)

    assert new["spec"] == {"tags": ["b"], "containers": [container("c", env=variables("B"))]}
    assert server.owned("a") is None


def test_what_nobody_owns_stays_but_goes_with_its_item(server: Server) -> None:
    server.apply("a", thing({"containers": [container("c"), container("d")]}))
    assert server.live is not None
    for each in server.live["spec"]["containers"]:
        each["image"] = "default"
    server.live["spec"]["replicas"] = 1

    new = server.apply("a", thing({"containers": [container("d")]}))

    assert new["spec"] == {"containers": [container("d", image="default")], "replicas": 1}


def test_an_item_goes_by_parts_if_somebody_has_a_part(server: Server) -> None:
    server.apply("a", thing({"containers": [container("c", image="x", args=["1"])]}))
    server.apply("b", thing({"containers": [container("c", image="x")]}))

    new = server.apply("a", thing({}))

    assert new["spec"] == {"containers": [container("c", image="x")]}


def test_another_value_is_a_conflict_and_the_same_value_is_shared(server: Server) -> None:
    server.apply("first", thing({"replicas": 1, "containers": [container("c", image="x")]}))
    server.apply("second", thing({"replicas": 1}))
    before = copy.deepcopy(server.live)

    with pytest.raises(OwnershipConflict) as refused:
        server.apply("third", thing({"replicas": 2, "containers": [container("c", image="y")]}))

    assert str(refused.value) == (
        'Apply failed with 3 conflicts: conflicts with "first":\n- .spec.replicas\n'
        '- .spec.containers[name="c"].image\nconflicts with "second":\n- .spec.replicas'
    )
    assert refused.value.causes[1] == {
        "reason": "FieldManagerConflict",
        "message": 'conflict with "first"',
        "field": '.spec.containers[name="c"].image',
    }
    assert server.live == before


def test_one_conflict_is_told_in_one_line_with_what_the_owner_did(server: Server) -> None:
    server.update("creator", thing(status={"phase": "x"}), subresource="status")

    with pytest.raises(OwnershipConflict) as refused:
        server.apply("a", thing(status={"phase": "y"}))

    assert str(refused.value) == (
        'Apply failed with 1 conflict: conflict with "creator" with subresource "status" '
        "using example.com/v1: .status.phase"
    )


def test_force_takes_fields_from_all_their_owners(server: Server) -> None:
    server.apply("first", thing({"replicas": 1, "tags": ["a"]}))
    server.apply("second", thing({"replicas": 1}))

    new = server.apply("third", thing({"replicas": 2}), force=True)

    assert new["spec"]["replicas"] == 2
    assert server.owned("first") == {"f:spec": {"f:tags": {'v:"a"': {}}}}
    assert server.owned("second") is None


def test_an_owner_that_changed_nothing_has_no_time(server: Server) -> None:
    server.apply("first", thing({"replicas": 1}))
    server.apply("second", thing({"replicas": 1}), now=LATER)

    assert {entry["manager"]: entry.get("time") for entry in server.entries()} == {
        "first": NOW,
        "second": None,
    }


def test_the_fields_that_a_write_cannot_change_are_not_owned_by_it() -> None:
    main = Server(rules(reset={V1: {"f:status": {}}}))
    main.apply("a", thing({"replicas": 1}, status={"phase": "x"}))
    assert main.owned("a") == {"f:spec": {"f:replicas": {}}}

    status = Server(rules(reset={V1: STATUS_ONLY}))
    status.live = main.live
    status.apply("a", thing({"replicas": 9}, status={"phase": "y"}), subresource="status")

    assert status.owned("a") == {"f:spec": {"f:replicas": {}}}
    assert status.owned("a", "Apply", "status") == {"f:status": {"f:phase": {}}}


def test_only_the_fields_that_a_write_may_change_are_owned_by_it() -> None:
    server = Server(rules(only={V1: {"f:spec": {"f:containers": {"*": {"f:image": {}}}}}}))

    server.update("a", thing({"replicas": 1, "containers": [container("c", image="x", args=["y"])]}))

    assert server.owned("a", "Update") == {
        "f:spec": {".": {}, "f:containers": {".": {}, 'k:{"name":"c"}': {".": {}, "f:image": {}}}}
    }


def test_a_configuration_that_does_not_fit_is_refused_with_its_faults(server: Server) -> None:
    with pytest.raises(Unfit) as unfit:
        server.apply("a", thing({"replicas": "x"}, metadata={"namespace": "n"}))

    assert str(unfit.value) == (
        "failed to create typed patch object (n/a; example.com/v1, Kind=Thing): "
        ".spec.replicas: expected numeric (int or float), got string"
    )


def test_nothing_can_be_applied_to_a_custom_resource_that_its_new_schema_does_not_fit() -> None:
    server = Server(rules(custom=True))
    server.update("creator", thing({"replicas": 1}))
    server.rules = rules(obj(replicas=TEXT), custom=True)

    with pytest.raises(Unfit, match="failed to create typed live object"):
        server.apply("a", thing(metadata={"labels": {"a": "1"}}))


def test_a_custom_resource_that_its_new_schema_does_not_fit_loses_its_managed_fields() -> None:
    server = Server(rules(custom=True))
    server.update("creator", thing({"replicas": 1}))
    server.rules = rules(obj(replicas=TEXT), custom=True)

    assert "managedFields" not in server.update("editor", thing({"replicas": "1"}))["metadata"]


def test_nothing_can_be_applied_to_such_a_resource_that_nobody_owns_in_other_words() -> None:
    server = Server(rules(custom=True))
    server.live = thing({"replicas": "x"}, metadata={"uid": "1"})

    with pytest.raises(Unfit) as unfit:
        server.apply("a", thing({"replicas": 1}))

    assert str(unfit.value) == (
        "failed to create manager for existing fields: "
        "failed to convert new object (/a; example.com/v1, Kind=Thing) to smd typed: "
        ".spec.replicas: expected numeric (int or float), got string"
    )


def test_who_owned_parts_of_what_became_atomic_owns_it_as_a_whole(server: Server) -> None:
    server.apply("a", thing({"tags": ["a"], "replicas": 1}))
    tags = {"type": "array", "items": TEXT}
    server.rules = rules({**SPEC, "properties": {**SPEC["properties"], "tags": tags}})

    server.update("b", thing({"tags": ["a"], "replicas": 2}))

    assert server.owned("a") == {"f:spec": {"f:tags": {}}}


def test_the_live_object_stays_as_it_was(server: Server) -> None:
    server.apply(
        "a", thing({"replicas": 1, "containers": [container("c", env=variables("A"))], "extra": {"a": [1]}})
    )
    server.update("b", thing({"replicas": 2, "extra": {"a": [1]}}, metadata={"labels": {"a": "1"}}))
    live = server.live
    before = json.dumps(live)

    config = thing({"replicas": 2, "extra": {"a": [1], "b": {}}}, metadata={"labels": {"b": "1"}})
    for _ in range(2):  # once there is a change, once there is none
        new = server.apply("a", config)
        changed = copy.deepcopy(new)
        new["spec"]["extra"]["a"].append(2)
        new["spec"]["extra"]["b"]["x"] = 1
        new["metadata"]["labels"]["c"] = "1"
        server.live = changed

    assert json.dumps(live) == before
    assert config["spec"]["extra"] == {"a": [1], "b": {}}


RENAMED = {**SPEC, "properties": {**SPEC["properties"], "count": SPEC["properties"]["replicas"]}}
SHAPES = {V1: shape(obj(spec=SPEC, status=STATUS)), V2: shape(obj(spec=RENAMED, status=STATUS))}


def convert(value: Object, api_version: str) -> Object:
    """The second version calls `replicas` `count`."""
    names = {"replicas": "count"} if api_version == V2 else {"count": "replicas"}
    spec = {names.get(name, name): each for name, each in value.get("spec", {}).items()}
    return {**value, "apiVersion": api_version, "spec": spec}


@pytest.fixture
def versions() -> Server:
    return Server(rules(shapes=SHAPES, convert=convert))


def test_conflicts_are_found_in_terms_of_the_owners_version(versions: Server) -> None:
    versions.update("creator", thing({"replicas": 1}))
    assert versions.live is not None
    versions.live = convert(versions.live, V2)

    with pytest.raises(OwnershipConflict) as refused:
        versions.apply("a", thing({"count": 2}, V2), api_version=V2)

    assert str(refused.value) == (
        'Apply failed with 1 conflict: conflict with "creator" using example.com/v1: .spec.replicas'
    )


def test_what_was_applied_in_another_version_can_be_given_up(versions: Server) -> None:
    versions.apply("a", thing({"replicas": 1, "tags": ["a"]}))
    assert versions.live is not None
    versions.live = convert(versions.live, V2)

    new = versions.apply("a", thing({"tags": ["a"]}, V2), api_version=V2)

    assert new["spec"] == {"tags": ["a"]}
    assert [(entry["apiVersion"], entry["fieldsV1"]) for entry in versions.entries()] == [
        (V2, {"f:spec": {"f:tags": {'v:"a"': {}}}})
    ]


def test_an_owner_in_terms_of_a_version_that_is_gone_is_forgotten(versions: Server) -> None:
    versions.update("creator", thing({"replicas": 1}), api_version="example.com/v1")
    assert versions.live is not None
    (entry,) = versions.entries()
    versions.live["metadata"]["managedFields"] = [
        entry,
        {**entry, "manager": "old", "apiVersion": "example.com/v0"},
    ]

    versions.update("editor", thing({"replicas": 2}))

    assert {entry["manager"] for entry in versions.entries()} == {"creator", "editor"}


def test_an_owner_in_terms_of_a_version_that_is_gone_spoils_all_of_a_custom_resource() -> None:
    server = Server(rules(custom=True))
    server.update("creator", thing({"replicas": 1}))
    assert server.live is not None
    server.entries()[0]["apiVersion"] = "example.com/v0"

    with pytest.raises(Unfit) as unfit:
        server.apply("a", thing({"tags": ["a"]}))
    server.update("editor", thing({"replicas": 2}))

    assert str(unfit.value) == "request to convert CR to an invalid group/version: example.com/v0"
    assert server.entries() == []


LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def annotated(spec: Object, last: Object) -> Object:
    return thing(spec, metadata={"annotations": {LAST_APPLIED: json.dumps(last)}})


def test_kubectl_may_take_what_its_client_side_applies_left(server: Server) -> None:
    server.update("kubectl-client-side-apply", annotated({"replicas": 1}, thing({"replicas": 1})))

    with pytest.raises(OwnershipConflict):
        server.apply("another", thing({"replicas": 2}))
    new = server.apply("kubectl", thing({"replicas": 2}))

    assert new["spec"] == {"replicas": 2}
    assert server.owned("kubectl") == {"f:spec": {"f:replicas": {}}}


@pytest.mark.parametrize(
    "last",
    [
        thing({"replicas": 5}),
        thing({"replicas": 1}, V2),
        {**thing({"replicas": 1}), "kind": "Other"},
        thing({"replicas": 1, "unknown": 1}),
        ["no object"],
    ],
    ids=["changed since", "another version", "another kind", "does not fit", "no object"],
)
def test_kubectl_may_not_take_what_it_did_not_leave(server: Server, last: Object) -> None:
    server.update("kubectl-client-side-apply", annotated({"replicas": 1}, last))

    with pytest.raises(OwnershipConflict):
        server.apply("kubectl", thing({"replicas": 2}))


def test_kubectl_is_told_of_the_conflicts_that_are_left(server: Server) -> None:
    server.update("editor", annotated({"replicas": 1, "tags": ["a"]}, thing({"replicas": 1})))
    server.update("editor", annotated({"replicas": 1, "extra": 1}, thing({"replicas": 1})))

    with pytest.raises(OwnershipConflict) as refused:
        server.apply("kubectl", thing({"replicas": 2, "extra": 2}))

    assert [conflict.field for conflict in refused.value.conflicts] == [".spec.extra"]


def test_kubectls_annotation_is_kept_in_step_with_what_it_applies(server: Server) -> None:
    config = annotated({"replicas": 1}, {})
    config["metadata"]["labels"] = {"a": "<b>"}

    new = server.apply("kubectl", config)

    assert new["metadata"]["annotations"][LAST_APPLIED] == (
        '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"annotations":{},'
        '"labels":{"a":"\\u003cb\\u003e"},"name":"a"},"spec":{"replicas":1}}\n'
    )
    assert config["metadata"]["annotations"][LAST_APPLIED] == "{}"


def test_an_annotation_that_would_be_too_large_goes(server: Server) -> None:
    server.update("creator", annotated({"extra": "x"}, {}))

    new = server.apply("kubectl", thing({"extra": "x" * 2**18}), force=True)

    assert LAST_APPLIED not in new["metadata"]["annotations"]


def test_others_than_kubectl_leave_the_annotation_alone(server: Server) -> None:
    server.update("creator", annotated({"extra": "x"}, {}))

    new = server.apply("other", thing({"replicas": 1}))

    assert new["metadata"]["annotations"][LAST_APPLIED] == "{}"


def test_times_alone_are_no_change(server: Server) -> None:
    live = server.update("m", thing({"replicas": 1}))
    new = copy.deepcopy(live)
    new["metadata"]["managedFields"][0]["time"] = EARLIER

    keep_times(live, new)

    assert new == live


@pytest.mark.parametrize("changed", ["spec", "owner", "entry"])
def test_times_move_with_anything_else_that_changes(server: Server, changed: str) -> None:
    live = server.update("m", thing({"replicas": 1}))
    new = copy.deepcopy(live)
    (entry,) = new["metadata"]["managedFields"]
    entry["time"] = EARLIER
    if changed == "spec":
        new["spec"]["replicas"] = True
    elif changed == "owner":
        entry["manager"] = "other"
    else:
        new["metadata"]["managedFields"].append({**entry, "manager": "other"})
    before = copy.deepcopy(new)

    keep_times(live, new)

    assert new == before


def test_an_object_that_is_created_by_applying_is_the_configuration() -> None:
    config = thing({"replicas": 1, "extra": {"a": None}})

    new = applied(None, config, Writer("a", NOW, V1), rules())
    del new["metadata"]["managedFields"]

    assert new == config
    assert new["spec"] is not config["spec"]


def test_an_update_sets_managed_fields_in_place() -> None:
    live = stored(thing({"replicas": 1}))
    new = stored(thing({"replicas": 1}))

    updated(live, new, Writer("a", NOW, V1), rules())
    assert "managedFields" not in new["metadata"]

    updated(None, new, Writer("a", NOW, V1), rules())
    assert new["metadata"]["managedFields"][0]["fieldsV1"] == {"f:spec": {".": {}, "f:replicas": {}}}


def test_an_annotation_may_be_null_beside_kubectls(server: Server) -> None:
    config = annotated({"replicas": 1}, {})
    config["metadata"]["annotations"]["other"] = None

    assert server.apply("kubectl", config)["metadata"]["annotations"]["other"] is None
