from __future__ import annotations

from typing import Any

from windlass.apiserver.validation.node import validate, validate_status
from windlass.apiserver.validation.node_config import validate_config_source, validate_config_status
from windlass.schema import Path

PATH = Path("spec").child("configSource")
CONFIG = {"namespace": "a", "name": "b", "kubeletConfigKey": "c"}


def test_a_source_names_a_config_map() -> None:
    assert list(validate_config_source({"configMap": CONFIG}, PATH)) == []
    assert [str(fault) for fault in validate_config_source({}, PATH)] == [
        'spec.configSource: Invalid value: {"ConfigMap":null}: exactly one reference subfield must be non-nil'
    ]
    assert [fault.field for fault in validate_config_source({"configMap": {}}, PATH)] == [
        f"spec.configSource.configMap.{name}" for name in ("namespace", "name", "kubeletConfigKey")
    ]


def test_a_source_that_is_asked_for_has_no_identity_and_one_in_use_has() -> None:
    known = {**CONFIG, "uid": "u", "resourceVersion": "1"}
    path = Path("status").child("config")

    assert [str(fault) for fault in validate_config_source({"configMap": known}, PATH)] == [
        f"spec.configSource.configMap.{name}: Forbidden: {name} must not be set in spec"
        for name in ("uid", "resourceVersion")
    ]
    assert list(validate_config_status({"active": {"configMap": known}}, path)) == []
    assert [fault.field for fault in validate_config_status({"assigned": {"configMap": CONFIG}}, path)] == [
        f"status.config.assigned.configMap.{name}" for name in ("uid", "resourceVersion")
    ]


def test_an_update_of_a_node_looks_at_both() -> None:
    node = {"metadata": {"name": "a", "resourceVersion": "1"}}

    assert [fault.field for fault in validate({**node, "spec": {"configSource": {}}}, node)] == [
        "spec.configSource"
    ]
    status: dict[str, Any] = {"config": {"lastKnownGood": {}}}
    assert [fault.field for fault in validate_status({**node, "status": status}, node)] == [
        "status.config.lastKnownGood"
    ]
