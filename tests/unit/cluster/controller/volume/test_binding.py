from __future__ import annotations

from typing import Any

import pytest

from windlass.cluster.controller.volume.binding import (
    best,
    claims_of_pod,
    default_class,
    is_kept_for,
    mismatch,
    status_of,
)
from windlass.cluster.controller.volume.provisioner import standard_class, volume_for
from windlass.kinds.core.v1 import PersistentVolume, PersistentVolumeClaim, Pod
from windlass.kinds.storage.v1 import StorageClass


def _volume(
    name: str = "v", size: str = "1Gi", *, labels: dict[str, str] | None = None, **spec: Any
) -> PersistentVolume:
    whole = {"capacity": {"storage": size}, "accessModes": ["ReadWriteOnce"], **spec}
    metadata = {"name": name, "labels": labels or {}}
    return PersistentVolume.from_wire({"metadata": metadata, "spec": whole, "status": {"phase": "Available"}})


def _claim(size: str = "1Gi", **spec: Any) -> PersistentVolumeClaim:
    whole = {"resources": {"requests": {"storage": size}}, "accessModes": ["ReadWriteOnce"], **spec}
    metadata = {"name": "data", "namespace": "shop", "uid": "u"}
    return PersistentVolumeClaim.from_wire({"metadata": metadata, "spec": whole})


@pytest.mark.parametrize(
    ("volume", "claim", "expected"),
    [
        (_volume(), _claim(), ""),
        (_volume(size="1Gi"), _claim("1024Mi"), ""),
        (_volume(size="1Gi"), _claim("1025Mi"), "requested PV is too small"),
        (_volume(storageClassName="a"), _claim(storageClassName="b"), "storageClassName does not match"),
        (_volume(storageClassName=""), _claim(), ""),
        (_volume(volumeMode="Block"), _claim(), "incompatible volumeMode"),
        (_volume(), _claim(accessModes=["ReadWriteMany"]), "incompatible accessMode"),
        (_volume(accessModes=["ReadWriteMany", "ReadWriteOnce"]), _claim(), ""),
    ],
)
def test_a_volume_fits_by_size_class_and_modes(
    volume: PersistentVolume, claim: PersistentVolumeClaim, expected: str
) -> None:
    assert mismatch(volume, claim) == expected


def test_the_best_volume_is_the_smallest_that_is_free() -> None:
    kept = _volume("kept", "1Gi", claimRef={"namespace": "shop", "name": "other"})
    lost = _volume("lost", "1Gi")
    lost.status.phase = "Released"
    shared = _volume("shared", "1Gi", accessModes=["ReadWriteOnce", "ReadOnlyMany"])
    volumes = [_volume("large", "9Gi"), kept, lost, shared, _volume("small", "2Gi", labels={"disk": "ssd"})]
    found = best(volumes, _claim())
    assert found
    assert found.metadata.name == "small"
    picky = _claim(selector={"matchExpressions": [{"key": "disk", "operator": "DoesNotExist"}]})
    other = best(volumes, picky)
    assert other
    assert other.metadata.name == "large"
    assert best(volumes, _claim("10Gi")) is None


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (None, False),
        ({"namespace": "shop", "name": "data"}, True),
        ({"namespace": "shop", "name": "data", "uid": "u"}, True),
        ({"namespace": "shop", "name": "data", "uid": "of an earlier one"}, False),
        ({"namespace": "else", "name": "data"}, False),
    ],
)
def test_a_volume_is_kept_for_a_claim_by_name_and_by_uid_once_it_has_one(
    reference: dict[str, str] | None, *, expected: bool
) -> None:
    assert is_kept_for(_volume(claimRef=reference), _claim()) is expected


def test_the_capacity_of_a_bound_claim_is_told_by_who_lets_it_grow() -> None:
    claim = _claim()
    bound = status_of(claim, "Bound", _volume(size="3Gi"))
    assert bound.to_wire() == {
        "phase": "Bound",
        "accessModes": ["ReadWriteOnce"],
        "capacity": {"storage": "3Gi"},
    }
    claim.status = bound
    assert status_of(claim, "Bound", _volume(size="5Gi")).to_wire() == bound.to_wire()
    assert status_of(claim, "Lost").to_wire() == {"phase": "Lost"}


def test_the_default_class_is_the_newest_that_is_marked() -> None:
    def made(name: str, when: str, mark: str) -> StorageClass:
        marked = {"storageclass.kubernetes.io/is-default-class": mark}
        metadata = {"name": name, "creationTimestamp": f"2026-01-0{when}T00:00:00Z", "annotations": marked}
        return StorageClass.from_wire({"metadata": metadata, "provisioner": "p"})

    classes = [made("old", "1", "true"), made("new", "2", "true"), made("other", "3", "false")]
    assert default_class(classes) == "new"
    assert default_class(classes[2:]) == ""


def test_a_volume_is_made_as_its_claim_and_its_class_say() -> None:
    made = volume_for(_claim("3Gi", volumeMode="Block"), standard_class())
    assert made.metadata.name == "pvc-u"
    assert mismatch(made, _claim("3Gi", volumeMode="Block", storageClassName="standard")) == ""
    assert made.spec.persistent_volume_reclaim_policy == "Delete"
    assert is_kept_for(made, _claim())


def test_the_claims_of_a_pod_are_in_its_namespace() -> None:
    volumes = [{"name": "a", "persistentVolumeClaim": {"claimName": "data"}}, {"name": "b", "emptyDir": {}}]
    pod = Pod.from_wire({"metadata": {"namespace": "shop"}, "spec": {"containers": [], "volumes": volumes}})
    assert [str(key) for key in claims_of_pod(pod)] == ["shop/data"]
