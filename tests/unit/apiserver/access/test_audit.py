"""The audit trail: each request, what was decided about it, and what was answered."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from windlass.aio import ManualClock
from windlass.api import ObjectMeta
from windlass.apiserver import Call, Query, World
from windlass.apiserver.exchange import Cut
from windlass.apiserver.outside import Answer
from windlass.client import Client
from windlass.cluster import Cluster, ClusterOptions
from windlass.errors import ConfigError, Forbidden, NotFound
from windlass.kinds.admissionregistration.v1 import ValidatingWebhookConfiguration
from windlass.kinds.core.v1 import ConfigMap, Namespace
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding
from windlass.testing import Faults

FULL = Path("/dev/full")
RULE = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "patch"]}
REASON = 'RBAC: allowed by ClusterRoleBinding "r" of ClusterRole "r" to User "jane"'


async def granted(cluster: Cluster, *more: str) -> Client:
    """A client of a user who may get and patch ConfigMaps, and do more to them if that is said."""
    admin = Client(cluster.transport())
    rule = {**RULE, "verbs": [*RULE["verbs"], *more]}
    await admin.create(ClusterRole.from_wire({"metadata": {"name": "r"}, "rules": [rule]}))
    binding = {
        "metadata": {"name": "r"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "r"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"}],
    }
    await admin.create(ClusterRoleBinding.from_wire(binding))
    return Client(cluster.transport("jane"))


async def allowing(_path: str, body: bytes) -> Answer:
    """A webhook that lets everything pass."""
    review = orjson.loads(body)
    response = {"uid": review["request"]["uid"], "allowed": True}
    return Answer(200, orjson.dumps({**review, "response": response}))


def config_map(name: str) -> ConfigMap:
    return ConfigMap(metadata=ObjectMeta(name=name, namespace="default"))


def call(method: str, path: str, **more: Any) -> Call:
    return Call(method=method, path=path, **more)


async def test_what_is_decided_is_told_with_the_rule_that_allows_it() -> None:
    cluster = Cluster(ClusterOptions(users={"jane": ()}))
    jane = await granted(cluster)
    await Client(cluster.transport()).create(config_map("c"))

    with cluster.audit() as trail:
        await jane.get(ConfigMap, "c", "default")
        with pytest.raises(Forbidden):
            await jane.list(ConfigMap, "default")
    await jane.get(ConfigMap, "c", "default")

    (got,), (listed,) = (event.decisions for event in trail)
    assert str(got) == "jane get configmaps in default: allowed"
    assert (got.attempt.name, got.verdict.rule and got.verdict.rule.json) == ("c", RULE)
    assert str(listed) == "jane list configmaps in default: denied"
    assert listed.verdict.rule is None


async def test_an_apply_that_creates_is_one_request_and_two_decisions() -> None:
    cluster = Cluster(ClusterOptions(users={"jane": ()}))
    jane = await granted(cluster)

    with cluster.audit() as trail, pytest.raises(Forbidden):
        await jane.apply(config_map("new"))

    (event,) = trail
    assert str(event) == "jane patch configmaps/new in default: 403"
    assert [(each.attempt.verb, each.verdict.allowed) for each in event.decisions] == [
        ("patch", True),
        ("create", False),
    ]
    assert event.json["annotations"] == {
        "authorization.k8s.io/decision": "allow",
        "authorization.k8s.io/reason": REASON,
    }


async def test_only_the_last_are_kept() -> None:
    cluster = Cluster()
    admin = Client(cluster.transport())

    with cluster.audit(most=1) as trail:
        await admin.list(ConfigMap, "default")
        await admin.list(ConfigMap)

    assert [str(each) for each in trail] == ["admin list configmaps: 200"]


async def test_a_request_is_told_in_the_form_of_a_servers_log() -> None:
    clock = ManualClock()
    cluster = Cluster(ClusterOptions(world=World(clock=clock)))
    path = "/api/v1/namespaces/default/configmaps"
    headers = {
        "authorization": f"Bearer {cluster.access.token()}",
        "user-agent": "me/1",
        "audit-id": "mine",
        "x-forwarded-for": "10.0.0.1, 10.0.0.2",
        "content-type": "application/json",
    }
    body = orjson.dumps({"metadata": {"name": "x", "namespace": "other"}})

    with cluster.audit() as trail:
        query = Query((("dryRun", "All"), ("fieldManager", "a b")))
        await cluster.server.handle(
            call("POST", path, query=query, headers=headers, body=body, source="127.0.0.1")
        )

    moment = f"{clock.now():%Y-%m-%dT%H:%M:%S.%f}Z"
    assert [each.json for each in trail] == [
        {
            "kind": "Event",
            "apiVersion": "audit.k8s.io/v1",
            "level": "Metadata",
            "auditID": "mine",
            "stage": "ResponseComplete",
            "requestURI": f"{path}?dryRun=All&fieldManager=a+b",
            "verb": "create",
            "user": {
                "username": "admin",
                "uid": "admin",
                "groups": ["system:masters", "system:authenticated"],
            },
            "sourceIPs": ["10.0.0.1", "10.0.0.2", "127.0.0.1"],
            "userAgent": "me/1",
            "objectRef": {
                "resource": "configmaps",
                "namespace": "default",
                "name": "x",
                "apiVersion": "v1",
            },
            "responseStatus": {
                "metadata": {},
                "status": "Failure",
                "message": "the namespace of the provided object does not match "
                "the namespace sent on the request",
                "reason": "BadRequest",
                "code": 400,
            },
            "requestReceivedTimestamp": moment,
            "stageTimestamp": moment,
            "annotations": {"authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": ""},
        }
    ]


async def test_a_watch_is_told_when_it_starts_and_when_it_ends() -> None:
    clock = ManualClock()
    cluster = Cluster(ClusterOptions(world=World(clock=clock)))
    headers = {"authorization": f"Bearer {cluster.access.token()}"}
    path, query = "/api/v1/namespaces", Query((("watch", "true"),))

    with cluster.audit() as trail:
        reply = await cluster.server.handle(call("GET", path, query=query, headers=headers))
        begun = [each.stage for each in trail]
        await clock.advance(timedelta(seconds=1))
        assert reply.chunks is not None
        await anext(reply.chunks)
        await reply.chunks.aclose()

    first, last = trail
    assert begun == ["ResponseStarted"]
    assert (last.stage, last.id, last.verb) == ("ResponseComplete", first.id, "watch")
    assert last.at - first.at == timedelta(seconds=1)


async def test_who_acts_as_another_is_told_with_the_other() -> None:
    cluster = Cluster()
    headers = {
        "authorization": f"Bearer {cluster.access.token()}",
        "impersonate-user": "jane",
        "impersonate-group": "g",
    }

    with cluster.audit() as trail:
        await cluster.server.handle(call("GET", "/version", headers=headers))

    event = trail[0].json
    assert event["user"]["username"] == "admin"
    assert event["impersonatedUser"] == {"username": "jane", "groups": ["g", "system:authenticated"]}
    assert "objectRef" not in event


async def test_who_is_unknown_is_nobody_and_gets_no_further_than_the_start() -> None:
    cluster = Cluster()

    with cluster.audit() as trail:
        await cluster.server.handle(call("GET", "/api/v1/pods", headers={"authorization": "Bearer nope"}))

    (event,) = (each.json for each in trail)
    assert (event["stage"], event["user"], "annotations" in event) == ("ResponseStarted", {}, False)
    assert event["responseStatus"]["message"] == "Unauthorized"


async def test_a_deletion_is_told_with_the_status_that_it_is_answered_by() -> None:
    cluster = Cluster()
    admin = Client(cluster.transport())
    await admin.create(config_map("c"))

    with cluster.audit() as trail:
        await admin.delete(ConfigMap, "c", "default")
        with pytest.raises(NotFound):
            await admin.get(Namespace, "nosuch")

    deleted, missing = (each.json["responseStatus"] for each in trail)
    assert (deleted["status"], deleted["details"]["name"], deleted["code"]) == ("Success", "c", 200)
    assert (missing["reason"], missing["code"]) == ("NotFound", 404)
    assert trail[1].json["objectRef"] == {
        "resource": "namespaces",
        "namespace": "nosuch",
        "name": "nosuch",
        "apiVersion": "v1",
    }


async def test_a_log_has_a_line_for_each_request_and_is_appended_to(tmp_path: Path) -> None:
    log = tmp_path / "audit.log"

    for _ in range(2):
        async with Cluster(ClusterOptions(audit_log=log)) as cluster:
            await Client(cluster.transport()).list(ConfigMap, "default")

    events = [orjson.loads(line) for line in log.read_text().splitlines()]
    assert [(each["verb"], each["requestURI"]) for each in events] == [
        ("list", "/api/v1/namespaces/default/configmaps")
    ] * 2


async def test_a_request_whose_connection_breaks_is_told_with_what_was_decided() -> None:
    cluster = Cluster()
    headers = {"authorization": f"Bearer {cluster.access.token()}"}

    with cluster.audit() as trail, cluster.faults.applied(Faults(lost=1)), pytest.raises(Cut):
        await cluster.server.handle(call("GET", "/api/v1/namespaces/default/configmaps", headers=headers))

    (event,) = trail
    assert event.json["responseStatus"] == {
        "metadata": {},
        "status": "Success",
        "message": "Connection closed early",
        "code": 200,
    }
    assert [str(each) for each in event.decisions] == ["admin list configmaps in default: allowed"]


async def test_what_is_decided_again_when_a_write_is_begun_anew_is_told_once() -> None:
    cluster = Cluster(ClusterOptions(users={"jane": ()}))
    jane = await granted(cluster, "create")
    cluster.lead("checker.default.svc:443", allowing)
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
    webhook = {
        "name": "check.example.com",
        "clientConfig": {"service": {"name": "checker", "namespace": "default"}},
        "rules": [rule],
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
    }
    configuration = {"metadata": {"name": "checker"}, "webhooks": [webhook]}
    admin = Client(cluster.transport())
    await admin.create(ValidatingWebhookConfiguration.from_wire(configuration))

    with cluster.audit() as trail:
        await jane.apply(config_map("c"))

    (applied,) = trail
    assert list(map(str, applied.decisions)) == [
        "jane patch configmaps in default: allowed",
        "jane create configmaps in default: allowed",
    ]


async def test_an_audit_log_that_cannot_be_opened_is_refused_and_the_data_is_free_again(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"

    with pytest.raises(ConfigError, match=r"cannot write the audit log .*nowhere/log: No such file"):
        async with Cluster(ClusterOptions(data=data, audit_log=tmp_path / "nowhere" / "log")):
            pass

    async with Cluster(ClusterOptions(data=data)) as cluster:
        await Client(cluster.transport()).create(config_map("c"))


@pytest.mark.skipif(not FULL.exists(), reason="this system has no disk that is always full")
async def test_a_request_is_answered_although_its_event_cannot_be_written(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with Cluster(ClusterOptions(audit_log=FULL)) as cluster:
        created = await Client(cluster.transport()).create(config_map("c"))

    assert created.metadata.name == "c"
    assert caplog.messages == ["cannot write the audit log /dev/full: No space left on device"]
