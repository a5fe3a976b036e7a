"""Who the real server takes a client for, and what it lets them do."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import yaml

from real import GADGETS, Gadget, administrator, settled
from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.client import (
    NO_RETRY,
    ClientOptions,
    Impersonation,
    MergePatch,
    Request,
    Retry,
    connect,
    evict,
    get_scale,
    load_config,
    request_token,
    server_version,
    set_scale,
)
from windlass.errors import Forbidden, Unauthorized
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.authentication.v1 import SelfSubjectReview, UserInfo
from windlass.kinds.core.v1 import ConfigMap, Namespace, Node, Pod, Secret, ServiceAccount
from windlass.kinds.rbac.v1 import (
    ClusterRole,
    ClusterRoleBinding,
    PolicyRule,
    Role,
    RoleBinding,
    RoleRef,
    Subject,
)
from windlass.testing import install_kinds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from windlass.client import Client, ClusterConfig
    from windlass.testing import Access

RBAC = "rbac.authorization.k8s.io"
PATIENCE = 20.0
SPEC = {"containers": [{"name": "main", "image": "example.com/app:1"}], "automountServiceAccountToken": False}
LABELS = {"app": "web"}


@pytest.fixture(autouse=True)
async def quiet() -> AsyncIterator[None]:
    """Each test is over when its connections are."""
    async with settled():
        yield


@pytest.fixture
async def admin(control_plane: Access, namespace: str) -> AsyncIterator[Client]:
    """An administrator's client in this test's namespace."""
    async with administrator(control_plane, namespace) as made:
        yield made


async def who_is(client: Client) -> UserInfo:
    """Whom the server takes a client for."""
    told = await client.create(SelfSubjectReview())
    return told.status.user_info or UserInfo()


def config_of(access: Access, user: dict[str, Any], folder: Path) -> ClusterConfig:
    """What the administrator's kubeconfig says with this user entry."""
    kubeconfig = yaml.safe_load(access.kubeconfig.read_text())
    kubeconfig["users"][0]["user"] = user
    path = folder / "kubeconfig"
    path.write_text(yaml.safe_dump(kubeconfig))
    return load_config(path)


def user_of(
    access: Access, user: dict[str, Any], folder: Path, options: ClientOptions | None = None
) -> AbstractAsyncContextManager[Client]:
    """A client with the administrator's kubeconfig, but with this user entry."""
    return connect(config_of(access, user, folder), options)


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


async def test_a_client_certificate_in_a_kubeconfig(control_plane: Access, tmp_path: Path) -> None:
    pair = control_plane.user_certificate("ada", ["builders", "readers"])
    user = {
        "client-certificate-data": encoded(pair.certificate),
        "client-key-data": encoded(pair.key),
    }

    async with user_of(control_plane, user, tmp_path) as client:
        told = await who_is(client)

    assert (told.username, told.groups) == ("ada", ["builders", "readers", "system:authenticated"])


async def test_a_client_certificate_that_is_renewed_in_its_file(
    control_plane: Access, tmp_path: Path
) -> None:
    def write(name: str) -> None:
        pair = control_plane.user_certificate(name)
        (tmp_path / "tls.crt").write_text(pair.certificate)
        (tmp_path / "tls.key").write_text(pair.key)

    write("ada")
    clock = ManualClock(datetime.now(UTC))  # at which certificates are valid
    user = {"client-certificate": "tls.crt", "client-key": "tls.key"}
    options = ClientOptions(retry=Retry(clock=clock))

    async with user_of(control_plane, user, tmp_path, options) as client:
        before = await who_is(client)
        write("bob")
        await clock.advance(timedelta(minutes=1))
        after = await who_is(client)

    assert (before.username, after.username) == ("ada", "bob")


async def test_a_token_file_is_read_again_every_minute(control_plane: Access, tmp_path: Path) -> None:
    token, clock = tmp_path / "token", ManualClock()
    token.write_text(control_plane.token("nobody"))
    options = ClientOptions(retry=Retry(clock=clock))

    async with user_of(control_plane, {"tokenFile": "token"}, tmp_path, options) as client:
        names = [(await who_is(client)).username]
        token.write_text(control_plane.token() + "\n")
        await clock.advance(timedelta(seconds=59))
        names.append((await who_is(client)).username)
        await clock.advance(timedelta(seconds=1))
        names.append((await who_is(client)).username)

    assert names == ["nobody", "nobody", "admin"]


