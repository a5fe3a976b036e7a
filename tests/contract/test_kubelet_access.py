"""Who may connect to a pod."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest

from polling import until
from wire import spdy, websocket

if TYPE_CHECKING:
    from kubelet_site import Site

QUERY = [("container", "main"), ("command", "true"), ("stdout", "true")]


async def allow(site: Site, *verbs: str) -> None:
    """Let `nobody` do this with connections."""
    rules = [{"apiGroups": [""], "resources": ["pods/exec"], "verbs": list(verbs)}]
    roles = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{site.namespace}"
    (await site.api.create(f"{roles}/roles", {"metadata": {"name": "runs"}, "rules": rules})).ok()
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "runs"}
    user = {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "nobody"}
    binding = {"metadata": {"name": "runs"}, "roleRef": role, "subjects": [user]}
    (await site.api.create(f"{roles}/rolebindings", binding)).ok()


async def answered(site: Site, *, post: bool) -> tuple[int, str]:
    """The status and the message of the answer to `nobody`."""
    asking = (
        spdy(f"{site.pod}/exec", "v4.channel.k8s.io", query=QUERY)
        if post
        else websocket(f"{site.pod}/exec", "v5.channel.k8s.io", query=QUERY)
    )
    async with site.open(asking, "nobody") as opened:
        return opened.status, orjson.loads(opened.body)["message"] if opened.body else ""


async def test_who_may_not_create_connections_is_forbidden_them(site: Site) -> None:
    status, message = await answered(site, post=True)

    assert status == 403
    assert message.startswith('pods "a" is forbidden: User "nobody" cannot create resource "pods/exec"')


async def test_a_connection_that_is_read_must_be_allowed_to_be_created_too(site: Site) -> None:
    await allow(site, "get")

    refused = await until(lambda: answered(site, post=False), lambda said: "cannot get" not in said[1])

    assert refused == (403, 'pods "a" is forbidden: ')


@pytest.mark.parametrize("post", [True, False], ids=["spdy", "websocket"])
async def test_who_may_do_both_is_connected(site: Site, *, post: bool) -> None:
    await allow(site, "get", "create")

    await until(lambda: answered(site, post=post), lambda said: said[0] == 101)
