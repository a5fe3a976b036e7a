"""Cluster roles that are made of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from contract import Api
from windlass.cluster import Cluster, ClusterOptions

if TYPE_CHECKING:
    from contract import Object

ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
WIDGETS = {"apiGroups": ["example.com"], "resources": ["widgets"], "verbs": ["get"]}
GADGETS = {"apiGroups": ["example.com"], "resources": ["gadgets"], "verbs": ["get"]}


@pytest.fixture
def api() -> Api:
    return Api(Cluster().transport())


def role(name: str, labels: dict[str, str], *rules: Object, **more: Any) -> Object:
    return {"metadata": {"name": name, "labels": labels}, "rules": list(rules), **more}


def selecting(**labels: str) -> Object:
    return {"aggregationRule": {"clusterRoleSelectors": [{"matchLabels": labels}]}}


async def rules(api: Api, name: str) -> list[Object]:
    found: list[Object] = (await api.get(f"{ROLES}/{name}")).ok().get("rules") or []
    return found


async def test_the_roles_of_users_have_rules_from_the_start(api: Api) -> None:
    for name in ("admin", "edit", "view"):
        assert any("configmaps" in rule["resources"] for rule in await rules(api, name))


async def test_a_role_is_made_of_those_that_it_selects(api: Api) -> None:
    (await api.create(ROLES, role("all", {}, **selecting(part="yes")))).ok()
    (await api.create(ROLES, role("b", {"part": "yes"}, GADGETS, WIDGETS))).ok()
    (await api.create(ROLES, role("a", {"part": "yes"}, WIDGETS))).ok()
    (await api.create(ROLES, role("c", {"part": "no"}, GADGETS))).ok()

    assert await rules(api, "all") == [WIDGETS, GADGETS]
    (await api.delete(f"{ROLES}/b")).ok()
    assert await rules(api, "all") == [WIDGETS]


async def test_a_role_that_is_made_of_others_may_be_a_part_of_another(api: Api) -> None:
    (await api.create(ROLES, role("a", {}, **selecting(middle="yes")))).ok()
    (await api.create(ROLES, role("b", {"middle": "yes"}, **selecting(part="yes")))).ok()
    (await api.create(ROLES, role("c", {"part": "yes"}, WIDGETS))).ok()

    assert await rules(api, "a") == await rules(api, "b") == [WIDGETS]


async def test_roles_that_select_each_other_end(api: Api) -> None:
    (await api.create(ROLES, role("a", {"x": "yes"}, **selecting(y="yes")))).ok()
    (await api.create(ROLES, role("b", {"y": "yes"}, **selecting(x="yes")))).ok()

    assert await rules(api, "a") == await rules(api, "b") == []


async def test_the_rules_belong_to_the_controller_that_makes_them(api: Api) -> None:
    made = (await api.get(f"{ROLES}/view")).ok()

    owners = {entry["manager"]: entry for entry in made["metadata"]["managedFields"]}
    assert owners["clusterrole-aggregation-controller"]["operation"] == "Apply"
    assert owners["clusterrole-aggregation-controller"]["fieldsV1"] == {"f:rules": {}}


async def test_without_upkeep_nobody_makes_them() -> None:
    api = Api(Cluster(ClusterOptions(upkeep=False)).transport())

    assert await rules(api, "view") == []
