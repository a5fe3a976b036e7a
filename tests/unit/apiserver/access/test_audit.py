"""Who attempts what, whether they may, and by which rule."""

from __future__ import annotations

import pytest

from windlass.api import ObjectMeta
from windlass.client import Client
from windlass.cluster import Cluster, ClusterOptions
from windlass.errors import Forbidden
from windlass.kinds.core.v1 import ConfigMap
from windlass.kinds.rbac.v1 import ClusterRole, ClusterRoleBinding

RULE = {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "patch"]}


async def granted(cluster: Cluster) -> Client:
    """A client of a user who may get and patch ConfigMaps."""
    admin = Client(cluster.transport())
    await admin.create(ClusterRole.from_wire({"metadata": {"name": "r"}, "rules": [RULE]}))
    binding = {
        "metadata": {"name": "r"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "r"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "jane"}],
    }
    await admin.create(ClusterRoleBinding.from_wire(binding))
    return Client(cluster.transport("jane"))


async def test_what_is_decided_is_told_with_the_rule_that_allows_it() -> None:
    cluster = Cluster(ClusterOptions(users={"jane": ()}))
    jane = await granted(cluster)
    await Client(cluster.transport()).create(ConfigMap(metadata=ObjectMeta(name="c", namespace="default")))

    with cluster.audit() as decisions:
        await jane.get(ConfigMap, "c", "default")
        with pytest.raises(Forbidden):
            await jane.list(ConfigMap, "default")
    await jane.get(ConfigMap, "c", "default")

    got, listed = decisions
    assert str(got) == "jane get configmaps in default: allowed"
    assert (got.attempt.name, got.verdict.rule and got.verdict.rule.json) == ("c", RULE)
    assert str(listed) == "jane list configmaps in default: denied"
    assert listed.verdict.rule is None


async def test_an_apply_that_creates_is_two_attempts() -> None:
    cluster = Cluster(ClusterOptions(users={"jane": ()}))
    jane = await granted(cluster)

    with cluster.audit() as decisions, pytest.raises(Forbidden):
        await jane.apply(ConfigMap(metadata=ObjectMeta(name="new", namespace="default")))

    assert [(each.attempt.verb, each.verdict.allowed) for each in decisions] == [
        ("patch", True),
        ("create", False),
    ]


async def test_who_may_do_everything_is_told_too_and_only_the_last_are_kept() -> None:
    cluster = Cluster()
    admin = Client(cluster.transport())

    with cluster.audit(most=1) as decisions:
        await admin.list(ConfigMap, "default")
        await admin.list(ConfigMap)

    assert [str(each) for each in decisions] == ["admin list configmaps: allowed"]
