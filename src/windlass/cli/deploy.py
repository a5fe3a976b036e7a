"""`windlass deploy` and `undeploy`: an operator that runs in the cluster."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from windlass.aio import SystemClock, run
from windlass.cli.cluster import cluster_flags, opened, waiting_flags
from windlass.cli.flags import GoFlags, switch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from windlass.api import Json
    from windlass.codegen import Delivery


def _arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    for decorate in (
        cluster_flags,
        waiting_flags,
        click.option("--namespace", "-n", default="", help="Where it runs; by default OPERATOR-system."),
        click.option("--cert-manager", is_flag=True, help="Certificates of webhooks are cert-manager's."),
        click.argument("operator", metavar="NAME|MODULE|FILE"),
    ):
        command = decorate(command)
    return command


@click.command(cls=GoFlags)
@_arguments
@click.option("--image", default="", help="The operator's image; by default the one of this version.")
@click.option("--replicas", type=click.IntRange(0), default=1, show_default=True, help="How many stand by.")
@click.option("--env", multiple=True, metavar="NAME=VALUE", help="A variable of its process; repeatable.")
@click.option("--arg", "args", multiple=True, help="A flag of `windlass run` to add; repeatable.")
@click.option("--prometheus", is_flag=True, help="Have its metrics read: a ServiceMonitor.")
@click.option("--dry-run", is_flag=True, help="Print the objects, and change nothing.")
def deploy(operator: str, prometheus: bool, dry_run: bool, **given: Any) -> None:
    """Deploy an operator: its kinds, its roles and its process, in a namespace of its own.

    What is there already is brought up to date. NAME is an operator that ships (collector).
    """
    delivery = _delivery(operator, given)
    objects = [*delivery.objects(), *(delivery.monitoring() if prometheus else ())]
    if dry_run:
        from windlass.api import write_yaml

        click.echo(write_yaml(objects), nl=False)
        return
    run(_deploy(objects, given))


@click.command(cls=GoFlags)
@_arguments
@click.option("--crds", is_flag=True, help="Delete its kinds too, and with them every object of them.")
@switch("ignore-not-found", "Do not mind an object that is not there.")
def undeploy(operator: str, crds: bool, ignore_not_found: bool, **given: Any) -> None:
    """Remove what `deploy` made. Its kinds stay, and their objects, unless --crds is given.

    The kinds go first, while the operator can still do what their objects' finalizers wait for.
    """
    run(_undeploy(_delivery(operator, given), given, crds=crds, ignore_missing=ignore_not_found))


def _delivery(operator: str, given: Mapping[str, Any]) -> Delivery:
    from windlass.cli.delivery import load_delivery
    from windlass.codegen import Workload

    workload = Workload(
        image=given.get("image", ""),
        replicas=given.get("replicas", 1),
        args=given.get("args", ()),
        env=[_variable(each) for each in given.get("env", ())],
    )
    return load_delivery(
        operator, namespace=given["namespace"], workload=workload, cert_manager=given["cert_manager"]
    )


def _variable(text: str) -> Json:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--env")
    return {"name": name, "value": value}


async def _deploy(objects: Sequence[Json], given: Mapping[str, Any]) -> None:
    from windlass.cli.waiting import Patience, unavailable, unestablished

    patience = Patience(SystemClock(), given["timeout"])
    definitions, deployments = _of(objects, "CustomResourceDefinition"), _of(objects, "Deployment")
    async with opened(given) as (client, installer):
        await installer.apply(objects)
        if given["wait"]:
            await patience.until_quiet(partial(unestablished, client, definitions))
            for each in deployments:
                await patience.until_quiet(partial(unavailable, client, each))


async def _undeploy(
    delivery: Delivery, given: Mapping[str, Any], *, crds: bool, ignore_missing: bool
) -> None:
    from windlass.cli.waiting import Patience, delete_kinds, remaining

    patience = Patience(SystemClock(), given["timeout"]) if given["wait"] else None
    others = [each for each in delivery.objects() if each["kind"] != "CustomResourceDefinition"]
    rest = [each for each in others if each["kind"] != "Deployment"]
    async with opened(given) as (client, installer):
        if crds:
            definitions = delivery.definitions()
            await delete_kinds(client, installer, definitions, patience, ignore_missing=ignore_missing)
        await installer.delete(delivery.monitoring(), ignore_missing=True)
        for documents in (_of(others, "Deployment"), rest):
            going = await installer.delete(documents, ignore_missing=ignore_missing)
            if patience:
                await patience.until_quiet(partial(remaining, installer, going))


def _of(objects: Sequence[Json], kind: str) -> list[Json]:
    return [each for each in objects if each["kind"] == kind]
