"""Who owns what: the markers of lists, maps and objects under server-side apply, on the real API server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from installed import installed, raw
from judged import refused
from marker_page import probe
from windlass.errors import Conflict

if TYPE_CHECKING:
    from windlass.api import Resource
    from windlass.client import Client
    from windlass.testing import Access


@pytest.fixture
def group(namespace: str) -> str:
    """A group that no other test has."""
    return f"{namespace}.example.com"


async def apply(client: Client, kind: type[Resource], namespace: str, manager: str, **spec: Any) -> Any:
    """The spec after an applier said what it wants."""
    applied = await client.using(field_manager=manager).apply(raw(kind, namespace, spec=spec))
    return applied["spec"]


@pytest.mark.parametrize("marker", ["listType (map)", "listMapKey", "k8s:listMapKey"])
async def test_the_items_of_a_list_map_are_merged_by_their_keys(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(marker, group)
    tcp, udp = {"port": 80, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}
    named = {**tcp, "name": "web"}

    async with installed(control_plane, kind) as client:
        await apply(client, kind, namespace, "one", ports=[tcp])
        both = await apply(client, kind, namespace, "two", ports=[udp])
        changed = await apply(client, kind, namespace, "one", ports=[named])
        left = await apply(client, kind, namespace, "one", ports=[])
        twice = await refused(client.create(raw(kind, namespace, "b", spec={"ports": [tcp, named]})))

    assert both == {"ports": [tcp, udp]}
    assert changed == {"ports": [named, udp]}
    assert left == {"ports": [udp]}
    assert "Duplicate value" in twice["spec.ports[1]"]


@pytest.mark.parametrize("marker", ["listType (set)", "k8s:listType"])
async def test_the_items_of_a_set_are_merged(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(marker, group)

    async with installed(control_plane, kind) as client:
        await apply(client, kind, namespace, "one", names=["a", "b"])
        both = await apply(client, kind, namespace, "two", names=["b", "c"])
        left = await apply(client, kind, namespace, "one", names=[])
        twice = await refused(client.create(raw(kind, namespace, "b", spec={"names": ["a", "a"]})))

    assert both == {"names": ["a", "b", "c"]}
    assert left == {"names": ["b", "c"]}
    assert "Duplicate value" in twice["spec.names[1]"]


ATOMIC: dict[str, tuple[Any, Any]] = {
    "listType (atomic)": ({"names": ["a"]}, {"names": ["b"]}),
    "mapType (atomic)": ({"labels": {"a": "1"}}, {"labels": {"b": "2"}}),
    "structType (atomic)": (
        {"port": {"port": 1, "protocol": "UDP"}},
        {"port": {"port": 1, "protocol": "UDP", "name": "x"}},
    ),
}


@pytest.mark.parametrize("marker", ATOMIC)
async def test_what_is_atomic_has_one_owner(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(marker, group)
    first, second = ATOMIC[marker]

    async with installed(control_plane, kind) as client:
        await apply(client, kind, namespace, "one", **first)
        with pytest.raises(Conflict, match='conflict with "one"'):
            await apply(client, kind, namespace, "two", **second)
        forced = await client.using(field_manager="two").apply(raw(kind, namespace, spec=second), force=True)

    assert forced["spec"] == second


GRANULAR: dict[str, tuple[Any, Any, Any]] = {
    "mapType (granular)": (
        {"labels": {"a": "1"}},
        {"labels": {"b": "2"}},
        {"labels": {"a": "1", "b": "2"}},
    ),
    "structType (granular)": (
        {"port": {"port": 1}},
        {"port": {"port": 1, "name": "x"}},
        {"port": {"port": 1, "protocol": "TCP", "name": "x"}},
    ),
}


@pytest.mark.parametrize("marker", GRANULAR)
async def test_what_is_granular_has_several_owners(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    kind = probe(marker, group)
    first, second, both = GRANULAR[marker]

    async with installed(control_plane, kind) as client:
        await apply(client, kind, namespace, "one", **first)
        assert await apply(client, kind, namespace, "two", **second) == both
