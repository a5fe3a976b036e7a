"""`windlass install` and `uninstall`: the custom resource definitions of an operator."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from windlass.aio import SystemClock
from windlass.cli.charts import chart_flags, name_flag
from windlass.cli.cluster import cluster_flags, opened, waiting_flags
from windlass.cli.flags import GoFlags, switch
from windlass.cli.foreground import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.codegen import Delivery


def _arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    for decorate in (
        cluster_flags,
        waiting_flags,
        name_flag,
        click.argument("target", metavar="NAME|MODULE|FILE|WATCHES"),
    ):
        command = decorate(command)
    return command


@click.command(cls=GoFlags)
@_arguments
@chart_flags
@click.option("--dry-run", is_flag=True, help="Print the definitions, and change nothing.")
def install(target: str, operator: str, dry_run: bool, **given: Any) -> None:
    """Install the kinds of an operator: its custom resource definitions, by server-side apply.

    What is there already is brought up to date. NAME is an operator that ships (collector), WATCHES a
    watches.yaml: its definitions have the schemas of its charts.
    """
    from windlass.cli.delivery import load_delivery

    delivery = load_delivery(target, operator, rules=False, given=given)
    if dry_run:
        from windlass.api import write_yaml

        click.echo(write_yaml(delivery.definitions()), nl=False)
        return
    run(_install(delivery, given))


@click.command(cls=GoFlags)
@_arguments
@switch("ignore-not-found", "Do not mind a definition that is not there.")
def uninstall(target: str, operator: str, ignore_not_found: bool, **given: Any) -> None:
    """Delete the custom resource definitions of an operator, and with them every object of its kinds.

    Objects with a finalizer go when the operator has done what they wait for: let it run until then. Those
    that still wait when the time is over are listed, and no definition is deleted.
    """
    from windlass.cli.delivery import load_delivery

    delivery = load_delivery(target, operator, charts=False)
    run(_uninstall(delivery, given, ignore_missing=ignore_not_found))


async def _install(delivery: Delivery, given: dict[str, Any]) -> None:
    from windlass.cli.preconditions import restore_webhooks
    from windlass.cli.waiting import Patience, unestablished

    definitions = delivery.definitions()
    async with opened(given) as (client, installer):
        await restore_webhooks(client, delivery.project)
        await installer.apply(definitions)
        if given["wait"]:
            patience = Patience(SystemClock(), given["timeout"])
            await patience.until_quiet(partial(unestablished, client, definitions))


async def _uninstall(delivery: Delivery, given: dict[str, Any], *, ignore_missing: bool) -> None:
    from windlass.cli.removal import held_objects
    from windlass.cli.waiting import Patience, delete_kinds

    patience = Patience(SystemClock(), given["timeout"]) if given["wait"] else None
    async with opened(given) as (client, installer):
        for each in () if patience else await held_objects(client, delivery.project):
            click.echo(f"{each} goes when the operator has removed its finalizers: let it run", err=True)
        definitions = delivery.definitions()
        await delete_kinds(client, installer, definitions, patience, ignore_missing=ignore_missing)
