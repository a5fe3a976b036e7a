"""`windlass helm`: operators that are made of charts."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from windlass.cli.charts import chart_flags, given_values, load_watches, value_flags
from windlass.cli.delivery import checked_namespaces, default_name, find_rules, without_rules
from windlass.cli.flags import GoFlags, log_options
from windlass.cli.foreground import run as run_loop
from windlass.cli.foreground import stop_on_signals
from windlass.cli.helm_flags import HELM_DEFAULTS, helm_flags, settings
from windlass.cli.run import open_manager, operate
from windlass.helm import HelmProgram, RuleOptions, add_watches, find_watches
from windlass.tools import find_helm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from windlass.api import Kind
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
@chart_flags
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

    stop_on_signals()
    configure_logging(log_options(given))
    watches = load_watches(watches_file or find_watches(Path()), given)
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


_RULES_FLAGS: Final = (
    click.option(
        "--name", envvar="OPERATOR_NAME", default="",
        help="The operator's name; by default that of its first kind.",
    ),
    value_flags,
    click.option(
        "--watch-namespace", "namespaces", multiple=True, metavar="NAMESPACE",
        help="Print a Role for this namespace, and a ClusterRole for cluster-scoped kinds; repeatable.",
    ),
    click.option(
        "--cluster", is_flag=True,
        help="Take plurals and scopes of kinds from the cluster of the kubeconfig.",
    ),
    click.option(
        "--kubeconfig", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=None,
        help="As --cluster, with this kubeconfig.",
    ),
    click.option("--context", default=None, help="As --cluster, with this context of the kubeconfig."),
)  # fmt: skip


def _rules_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_RULES_FLAGS):
        command = option(command)
    return command


@helm.command()
@_watches_file
@_program
@chart_flags
@_rules_flags
def rules(watches_file: Path | None, program: Path | None, **given: Any) -> None:
    """Print the role that the operator of a watches.yaml needs.

    Each chart is rendered over the branches of its values, without a cluster. If a chart does not render, the
    role covers the kinds that its templates name. Warnings on standard error say what is not certain. The
    lease of --leader-elect needs a role of its own.

    The exit code is 3 if nothing could be found out about a chart; the role then covers the others.
    """
    from windlass.api import write_yaml
    from windlass.codegen import manager_roles

    watches = load_watches(watches_file or find_watches(Path()), given)
    found = run_loop(_find_rules(watches, program or find_helm(), given))
    for note in found.notes:
        click.echo(f"warning: {note}", err=True)
    click.echo(write_yaml(manager_roles(given["name"] or default_name(watches), found.rules)), nl=False)
    if found.unknown:
        raise without_rules(found.unknown)


async def _find_rules(watches: Sequence[HelmWatch], program: Path, given: Mapping[str, Any]) -> ChartRules:
    namespaces = checked_namespaces(given["namespaces"])
    options = RuleOptions(namespaces=namespaces, served=await _served_kinds(given))
    return await find_rules(watches, program, options, given_values(given))


async def _served_kinds(given: Mapping[str, Any]) -> tuple[Kind, ...]:
    """Return the kinds of the cluster, if one is to be asked."""
    from windlass.client import connect, load_config, survey

    if not (given["cluster"] or given["kubeconfig"] or given["context"]):
        return ()
    async with connect(load_config(given["kubeconfig"], context=given["context"])) as client:
        return tuple(each.kind for each in (await survey(client)).served)
