from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.admission import check_growth, protect
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.world import World

Object = dict[str, Any]


def world_with(**fields: Any) -> World:
    world = World()
    storage_class = {"metadata": {"name": "fast"}, "provisioner": "x", **fields}
    world.store.collection("storage.k8s.io/storageclasses").put("fast", storage_class, None)
    return world


def claim(size: str, phase: str = "Bound", name: str = "fast") -> Object:
    spec = {"storageClassName": name, "resources": {"requests": {"storage": size}}}
    return {"metadata": {"name": "a"}, "spec": spec, "status": {"phase": phase}}


def test_a_bound_claim_grows_where_its_class_allows_it() -> None:
    check_growth(claim("2Gi"), claim("1Gi"), world_with(allowVolumeExpansion=True))


def test_a_claim_that_does_not_grow_is_not_asked() -> None:
    check_growth(claim("1Gi", "Pending"), claim("1024Mi", "Pending"), World())


@pytest.mark.parametrize(
    ("new", "old", "fields", "why"),
    [
        (claim("2Gi"), claim("1Gi", "Pending"), {}, "Only bound persistent volume claims can be expanded"),
        (claim("2Gi"), claim("1Gi"), {}, "must support resize"),
        (claim("2Gi"), claim("1Gi", name="slow"), {"allowVolumeExpansion": True}, "must support resize"),
        (
            claim("2Gi", name="gone"),
            claim("1Gi", name="gone"),
            {"allowVolumeExpansion": True},
            "must support resize",
        ),
    ],
    ids=["not bound", "not allowed", "another class", "no such class"],
)
def test_other_claims_do_not_grow(new: Object, old: Object, fields: Object, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        check_growth(new, old, world_with(**fields))


def test_an_object_is_protected_once() -> None:
    obj: Object = {"metadata": {"finalizers": ["example.com/a"]}}

    protect(obj, "kubernetes.io/pvc-protection")
    protect(obj, "kubernetes.io/pvc-protection")

    assert obj["metadata"]["finalizers"] == ["example.com/a", "kubernetes.io/pvc-protection"]
