"""Requests as another user: over HTTP and in this process, in place of a configured one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from windlass.api import ObjectMeta
from windlass.client import (
    Client,
    HttpTransport,
    Impersonation,
    Request,
    Response,
    Transport,
    load_config,
)
from windlass.cluster import Cluster, ClusterOptions
from windlass.errors import ConfigError, Forbidden
from windlass.kinds.authentication.v1 import SelfSubjectReview
from windlass.kinds.core.v1 import ConfigMap, Namespace
from windlass.kinds.rbac.v1 import PolicyRule, Role, RoleBinding, RoleRef, Subject

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from windlass.client import Stream

TENANT = Impersonation.service_account("team-a", "collector")
BOB = Impersonation(user="bob", groups=("dev", "ops"), uid="7", extra={"example.com/scope": ("a", "b")})
CONFIGURED = Impersonation(user="configured", groups=("system:masters",), uid="1", extra={"a.io/k": ("v",)})
ADDED = ["system:authenticated"]


async def who(client: Client) -> tuple[str | None, list[str], str | None, dict[str, list[str]]]:
    """Whom the server takes a client for."""
    told = (await client.create(SelfSubjectReview())).status.user_info
    assert told
    return told.username, list(told.groups), told.uid, dict(told.extra or {})


@pytest.fixture(params=["in-process", "http"])
async def admin(request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    """The administrator, by a call and by a socket; there, a kubeconfig names another user (`as:`)."""
    async with Cluster(ClusterOptions(port=0)) as cluster:
        if request.param == "in-process":
            yield Client(cluster.transport())
            return
        config = replace(load_config(cluster.access.kubeconfig), impersonate=CONFIGURED)
        async with Client(HttpTransport(config)) as client:
            assert (await who(client))[0] == "configured"
            yield client


async def test_a_service_account_has_the_groups_that_the_server_gives_it(admin: Client) -> None:
    name, groups, uid, extra = await who(admin.acting_as(TENANT))

    assert name == "system:serviceaccount:team-a:collector"
    assert set(groups) == {"system:serviceaccounts", "system:serviceaccounts:team-a", *ADDED}
    assert (uid or "", extra) == ("", {})
    assert TENANT.headers() == [("Impersonate-User", name)]


async def test_nothing_of_another_user_is_mixed_in(admin: Client) -> None:
    expected = ("bob", ["dev", "ops", *ADDED], "7", {"example.com/scope": ["a", "b"]})

    assert await who(admin.acting_as(BOB)) == expected
    assert await who(admin.acting_as(TENANT).acting_as(BOB)) == expected
    assert (await who(admin.acting_as(BOB).acting_as(TENANT)))[2:] in [("", {}), (None, {})]


async def test_what_the_other_user_may_not_do_is_refused_in_requests_and_streams(admin: Client) -> None:
    rule = PolicyRule(api_groups=[""], resources=["configmaps"], verbs=["get", "list", "watch", "create"])
    reference = RoleRef(api_group="rbac.authorization.k8s.io", kind="Role", name="r")
    subject = Subject(kind="ServiceAccount", name="collector", namespace="team-a")
    where = ObjectMeta(name="r", namespace="team-a")
    for obj in (
        Namespace(metadata=ObjectMeta(name="team-a")),
        Role(metadata=where, rules=[rule]),
        RoleBinding(metadata=where, role_ref=reference, subjects=[subject]),
    ):
        await admin.create(obj)
    tenant = admin.acting_as(TENANT)

    await tenant.create(ConfigMap(metadata=ObjectMeta(name="a", namespace="team-a")))
    with pytest.raises(Forbidden, match="system:serviceaccount:team-a:collector"):
        await tenant.create(ConfigMap(metadata=ObjectMeta(name="a", namespace="default")))
    with pytest.raises(Forbidden, match="system:serviceaccount:team-a:collector"):
        async for _ in tenant.watch(ConfigMap, "default"):
            pass
    assert (await admin.get(ConfigMap, "a", "team-a")).metadata.name == "a"


@pytest.mark.parametrize(
    ("namespace", "name"),
    [
        ("team-a", "../x"),
        ("team-a", "b:admin"),
        ("a:b", "c"),
        ("", "a"),
        ("a", ""),
        ("a", "A"),
        ("a", "b\n"),
        ("a/b", "c"),
    ],
)
def test_what_is_no_service_account_is_refused(namespace: str, name: str) -> None:
    with pytest.raises(ConfigError, match="no name of a ServiceAccount"):
        Impersonation.service_account(namespace, name)


@pytest.mark.parametrize(
    ("method", "path", "is_sent"),
    [
        ("POST", "/api/v1/namespaces/team-b/configmaps", True),
        ("PATCH", "/apis/apps/v1/namespaces/team-b/deployments/web/scale", True),
        ("GET", "/api/v1/namespaces/team-a/secrets/s", True),
        ("POST", "/api/v1/namespaces/team-a/configmaps", False),
        ("DELETE", "/api/v1/namespaces/team-b", False),
        ("PUT", "/api/v1/namespaces/team-b/finalize", False),
        ("POST", "/api/v1/namespaces", False),
        ("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", False),
        ("PUT", "/api/v1/namespaces/team-b/../team-a/configmaps/a", False),
        ("PUT", "/api/v1/namespaces/team-b%2f..%2fteam-a/configmaps/a", False),
        ("PUT", "/api/v1/namespaces/team-b/configmaps/..%2f..%2fteam-a", False),
    ],
)
async def test_a_user_may_be_limited_to_writes_in_one_namespace(
    method: str, path: str, *, is_sent: bool
) -> None:
    sent = Sent()
    client = Client(sent).acting_as(Impersonation.service_account("team-a", "x", writes_in="team-b"))
    answer = await client.transport.send(Request(method=method, path=path))

    assert bool(sent.requests) == is_sent
    assert answer.status == (200 if is_sent else 403)
    if not is_sent:
        assert b"system:serviceaccount:team-a:x may write in namespace team-b only" in answer.body


async def test_a_write_is_not_streamed_past_that_limit() -> None:
    acting = Client(Sent()).acting_as(Impersonation.service_account("team-a", "x", writes_in="team-b"))
    with pytest.raises(ValueError, match="only reads are streamed"):
        acting.transport.stream(Request(method="POST", path="/api/v1/namespaces/team-a/configmaps"))


class Sent(Transport):
    """Notes what is sent."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    @override
    async def send(self, request: Request) -> Response:
        self.requests.append(request)
        return Response(status=200, headers={}, body=b"{}")

    @override
    def stream(self, request: Request) -> AbstractAsyncContextManager[Stream]:
        raise NotImplementedError

    @override
    async def close(self) -> None:
        """There is nothing to give up."""
