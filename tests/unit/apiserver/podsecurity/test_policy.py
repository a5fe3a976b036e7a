from __future__ import annotations

import pytest

from windlass.apiserver.podsecurity.policy import Policy, Standard, policy_of

PREFIX = "pod-security.kubernetes.io/"
BASELINE, RESTRICTED = Standard("baseline"), Standard("restricted")


@pytest.mark.parametrize(
    ("labels", "policy"),
    [
        ({}, Policy()),
        ({"audit": "restricted"}, Policy(audit=RESTRICTED)),
        ({"enforce": "baseline"}, Policy(BASELINE, BASELINE)),
        (
            {"enforce": "baseline", "enforce-version": "v1.20"},
            Policy(Standard("baseline", 20), Standard("baseline", 20)),
        ),
        (
            {"enforce": "baseline", "enforce-version": "v1.20", "warn-version": "v1.30"},
            Policy(Standard("baseline", 20), Standard("baseline", 30)),
        ),
        ({"enforce": "restricted", "warn": "baseline"}, Policy(RESTRICTED, BASELINE)),
        ({"enforce": "restricted", "warn": "privileged"}, Policy(RESTRICTED, Standard())),
        ({"warn": "restricted"}, Policy(Standard(), RESTRICTED)),
        ({"warn-version": "v1.3"}, Policy(Standard(), Standard("privileged", 3))),
    ],
)
def test_labels_say_what_is_enforced_and_warned_of(labels: dict[str, str], policy: Policy) -> None:
    assert policy_of({PREFIX + name: value for name, value in labels.items()}) == (policy, [])


def test_what_cannot_be_read_is_refused_strictly_and_neither_warned_of_nor_noted() -> None:
    names = ("enforce", "audit", "warn", "warn-version")

    policy, faults = policy_of({PREFIX + name: "x" for name in names})

    assert policy == Policy(RESTRICTED)
    assert [fault.field for fault in faults] == [f"metadata.labels[{PREFIX}{name}]" for name in names]


def test_a_standard_is_told_with_its_version() -> None:
    assert [str(Standard("baseline", 9)), str(RESTRICTED)] == ["baseline:v1.9", "restricted:latest"]
