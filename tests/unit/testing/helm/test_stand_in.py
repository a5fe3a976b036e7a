"""The stand-in keeps the promises that the helm program keeps (tests/real/test_helm_contract.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from helm_contract import HelmContract, Site, ledger
from windlass.client import Client
from windlass.testing import StandInHelm

if TYPE_CHECKING:
    from windlass.cluster import Cluster


@pytest.fixture
def site(api_server: Cluster) -> Site:
    client = Client(api_server.transport())
    return Site(lambda client: StandInHelm(client, {"ledger": ledger}), client, "default")


class TestStandInHelm(HelmContract):
    """Without the program."""
