from __future__ import annotations

from windlass.apiserver import ApiServer
from windlass.apiserver.initial import initial_objects
from windlass.apiserver.world import World


def test_a_new_server_has_what_every_cluster_has() -> None:
    store = ApiServer().world.store

    names = {
        name: [record.key for record in store.collection(name).page().records]
        for name in ("/namespaces", "/services", "scheduling.k8s.io/priorityclasses")
    }

    assert names == {
        "/namespaces": ["default", "kube-node-lease", "kube-public", "kube-system"],
        "/services": ["default/kubernetes"],
        "scheduling.k8s.io/priorityclasses": ["system-cluster-critical", "system-node-critical"],
    }


def test_the_address_of_the_server_itself_is_taken() -> None:
    store = ApiServer().world.store

    record = store.collection("networking.k8s.io/ipaddresses").get("10.96.0.1")

    assert record is not None
    assert record.object()["spec"]["parentRef"]["name"] == "kubernetes"


def test_every_initial_object_is_managed_by_the_server() -> None:
    for *_, obj in initial_objects(World()):
        (entry,) = obj["metadata"]["managedFields"]
        assert entry["manager"] == "kube-apiserver"
