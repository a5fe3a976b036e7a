from typing import Any

import pytest

from windlass.apiserver import World
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.node import KubeletPlace, kubelet_of


def world(**status: Any) -> World:
    """A world with one node."""
    world = World()
    node = {"metadata": {"name": "a"}, "status": status}
    world.store.collection("/nodes").put("a", node, None)
    return world


def address(kind: str, text: str) -> dict[str, str]:
    return {"type": kind, "address": text}


def test_a_kubelet_is_asked_for_by_the_best_address_of_its_node() -> None:
    addresses = [address("ExternalIP", "1.2.3.4"), address("InternalIP", "10.0.0.1"), address("Other", "x")]

    assert kubelet_of(world(addresses=addresses), "a", "pods") == KubeletPlace("10.0.0.1", 10250)


def test_a_node_says_on_which_port_its_kubelet_is() -> None:
    status = {
        "addresses": [address("InternalIP", "fd00::1")],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 7}},
    }

    assert kubelet_of(world(**status), "a", "pods").address == "[fd00::1]:7"


def test_a_node_without_a_usable_address_cannot_be_asked() -> None:
    with pytest.raises(Refusal) as refused:
        kubelet_of(world(addresses=[address("Other", "x")]), "a", "pods")

    assert refused.value.code == 500
    assert refused.value.message == "no preferred addresses found; known addresses: [{Other x}]"


def test_a_missing_node_is_named_as_the_caller_wants() -> None:
    with pytest.raises(Refusal, match='nodes "b" not found'):
        kubelet_of(world(), "b", "nodes")
