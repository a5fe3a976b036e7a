"""reviews: how a request without the right to it is refused."""

from collections.abc import AsyncIterator

import pytest

from contract import Api, config_map
from contract_callers import bearer
from windlass.testing import Access


@pytest.fixture
async def nobody(control_plane: Access) -> AsyncIterator[Api]:
    """Requests of a user without any rights."""
    async with bearer(control_plane, control_plane.token("nobody")) as requests:
        yield requests


async def test_a_refusal_of_a_list_names_user_verb_resource_and_namespace(
    nobody: Api, namespace: str, config_maps: str
) -> None:
    reply = await nobody.get(config_maps)

    assert reply.body == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": (
            'configmaps is forbidden: User "nobody" cannot list resource "configmaps" in API group "" '
            f'in the namespace "{namespace}"'
        ),
        "reason": "Forbidden",
        "details": {"kind": "configmaps"},
        "code": 403,
    }
    assert reply.status == 403


async def test_a_refusal_of_an_object_names_it(nobody: Api, namespace: str, deployments: str) -> None:
    refused = (await nobody.get(f"{deployments}/a")).refused(403, "Forbidden")

    assert refused["message"] == (
        'deployments.apps "a" is forbidden: User "nobody" cannot get resource "deployments" '
        f'in API group "apps" in the namespace "{namespace}"'
    )
    assert refused["details"] == {"name": "a", "group": "apps", "kind": "deployments"}


async def test_a_refusal_at_the_cluster_scope_says_so(nobody: Api) -> None:
    refused = (await nobody.get("/api/v1/nodes/a")).refused(403, "Forbidden")

    assert refused["message"] == (
        'nodes "a" is forbidden: User "nobody" cannot get resource "nodes" in API group "" '
        "at the cluster scope"
    )


async def test_a_refusal_of_a_namespace_names_it_as_object_and_place(nobody: Api, namespace: str) -> None:
    refused = (await nobody.get(f"/api/v1/namespaces/{namespace}")).refused(403, "Forbidden")

    assert refused["message"] == (
        f'namespaces "{namespace}" is forbidden: User "nobody" cannot get resource "namespaces" '
        f'in API group "" in the namespace "{namespace}"'
    )


async def test_a_refusal_of_a_subresource_names_both(nobody: Api, namespace: str, deployments: str) -> None:
    refused = (await nobody.patch(f"{deployments}/a/status", {})).refused(403, "Forbidden")

    assert refused["message"] == (
        'deployments.apps "a" is forbidden: User "nobody" cannot patch resource "deployments/status" '
        f'in API group "apps" in the namespace "{namespace}"'
    )


async def test_a_refusal_of_a_create_knows_no_name(nobody: Api, config_maps: str) -> None:
    refused = (await nobody.create(config_maps, config_map("a"))).refused(403, "Forbidden")

    assert refused["message"].startswith(
        'configmaps is forbidden: User "nobody" cannot create resource "configmaps" '
    )
    assert refused["details"] == {"kind": "configmaps"}


async def test_each_verb_is_refused_by_its_own_name(nobody: Api, config_maps: str) -> None:
    one = f"{config_maps}/a"
    replies = {
        "watch": await nobody.get(config_maps, watch=True),
        "deletecollection": await nobody.delete(config_maps),
        "delete": await nobody.delete(one),
        "update": await nobody.update(one, config_map("a")),
        "patch": await nobody.apply(one, config_map("a")),
    }

    for verb, reply in replies.items():
        message = reply.refused(403, "Forbidden")["message"]
        assert f'User "nobody" cannot {verb} resource "configmaps"' in message


async def test_a_path_is_refused_as_a_path(nobody: Api) -> None:
    refused = (await nobody.get("/metrics")).refused(403, "Forbidden")

    assert refused["message"] == 'forbidden: User "nobody" cannot get path "/metrics"'
    assert refused["details"] == {}


async def test_a_refusal_quotes_what_it_names(nobody: Api, namespace: str) -> None:
    path = (await nobody.get("/a%22b%0A")).refused(403, "Forbidden")
    thing = (await nobody.get(f"/api/v1/namespaces/{namespace}/a%22b/c%5C")).refused(403, "Forbidden")

    assert path["message"] == r'forbidden: User "nobody" cannot get path "/a\"b\n"'
    assert thing["message"] == (
        r'a"b "c\\" is forbidden: User "nobody" cannot get resource "a\"b" in API group "" '
        f'in the namespace "{namespace}"'
    )


async def test_rights_are_checked_before_a_kind_is_looked_for(nobody: Api, api: Api, namespace: str) -> None:
    path = f"/apis/{namespace}.example.com/v1/namespaces/{namespace}/things"

    refused = (await nobody.get(path)).refused(403, "Forbidden")
    missing = await api.get(path)

    assert refused["details"] == {"group": f"{namespace}.example.com", "kind": "things"}
    assert missing.status == 404


async def test_rights_are_checked_before_the_body_and_the_namespace(nobody: Api, namespace: str) -> None:
    (await nobody.create(f"/api/v1/namespaces/{namespace}-missing/configmaps", b"{")).refused(
        403, "Forbidden"
    )


@pytest.mark.parametrize(
    ("query", "name"),
    [
        pytest.param({}, "a", id="alone"),
        pytest.param({"labelSelector": "x y"}, None, id="beside a label selector that cannot be read"),
        pytest.param({"limit": "x"}, None, id="beside a limit that is no number"),
    ],
)
async def test_a_refusal_of_a_list_names_what_it_selects_if_its_options_can_be_read(
    nobody: Api, config_maps: str, query: dict[str, str], name: str | None
) -> None:
    reply = await nobody.get(config_maps, fieldSelector="metadata.name=a", **query)

    assert reply.refused(403, "Forbidden")["details"].get("name") == name
