"""The markers of the reference page, on the real API server: what it takes, refuses, keeps and fills in.

Each type is the Python of its row on the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from installed import installed, raw
from judged import kept, refused
from marker_cases import CASES
from marker_page import app, place, probe, row, type_of
from windlass.client import JsonPatch, MergePatch
from windlass.errors import Invalid, UndecodableError
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition

if TYPE_CHECKING:
    from windlass.api import Resource
    from windlass.testing import Access

VALIDATION = "kubebuilder:validation:"


@pytest.fixture
def group(namespace: str) -> str:
    """A group that no other test has."""
    return f"{namespace}.example.com"


def reading(kind: type[Resource], spec: Any) -> str:
    """What becomes of a spec that goes to Python and back."""
    try:
        read = kind.from_wire({"spec": spec})
    except UndecodableError:
        return "unreadable"
    assert kind.from_wire(read.to_wire()) == read
    return "kept" if read.to_wire()["spec"] == spec else "rewritten"


@pytest.mark.parametrize("marker", CASES)
async def test_an_invalid_object_is_refused(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    case, field = CASES[marker], place(row(marker).python).field.partition(":")[0]
    kind = probe(marker, group, fields=case.fields)
    async with installed(control_plane, kind) as client:
        for value in case.taken:
            spec = {field: value} if field else value
            assert await kept(client, raw(kind, namespace, spec=spec)) == spec
            assert reading(kind, spec) == case.reading(value)
        for each in case.refused:
            spec = {field: each.value} if field else each.value
            said = await refused(client.create(raw(kind, namespace, spec=spec)))
            assert each.message in said.get(each.blamed(f"spec.{field}" if field else "spec"), ""), said


@pytest.mark.parametrize("marker", [marker for marker in CASES if place(row(marker).python).field])
async def test_an_invalid_item_or_value_is_refused(
    marker: str, control_plane: Access, namespace: str, group: str
) -> None:
    case = CASES[marker]
    items, values = "items: list[T] = Field(default=[], max_length=2)", "values: dict[str, T] = {}"
    kind = app(group, items, fields=values, T=type_of(row(marker).python))
    async with installed(control_plane, kind) as client:
        for value in case.taken:
            spec = {"items": [value], "values": {"a": value}}
            assert await kept(client, raw(kind, namespace, spec=spec)) == spec
            assert reading(kind, spec) == case.reading(value)
        for each in case.refused:
            spec = {"items": [case.accepted[0], each.value], "values": {"a": each.value}}
            said = await refused(client.create(raw(kind, namespace, spec=spec)))
            for place_ in ("spec.items[1]", "spec.values.a"):
                assert each.message in said.get(each.blamed(place_), ""), said
