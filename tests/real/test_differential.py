"""The same random requests to the real server and to the embedded one: the same answers.

A minute in all, an hour with `--hypothesis-profile soak`. A failure tells the seed to repeat it with.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from contract_target import transport_to
from differential_pair import pair_of
from differential_run import compare
from differential_subject import AREAS
from differential_verdict import Register, accepted_differences
from windlass.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.testing import Access

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


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
    first = int(pytestconfig.getoption("--hypothesis-seed") or secrets.randbelow(2**32))
    register = Register(accepted_differences(), area)
    record_property("seed", first)
    with pair_of(lambda: (transport_to(control_plane), Cluster().transport()), register) as pair:
        requests = compare(pair, area, (HOUR if soaking else MINUTE) / len(AREAS), first)

    record_property("requests", requests)
    record_property("accepted", dict(register.met))
    if soaking:
        assert register.unmet(area) == []
