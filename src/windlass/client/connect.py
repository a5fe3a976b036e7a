from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from windlass.client.client import Client
from windlass.client.session import ClientOptions

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.client.config import ClusterConfig


@asynccontextmanager
async def connect(
    config: ClusterConfig | None = None, options: ClientOptions | None = None
) -> AsyncIterator[Client]:
    """A client for a cluster, closed at the end of the block.

    Without a configuration it is the one that `kubectl` would use, or inside a pod the pod's own. The
    client's namespace is the configuration's, unless the options name one.

    Raises:
        ConfigError: no configuration can be found or used.
    """
    from windlass.client.http import HttpTransport  # loads aiohttp, which those who stay in-process spare
    from windlass.client.loader import load_config

    config = config or load_config()
    options = options or ClientOptions()
    options = replace(options, namespace=options.namespace or config.namespace)
    async with Client(HttpTransport(config, clock=options.retry.clock), options) as client:
        yield client
