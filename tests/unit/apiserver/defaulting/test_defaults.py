from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from windlass.apiserver.builtin import kinds
from windlass.apiserver.defaulting import fill, fill_definition

CORE = "io.k8s.api.core.v1"
MODE = {"defaultMode": 0o644}
POD_SPEC = {
    "dnsPolicy": "ClusterFirst",
    "restartPolicy": "Always",
    "schedulerName": "default-scheduler",
    "securityContext": {},
    "terminationGracePeriodSeconds": 30,
}
CONTAINER = {
    "imagePullPolicy": "IfNotPresent",
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}


def filled(kind: str, obj: dict[str, Any]) -> dict[str, Any]:
    fill(kind, obj)
    return obj


def structure(name: str, obj: dict[str, Any]) -> dict[str, Any]:
    fill_definition(f"{CORE}.{name}", obj)
    return obj


@pytest.mark.parametrize("kind", sorted(f"{each.kind.api_version}/{each.kind.name}" for each in kinds()))
def test_filling_nothing_of_any_kind_is_done_once_and_for_all(kind: str) -> None:
    once = filled(kind, {"metadata": {}})

    assert filled(kind, deepcopy(once)) == once


def test_a_kind_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError):
        fill("v1/Deployment", {})


def test_the_defaults_of_a_deployment() -> None:
    given = {"spec": {"template": {"spec": {"containers": [{"name": "a", "image": "app:1"}]}}}}

    assert filled("apps/v1/Deployment", given)["spec"] == {
        "progressDeadlineSeconds": 600,
        "replicas": 1,
        "revisionHistoryLimit": 10,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}},
        "template": {"spec": {"containers": [{"name": "a", "image": "app:1", **CONTAINER}], **POD_SPEC}},
    }


def test_a_deployment_without_a_spec_is_filled_so_that_it_is_refused_for_what_is_missing() -> None:
    spec = filled("apps/v1/Deployment", {})["spec"]

    assert spec["template"]["spec"] == POD_SPEC


def test_what_is_given_is_kept() -> None:
    given = {"spec": {"replicas": 0, "revisionHistoryLimit": 0}}

    spec = filled("apps/v1/Deployment", given)["spec"]

    assert (spec["replicas"], spec["revisionHistoryLimit"]) == (0, 0)


def test_a_pod_has_service_links_and_a_template_has_not() -> None:
    assert filled("v1/Pod", {})["spec"]["enableServiceLinks"] is True
    assert "enableServiceLinks" not in filled("v1/PodTemplate", {})["template"]["spec"]


def test_a_job_has_defaults_and_the_template_of_a_job_has_not() -> None:
    job = filled("batch/v1/Job", {})["spec"]
    template = filled("batch/v1/CronJob", {})["spec"]["jobTemplate"]["spec"]

    assert (job["suspend"], job["completionMode"], job["manualSelector"]) == (False, "NonIndexed", False)
    assert template == {"template": {"spec": POD_SPEC}}


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("Probe", {"httpGet": {}}, {"httpGet": {"path": "/", "scheme": "HTTP"}, "failureThreshold": 3, "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 1}),
        ("Probe", {"grpc": {}, "periodSeconds": 1}, {"grpc": {"service": ""}, "failureThreshold": 3, "periodSeconds": 1, "successThreshold": 1, "timeoutSeconds": 1}),
        ("Volume", {"secret": {}}, {"secret": MODE}),
        ("Volume", {"configMap": {"defaultMode": 0}}, {"configMap": {"defaultMode": 0}}),
        ("Volume", {"hostPath": {"path": "/x"}}, {"hostPath": {"path": "/x", "type": ""}}),
        ("Volume", {"projected": {"sources": [{"serviceAccountToken": {}}]}}, {"projected": {"sources": [{"serviceAccountToken": {"expirationSeconds": 3600}}], **MODE}}),
        ("Volume", {"downwardAPI": {"items": [{"fieldRef": {}}]}}, {"downwardAPI": {"items": [{"fieldRef": {"apiVersion": "v1"}}], **MODE}}),
        ("EphemeralContainer", {"image": "app:1"}, {"image": "app:1", **CONTAINER}),
        ("ServicePort", {}, {"protocol": "TCP"}),
        ("PersistentVolumeClaim", {}, {"spec": {"volumeMode": "Filesystem", "resources": {}}, "status": {"phase": "Pending"}}),
    ],
)  # fmt: skip
def test_the_defaults_of_a_structure(name: str, given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert structure(name, given) == expected


def test_a_volume_of_its_own_has_a_mode_and_an_inline_one_has_not() -> None:
    inline = filled("storage.k8s.io/v1/VolumeAttachment", {"spec": {"source": {"inlineVolumeSpec": {}}}})

    assert filled("v1/PersistentVolume", {})["spec"]["volumeMode"] == "Filesystem"
    assert inline["spec"]["source"]["inlineVolumeSpec"] == {}


def test_scaling_up_and_scaling_down_differ() -> None:
    given = {"spec": {"behavior": {"scaleUp": {"stabilizationWindowSeconds": 5}}}}

    percent = {"type": "Percent", "value": 100, "periodSeconds": 15}
    pods = {"type": "Pods", "value": 4, "periodSeconds": 15}
    assert filled("autoscaling/v2/HorizontalPodAutoscaler", given)["spec"]["behavior"] == {
        "scaleUp": {"policies": [pods, percent], "selectPolicy": "Max", "stabilizationWindowSeconds": 5},
        "scaleDown": {"policies": [percent], "selectPolicy": "Max"},
    }


@pytest.mark.parametrize("kind", ["v1/ConfigMap", "rbac.authorization.k8s.io/v1/Role", "v1/Event"])
def test_a_kind_without_defaults_stays_as_it_is(kind: str) -> None:
    assert filled(kind, {"metadata": {"name": "a"}}) == {"metadata": {"name": "a"}}
