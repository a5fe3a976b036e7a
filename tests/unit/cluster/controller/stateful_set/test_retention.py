from __future__ import annotations

from typing import Any

import pytest

from set_pods import pod, stateful
from windlass.cluster.controller.stateful_set.retention import is_stale, owners_of_claim
from windlass.kinds.core.v1 import PersistentVolumeClaim

_POD = pod("web-0")
_RETAIN, _DELETE = "Retain", "Delete"
_OTHER = {"apiVersion": "v1", "kind": "Robot", "name": "r", "uid": "uid of r", "controller": True}


def _policy(deleted: str, scaled: str) -> dict[str, Any]:
    policy = {"whenDeleted": deleted, "whenScaled": scaled}
    return {"persistentVolumeClaimRetentionPolicy": policy}


def _claim(*owners: dict[str, Any]) -> PersistentVolumeClaim:
    metadata = {"name": "data-web-0", "ownerReferences": list(owners)}
    return PersistentVolumeClaim.from_wire({"metadata": metadata})


def _reference(kind: str, name: str, uid: str) -> dict[str, Any]:
    versions = {"StatefulSet": "apps/v1", "Pod": "v1"}
    return {"apiVersion": versions[kind], "kind": kind, "name": name, "uid": uid, "controller": True}


_OF_SET = _reference("StatefulSet", "web", "uid of the set")
_OF_POD = _reference("Pod", "web-0", "uid of web-0")


@pytest.mark.parametrize(
    ("deleted", "scaled", "condemned", "expected"),
    [
        (_RETAIN, _RETAIN, False, []),
        (_RETAIN, _RETAIN, True, []),
        (_DELETE, _RETAIN, False, ["StatefulSet"]),
        (_DELETE, _RETAIN, True, ["StatefulSet"]),
        (_RETAIN, _DELETE, False, []),
        (_RETAIN, _DELETE, True, ["Pod"]),
        (_DELETE, _DELETE, False, ["StatefulSet"]),
        (_DELETE, _DELETE, True, ["Pod"]),
    ],
)
@pytest.mark.parametrize("before", [[], [_OF_SET], [_OF_POD]])
def test_a_claim_belongs_to_what_it_is_to_go_with(
    deleted: str, scaled: str, *, condemned: bool, expected: list[str], before: list[dict[str, Any]]
) -> None:
    owner = stateful(1, **_policy(deleted, scaled))
    found = owners_of_claim(owner, _claim(*before), _POD, condemned=condemned)
    if [each["kind"] for each in before] == expected:
        assert found is None
    else:
        assert found is not None
        assert [each.kind for each in found] == expected


def test_a_claim_of_another_controller_is_left_to_it() -> None:
    owner = stateful(1, **_policy(_DELETE, _DELETE))
    assert owners_of_claim(owner, _claim(_OTHER), _POD, condemned=False) is None
    scrubbed = owners_of_claim(owner, _claim(_OTHER, _OF_SET), _POD, condemned=False)
    assert scrubbed is not None
    assert [each.kind for each in scrubbed] == ["Robot"]


def test_a_claim_of_an_earlier_pod_is_about_to_go() -> None:
    left = _claim(_reference("Pod", "web-0", "uid of an earlier web-0"))
    owner = stateful(1, **_policy(_RETAIN, _DELETE))
    assert owners_of_claim(owner, left, _POD, condemned=False) is None
    assert is_stale(owner, left, "web-0")
    assert not is_stale(stateful(1), left, "web-0")
    assert not is_stale(owner, _claim(_OF_SET), "web-0")
