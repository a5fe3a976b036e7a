from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.warning.pod import pod_warnings

Object = dict[str, Any]
MAIN = {"name": "main", "image": "app:1"}
NO_POD = "a null labelSelector results in matching no pod"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
SECCOMP = "container.seccomp.security.alpha.kubernetes.io/main"
CASES: dict[str, tuple[Object, list[str]]] = {
    "nothing": ({}, []),
    "a label of old": (
        {"nodeSelector": {"beta.kubernetes.io/os": "linux"}},
        ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ),
    "a preference of a value that is none": (
        {
            "affinity": {
                "nodeAffinity": {
                    PREFERRED: [
                        {
                            "preference": {
                                "matchExpressions": [{"key": "a", "operator": "In", "values": ["-"]}]
                            }
                        }
                    ]
                }
            }
        },
        [
            (
                f"spec.affinity.nodeAffinity.{PREFERRED}[0].preference.matchExpressions[0].values[0]: - is invalid, "
                "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and "
                "must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
                "regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
            )
        ],
    ),
    "terms that match nothing": (
        {
            "affinity": {
                "podAffinity": {REQUIRED: [{"topologyKey": "x"}]},
                "podAntiAffinity": {PREFERRED: [{"podAffinityTerm": {"topologyKey": "x"}}]},
            },
            "topologySpreadConstraints": [{"topologyKey": "x"}],
        },
        [
            f"spec.topologySpreadConstraints[0].labelSelector: {NO_POD}",
            f"spec.affinity.podAffinity.{REQUIRED}[0].labelSelector: {NO_POD}",
            f"spec.affinity.podAntiAffinity.{PREFERRED}[0].podAffinityTerm.labelSelector: {NO_POD}",
        ],
    ),
    "the same twice": (
        {
            "hostAliases": [{"ip": "192.0.2.1"}, {"ip": "192.0.2.1"}],
            "imagePullSecrets": [{"name": "a"}, {"name": "a"}, {}],
        },
        [
            'spec.hostAliases[1].ip: duplicate ip "192.0.2.1"',
            'spec.imagePullSecrets[1].name: duplicate name "a"',
            'spec.imagePullSecrets[2].name: invalid empty name ""',
        ],
    ),
    "parts of bytes": (
        {"containers": [{**MAIN, "resources": {"limits": {"memory": "100m", "cpu": "100m"}}}]},
        [
            (
                'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, '
                "must be an integer"
            )
        ],
    ),
    "variables that hide others": (
        {
            "containers": [
                {
                    **MAIN,
                    "env": [
                        {"name": "A", "value": "1"},
                        {"name": "A", "value": "$(A) and more"},
                        {"name": "A", "value": "$(A)"},
                        {"name": "A", "valueFrom": {"fieldRef": {"fieldPath": "x"}}},
                    ],
                }
            ]
        },
        [
            'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply',
            'spec.containers[0].env[3]: hides previous definition of "A", which may be dropped when using apply',
        ],
    ),
    "an end before the beginning": (
        {"terminationGracePeriodSeconds": -1},
        [
            (
                "spec.terminationGracePeriodSeconds: must be >= 0; "
                "negative values are invalid and will be treated as 1"
            )
        ],
    ),
    "an oddly written name server": (
        {"dnsConfig": {"nameservers": ["FD00::1"]}},
        [
            (
                'spec.dnsConfig.nameservers[0]: IPv6 address "FD00::1" should be in RFC 5952 canonical format '
                '("fd00::1")'
            )
        ],
    ),
}


@pytest.mark.parametrize(("spec", "warnings"), CASES.values(), ids=CASES)
def test_a_pod_is_warned_of(spec: Object, warnings: list[str]) -> None:
    assert list(pod_warnings({"spec": {"containers": [MAIN], **spec}}, "")) == warnings


def test_annotations_in_the_place_of_fields_are_warned_of() -> None:
    template = {
        "metadata": {
            "annotations": {
                SECCOMP: "x",
                "security.alpha.kubernetes.io/sysctls": "x",
                "container.apparmor.security.beta.kubernetes.io/main": "unconfined",
            }
        },
        "spec": {"containers": [MAIN]},
    }

    assert list(pod_warnings(template, "spec.template")) == [
        (
            "spec.template.metadata.annotations[security.alpha.kubernetes.io/sysctls]: "
            'non-functional in v1.11+; use the "sysctls" field instead'
        ),
        (
            f"spec.template.metadata.annotations[{SECCOMP}]: "
            'non-functional in v1.27+; use the "seccompProfile" field instead'
        ),
        (
            "spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/main]: "
            'deprecated since v1.30; use the "appArmorProfile" field instead'
        ),
    ]
