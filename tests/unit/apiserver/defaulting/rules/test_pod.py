from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill, fill_definition

INIT = "pod.beta.kubernetes.io/init-containers"


def pod(**spec: Any) -> dict[str, Any]:
    made = {"spec": spec}
    fill("v1/Pod", made)
    return made


def template(**spec: Any) -> dict[str, Any]:
    made = {"template": {"spec": spec}}
    fill("v1/PodTemplate", made)
    return made["template"]


@pytest.mark.parametrize("field", ["containers", "initContainers"])
def test_requests_are_limits_in_a_pod(field: str) -> None:
    limits = {"cpu": "2", "memory": "1Gi"}
    spec = pod(**{field: [{"resources": {"limits": limits, "requests": {"cpu": "1"}}}]})["spec"]

    assert spec[field][0]["resources"] == {"limits": limits, "requests": {"cpu": "1", "memory": "1Gi"}}


def test_requests_stay_open_in_a_template() -> None:
    resources = {"limits": {"cpu": "2"}}

    assert template(containers=[{"resources": resources}])["spec"]["containers"][0]["resources"] == resources


@pytest.mark.parametrize("field", ["containers", "initContainers"])
def test_on_the_network_of_the_host_ports_are_ports_of_the_host(field: str) -> None:
    ports = [{"containerPort": 80}, {"containerPort": 81, "hostPort": 82}]
    spec = pod(hostNetwork=True, **{field: [{"ports": ports}]})["spec"]

    assert [port["hostPort"] for port in spec[field][0]["ports"]] == [80, 82]


def test_on_a_network_of_its_own_a_pod_takes_no_ports_of_the_host() -> None:
    spec = pod(containers=[{"ports": [{"containerPort": 80}]}])["spec"]

    assert "hostPort" not in spec["containers"][0]["ports"][0]


@pytest.mark.parametrize(("given", "expected"), [(-5, 1), (0, 0), (5, 5)])
def test_a_grace_period_below_zero_is_a_second(given: int, expected: int) -> None:
    assert pod(terminationGracePeriodSeconds=given)["spec"]["terminationGracePeriodSeconds"] == expected


def test_a_grace_period_below_zero_is_kept_in_a_template() -> None:
    assert template(terminationGracePeriodSeconds=-5)["spec"]["terminationGracePeriodSeconds"] == -5


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"serviceAccount": "old"}, "old"),
        ({"serviceAccountName": "new"}, "new"),
        ({"serviceAccount": "old", "serviceAccountName": "new"}, "new"),
    ],
    ids=["old", "new", "both"],
)
def test_a_service_account_has_two_names(given: dict[str, str], expected: str) -> None:
    spec = pod(**given)["spec"]

    assert (spec["serviceAccount"], spec["serviceAccountName"]) == (expected, expected)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({INIT: "x", "a": "b"}, {"labels": {}, "annotations": {"a": "b"}}),
        ({INIT: "x"}, {"labels": {}}),
        ({"a": "b"}, {"labels": {}, "annotations": {"a": "b"}}),
    ],
    ids=["beside others", "alone", "absent"],
)
@pytest.mark.parametrize("name", ["Pod", "PodTemplateSpec"])
def test_annotations_that_were_init_containers_are_dropped(
    name: str, given: dict[str, str], expected: dict[str, Any]
) -> None:
    obj = {"metadata": {"labels": {}, "annotations": dict(given)}}

    fill_definition(f"io.k8s.api.core.v1.{name}", obj)

    assert obj["metadata"] == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"podIP": "a"}, ["a"]),
        ({"podIPs": [{"ip": "a"}, {"ip": "b"}]}, ["a", "b"]),
        ({"podIP": "c", "podIPs": [{"ip": "a"}]}, ["c"]),
        ({"podIP": "a", "podIPs": [{"ip": "a"}, {"ip": "b"}]}, ["a", "b"]),
    ],
    ids=["old", "new", "different", "equal"],
)
def test_the_address_of_a_pod_is_the_first_of_its_addresses(
    given: dict[str, Any], expected: list[str]
) -> None:
    obj = {"status": given}

    fill("v1/Pod", obj)

    assert obj["status"]["podIP"] == expected[0]
    assert [each["ip"] for each in obj["status"]["podIPs"]] == expected
