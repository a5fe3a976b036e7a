from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.builtin import kinds
from windlass.apiserver.warning import warnings_for

Object = dict[str, Any]
META = {"name": "a", "namespace": "ns", "generation": 1}
TEMPLATE = {"spec": {"containers": [{"name": "main"}], "nodeSelector": {"beta.kubernetes.io/os": "x"}}}
OLD_LABEL = 'deprecated since v1.14; use "kubernetes.io/os" instead'
CASES: dict[str, tuple[str, Object, list[str]]] = {
    "a quota of more requests than limits": (
        "/ResourceQuota",
        {"spec": {"hard": {"cpu": "2", "limits.cpu": "1"}}},
        ["ResourceQuota cpu (2) should be less than limits.cpu (1)"],
    ),
    "a certificate that is none": (
        "/Secret",
        {"type": "kubernetes.io/tls", "data": {"tls.crt": "eA==", "tls.key": "eA=="}},
        ["tls: failed to find any PEM data in certificate input"],
    ),
    "an address that is ignored": (
        "/Service",
        {
            "spec": {
                "type": "ClusterIP",
                "clusterIP": "None",
                "clusterIPs": ["None"],
                "externalIPs": ["192.0.2.1"],
                "sessionAffinity": "ClientIP",
            }
        },
        [
            "spec.externalIPs is ignored for headless services",
            "spec.SessionAffinity is ignored for headless services",
        ],
    ),
    "an external name that is ignored": (
        "/Service",
        {"spec": {"type": "ClusterIP", "externalName": "a.b", "trafficDistribution": "PreferClose"}},
        [
            'spec.externalName is ignored when spec.type is not "ExternalName"',
            'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
        ],
    ),
    "names in the place of addresses": (
        "discovery.k8s.io/EndpointSlice",
        {"addressType": "FQDN", "endpoints": []},
        ["spec.addressType: FQDN endpoints are deprecated"],
    ),
    "a volume that is recycled": (
        "/PersistentVolume",
        {"spec": {"persistentVolumeReclaimPolicy": "Recycle", "cephfs": {}}},
        [
            (
                "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. "
                "Instead, the recommended approach is to use dynamic provisioning."
            ),
            "spec.cephfs: deprecated in v1.28, non-functional in v1.31+",
        ],
    ),
    "a policy that cannot be managed": (
        "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
        {"metadata": {"name": "a.static.k8s.io"}},
        [
            (
                'metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based '
                "configurations and cannot be managed via the API"
            )
        ],
    ),
    "a template of a deployment": (
        "apps/Deployment",
        {"spec": {"template": TEMPLATE}},
        [f"spec.template.spec.nodeSelector[beta.kubernetes.io/os]: {OLD_LABEL}"],
    ),
    "a template of a job of a cron job": (
        "batch/CronJob",
        {"spec": {"schedule": "TZ=UTC * * * * *", "jobTemplate": {"spec": {"template": TEMPLATE}}}},
        [f"spec.jobTemplate.spec.template.spec.nodeSelector[beta.kubernetes.io/os]: {OLD_LABEL}"],
    ),
    "an endless history": (
        "apps/StatefulSet",
        {"spec": {"revisionHistoryLimit": -1}},
        [
            (
                "spec.revisionHistoryLimit: a negative value retains all historical revisions; "
                "a value >= 0 is recommended"
            )
        ],
    ),
}


@pytest.mark.parametrize(("kind", "fields", "warnings"), CASES.values(), ids=CASES)
def test_a_new_object_is_warned_of(kind: str, fields: Object, warnings: list[str]) -> None:
    warn = warnings_for(kind)

    assert warn is not None
    assert list(warn({"metadata": META, **fields}, None)) == warnings


def test_a_workload_that_stays_the_same_is_not_warned_of_again() -> None:
    warn = warnings_for("apps/Deployment")
    old = {"metadata": META, "spec": {"template": TEMPLATE}}
    changed = {**old, "metadata": {**META, "generation": 2}}

    assert warn is not None
    assert list(warn(old, old)) == []
    assert len(list(warn(changed, old))) == 1


def test_every_kind_has_a_function_or_none() -> None:
    found = {
        name for name in (f"{each.kind.group}/{each.kind.name}" for each in kinds()) if warnings_for(name)
    }

    assert {"/Pod", "/Service", "apps/Deployment"} <= found
    assert "/ConfigMap" not in found
