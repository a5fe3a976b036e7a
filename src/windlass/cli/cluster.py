"""What the commands have in common that change a cluster."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import click

from windlass.cli.duration import Duration
from windlass.cli.flags import CLUSTER_FLAGS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from windlass.cli.installer import Installer
    from windlass.client import Client


def cluster_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--kubeconfig` and `--context`."""
    for option in reversed(CLUSTER_FLAGS):
        command = option(command)
    return command


def waiting_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--wait`, `--no-wait` and `--timeout`."""
    wait = click.option(
        "--wait/--no-wait", default=True, help="Whether to wait until the cluster has done it."
    )
    limit = click.option(
        "--timeout", type=Duration(), default="2m", show_default=True, help="How long to wait at most."
    )
    return wait(limit(command))


@asynccontextmanager
async def opened(given: Mapping[str, Any]) -> AsyncIterator[tuple[Client, Installer]]:
    """A client for the cluster that the flags mean, and an installer that prints what it does."""
    from windlass.cli.installer import FIELD_MANAGER, Installer
    from windlass.client import ClientOptions, WriteOptions, connect, load_config

    config = load_config(given["kubeconfig"], context=given["context"])
    options = ClientOptions(write=WriteOptions(field_manager=FIELD_MANAGER))
    async with connect(config, options) as client:
        yield client, Installer(client, click.echo)
