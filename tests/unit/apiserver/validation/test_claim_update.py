from __future__ import annotations

from typing import Any

from windlass.apiserver.validation.claim_update import validate_claim_update

NOTED = "volume.beta.kubernetes.io/storage-class"


def claim(size: str = "1Gi", noted: str = "", phase: str = "Bound", **spec: Any) -> dict[str, Any]:
    annotations = {"annotations": {NOTED: noted}} if noted else {}
    return {
        "metadata": {"name": "a", **annotations},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}, **spec},
        "status": {"phase": phase, "capacity": {"storage": "1Gi"}},
    }


def faults(new: dict[str, Any], old: dict[str, Any]) -> list[str]:
    return [str(fault).partition("\n")[0] for fault in validate_claim_update(new, old)]


def test_a_bound_claim_may_grow() -> None:
    assert faults(claim("2Gi"), claim()) == []


def test_a_claim_may_be_given_back_what_it_did_not_get() -> None:
    assert faults(claim("2Gi"), claim("3Gi")) == []
    assert faults(claim("1Gi"), claim("3Gi")) == [
        "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"
    ]


def test_a_claim_that_waits_may_not_grow() -> None:
    (fault,) = faults(claim("2Gi", phase="Pending"), claim(phase="Pending"))

    assert fault.startswith("spec: Forbidden: spec is immutable after creation except resources.requests")


def test_a_class_may_be_given_once() -> None:
    assert faults(claim(storageClassName="fast"), claim()) == []
    assert len(faults(claim(storageClassName="slow"), claim(storageClassName="fast"))) == 1


def test_a_class_may_move_from_its_annotation_to_its_field() -> None:
    assert faults(claim(storageClassName="fast"), claim(noted="fast")) == []
    assert faults(claim(storageClassName="fast", noted="fast"), claim(noted="fast")) == []
    assert len(faults(claim(storageClassName="slow"), claim(noted="fast"))) == 2


def test_a_volume_is_bound_once() -> None:
    assert faults(claim(volumeName="b"), claim()) == []
    assert len(faults(claim(volumeName="c"), claim(volumeName="b"))) == 1


def test_attributes_that_took_effect_are_not_taken_away() -> None:
    old = claim(volumeAttributesClassName="gold")
    old["status"]["currentVolumeAttributesClassName"] = "gold"

    assert faults(claim(volumeAttributesClassName="silver"), old) == []
    assert [fault.partition(":")[0] for fault in faults(claim(), old)] == ["spec.volumeAttributesClassName"]
    (fault,) = faults(claim(volumeAttributesClassName=""), old)
    assert "update to empty string is forbidden" in fault


def test_the_difference_shows_the_claim_as_the_server_declares_it() -> None:
    old, new = claim(accessModes=["ReadWriteOnce"]), claim(accessModes=["ReadOnlyMany"])

    (fault,) = validate_claim_update(new, old)

    assert fault.message.partition("\n")[2] == (
        "@@ -1,6 +1,6 @@\n"
        " {\n"
        '  "AccessModes": [\n'
        '-  "ReadWriteOnce"\n'
        '+  "ReadOnlyMany"\n'
        "  ],\n"
        '  "Selector": null,\n'
        '  "Resources": {\n'
    )
