"""PeerPodConfig and PeerPod: what is taken, and what it means."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import Untyped, read_yaml
from windlass.codegen import custom_resource_definitions
from windlass.errors import Invalid
from windlass.operators.peerpod.types import DEFAULT_SELECTOR, NodeSelector, PeerPod, PeerPodConfig
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from windlass.api import Json, Resource
    from windlass.client import Client

ORIGINALS = "WINDLASS_PEERPOD_CRDS"
BESIDE = Path(__file__).resolve().parents[4] / "shared" / "data"

OF_OLD: list[Json] = [
    {"limit": "10", "cloudSecretName": "peer-pods-secret", "configMapName": "peer-pods-cm"},
    {"cloudSecretName": "s", "configMapName": "c", "nodeSelector": {"node-role.kubernetes.io/worker": ""}},
    {"cloudSecretName": "s", "configMapName": "c", "instanceType": "t3.small", "limit": "no number"},
    {
        "limit": "10",
        "cloudSecretName": "s",
        "configMapName": "c",
        "nodeSelector": {"matchLabels": {"node-role.kubernetes.io/worker": ""}},
    },
    {
        "cloudSecretName": "s",
        "configMapName": "c",
        "nodeSelector": {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a", "b"]}]},
    },
]
"""Specs that one version or another of the original took."""


@pytest.mark.parametrize("spec", OF_OLD)
async def test_a_manifest_of_old_is_taken_and_kept_as_it_is(client: Client, spec: Json) -> None:
    await install_kinds(client, [PeerPodConfig])
    config = Untyped.of(PeerPodConfig.__kind__).from_wire({"metadata": {"name": "old"}, "spec": spec})
    made = (await client.create(config)).to_wire()

    assert spec.items() <= made["spec"].items()
    assert (made["spec"]["limitMode"], made["spec"]["limit"]) == ("Total", spec.get("limit", "1"))


async def test_an_empty_config_means_what_it_always_meant(client: Client) -> None:
    await install_kinds(client, [PeerPodConfig])
    config = Untyped.of(PeerPodConfig.__kind__).from_wire({"metadata": {"name": "empty"}, "spec": {}})
    made = PeerPodConfig.from_wire((await client.create(config)).to_wire())

    assert made.spec.cloud_secret_name == "peer-pods-secret"
    assert made.spec.config_map_name == "peer-pods-cm"
    assert made.spec.node_selector.selector().matches(DEFAULT_SELECTOR)
    assert not made.spec.node_selector.selector().matches({})


@pytest.mark.parametrize(
    "spec",
    [
        {"limitMode": "Some"},
        {"limit": 1.5},
        {"perNodeOverrides": {"a": -1}},
        {"nodeSelector": {"matchLabels": "worker"}},
        {"nodeSelector": {"matchExpressions": [{"operator": "In"}]}},
        {"components": {"webhook": "yes"}},
    ],
)
async def test_what_cannot_be_meant_is_refused_by_the_server(client: Client, spec: Json) -> None:
    await install_kinds(client, [PeerPodConfig])
    config = Untyped.of(PeerPodConfig.__kind__).from_wire({"metadata": {"name": "bad"}, "spec": spec})

    with pytest.raises(Invalid):
        await client.create(config)


@pytest.mark.parametrize(
    ("written", "labels", "is_selected"),
    [
        ({"a": "1"}, {"a": "1", "b": "2"}, True),
        ({"a": "1"}, {"a": "2"}, False),
        ({"matchLabels": {"a": "1"}}, {"a": "1"}, True),
        ({"matchExpressions": [{"key": "a", "operator": "Exists"}]}, {"a": "2"}, True),
        ({"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["1"]}]}, {"a": "1"}, False),
        ({"b": "2", "matchLabels": {"a": "1"}}, {"a": "1"}, False),
        ({}, {"node.kubernetes.io/worker": ""}, True),
        ({}, {"a": "1"}, False),
    ],
)
def test_both_forms_of_a_selector_mean_what_they_say(
    written: Json, labels: dict[str, str], *, is_selected: bool
) -> None:
    assert NodeSelector.from_wire(written).selector().matches(labels) == is_selected


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"a": {"b": "c"}}, "the label a is no text"),
        ({"a b": "c"}, "not a label key"),
        ({"matchExpressions": [{"key": "a", "operator": "Like"}]}, "none of In"),
    ],
)
def test_a_selector_that_makes_no_sense_is_named(written: Json, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        NodeSelector.from_wire(written).selector()


@pytest.mark.parametrize(
    ("kind", "file"), [(PeerPodConfig, "peerpodconfig-crd.yaml"), (PeerPod, "peerpod-crd.yaml")]
)
def test_every_field_of_the_original_is_there_and_takes_what_it_took(kind: type[Resource], file: str) -> None:
    path = Path(os.environ.get(ORIGINALS, BESIDE)) / file
    if not path.exists():
        pytest.skip(f"needs the definitions of the original: {ORIGINALS} may name their folder")
    (original,) = read_yaml(path.read_text("utf-8"))
    (ours,) = custom_resource_definitions([kind])

    for name in ("group", "scope"):
        assert ours["spec"][name] == original["spec"][name]
    assert original["spec"]["names"].items() <= ours["spec"]["names"].items()
    (theirs,), (mine,) = original["spec"]["versions"], ours["spec"]["versions"]
    assert (mine["name"], mine["subresources"]) == (theirs["name"], theirs["subresources"])
    for part in ("spec", "status"):
        before = theirs["schema"]["openAPIV3Schema"]["properties"][part]
        after = mine["schema"]["openAPIV3Schema"]["properties"][part]
        assert [name for name in after.get("required", ()) if name not in before.get("required", ())] == []
        for name, schema in before["properties"].items():
            assert takes(after["properties"][name], schema), name
            assert after["properties"][name].get("default") in (None, schema.get("default"), "1")


def takes(ours: Json, theirs: Json) -> bool:
    """Whether a schema takes every value of the type that another one has; a map of labels, as a map of texts."""
    if ours.get("x-kubernetes-int-or-string"):
        return theirs["type"] in ("string", "integer")
    open_: Any = ours.get("x-kubernetes-preserve-unknown-fields")
    return bool(ours.get("type") == theirs["type"] and (theirs["type"] != "object" or open_))
