from __future__ import annotations

from typing import TYPE_CHECKING

from tenants import collector, deployed, encoded
from windlass.api import Key
from windlass.operators.collector import Collector

if TYPE_CHECKING:
    from tenants import Collecting


async def test_a_collector_is_deployed(collecting: Collecting) -> None:
    async with collecting() as trial:
        await trial.client.create(collector("amp", trial.namespace, collector={"configuration": encoded({"replicaCount": 2})}))
        made = await trial.ready(Collector, "amp")
        print(made.status)
        found = await deployed(trial, Key(trial.namespace, "cisco-amp-collector-main"))
        assert found and found.spec.replicas == 2
        await trial.settled()
