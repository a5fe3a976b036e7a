"""`windlass deploy` and `undeploy`: an operator that runs in the cluster."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from windlass.aio import SystemClock
from windlass.cli.charts import chart_flags, image_flag, name_flag, value_flags
from windlass.cli.cluster import cluster_flags, opened, waiting_flags
from windlass.cli.flags import WATCH_FLAG, GoFlags, switch
from windlass.cli.foreground import run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from windlass.api import Json
    from windlass.cli.waiting import Patience
    from windlass.client import Client
    from windlass.codegen import Delivery, Project


def _arguments(command: Callable[..., Any]) -> Callable[..., Any]:
    for decorate in (
        cluster_flags,
        waiting_flags,
        name_flag,
        click.option("--namespace", "-n", default="", help="Where it runs; by default OPERATOR-system."),
        click.option("--cert-manager", is_flag=True, help="Certificates of webhooks are cert-manager's."),
        click.argument("target", metavar="NAME|MODULE|FILE|WATCHES"),
    ):
        command = decorate(command)
    return command


@click.command(cls=GoFlags)
@_arguments
@image_flag
@WATCH_FLAG
@click.option("--replicas", type=click.IntRange(0), default=1, show_default=True, help="How many stand by.")
@click.option("--env", multiple=True, metavar="NAME=VALUE", help="A variable of its process; repeatable.")
@click.option("--arg", "args", multiple=True, help="A flag of `windlass run` to add; repeatable.")
@click.option("--prometheus", is_flag=True, help="Have its metrics read: a ServiceMonitor.")
@chart_flags
@value_flags
@click.option("--dry-run", is_flag=True, help="Print the objects, and change nothing.")
def deploy(target: str, prometheus: bool, dry_run: bool, **given: Any) -> None:
    """Deploy an operator: its kinds, its roles and its process, in a namespace of its own.

    What is there already is brought up to date. NAME is an operator that ships (collector), WATCHES a
    watches.yaml: its image runs it, and its role comes from its charts. Nothing is changed where another
    operator serves one of its kinds. The exit code is 3 if the role lacks the rules of a chart.
    """
    from windlass.cli.delivery import check_rules

    delivery = _delivery(target, given)
    objects = [*delivery.objects(), *(delivery.monitoring() if prometheus else ())]
    if dry_run:
        from windlass.api import write_yaml

        click.echo(write_yaml(objects), nl=False)
    else:
        run(_deploy(target, delivery, objects, given))
    check_rules(delivery)


@click.command(cls=GoFlags)
@_arguments
@click.option("--crds", is_flag=True, help="Delete its kinds too, and with them every object of them.")
@click.option("--force", is_flag=True, help="Leave objects behind that have finalizers of the operator.")
@switch("ignore-not-found", "Do not mind an object that is not there.")
def undeploy(target: str, crds: bool, **given: Any) -> None:
    """Remove what `deploy` made. Its kinds stay, and their objects, unless --crds is given.

    The kinds go first, while the operator can still do what their objects' finalizers wait for. Where objects
    would stay with finalizers that only the operator removes, they are listed and nothing is removed, unless
    --force is given.
    """
    run(_undeploy(_delivery(target, given, charts=False), given, crds=crds))


def _delivery(target: str, given: Mapping[str, Any], *, charts: bool = True) -> Delivery:
    from windlass.cli.delivery import load_delivery
    from windlass.codegen import Workload

    variables = [_variable(each) for each in given.get("env", ())]
    workload = Workload(
        image=given.get("image", ""),
        replicas=given.get("replicas", 1),
        args=given.get("args", ()),
        env=variables,
    )
    watched = given.get("watch_namespaces", ())
    if watched and any(each["name"] == "WATCH_NAMESPACE" for each in variables):
        raise click.UsageError("give --watch-namespace or --env WATCH_NAMESPACE=…, not both")
    return load_delivery(
        target,
        given["operator"],
        namespace=given["namespace"],
        workload=workload,
        cert_manager=given["cert_manager"],
        watch_namespaces=watched,
        charts=charts,
        given=given,
    )


def _variable(text: str) -> Json:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--env")
    return {"name": name, "value": value}


async def _deploy(target: str, delivery: Delivery, objects: Sequence[Json], given: Mapping[str, Any]) -> None:
    from windlass.cli.preconditions import (
        check_kinds,
        check_namespaces,
        restore_webhooks,
        run_locally,
    )
    from windlass.cli.removal import granted_roles, identity
    from windlass.cli.waiting import Patience, unavailable, unestablished

    patience = Patience(SystemClock(), given["timeout"])
    definitions, deployments = _of(objects, "CustomResourceDefinition"), _of(objects, "Deployment")
    wanted = {identity(each) for each in objects}
    async with opened(given) as (client, installer):
        await check_namespaces(client, delivery.project)
        for each in deployments:
            await check_kinds(client, each)
        deployments = [await run_locally(client, each, target) for each in deployments]
        await restore_webhooks(client, delivery.project)
        others = [each for each in objects if each["kind"] != "Deployment"]
        await installer.apply([*others, *deployments])
        granted = await granted_roles(client, delivery.project)
        await installer.delete(
            [each for each in granted if identity(each) not in wanted], ignore_missing=True
        )
        if given["wait"]:
            await patience.until_quiet(partial(unestablished, client, definitions))
            for each in deployments:
                await patience.until_quiet(partial(unavailable, client, each))
            if given["replicas"]:
                await _verify_webhooks(client, delivery, patience)


async def _verify_webhooks(client: Client, delivery: Delivery, patience: Patience) -> None:
    """Wait until the API server calls the webhooks of the operator.

    Raises:
        NotSettledError: it does not call one when the time is over.
        IncompleteError: it could not be seen to call any.
    """
    from windlass.api import read_yaml
    from windlass.cli.delivery import IncompleteError
    from windlass.webhook import Verification, place_of, samples_by_kind, served_parts

    project = delivery.project
    if not (parts := served_parts(project.companions)):
        return
    documents = [each for text in project.samples().values() for each in read_yaml(text)]
    namespace = next(iter(project.watch_namespaces), "default")
    verification = Verification(client, parts, place_of(project), samples_by_kind(documents), namespace)
    await patience.until_quiet(verification.missing)
    for name, why in verification.unverified.items():
        click.echo(f"warning: not seen to be called by the API server: {name}: {why}", err=True)
    if not verification.verified:
        raise IncompleteError("deployed, but the API server was not seen to call any of the webhooks")
    click.echo(f"the API server calls {', '.join(sorted(verification.verified))}")


async def _undeploy(delivery: Delivery, given: Mapping[str, Any], *, crds: bool) -> None:
    from windlass.cli.removal import granted_roles, is_role_of
    from windlass.cli.waiting import Patience, delete_kinds, remaining

    ignore_missing = given["ignore_not_found"]
    patience = Patience(SystemClock(), given["timeout"]) if given["wait"] else None
    others = [each for each in delivery.objects() if each["kind"] != "CustomResourceDefinition"]
    rest = [
        each for each in others if each["kind"] != "Deployment" and not is_role_of(each, delivery.project)
    ]
    async with opened(given) as (client, installer):
        if not (crds and patience):
            (deployment,) = _of(others, "Deployment")
            await _check_finalizers(client, delivery.project, deployment, force=given["force"])
        if crds:
            definitions = delivery.definitions()
            await delete_kinds(client, installer, definitions, patience, ignore_missing=ignore_missing)
        await installer.delete(delivery.monitoring(), ignore_missing=True)
        roles = await granted_roles(client, delivery.project)
        for documents in (_of(others, "Deployment"), rest):
            going = await installer.delete(documents, ignore_missing=ignore_missing)
            if patience:
                await patience.until_quiet(partial(remaining, installer, going))
        await installer.delete(roles, ignore_missing=True)


async def _check_finalizers(client: Client, project: Project, deployment: Json, *, force: bool) -> None:
    from windlass.cli.removal import held_objects, left_behind, refuse_to_leave, watched_namespaces

    held = await held_objects(client, project, await watched_namespaces(client, deployment))
    if not force:
        refuse_to_leave(held)
    for line in left_behind(held):
        click.echo(line, err=True)


def _of(objects: Sequence[Json], kind: str) -> list[Json]:
    return [each for each in objects if each["kind"] == kind]
