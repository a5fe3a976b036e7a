"""Rules as roles, on the real API server: what an account may do that has them, and what not."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from allowed import account, becomes_allowed, may
from marker_page import row, value_of
from windlass.client import connect, find_kind, load_config
from windlass.codegen import manager_roles
from windlass.codegen.rbac import bindings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client import Client
    from windlass.codegen import Rule
    from windlass.testing import Access

RBAC = "kubebuilder:rbac ({})"


@asynccontextmanager
async def granted(access: Access, namespace: str, rule: Rule) -> AsyncIterator[tuple[Client, str]]:
    """A client, and an account that has what the rule allows."""
    made: list[Any] = []
    async with connect(load_config(access.kubeconfig)) as client:
        try:
            roles = manager_roles(namespace, [rule])
            for document in (*roles, *bindings(namespace, namespace, roles)):
                kind = await find_kind(client, document["apiVersion"], document["kind"])
                made.append(await client.create(kind.from_wire(document)))
            yield client, account(namespace, f"{namespace}-controller-manager")
        finally:
            for each in made:
                await client.delete(type(each), each.metadata.name, each.metadata.namespace)


@pytest.mark.parametrize(
    ("argument", "allowed", "denied"),
    [
        (
            "groups, resources, verbs",
            [("get", "apps/deployments", {}), ("list", "apps/deployments", {"namespace": "any"})],
            [("delete", "apps/deployments", {}), ("get", "apps/daemonsets", {}), ("get", "deployments", {})],
        ),
        (
            "resourceNames",
            [("get", "configmaps", {"name": "settings", "namespace": "any"})],
            [("get", "configmaps", {"name": "other"}), ("list", "configmaps", {})],
        ),
        ("urls", [("get", "/metrics", {})], [("get", "/metrics/cadvisor", {}), ("post", "/metrics", {})]),
    ],
)
async def test_a_rule_allows_what_it_says(
    argument: str, allowed: list[Any], denied: list[Any], control_plane: Access, namespace: str
) -> None:
    rule = value_of(row(RBAC.format(argument)).python)

    async with granted(control_plane, namespace, rule) as (client, user):
        for verb, what, where in allowed:
            await becomes_allowed(client, user, verb, what, **where)
        assert not [
            (verb, what) for verb, what, where in denied if await may(client, user, verb, what, **where)
        ]


async def test_a_rule_with_a_namespace_holds_there_alone(control_plane: Access, namespace: str) -> None:
    rule = replace(value_of(row("kubebuilder:rbac (namespace)").python), namespace=namespace)

    async with granted(control_plane, namespace, rule) as (client, user):
        await becomes_allowed(client, user, "get", "secrets", namespace=namespace)

        assert not await may(client, user, "get", "secrets", namespace="default")
        assert not await may(client, user, "get", "secrets")
