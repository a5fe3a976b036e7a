"""What `windlass deploy` checks in the cluster before it changes anything there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from windlass.cli.removal import limits
from windlass.codegen import KINDS_ANNOTATION, MANAGER_LABELS
from windlass.errors import ConfigError, Forbidden, NotFound
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Namespace

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.client import Client
    from windlass.codegen import Project

_LABELS = ",".join(f"{key}={value}" for key, value in MANAGER_LABELS.items())


async def check_namespaces(client: Client, project: Project) -> None:
    """Check that the namespaces exist in which the operator gets roles; its own one is made.

    Raises:
        ConfigError: one does not.
    """
    missing = []
    for name in project.watch_namespaces:
        try:
            if name != project.place:
                await client.get(Namespace, name)
        except NotFound:
            missing.append(name)
    if missing:
        raise ConfigError(
            f"--watch-namespace: the cluster has no namespace {' or '.join(missing)}; create it, or leave it "
            "out. Nothing was changed"
        )


async def check_kinds(client: Client, document: Json) -> None:
    """Check that no other operator serves a kind of this Deployment in a namespace that both watch.

    An operator is known by the annotation that every generated Deployment has. Where Deployments cannot be
    listed, a warning is printed.

    Raises:
        ConfigError: one does; the message names its Deployment.
    """
    wanted = Deployment.from_wire(document)
    try:
        others = await client.list(Deployment, labels=_LABELS)
    except Forbidden as error:
        click.echo(f"warning: not checked whether another operator serves the same kinds: {error}", err=True)
        return
    for other in others:
        both = sorted(_kinds(wanted) & _kinds(other))
        if both and not _is_same(wanted, other) and _meet(wanted, other):
            raise ConfigError(_refusal(other, both))


def _kinds(deployment: Deployment) -> set[str]:
    if deployment.metadata.deletion_timestamp is not None:
        return set()
    return set(deployment.metadata.annotations.get(KINDS_ANNOTATION, "").split(",")) - {""}


def _is_same(one: Deployment, other: Deployment) -> bool:
    return (one.metadata.namespace, one.metadata.name) == (other.metadata.namespace, other.metadata.name)


def _meet(one: Deployment, other: Deployment) -> bool:
    """Whether two operators watch a common namespace; without a limit, an operator watches all."""
    first, second = limits(one), limits(other)
    return not first or not second or bool(first & second)


def _refusal(other: Deployment, kinds: list[str]) -> str:
    meta = other.metadata
    name = meta.labels.get("app.kubernetes.io/name") or meta.name.removesuffix("-controller-manager")
    flags = f"--operator {name}" + ("" if meta.namespace == f"{name}-system" else f" -n {meta.namespace}")
    return (
        f"Deployment {meta.namespace}/{meta.name} serves {', '.join(kinds)} already; nothing was changed\n"
        "Two operators of a kind undo each other's work. To update that one, add "
        f"{flags} to this command. To replace it, remove it first: `windlass undeploy` with {flags}, or "
        "`helm uninstall` if a chart installed it"
    )
