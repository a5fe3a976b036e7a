"""What Helm owns of an object, and whether that is as it was rendered, is read from `managedFields`."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from windlass.helm.drift import is_untouched, repaired_fields

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Json

WANTED: Json = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web", "labels": {"app": "web"}, "creationTimestamp": None},
    "spec": {
        "hostNetwork": False,
        "affinity": {"nodeAffinity": None},
        "containers": [
            {
                "name": "web",
                "args": ["a", "b"],
                "resources": {"limits": {"cpu": "1000m"}},
                "ports": [{"containerPort": 80}],
            }
        ],
    },
}
CONTAINER: Json = {
    ".": {},
    "f:name": {},
    "f:args": {},
    "f:resources": {"f:limits": {"f:cpu": {}}},
    "f:ports": {'k:{"containerPort":80,"protocol":"TCP"}': {".": {}, "f:containerPort": {}}},
}
FIELDS: Json = {
    "f:metadata": {"f:labels": {"f:app": {}}},
    "f:spec": {
        "f:hostNetwork": {},
        "f:affinity": {"f:nodeAffinity": {}},
        "f:containers": {'k:{"name":"web"}': CONTAINER},
    },
}
LIVE: Json = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {
        "name": "web",
        "uid": "1",
        "labels": {"app": "web", "more": "yes"},
        "managedFields": [{"manager": "helm", "operation": "Apply", "fieldsV1": FIELDS}],
    },
    "spec": {
        "affinity": {},
        "restartPolicy": "Always",
        "containers": [
            {"name": "sidecar"},
            {
                "name": "web",
                "args": ["a", "b"],
                "resources": {"limits": {"cpu": "1"}},
                "ports": [{"containerPort": 80, "protocol": "TCP"}],
            },
        ],
    },
    "status": {"phase": "Running"},
}


def fields_of(live: Any) -> Any:
    return live["metadata"]["managedFields"][0]["fieldsV1"]


def changed(change: Callable[[Any], object]) -> Json:
    live = deepcopy(LIVE)
    change(live)
    return live


def test_defaults_normal_forms_and_additions_are_no_drift() -> None:
    assert is_untouched(WANTED, LIVE, "helm")


@pytest.mark.parametrize(
    "change",
    [
        lambda live: fields_of(live)["f:metadata"].update({"f:labels": {".": {}}}),
        lambda live: fields_of(live)["f:spec"]["f:containers"]['k:{"name":"web"}'].pop("f:args"),
        lambda live: fields_of(live)["f:spec"].update({"f:dropped": {}}),
        lambda live: live["spec"]["containers"][1].update(args=["a", "b", "c"]),
        lambda live: live["spec"]["containers"].pop(1),
        lambda live: live["spec"].update(affinity={"nodeAffinity": {"required": {}}}),
        lambda live: live["metadata"].update(managedFields=[]),
        lambda live: live["spec"]["containers"][1]["resources"]["limits"].update(cpu="2"),
    ],
)
def test_a_field_that_is_not_owned_or_has_another_value_is_drift(change: Callable[[Any], object]) -> None:
    assert not is_untouched(WANTED, changed(change), "helm")


def test_values_need_not_be_compared() -> None:
    other = changed(lambda live: live["metadata"]["labels"].update(app="digest"))
    assert not is_untouched(WANTED, other, "helm")
    assert is_untouched(WANTED, other, "helm", values=False)


def test_only_fields_of_the_manager_count_as_repaired() -> None:
    def change(live: Any) -> None:
        fields_of(live)["f:spec"]["f:containers"]['k:{"name":"web"}'].pop("f:args")
        live["spec"]["containers"][1].update(args=["c"])
        live["spec"]["containers"][0].update(image="other")
        live["spec"].update(nodeName="a", dropped=1)
        live["metadata"].update(resourceVersion="8", generation=2)
        live["status"].update(phase="Pending")

    assert repaired_fields(changed(change), LIVE, "helm") == [
        ".spec.containers[name=web].args[0]",
        ".spec.containers[name=web].args[1]",
    ]
    assert repaired_fields(LIVE, changed(lambda live: live["status"].clear()), "helm") == []
