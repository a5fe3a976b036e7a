"""A cluster with a folder for its data is the same one again after its end, for everybody who knew it."""

from __future__ import annotations

import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest

from windlass.client import Client, Request, WatchOptions, connect, load_config
from windlass.cluster import Cluster, ClusterOptions
from windlass.errors import ConfigError, Gone, Invalid
from windlass.kinds.core.v1 import ConfigMap, Service

if TYPE_CHECKING:
    from pathlib import Path

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


def cluster_in(path: Path) -> Cluster:
    return Cluster(ClusterOptions(data=path))


def config_map(name: str) -> ConfigMap:
    return ConfigMap(metadata={"name": name, "namespace": "default"})  # type: ignore[arg-type]


def service(name: str, port: int) -> Service:
    spec = {"type": "NodePort", "ports": [{"port": 80, "nodePort": port}]}
    return Service(metadata={"name": name, "namespace": "default"}, spec=spec)  # type: ignore[arg-type]


def definition(plural: str, kind: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"size": {"type": "integer", "default": 3}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"plural": plural, "kind": kind}
    spec = {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]}
    return {"metadata": {"name": f"{plural}.example.com"}, "spec": spec}


async def send(cluster: Cluster, method: str, path: str, body: Any = None) -> Any:
    sent = b"" if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    return await Client(cluster.transport()).json(
        Request(method=method, path=path, body=sent, headers=headers)
    )


async def everything(cluster: Cluster) -> Any:
    """Every object of every kind that is served, as it is answered."""
    return {
        path: await send(cluster, "GET", path)
        for resource in sorted(cluster.server.catalog.resources(), key=lambda each: each.header)
        if "list" in resource.verbs
        for path in [f"{_prefix(resource.kind.group)}/{resource.kind.version}/{resource.kind.plural}"]
    }


def _prefix(group: str) -> str:
    return f"/apis/{group}" if group else "/api"


async def test_every_object_of_every_kind_is_the_same_again(tmp_path: Path) -> None:
    async with cluster_in(tmp_path) as cluster:
        client = Client(cluster.transport())
        await client.create(config_map("a"))
        await client.create(service("web", 30080))
        await send(cluster, "POST", CRDS, definition("widgets", "Widget"))
        widgets = "/apis/example.com/v1/namespaces/default/widgets"
        widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}
        await send(cluster, "POST", widgets, widget)
        before = await everything(cluster)

    assert before["/apis/example.com/v1/widgets"]["items"][0]["size"] == 3
    for _ in range(2):
        async with cluster_in(tmp_path) as again:
            assert await everything(again) == before


async def test_what_every_cluster_has_comes_again_if_it_is_missing(tmp_path: Path) -> None:
    path = "/apis/rbac.authorization.k8s.io/v1/clusterroles/view"
    async with cluster_in(tmp_path) as cluster:
        before = await send(cluster, "GET", path)
        await send(cluster, "DELETE", path)

    async with cluster_in(tmp_path) as again:
        after = await send(again, "GET", path)

    assert after["rules"] == before["rules"]
    assert after["metadata"]["uid"] != before["metadata"]["uid"]


async def test_a_service_keeps_its_ports_and_its_address(tmp_path: Path) -> None:
    async with cluster_in(tmp_path) as cluster:
        kept = await Client(cluster.transport()).create(service("web", 30080))

    async with cluster_in(tmp_path) as again:
        client = Client(again.transport())
        taken = service("other", 30081)
        taken.spec.cluster_ip = kept.spec.cluster_ip
        with pytest.raises(Invalid, match="provided port is already allocated"):
            await client.create(service("other", 30080))
        with pytest.raises(Invalid, match="provided IP is already allocated"):
            await client.create(taken)
        await client.delete(Service, "web", "default")
        await client.create(service("other", 30080))


async def test_of_two_definitions_with_one_name_the_first_keeps_it(tmp_path: Path) -> None:
    async with cluster_in(tmp_path) as cluster:
        await send(cluster, "POST", CRDS, definition("widgets", "Thing"))
        await send(cluster, "POST", CRDS, definition("gadgets", "Thing"))  # comes before it in every list
        before = await send(cluster, "GET", CRDS)

    async with cluster_in(tmp_path) as again:
        assert await send(again, "GET", CRDS) == before
        await send(again, "DELETE", f"{CRDS}/widgets.example.com")
        assert (await send(again, "GET", "/apis/example.com/v1/gadgets"))["items"] == []


