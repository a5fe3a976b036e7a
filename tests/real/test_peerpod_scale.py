"""Five thousand nodes: each is written once, and none in vain.

They have no kubelet, so a controller-manager would be busy with them: the API server is the test's alone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from peer_pods import NAME, Peering, advertised, config
from windlass.kinds.core.v1 import Node
from windlass.operators.peerpod import PeerPodConfig
from windlass.testing import Starter

if TYPE_CHECKING:
    from peer_pods import Peers
    from windlass.cluster import Cluster

pytestmark = pytest.mark.timeout(240)
COUNT = 5_000
PATIENCE = timedelta(seconds=100)


async def joined(peers: Peers) -> None:
    """Bring all nodes into the cluster, many at a time."""
    shorts = iter([f"{number:04}" for number in range(COUNT)])

    async def work() -> None:
        for short in shorts:
            await peers.join(short)

    async with asyncio.TaskGroup() as group:
        for _ in range(20):
            group.create_task(work())


def writes(peers: Peers, since: int) -> Counter[str]:
    """How often each node was written."""
    sent = peers.trial.requests[since:]
    return Counter(each.path.split("/")[4] for each in sent if each.path.startswith("/api/v1/nodes/"))


async def test_a_limit_over_five_thousand_nodes_takes_one_write_for_each_share_that_changes(
    api_server: Cluster,
) -> None:
    async with Peering(Starter(api_server))() as peers:
        await joined(peers)
        await peers.trial.client.create(config(peers.pool, limit=12_345))
        done = await peers.trial.ready(PeerPodConfig, NAME, within=PATIENCE)
        first = writes(peers, 0)
        assert done.status.node_count == COUNT
        assert done.status.total_advertised == 12_345
        assert len(done.status.nodes) == 200
        assert first == dict.fromkeys(peers.nodes, 1)
        shares = Counter(advertised(each) for each in await peers.trial.client.list(Node))
        assert {share: count for share, count in shares.items() if share} == {2: 2_655, 3: 2_345}

        since = len(peers.trial.requests)
        await peers.change(limit=12_346)
        await peers.trial.until(
            PeerPodConfig, NAME, lambda found: found.status.total_advertised == 12_346, within=PATIENCE
        )
        assert sum(writes(peers, since).values()) == 1
        since = len(peers.trial.requests)
        await peers.join("late")
        await peers.trial.until(
            PeerPodConfig, NAME, lambda found: found.status.node_count == COUNT + 1, within=PATIENCE
        )
        assert sum(writes(peers, since).values()) == 3  # two give one each to the one that came
        await peers.trial.settled()
