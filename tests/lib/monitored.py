"""The kind that Prometheus is told by, as far as tests need it: a small definition of our own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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
    """The kind, served until the block is left."""
    await install_kinds(client, [ServiceMonitor])
    try:
        yield ServiceMonitor
    finally:
        await client.delete(CustomResourceDefinition, "servicemonitors.monitoring.coreos.com")
