"""`windlass run`: an operator in this process."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol

import click

from windlass.cli.flags import GoFlags, flags, log_options, manager_options
from windlass.cli.foreground import first_of, stop_on_signals
from windlass.cli.foreground import run as run_loop
from windlass.cli.shipped import full_target
from windlass.errors import ConfigError, WindlassError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path
    from types import ModuleType

    from windlass.client import ClusterConfig
    from windlass.manager import Manager, ManagerOptions

_log = logging.getLogger("windlass.run")


class Runs(Protocol):
    """As much of a manager as this command needs."""

    async def run(self) -> None:
        """Run what was added until cancelled, then let it end in order."""


@asynccontextmanager
async def open_manager(config: ClusterConfig, options: ManagerOptions) -> AsyncIterator[Manager]:
    """A manager with a client of its own, closed at the end of the block."""
    from windlass.client import connect
    from windlass.manager import Manager

    async with connect(config) as client, connect(config) as election:
        yield Manager(client, options, election=election)


@asynccontextmanager
async def _open_operator(
    config: ClusterConfig, options: ManagerOptions, add_to: Callable[[Manager], None]
) -> AsyncIterator[Runs]:
    from windlass.cli.definitions import DefinitionCheck, ReplacedWebhooks

    async with open_manager(config, options) as manager:
        add_to(manager)
        manager.accompany(DefinitionCheck(manager))
        settings = options.webhooks
        if not settings.url and not settings.namespace:  # on a laptop, and the webhooks are not its task
            manager.accompany(ReplacedWebhooks(manager))
        yield manager


@click.command(cls=GoFlags)
@click.argument("operator", metavar="NAME|MODULE|FILE")
@flags
def run(operator: str, kubeconfig: Path | None, context: str | None, **given: Any) -> None:
    """Run an operator until it is told to stop.

    NAME is an operator that ships (collector), MODULE a dotted name (demo.operator), FILE a path
    (demo/operator.py). Its `add_to(manager)` adds reconcilers and webhooks; without one, every Reconciler
    class, webhook and conversion that it defines is run.

    SIGTERM or Ctrl-C lets running reconciles end; a second one ends the process at once.
    """
    from windlass.client import load_config
    from windlass.codegen import load_operator
    from windlass.manager import configure_logging

    stop_on_signals()
    configure_logging(log_options(given))
    loaded = load_operator(full_target(operator), given["name"], _webhooks_of)
    if loaded.add_to is None:
        raise ConfigError(
            f"{operator} has no operator: write `def add_to(manager): manager.add(…)`, or a class with "
            "Reconciler[…] as its base"
        )
    options = manager_options(given, loaded.name, os.environ)
    config = load_config(kubeconfig, context=context)
    run_loop(operate(_open_operator(config, options, loaded.add_to)))


def _webhooks_of(module: ModuleType) -> Callable[[Manager], None] | None:
    from windlass.webhook import serve_parts_of  # for a module without add_to alone

    return serve_parts_of(module)


async def operate(opened: AbstractAsyncContextManager[Runs]) -> None:
    """Open a manager that has its operator, and run it until a signal says to stop.

    Raises:
        WindlassError: it could not go on. What a task group raises is reduced to the first such error, which
            tells enough in a line.
    """
    try:
        async with opened as manager:
            await until_signalled(manager)
    except BaseExceptionGroup as several:
        known = several.subgroup(WindlassError)
        if known is None:
            raise
        raise first_of(known) from several


async def until_signalled(manager: Runs) -> None:
    """Run a manager, and stop it in order at the first SIGTERM or SIGINT.

    After that both have their default effect again: the second one is the kernel's, and works even if our
    event loop does not.
    """
    loop = asyncio.get_running_loop()
    running = asyncio.ensure_future(manager.run())
    stopped = False

    def stop(number: signal.Signals) -> None:
        nonlocal stopped
        stopped = True
        _log.info("Stopping, a second signal ends it at once", extra={"windlass": {"signal": number.name}})
        for each in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(each)
            signal.signal(each, signal.SIG_DFL)
        running.cancel()

    for each in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(each, stop, each)
    try:
        await running
    except asyncio.CancelledError:
        if not stopped:
            raise
    _log.info("Stopped")
