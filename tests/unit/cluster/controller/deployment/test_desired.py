"""The set that a Deployment makes, and what is written on the one that it has."""

from __future__ import annotations

import pytest

from rollouts import rollout
from windlass.cluster.controller.deployment.desired import annotations_of_new, new_replica_set
from windlass.cluster.controller.deployment.rollout import REVISION, REVISION_HISTORY


def test_a_new_set_has_the_template_and_the_hash_and_its_place_in_the_whole() -> None:
    given = {
        "annotations": {"why": "first", REVISION: "1", "kubectl.kubernetes.io/last-applied-configuration": ""}
    }
    made = new_replica_set(
        rollout(
            sets=[(4, 4)], replicas=4, new=False, limits=("25%", 0), metadata={"name": "w" * 253, **given}
        )
    )
    digest = made.metadata.labels["pod-template-hash"]

    assert made.spec.replicas == 1
    assert made.metadata.name == "w" * (252 - len(digest)) + "-" + digest
    assert made.spec.selector.match_labels == {"app": "web", "pod-template-hash": digest}
    assert made.metadata.annotations == {
        "why": "first",
        REVISION: "2",
        "deployment.kubernetes.io/desired-replicas": "4",
        "deployment.kubernetes.io/max-replicas": "5",
    }


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        ({}, {REVISION: "3"}),
        ({REVISION: "1"}, {REVISION: "3", REVISION_HISTORY: "1"}),
        ({REVISION: "2", REVISION_HISTORY: "1"}, {REVISION: "3", REVISION_HISTORY: "1,2"}),
        ({REVISION: "3"}, {REVISION: "3"}),
        ({REVISION: "9"}, {REVISION: "9"}),
        ({"kept": "yes", REVISION: "3"}, {"kept": "yes", REVISION: "3"}),
    ],
)
def test_the_revision_of_the_new_set_is_above_all_others(
    present: dict[str, str], expected: dict[str, str]
) -> None:
    assert annotations_of_new(rollout(sets=[(0, 0), (1, 1), (0, 0)], replicas=1), present) == expected


def test_a_long_history_loses_its_beginning() -> None:
    past = ",".join(str(number) for number in range(1000, 1400))
    wanted = annotations_of_new(
        rollout(sets=[(0, 0), (0, 0)], replicas=1), {REVISION: "1", REVISION_HISTORY: past}
    )

    assert len(wanted[REVISION_HISTORY]) <= 2000
    assert wanted[REVISION_HISTORY].endswith(",1399,1")
