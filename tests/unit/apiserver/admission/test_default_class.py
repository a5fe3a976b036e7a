from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.admission import choose_ingress_class, choose_storage_class
from windlass.apiserver.world import World

Object = dict[str, Any]
STORAGE = "storageclass.kubernetes.io/is-default-class"
INGRESS = "ingressclass.kubernetes.io/is-default-class"


def world_with(collection: str, *classes: tuple[str, str, Object]) -> World:
    world = World()
    for name, created, marks in classes:
        meta = {"name": name, "creationTimestamp": created, "annotations": marks}
        world.store.collection(collection).put(name, {"metadata": meta}, None)
    return world


def test_the_newest_default_is_chosen_and_of_equals_the_first_by_name() -> None:
    world = world_with(
        "storage.k8s.io/storageclasses",
        ("old", "2026-01-01T00:00:00Z", {STORAGE: "true"}),
        ("b", "2026-01-02T00:00:00Z", {STORAGE: "true"}),
        ("a", "2026-01-02T00:00:00Z", {STORAGE: "true"}),
        ("newest", "2026-01-03T00:00:00Z", {STORAGE: "false"}),
    )
    claim: Object = {"metadata": {}, "spec": {}}

    choose_storage_class(claim, world)

    assert claim["spec"] == {"storageClassName": "a"}


@pytest.mark.parametrize(
    "claim",
    [
        {"metadata": {}, "spec": {"storageClassName": ""}},
        {"metadata": {"annotations": {"volume.beta.kubernetes.io/storage-class": "x"}}, "spec": {}},
    ],
    ids=["no class", "a class of old"],
)
def test_a_claim_that_says_something_is_left_alone(claim: Object) -> None:
    world = world_with("storage.k8s.io/storageclasses", ("a", "2026-01-01T00:00:00Z", {STORAGE: "true"}))
    before = dict(claim["spec"])

    choose_storage_class(claim, world)

    assert claim["spec"] == before


def test_an_ingress_gets_the_default_class() -> None:
    world = world_with("networking.k8s.io/ingressclasses", ("a", "2026-01-01T00:00:00Z", {INGRESS: "true"}))
    ingress: Object = {"metadata": {}, "spec": {}}
    annotated: Object = {"metadata": {"annotations": {"kubernetes.io/ingress.class": "x"}}, "spec": {}}

    choose_ingress_class(ingress, world)
    choose_ingress_class(annotated, world)

    assert ingress["spec"] == {"ingressClassName": "a"}
    assert annotated["spec"] == {}


def test_nothing_is_chosen_where_there_is_no_default() -> None:
    claim: Object = {"metadata": {}, "spec": {}}

    choose_storage_class(claim, World())

    assert claim["spec"] == {}
