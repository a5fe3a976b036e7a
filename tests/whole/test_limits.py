"""What a real cluster does and the embedded one does not: each behaviour is in tests/contract/limits.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from by_hand import pods, template
from polling import until
from windlass.kinds.core.v1 import ReplicationController

if TYPE_CHECKING:
    from windlass.client import Client

_PATIENCE = 5.0


async def test_a_replication_controller_has_its_pods(client: Client) -> None:
    spec = {"replicas": 1, "selector": {"app": "old"}, "template": template({"app": "old"})}
    body = {"metadata": {"name": "old", "namespace": client.options.namespace}, "spec": spec}
    await client.create(ReplicationController.from_wire(body))

    await until(lambda: pods(client, "app=old"), lambda found: len(found) == 1, patience=_PATIENCE)