async def test_a_definition_that_waits_for_its_objects_goes_with_the_last_of_them(tmp_path: Path) -> None:
    widgets = "/apis/example.com/v1/namespaces/default/widgets"
    held = {"name": "w", "finalizers": ["example.com/hold"]}
    async with cluster_in(tmp_path) as cluster:
        await send(cluster, "POST", CRDS, definition("widgets", "Widget"))
        widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": held}
        await send(cluster, "POST", widgets, widget)
        await send(cluster, "DELETE", f"{CRDS}/widgets.example.com")

    async with cluster_in(tmp_path) as again:
        waiting = await send(again, "GET", f"{widgets}/w")
        waiting["metadata"]["finalizers"] = []
        assert len((await send(again, "GET", CRDS))["items"]) == 1
        await send(again, "PUT", f"{widgets}/w", waiting)
        assert (await send(again, "GET", CRDS))["items"] == []

    async with cluster_in(tmp_path) as last:
        assert (await send(last, "GET", CRDS))["items"] == []


async def test_a_watch_goes_on_where_it_was_before_the_end(tmp_path: Path) -> None:
    async with cluster_in(tmp_path) as cluster:
        client = Client(cluster.transport())
        first = await client.create(config_map("a"))
        await client.create(config_map("b"))
        await client.delete(ConfigMap, "a", "default")

    async with cluster_in(tmp_path) as again:
        client = Client(again.transport())
        await client.create(config_map("c"))
        options = WatchOptions(resource_version=first.metadata.resource_version)
        async with aclosing(client.watch(ConfigMap, "default", options=options)) as events:
            seen = [await anext(events) for _ in range(3)]

    assert [(each.type, each.object.metadata.name) for each in seen] == [
        ("ADDED", "b"),
        ("DELETED", "a"),
        ("ADDED", "c"),
    ]


async def test_who_asks_for_a_history_that_was_forgotten_is_told(tmp_path: Path) -> None:
    async with cluster_in(tmp_path) as cluster:
        client = Client(cluster.transport())
        first = await client.create(config_map("a"))
        await client.create(config_map("b"))
        cluster.compact()

    async with cluster_in(tmp_path) as again:
        options = WatchOptions(resource_version=first.metadata.resource_version)
        async with aclosing(Client(again.transport()).watch(ConfigMap, options=options)) as events:
            with pytest.raises(Gone):
                await anext(events)


async def test_a_kubeconfig_stays_valid_while_the_port_is_the_same(tmp_path: Path) -> None:
    async with Cluster(ClusterOptions(data=tmp_path, port=0)) as cluster:
        port = int(cluster.access.server.rpartition(":")[2])
        config = load_config(cluster.access.kubeconfig)

    assert cluster.access.kubeconfig.stat().st_mode & 0o777 == 0o600
    async with Cluster(ClusterOptions(data=tmp_path, port=port)) as again:
        async with connect(config) as client:
            await client.create(config_map("a"))
        assert again.access.tokens == cluster.access.tokens
        assert again.access.authority == cluster.access.authority


async def test_tokens_of_service_accounts_stay_valid(tmp_path: Path) -> None:
    accounts = "/api/v1/namespaces/default/serviceaccounts"
    async with cluster_in(tmp_path) as cluster:
        await send(cluster, "POST", accounts, {"metadata": {"name": "robot"}})
        request = {"spec": {"audiences": None, "expirationSeconds": 3600}}
        token = (await send(cluster, "POST", f"{accounts}/robot/token", request))["status"]["token"]

    async with cluster_in(tmp_path) as again:
        review = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": token}}
        answer = await send(again, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", review)

    assert answer["status"]["user"]["username"] == "system:serviceaccount:default:robot"


async def test_a_user_who_comes_later_gets_a_token_and_one_who_comes_again_has_the_old_one(
    tmp_path: Path,
) -> None:
    tokens = []
    for users in ({"jane": ()}, {}, {"jane": (), "joe": ()}):
        async with Cluster(ClusterOptions(data=tmp_path, users=users)) as cluster:
            tokens.append(dict(cluster.access.tokens))

    assert tokens[0]["jane"] == tokens[2]["jane"]
    assert tokens[0]["admin"] == tokens[1]["admin"] == tokens[2]["admin"]
    assert set(tokens[2]) == {"admin", "nobody", "jane", "joe"}


async def test_damaged_credentials_are_refused_and_the_folder_stays_free(tmp_path: Path) -> None:
    (tmp_path / "credentials.json").write_text('{"tokens": 7}')

    for _ in range(2):
        with pytest.raises(ConfigError, match=r"credentials\.json is damaged; remove it"):
            cluster_in(tmp_path)
    (tmp_path / "credentials.json").unlink()
    async with cluster_in(tmp_path):
        pass
