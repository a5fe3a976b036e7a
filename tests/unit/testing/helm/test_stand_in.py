"""The stand-in keeps the promises that the helm program keeps (tests/real/test_helm_contract.py)."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from helm_contract import HelmContract, Site, ledger
from windlass.client import Client
from windlass.helm import Deploying, Retreat
from windlass.testing import StandInHelm

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from windlass.client import Request
    from windlass.cluster import Cluster


@pytest.fixture
def site(api_server: Cluster) -> Site:
    client = Client(api_server.transport())
    return Site(lambda client: StandInHelm(client, {"ledger": ledger}), client, "default")


class TestStandInHelm(HelmContract):
    """Without the program."""


class Crash(BaseException):
    """The end of an operator, as nothing catches it."""


def crash_before(request_number: int) -> Callable[[Request], Awaitable[None]]:
    numbers = count(1)

    async def before(_: Request) -> None:
        if next(numbers) == request_number:
            raise Crash

    return before


async def test_an_upgrade_can_crash_between_any_two_of_its_requests(site: Site) -> None:
    seen = set()
    for number in count(1):
        await site.helm.deploy(site.blueprint(text="one", extra=True), Deploying())
        try:
            await site.meddled(crash_before(number)).deploy(site.blueprint(text="two"), Deploying())
        except Crash:
            states = tuple(state for _, state in await site.states())
            seen.add((states, await site.text(), "web-extra" in await site.names()))
            await site.helm.uninstall(site.blueprint().release, Retreat())
        else:
            break
        assert await site.records() == []
        # As with Helm, an uninstall knows nothing of what only the revision before had.
        assert await site.names() <= {"web-extra"}

    assert seen == {
        (("deployed",), "one", True),
        (("deployed", "pending-upgrade"), "one", True),
        (("deployed", "pending-upgrade"), "two", True),
        (("deployed", "pending-upgrade"), "two", False),
        (("superseded", "pending-upgrade"), "two", False),
    }
