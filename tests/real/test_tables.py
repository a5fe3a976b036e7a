"""Tables: for the same object, the real server and our layouts write the same cells."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from contract import Api
from contract_crd import TABLE
from contract_target import transport_to
from table_cases import CASES
from windlass.apiserver.table import builtin_layout, table

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from table_case import Case
    from windlass.testing import Access


@pytest.fixture
async def api(control_plane: Access) -> AsyncIterator[Api]:
    """Plain requests as an administrator."""
    transport = transport_to(control_plane)
    yield Api(transport)
    await transport.close()


@pytest.fixture
async def path(api: Api, namespace: str, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """The path of the object of a case, which is there with its status."""
    case: Case = CASES[request.param]
    collection = case.path.format(namespace)
    name = f"{namespace}-case"
    manifest = case.manifest(name)
    for about in ("involvedObject", "regarding"):
        if about in manifest:  # an event is where its object is
            manifest[about] = manifest[about] | {"namespace": namespace}
    (await api.create(collection, manifest)).ok()
    if case.status:
        (await api.patch(f"{collection}/{name}/status", {"status": case.status})).ok()
    yield f"{collection}/{name}"
    (await api.delete(f"{collection}/{name}", gracePeriodSeconds=0)).ok()
    left = await api.get(f"{collection}/{name}")
    if left.status == 200:  # volumes and claims are protected by a finalizer, which nobody here removes
        (await api.patch(f"{collection}/{name}", {"metadata": {"finalizers": None}})).ok()


@pytest.mark.parametrize(
    ("path", "title"), [(title, title) for title in CASES], indirect=["path"], ids=list(CASES)
)
async def test_both_write_the_same_row(api: Api, path: str, title: str) -> None:
    case = CASES[title]
    obj = (await api.get(path)).ok()

    moments, found = [datetime.now(UTC)], (await api.get(path, accept=TABLE)).ok()
    moments.append(datetime.now(UTC))

    ours = [_table(case, obj, moment) for moment in moments]
    assert _columns(found) == _columns(ours[0])
    assert found["metadata"] == ours[0]["metadata"]
    assert _cells(found) in [_cells(each) for each in ours]
    assert found["rows"][0].get("conditions") == ours[0]["rows"][0].get("conditions")


def _table(case: Case, obj: dict[str, Any], now: datetime) -> dict[str, Any]:
    version = {"resourceVersion": obj["metadata"]["resourceVersion"]}
    return table([obj], version, builtin_layout(case.group, case.kind), now)


def _cells(found: dict[str, Any]) -> list[tuple[type, Any]]:
    """The cells with their types, as 1 is not true."""
    return [(type(cell), cell) for cell in found["rows"][0]["cells"]]


def _columns(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The columns but for their descriptions, which are ours."""
    return [{**column, "description": ""} for column in found["columnDefinitions"]]
