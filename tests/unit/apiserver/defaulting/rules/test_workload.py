from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill

PACE: dict[str, dict[str, Any]] = {
    "Deployment": {"maxSurge": "25%", "maxUnavailable": "25%"},
    "DaemonSet": {"maxSurge": 0, "maxUnavailable": 1},
    "StatefulSet": {"partition": 0},
}
FIELD = {"Deployment": "strategy", "DaemonSet": "updateStrategy", "StatefulSet": "updateStrategy"}
TEMPLATE = {"metadata": {"labels": {"app": "a"}}}


def strategy(kind: str, given: dict[str, Any] | None) -> dict[str, Any]:
    workload: dict[str, Any] = {"spec": {} if given is None else {FIELD[kind]: given}}
    fill(f"apps/v1/{kind}", workload)
    found: dict[str, Any] = workload["spec"][FIELD[kind]]
    return found


@pytest.mark.parametrize("given", [None, {}], ids=["absent", "empty"])
@pytest.mark.parametrize("kind", FIELD)
def test_pods_are_replaced_gradually(kind: str, given: dict[str, Any] | None) -> None:
    assert strategy(kind, given) == {"type": "RollingUpdate", "rollingUpdate": PACE[kind]}


@pytest.mark.parametrize("kind", ["Deployment", "DaemonSet"])
def test_half_of_the_pace_may_be_given(kind: str) -> None:
    given = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 3}}

    assert strategy(kind, given)["rollingUpdate"] == PACE[kind] | {"maxSurge": 3}


@pytest.mark.parametrize(
    ("kind", "way"), [("Deployment", "Recreate"), ("DaemonSet", "OnDelete"), ("StatefulSet", "OnDelete")]
)
def test_another_way_has_no_pace(kind: str, way: str) -> None:
    assert strategy(kind, {"type": way}) == {"type": way}


def test_a_stateful_set_that_says_that_it_rolls_gets_no_pace() -> None:
    assert strategy("StatefulSet", {"type": "RollingUpdate"}) == {"type": "RollingUpdate"}


def test_templates_of_claims_say_what_they_are_and_wait() -> None:
    claims: list[dict[str, Any]] = [{"metadata": {"name": "data"}}, {"apiVersion": "x", "kind": "y"}]
    fill("apps/v1/StatefulSet", {"spec": {"volumeClaimTemplates": claims}})

    assert [(each["apiVersion"], each["kind"]) for each in claims] == [("v1", "PersistentVolumeClaim")] * 2
    assert claims[0]["status"] == {"phase": "Pending"}
    assert claims[0]["spec"]["volumeMode"] == "Filesystem"


@pytest.mark.parametrize(
    ("selector", "labels", "expected"),
    [
        ({}, {}, ({"app": "a"}, {"app": "a"})),
        ({"x": "y"}, {}, ({"x": "y"}, {"app": "a"})),
        ({}, {"x": "y"}, ({"app": "a"}, {"x": "y"})),
    ],
    ids=["neither", "selector", "labels"],
)
def test_a_replication_controller_is_labelled_as_its_pods_and_selects_them(
    selector: dict[str, str], labels: dict[str, str], expected: tuple[dict[str, str], ...]
) -> None:
    controller: dict[str, Any] = {
        "metadata": {"labels": labels},
        "spec": {"selector": selector, "template": TEMPLATE},
    }

    fill("v1/ReplicationController", controller)

    assert (controller["spec"]["selector"], controller["metadata"]["labels"]) == expected


def test_what_is_taken_from_a_template_is_a_copy() -> None:
    controller: dict[str, Any] = {"spec": {"template": {"metadata": {"labels": {"app": "a"}}}}}

    fill("v1/ReplicationController", controller)
    controller["metadata"]["labels"]["new"] = "b"

    assert (
        controller["spec"]["selector"] == controller["spec"]["template"]["metadata"]["labels"] == {"app": "a"}
    )
