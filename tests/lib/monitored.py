"""The kind that Prometheus is told by, as far as tests need it: a small definition of our own."""

import asyncio
import fcntl
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from windlass.api import Field, Resource, Spec
from windlass.client import Client
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.testing import install_kinds


class ServiceMonitorSpec(Spec):
    """What is watched."""

    selector: dict[str, Any]
    endpoints: list[dict[str, Any]] = Field(min_length=1)


class ServiceMonitor(Resource, group="monitoring.coreos.com", version="v1"):
    """Some services that are to be watched."""

    spec: ServiceMonitorSpec


@asynccontextmanager
async def monitoring(client: Client) -> AsyncIterator[type[ServiceMonitor]]:
    """The kind, served until the block is left; of all test processes one at a time has it."""
    with (Path(tempfile.gettempdir()) / "windlass-tests-monitoring.lock").open("w") as lock:
        await asyncio.to_thread(fcntl.flock, lock, fcntl.LOCK_EX)
        await install_kinds(client, [ServiceMonitor])
        try:
            yield ServiceMonitor
        finally:
            await client.delete(CustomResourceDefinition, "servicemonitors.monitoring.coreos.com")