async def test_a_token_that_the_server_refuses_is_read_again_at_once(
    control_plane: Access, tmp_path: Path
) -> None:
    token = tmp_path / "token"
    token.write_text("expired")
    options = ClientOptions(retry=Retry(clock=ManualClock()))

    async with user_of(control_plane, {"tokenFile": "token"}, tmp_path, options) as client:
        with pytest.raises(Unauthorized):
            await who_is(client)
        token.write_text(control_plane.token())
        told = await asyncio.gather(*(who_is(client) for _ in range(20)))

    assert {each.username for each in told} == {"admin"}


async def test_an_exec_plugin_runs_once_for_many_requests(control_plane: Access, tmp_path: Path) -> None:
    credential = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "kind": "ExecCredential",
        "status": {"token": control_plane.token()},
    }
    (tmp_path / "credential.json").write_text(json.dumps(credential))
    plugin = tmp_path / "plugin"
    plugin.write_text('#!/bin/sh\necho run >> "$FOLDER/runs"\ncat "$FOLDER/credential.json"\n')
    plugin.chmod(0o755)
    command = {
        "apiVersion": credential["apiVersion"],
        "command": str(plugin),
        "interactiveMode": "Never",
        "env": [{"name": "FOLDER", "value": str(tmp_path)}],
    }

    async with user_of(control_plane, {"exec": command}, tmp_path) as client:
        told = await asyncio.gather(*(who_is(client) for _ in range(20)))

    assert {each.username for each in told} == {"admin"}
    assert (tmp_path / "runs").read_text() == "run\n"


async def test_a_kubeconfig_can_ask_to_act_as_someone_else(control_plane: Access, tmp_path: Path) -> None:
    user = {
        "token": control_plane.token(),
        "as": "ada",
        "as-uid": "1815",
        "as-groups": ["builders", "system:authenticated"],
        "as-user-extra": {"example.com/Reason": ["support", "büro"]},
    }

    async with user_of(control_plane, user, tmp_path) as client:
        told = await who_is(client)
        with pytest.raises(Forbidden, match='User "ada" cannot list'):
            await client.list(Secret, "default")

    assert (told.username, told.uid, told.groups) == ("ada", "1815", ["builders", "system:authenticated"])
    assert told.extra == {"example.com/reason": ["support", "büro"]}


class Robot:
    """A service account with a role of its own in the whole cluster, and a client that uses its token."""

    def __init__(self, admin: Client, name: str, client: Client) -> None:
        self.admin = admin
        self._name = name
        self.client = client

    async def allow(self, *rules: PolicyRule) -> None:
        """Add rules to the role."""
        role = await self.admin.get(ClusterRole, self._name)
        role.rules.extend(rules)
        await self.admin.update(role)

    async def until_allowed(self, call: Callable[[Client], Awaitable[object]]) -> list[PolicyRule]:
        """Add what each refusal names until the call succeeds; the rules that were added."""
        added: list[PolicyRule] = []
        async with asyncio.timeout(PATIENCE):
            while True:
                try:
                    await call(self.client)
                except Forbidden as error:
                    rule = rule_in(error)
                    if rule not in added:
                        added.append(rule)
                        await self.allow(rule)
                    await asyncio.sleep(0.02)  # the server learns of a role by a watch of its own
                else:
                    return added


def rule_in(error: Forbidden) -> PolicyRule:
    """The rule that a refusal names."""
    (rule,) = yaml.safe_load(str(error).partition("role.yaml:\n")[2])
    return PolicyRule.from_wire(rule)


@pytest.fixture
async def robot(control_plane: Access, admin: Client, namespace: str, tmp_path: Path) -> AsyncIterator[Robot]:
    """A service account that may do nothing yet."""
    await admin.create(ServiceAccount(metadata=ObjectMeta(name="robot")))
    await admin.create(ClusterRole(metadata=ObjectMeta(name=namespace), rules=[]))
    subject = Subject(kind="ServiceAccount", name="robot", namespace=namespace)
    ref = RoleRef(api_group=RBAC, kind="ClusterRole", name=namespace)
    await admin.create(
        ClusterRoleBinding(metadata=ObjectMeta(name=namespace), role_ref=ref, subjects=[subject])
    )
    token = (await request_token(admin, "robot")).token
    options = ClientOptions(retry=NO_RETRY, namespace=namespace)
    try:
        async with user_of(control_plane, {"token": token}, tmp_path, options) as client:
            yield Robot(admin, namespace, client)
    finally:
        await admin.delete(ClusterRoleBinding, namespace)
        await admin.delete(ClusterRole, namespace)


async def first_event(client: Client, namespace: str) -> None:
    async for _ in client.watch(ConfigMap, namespace):
        return


