from __future__ import annotations

from typing import Any

from windlass.apiserver.validation import validate


def namespace(*finalizers: str, phase: str = "Active", **meta: Any) -> dict[str, Any]:
    spec = {"finalizers": list(finalizers)}
    return {
        "metadata": {"name": "a", "resourceVersion": "1", **meta},
        "spec": spec,
        "status": {"phase": phase},
    }


def faults(obj: dict[str, Any], old: dict[str, Any], subresource: str) -> list[str]:
    return [str(fault) for fault in validate("/Namespace", obj, old, subresource)]


def test_finalizers_that_are_left_are_known_or_have_a_domain() -> None:
    old = namespace("kubernetes", "example.com/mine")

    assert faults(namespace(), old, "finalize") == []
    (fault,) = faults(namespace("example.com/mine", "mine"), old, "finalize")
    assert fault == (
        'spec.finalizers[1]: Invalid value: "mine": '
        "name is neither a standard finalizer name nor is it fully qualified"
    )


def test_the_phase_follows_from_the_deletion() -> None:
    deleted = {"deletionTimestamp": "2026-01-01T00:00:00Z"}
    old = namespace(**deleted)

    assert faults(namespace(phase="Terminating", **deleted), old, "status") == []
    assert faults(old, old, "status") == [
        "status.Phase: Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty"
    ]
