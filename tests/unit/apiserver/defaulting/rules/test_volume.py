from __future__ import annotations

from typing import Any

import pytest

from windlass.apiserver.defaulting import fill, fill_definition, rewrite

CLAIM = {"kind": "PersistentVolumeClaim", "name": "x"}
SNAPSHOT = {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "x"}
OTHER = {"apiGroup": "example.com", "kind": "Other", "name": "x"}


@pytest.mark.parametrize("given", [{"name": "a"}, {}], ids=["named", "nothing at all"])
def test_a_volume_of_which_nothing_is_said_is_an_empty_directory(given: dict[str, Any]) -> None:
    fill_definition("io.k8s.api.core.v1.Volume", given)

    assert given["emptyDir"] == {}


def test_a_volume_that_is_something_is_not_an_empty_directory() -> None:
    volume = {"name": "a", "nfs": {"server": "x", "path": "/x"}}

    fill_definition("io.k8s.api.core.v1.Volume", volume)

    assert volume == {"name": "a", "nfs": {"server": "x", "path": "/x"}}


def sources(**given: Any) -> tuple[object, object]:
    claim = {"spec": given}
    fill("v1/PersistentVolumeClaim", claim)
    rewrite("v1/PersistentVolumeClaim", claim)
    return claim["spec"].get("dataSource"), claim["spec"].get("dataSourceRef")


@pytest.mark.parametrize("source", [CLAIM, SNAPSHOT], ids=["claim", "snapshot"])
def test_the_old_source_of_a_claim_is_the_new_one(source: dict[str, str]) -> None:
    assert sources(dataSource=source) == (source, source)


@pytest.mark.parametrize("source", [CLAIM, SNAPSHOT, OTHER], ids=["claim", "snapshot", "other"])
def test_the_new_source_of_a_claim_is_the_old_one(source: dict[str, str]) -> None:
    assert sources(dataSourceRef=source) == (source, source)


def test_an_old_source_that_never_was_one_is_dropped() -> None:
    assert sources(dataSource=OTHER) == (None, None)


def test_two_sources_are_left_to_be_judged() -> None:
    assert sources(dataSource=OTHER, dataSourceRef=CLAIM) == (OTHER, CLAIM)


def test_a_source_in_another_namespace_is_dropped() -> None:
    assert sources(dataSourceRef=CLAIM | {"namespace": "b"}) == (None, None)


def test_a_template_of_a_claim_keeps_the_source_that_it_has() -> None:
    template: dict[str, Any] = {"spec": {"dataSource": OTHER}}
    stateful_set = {"spec": {"volumeClaimTemplates": [template]}}

    fill("apps/v1/StatefulSet", stateful_set)
    rewrite("apps/v1/StatefulSet", stateful_set)

    assert template["spec"]["dataSource"] == OTHER
    assert "dataSourceRef" not in template["spec"]