CALLS: dict[str, tuple[Callable[[Client], Awaitable[object]], list[tuple[str, str, str]]]] = {
    "get": (lambda c: c.get(ConfigMap, "old"), [("", "configmaps", "get")]),
    "list": (lambda c: c.list(ConfigMap), [("", "configmaps", "list")]),
    "create": (lambda c: c.create(ConfigMap(metadata=ObjectMeta(name="new"))), [("", "configmaps", "create")]),
    "update": (lambda c: c.update(ConfigMap(metadata=ObjectMeta(name="old"))), [("", "configmaps", "update")]),
    "patch": (lambda c: c.patch(ConfigMap, "old", MergePatch({})), [("", "configmaps", "patch")]),
    "apply to what exists": (
        lambda c: c.apply(ConfigMap(metadata=ObjectMeta(name="old"))),
        [("", "configmaps", "patch")],
    ),
    "apply what is new": (
        lambda c: c.apply(ConfigMap(metadata=ObjectMeta(name="new"))),
        [("", "configmaps", "patch"), ("", "configmaps", "create")],
    ),
    "delete": (lambda c: c.delete(ConfigMap, "old"), [("", "configmaps", "delete")]),
    "delete_collection": (
        lambda c: c.delete_collection(ConfigMap),
        [("", "configmaps", "deletecollection")],
    ),
    "read a scale": (lambda c: get_scale(c, Deployment, "web"), [("apps", "deployments/scale", "get")]),
    "set a scale": (lambda c: set_scale(c, Deployment, "web", 2), [("apps", "deployments/scale", "patch")]),
    "patch a status": (
        lambda c: c.status.patch(Deployment, "web", MergePatch({})),
        [("apps", "deployments/status", "patch")],
    ),
    "evict": (lambda c: evict(c, "web"), [("", "pods/eviction", "create")]),
    "ask for a token": (lambda c: request_token(c, "robot"), [("", "serviceaccounts/token", "create")]),
    "list what is cluster-wide": (lambda c: c.list(Node), [("", "nodes", "list")]),
    "get a namespace": (lambda c: c.get(Namespace, "default"), [("", "namespaces", "get")]),
    "read a namespace's status": (
        lambda c: c.status.get(Namespace, "default"),
        [("", "namespaces/status", "get")],
    ),
    "a custom kind": (
        lambda c: c.create(Gadget(metadata=ObjectMeta(generate_name="a-"))),
        [("client.example.com", "gadgets", "create")],
    ),
    "a custom kind's status": (
        lambda c: c.status.patch(Gadget, "old", MergePatch({"status": {"phase": "x"}})),
        [("client.example.com", "gadgets/status", "patch")],
    ),
}  # fmt: skip


@pytest.fixture
async def world(admin: Client) -> None:
    """What the calls are about."""
    await install_kinds(admin, GADGETS)
    await admin.create(ConfigMap(metadata=ObjectMeta(name="old")))
    await admin.create(Gadget(metadata=ObjectMeta(name="old")))
    await admin.create(Pod.from_wire({"metadata": {"name": "web"}, "spec": SPEC}))
    template = {"metadata": {"labels": LABELS}, "spec": SPEC}
    spec = {"selector": {"matchLabels": LABELS}, "template": template}
    await admin.create(Deployment.from_wire({"metadata": {"name": "web"}, "spec": spec}))


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("name", list(CALLS))
async def test_a_refusal_names_the_rule_that_makes_the_call_succeed(robot: Robot, name: str) -> None:
    call, expected = CALLS[name]

    added = await robot.until_allowed(call)

    found = [(rule.api_groups, rule.resources, rule.verbs) for rule in added]
    assert found == [([group], [resource], [verb]) for group, resource, verb in expected]


async def test_a_refused_watch_names_its_rule_too(robot: Robot, admin: Client, namespace: str) -> None:
    await admin.create(ConfigMap(metadata=ObjectMeta(name="a")))

    (rule,) = await robot.until_allowed(lambda client: first_event(client, namespace))

    assert (rule.resources, rule.verbs) == (["configmaps"], ["watch"])


async def test_a_refused_path_names_its_rule_too(robot: Robot) -> None:
    metrics = Request(method="GET", path="/metrics")

    (rule,) = await robot.until_allowed(lambda client: client.send(metrics))

    assert (rule.non_resource_urls, rule.verbs) == (["/metrics"], ["get"])


