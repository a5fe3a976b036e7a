"""`windlass helm`: operators that are made of charts."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from windlass.aio import run as run_loop
from windlass.cli.flags import GoFlags, log_options
from windlass.cli.helm_flags import HELM_DEFAULTS, helm_flags, settings
from windlass.cli.run import open_manager, operate
from windlass.helm import add_watches, find_watches, read_watches

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from windlass.cli.run import Runs
    from windlass.client import ClusterConfig
    from windlass.helm import HelmOptions, HelmWatch
    from windlass.manager import ManagerOptions

_watches_file: Final = click.option(
    "--watches-file", type=click.Path(dir_okay=False, path_type=Path), default=None,
    help="Which chart serves which kind.  [default: watches.yaml, or watch.yaml]",
)  # fmt: skip


@click.group()
def helm() -> None:
    """Run operators that are made of Helm charts, without code."""


@helm.command(cls=GoFlags, context_settings=HELM_DEFAULTS)
@_watches_file
@helm_flags
def run(watches_file: Path | None, kubeconfig: Path | None, context: str | None, **given: Any) -> None:
    """Run the charts of a watches.yaml as an operator, until it is told to stop.

    The file is operator-sdk's, and so are the flags. WATCH_NAMESPACE holds the namespaces to look at.

    SIGTERM or Ctrl-C lets running reconciles end; a second one ends the process at once.
    """
    from windlass.client import load_config
    from windlass.manager import configure_logging

    configure_logging(log_options(given))
    watches = read_watches(watches_file or find_watches(Path()))
    options, defaults = settings(given, _operator_name(watches), os.environ)
    config = load_config(kubeconfig, context=context)
    run_loop(operate(_open_charts(config, options, watches, defaults)))


@asynccontextmanager
async def _open_charts(
    config: ClusterConfig, options: ManagerOptions, watches: Sequence[HelmWatch], defaults: HelmOptions
) -> AsyncIterator[Runs]:
    async with open_manager(config, options) as manager:
        await add_watches(manager, watches, defaults, os.environ)
        yield manager


def _operator_name(watches: Sequence[HelmWatch]) -> str:
    """What the operator is called that does not say: by one of its kinds, whatever order they stand in."""
    return f"{min(watch.kind for watch in watches).lower()}-operator"
