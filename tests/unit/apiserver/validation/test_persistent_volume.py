from __future__ import annotations

from typing import Any

from windlass.apiserver.validation.persistent_volume import validate, validate_status

CSI = {"driver": "example.com", "volumeHandle": "x"}


def affinity(key: str, value: str = "a") -> dict[str, Any]:
    expressions = [{"key": key, "operator": "In", "values": [value]}]
    return {"required": {"nodeSelectorTerms": [{"matchExpressions": expressions}]}}


def volume(**spec: Any) -> dict[str, Any]:
    spec = {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "csi": CSI, **spec}
    return {"metadata": {"name": "a", "resourceVersion": "1"}, "spec": spec}


def faults(new: dict[str, Any], old: dict[str, Any] | None = None) -> list[str]:
    return [str(fault).partition("\n")[0] for fault in validate(new, old)]


def test_affinity_may_be_given_once() -> None:
    zone = affinity("topology.kubernetes.io/zone")

    assert faults(volume(nodeAffinity=zone), volume()) == []
    (fault,) = faults(
        volume(nodeAffinity=affinity("topology.kubernetes.io/region")), volume(nodeAffinity=zone)
    )
    assert fault.endswith("field is immutable, except for updating from beta label to GA")


def test_affinity_may_move_to_the_final_name_of_a_label() -> None:
    old, new = affinity("failure-domain.beta.kubernetes.io/zone"), affinity("topology.kubernetes.io/zone")

    assert faults(volume(nodeAffinity=new), volume(nodeAffinity=old)) == []
    assert len(faults(volume(nodeAffinity=old), volume(nodeAffinity=new))) == 1


def test_affinity_to_an_odd_value_may_stay() -> None:
    odd = affinity("zone", "a b")

    assert faults(volume(nodeAffinity=odd), volume(nodeAffinity=odd)) == []
    assert len(faults(volume(nodeAffinity=odd))) == 1


def test_a_secret_for_expansion_may_be_added() -> None:
    added = {**CSI, "controllerExpandSecretRef": {"name": "a", "namespace": "b"}}

    assert faults(volume(csi=added), volume()) == []
    (fault,) = faults(volume(), volume(csi=added))
    assert fault.startswith(
        "spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable"
    )


def test_attributes_are_not_taken_away() -> None:
    assert faults(volume(), volume(volumeAttributesClassName="gold")) == [
        "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden"
    ]


def test_anything_may_be_said_of_its_status() -> None:
    assert list(validate_status({**volume(), "status": {"phase": "Anything"}}, volume())) == []