async def test_acting_as_someone_else_is_allowed_by_the_rules_that_refusals_name(
    control_plane: Access, robot: Robot, tmp_path: Path
) -> None:
    token = (await request_token(robot.admin, "robot")).token
    user = {"token": token, "as": "ada", "as-groups": ["readers"]}

    async with user_of(control_plane, user, tmp_path) as client:
        added = await robot.until_allowed(lambda _: who_is(client))
        told = await who_is(client)

    assert (told.username, told.groups) == ("ada", ["readers", "system:authenticated"])
    assert {resource for rule in added for resource in rule.resources} >= {"users", "groups"}
    assert all(verb.startswith("impersonate") for rule in added for verb in rule.verbs)


async def test_a_token_may_do_exactly_what_the_role_says(
    control_plane: Access, admin: Client, namespace: str, tmp_path: Path
) -> None:
    await admin.create(ServiceAccount(metadata=ObjectMeta(name="robot")))
    await admin.create(ConfigMap(metadata=ObjectMeta(name="a")))
    rules = [PolicyRule(api_groups=[""], resources=["configmaps"], resource_names=["a"], verbs=["get"])]
    await admin.create(Role(metadata=ObjectMeta(name="robot"), rules=rules))
    ref = RoleRef(api_group=RBAC, kind="Role", name="robot")
    subjects = [Subject(kind="ServiceAccount", name="robot", namespace=namespace)]
    await admin.create(RoleBinding(metadata=ObjectMeta(name="robot"), role_ref=ref, subjects=subjects))
    token = (await request_token(admin, "robot")).token

    options = ClientOptions(namespace=namespace, retry=NO_RETRY)
    async with user_of(control_plane, {"token": token}, tmp_path, options) as client:
        assert (await who_is(client)).username == f"system:serviceaccount:{namespace}:robot"
        await allowed(lambda: client.get(ConfigMap, "a"))
        refused: list[Callable[[], Awaitable[object]]] = [
            lambda: client.get(ConfigMap, "b"),
            lambda: client.list(ConfigMap, namespace),
            lambda: client.get(ConfigMap, "a", "default"),
            lambda: client.patch(ConfigMap, "a", MergePatch({"data": {"x": "1"}})),
            lambda: client.delete(ConfigMap, "a"),
            lambda: client.get(Secret, "a"),
        ]
        for call in refused:
            with pytest.raises(Forbidden):
                await call()


async def allowed(call: Callable[[], Awaitable[object]]) -> None:
    """Wait until the server has learnt of a new role."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await call()
            except Forbidden:
                await asyncio.sleep(0.02)
            else:
                return


async def test_no_rule_is_named_where_none_would_help(admin: Client) -> None:
    ending = await admin.create(Namespace(metadata=ObjectMeta(generate_name="test-")))
    await admin.delete(Namespace, ending.metadata.name)

    with pytest.raises(Forbidden, match="being terminated") as error:
        await admin.create(ConfigMap(metadata=ObjectMeta(name="a", namespace=ending.metadata.name)))

    assert "role.yaml" not in str(error.value)


async def test_a_pod_finds_its_own_configuration(
    control_plane: Access, admin: Client, namespace: str, tmp_path: Path
) -> None:
    await admin.create(ServiceAccount(metadata=ObjectMeta(name="robot")))
    folder = tmp_path / "serviceaccount"
    folder.mkdir()
    (folder / "token").write_text((await request_token(admin, "robot")).token)
    (folder / "ca.crt").write_text(control_plane.ca)
    (folder / "namespace").write_text(namespace)
    address = urlsplit(control_plane.server)
    environment = {
        "PATH": os.environ["PATH"],
        "KUBERNETES_SERVICE_HOST": str(address.hostname),
        "KUBERNETES_SERVICE_PORT": str(address.port),
    }

    config = load_config(environment=environment, home=tmp_path, service_account=folder)
    async with connect(config) as client:
        told = await who_is(client)
        with pytest.raises(Forbidden, match=f'in the namespace "{namespace}"'):
            await client.get(ConfigMap, "a")

    assert told.username == f"system:serviceaccount:{namespace}:robot"


async def test_an_anonymous_client_may_read_the_version_only(control_plane: Access, tmp_path: Path) -> None:
    async with user_of(control_plane, {}, tmp_path) as client:
        assert (await server_version(client))["gitVersion"].startswith("v1.")
        with pytest.raises((Forbidden, Unauthorized)):
            await client.list(ConfigMap, "default")


async def test_impersonation_is_a_setting_of_a_configuration(control_plane: Access) -> None:
    config = replace(
        load_config(control_plane.kubeconfig), impersonate=Impersonation(user="system:serviceaccount:a:b")
    )

    async with connect(config) as client:
        told = await who_is(client)

    assert told.username == "system:serviceaccount:a:b"
    assert "system:serviceaccounts:a" in told.groups
