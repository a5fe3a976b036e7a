"""The same random requests to the real server and to the embedded one: the same answers.

About a minute of rounds from always the same seeds, so that a change fails by its own fault only; with
`--hypothesis-profile soak` an hour from seeds that nobody has seen, with every difference told at the end. A failure
tells the seed to repeat it with, which also finds the shortest sequence of requests that shows it.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from contract_target import AS_BARE, transport_to
from differential_pair import pair_of
from differential_run import compare, explore, seeds
from differential_side import Door
from differential_subject import AREAS
from differential_verdict import Register, accepted_differences
from windlass.client import ClusterConfig
from windlass.cluster import Cluster, InProcessTransport

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.testing import Access

HOUR = timedelta(hours=1)
ROUNDS = 2


def tokens(access: Access) -> dict[str, str]:
    """The tokens that a server knows, and one that none does."""
    return {**{user: access.token(user) for user in ("admin", "nobody")}, "bad": "not-a-token"}


def door(access: Access) -> Door:
    """The way to a server for anyone."""
    config = ClusterConfig(server=access.server, ca=access.ca.encode())
    return Door(transport_to(access, config), tokens(access))


@pytest.mark.property
@pytest.mark.timeout(HOUR.total_seconds())  # shrinking a failure takes its time
@pytest.mark.parametrize("area", AREAS)
def test_both_servers_answer_alike(
    control_plane: Access,
    area: str,
    pytestconfig: pytest.Config,
    record_property: Callable[[str, object], None],
) -> None:
    soaking = settings.get_current_profile_name() == "soak"
    given = pytestconfig.getoption("--hypothesis-seed")
    first = int(given or (secrets.randbelow(2**32) if soaking else 1))
    rounds = seeds(first, HOUR / len(AREAS)) if soaking else range(first, first + (1 if given else ROUNDS))
    register = Register(accepted_differences(), area)
    record_property("seed", first)
    embedded = Cluster(AS_BARE)
    with pair_of(
        lambda: (transport_to(control_plane), embedded.transport()),
        register,
        lambda: (door(control_plane), Door(InProcessTransport(embedded.server), tokens(embedded.access))),
    ) as pair:
        requests = (explore if soaking and not given else compare)(pair, area, rounds)

    record_property("requests", requests)
    record_property("accepted", dict(register.met))
    if soaking:
        assert register.unmet(area) == []
