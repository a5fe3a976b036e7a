"""Which API server the contract suite runs on, and how its requests get there."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import orjson

from windlass.apiserver import Call
from windlass.client import ClusterConfig, HttpTransport, load_config
from windlass.cluster import Cluster, ClusterOptions, InProcessTransport

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from windlass.apiserver import Reply
    from windlass.client import Transport
    from windlass.cluster import Access

AS_BARE = ClusterOptions(upkeep=False)
"""As a real server is without controllers: nobody counts anew for its quotas."""
_CLUSTERS: dict[str, Cluster] = {}


@contextmanager
def in_process(*, service_accounts: bool = False) -> Iterator[Access]:
    """A server in this process, which every test calls from an event loop of its own."""
    cluster = Cluster(replace(AS_BARE, service_accounts=service_accounts))
    access = replace(cluster.access, server=f"https://in-process-{len(_CLUSTERS)}.invalid")
    _CLUSTERS[access.server] = cluster
    yield access
    del _CLUSTERS[access.server]


def transport_to(access: Access, config: ClusterConfig | None = None) -> Transport:
    """Requests to the server with the credentials of a configuration, by default the administrator's."""
    cluster = _CLUSTERS.get(access.server)
    if cluster is None:
        return HttpTransport(config or load_config(access.kubeconfig))
    return InProcessTransport(cluster.server, _headers(access, config))


def admin_config(access: Access) -> ClusterConfig:
    """The administrator's configuration."""
    if access.server in _CLUSTERS:
        return ClusterConfig(server=access.server)
    return load_config(access.kubeconfig)


def make_namespace(access: Access) -> str | None:
    """The name of a new namespace of a server in this process; `None` where the server is elsewhere."""
    cluster = _CLUSTERS.get(access.server)
    if cluster is None:
        return None
    body = orjson.dumps({"metadata": {"generateName": "test-"}})
    call = Call(
        method="POST",
        path="/api/v1/namespaces",
        headers={**_headers(access, None), "content-type": "application/json"},
        body=body,
    )
    reply = _at_once(cluster.server.handle(call))
    return str(orjson.loads(reply.body)["metadata"]["name"])


def _headers(access: Access, config: ClusterConfig | None) -> dict[str, str]:
    if config is not None and config.impersonate is None:
        return {}  # the callers of these tests bring their credentials in headers of their own
    headers = {"authorization": f"Bearer {access.token()}"}
    for name, value in config.impersonate.headers() if config and config.impersonate else ():
        key = name.lower()
        headers[key] = f"{headers[key]}\n{value}" if key in headers else value
    return headers


def _at_once(work: Coroutine[Any, Any, Reply]) -> Reply:
    """The outcome of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        found: Reply = done.value
        return found
    raise AssertionError("the server waits for something")
