"""Owners of replicas, between an object and its Scale."""

from __future__ import annotations

from typing import Any

from ownership_samples import NOW, V1, V2, Object, thing
from windlass.schema.ownership import ScaleOwnership

SCALING = ScaleOwnership(V1, {V1: ("spec", "replicas"), V2: None})
REPLICAS: Object = {"f:spec": {"f:replicas": {}}}
OTHER: Object = {"f:spec": {"f:other": {}}}
BOTH: Object = {"f:spec": {"f:replicas": {}, "f:other": {}}}
SCALE = "autoscaling/v1"


def entry(manager: str, operation: str, fields: Object, **others: Any) -> Object:
    known = {
        "manager": manager,
        "operation": operation,
        "apiVersion": V1,
        "time": NOW,
        "fieldsType": "FieldsV1",
    }
    return {**known, "fieldsV1": fields, **others}


def owned(*entries: Object) -> Object:
    return thing({"replicas": 1}, metadata={"managedFields": list(entries)})


def test_who_owns_the_replicas_owns_those_of_the_scale() -> None:
    live = owned(
        entry("applier", "Apply", BOTH),
        entry("other", "Apply", OTHER),
        entry("updater", "Update", BOTH),
        entry("unscaled", "Update", BOTH, apiVersion=V2),
        entry("gone", "Update", BOTH, apiVersion="example.com/v0"),
    )

    assert SCALING.to_scale(live) == [
        entry("applier", "Apply", REPLICAS, apiVersion=SCALE),
        entry("updater", "Update", REPLICAS, apiVersion=SCALE),
    ]


def test_a_scaler_takes_the_replicas_and_has_no_time() -> None:
    live = owned(entry("applier", "Apply", BOTH), entry("updater", "Update", REPLICAS))
    scale = [entry("scaler", "Update", REPLICAS, apiVersion=SCALE, subresource="scale")]
    taken = entry("scaler", "Update", REPLICAS, subresource="scale")
    del taken["time"]

    assert SCALING.to_parent(live, scale) == [entry("applier", "Apply", OTHER), taken]


def test_an_applier_that_kept_its_replicas_keeps_its_entry_as_it_was() -> None:
    live = owned(entry("applier", "Apply", BOTH))

    found = SCALING.to_parent(live, SCALING.to_scale(live))

    assert found == live["metadata"]["managedFields"]
    assert found[0] is live["metadata"]["managedFields"][0]


def test_entries_of_unknown_versions_are_dropped_and_those_without_replicas_kept() -> None:
    kept = [entry("a", "Update", OTHER), entry("b", "Update", BOTH, apiVersion=V2)]
    gone = entry("c", "Update", OTHER, apiVersion="example.com/v0")

    assert SCALING.to_parent(owned(*kept, gone), []) == kept


def test_who_owns_something_else_of_the_scale_gets_no_entry() -> None:
    live = owned(entry("a", "Update", OTHER))
    scale = [
        entry("labeller", "Update", {"f:metadata": {"f:labels": {}}}, apiVersion=SCALE, subresource="scale")
    ]

    assert SCALING.to_parent(live, scale) == [entry("a", "Update", OTHER)]
