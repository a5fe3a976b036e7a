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
from windlass.helm import HelmProgram, add_watches, find_watches, read_watches, watch_rules
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from windlass.cli.run import Runs
    from windlass.helm import ChartRules, HelmWatch

_watches_file: Final = click.option(
    "--watches-file", type=click.Path(dir_okay=False, path_type=Path), default=None,
    help="Which chart serves which kind.  [default: watches.yaml, or watch.yaml]",
)  # fmt: skip

_program: Final = click.option(
    "--helm", "program", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=None,
    help="The helm program, version 4 or 3; without it the one that `windlass tools list` shows.",
)  # fmt: skip


@click.group()
def helm() -> None:
    """Run operators that are made of Helm charts, without code."""


@helm.command(cls=GoFlags, context_settings=HELM_DEFAULTS)
@_watches_file
@_program
@helm_flags
def run(
    watches_file: Path | None,
    program: Path | None,
    kubeconfig: Path | None,
    context: str | None,
    **given: Any,
) -> None:
    """Run the charts of a watches.yaml as an operator, until it is told to stop.

    The file is operator-sdk's, and so are the flags. WATCH_NAMESPACE holds the namespaces to look at.

    SIGTERM or Ctrl-C lets running reconciles end; a second one ends the process at once.
    """
    from windlass.client import load_config
    from windlass.manager import configure_logging

    configure_logging(log_options(given))
    watches = read_watches(watches_file or find_watches(Path()))
    options, defaults = settings(given, default_name(watches), os.environ)
    config = load_config(kubeconfig, context=context)
    found = program or find_helm()  # now, rather than when the first object is there

    @asynccontextmanager
    async def opened() -> AsyncIterator[Runs]:
        async with open_manager(config, options) as manager:
            used = HelmProgram(manager.client, program=found)
            await add_watches(manager, watches, used, defaults, os.environ)
            yield manager

    run_loop(operate(opened()))


@helm.command()
@_watches_file
@_program
@click.option(
    "--name", envvar="OPERATOR_NAME", default="", help="The operator's name; by default its kind's."
)
def rules(watches_file: Path | None, program: Path | None, name: str) -> None:
    """Print the role that the operator of a watches.yaml needs.

    Each chart is rendered over the branches of its values, on an API server in this process: no cluster is
    needed. What is not certain is told on standard error. The lease of --leader-elect needs a role of its
    own.
    """
    from windlass.api import write_yaml
    from windlass.codegen import manager_roles

    watches = read_watches(watches_file or find_watches(Path()))
    found = run_loop(_find_rules(watches, program or find_helm()))
    for note in found.notes:
        click.echo(note, err=True)
    click.echo(write_yaml(manager_roles(name or default_name(watches), found.rules)), nl=False)


async def _find_rules(watches: Sequence[HelmWatch], program: Path) -> ChartRules:
    from windlass.client import Client
    from windlass.cluster import Cluster

    async with Cluster() as cluster:
        return await watch_rules(watches, HelmProgram(Client(cluster.transport()), program=program))


def default_name(watches: Sequence[HelmWatch]) -> str:
    """What the operator is called that does not say: by one of its kinds, whatever order they stand in."""
    return f"{min(watch.kind for watch in watches).lower()}-operator"
