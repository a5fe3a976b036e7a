"""What is not kept is dropped, wherever it stands, but not before it is known who owns it."""

from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill, rewrite

_LEASE = "coordination.k8s.io/v1/Lease"
_PROJECTION = "spec.volumes.0.projected.sources.0"


def _nested(path: str, value: Any) -> Any:
    """A value at the end of a path, whose numbers are the only items of lists."""
    for step in reversed(path.split(".")):
        value = [value] if step.isdigit() else {step: value}
    return value


def _at(value: Any, path: str) -> Any:
    for step in path.split("."):
        value = value[int(step) if step.isdigit() else step]
    return value


@pytest.mark.parametrize(
    ("kind", "path", "field"),
    [
        ("apps/v1/StatefulSet", "spec.updateStrategy.rollingUpdate", "maxUnavailable"),
        (_LEASE, "spec", "strategy"),
        (_LEASE, "spec", "preferredHolder"),
        ("v1/Node", "spec", "configSource"),
        ("v1/Pod", "spec", "schedulingGroup"),
        ("apps/v1/Deployment", "spec.template.spec", "schedulingGroup"),
        ("v1/Pod", _PROJECTION, "clusterTrustBundle"),
        ("v1/Pod", _PROJECTION, "podCertificate"),
        ("storage.k8s.io/v1/CSIDriver", "spec", "preventPodSchedulingIfMissing"),
    ],
)
def test_what_belongs_to_a_disabled_feature_is_dropped_after_defaulting(
    kind: str, path: str, field: str
) -> None:
    obj = _nested(path, {field: {"a": "b"}})

    fill(kind, obj)
    assert field in _at(obj, path)
    rewrite(kind, obj)

    assert field not in _at(obj, path)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"stopSignal": "SIGTERM"}, None),
        ({"stopSignal": ""}, None),
        ({"stopSignal": "SIGTERM", "preStop": {}}, {"preStop": {}}),
        ({}, {}),
    ],
    ids=["alone", "empty", "beside others", "none"],
)
@pytest.mark.parametrize("containers", ["containers", "initContainers", "ephemeralContainers"])
def test_a_lifecycle_goes_with_the_stop_signal(
    containers: str, given: dict[str, Any], expected: dict[str, Any] | None
) -> None:
    pod: dict[str, Any] = {"spec": {containers: [{"lifecycle": dict(given)}]}}

    rewrite("v1/Pod", pod)

    assert pod["spec"][containers][0].get("lifecycle") == expected


def test_what_has_nothing_to_drop_stays_as_it_is() -> None:
    config_map: dict[str, Any] = {"data": {"a": "b"}}

    rewrite("v1/ConfigMap", config_map)

    assert config_map == {"data": {"a": "b"}}


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("discovery.k8s.io/v1/EndpointSlice", "endpoints"),
        ("discovery.k8s.io/v1/EndpointSlice", "ports"),
        ("rbac.authorization.k8s.io/v1/ClusterRole", "rules"),
        ("rbac.authorization.k8s.io/v1/Role", "rules"),
        ("v1/LimitRange", "spec.limits"),
    ],
)
def test_a_list_that_is_empty_is_kept_as_none(kind: str, path: str) -> None:
    empty, full = _nested(path, []), _nested(path, [{"a": "b"}])

    rewrite(kind, empty)
    rewrite(kind, full)

    assert _at(empty, path) is None
    assert _at(full, path) == [{"a": "b"}]
