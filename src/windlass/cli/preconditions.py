"""What `windlass deploy` checks in the cluster before it changes anything there."""

from __future__ import annotations

import hashlib
import os
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from windlass.cli.removal import limits
from windlass.cluster.node import ENTRYPOINT, PROJECT, RUN_IN, SOURCE, can_run, is_simulated
from windlass.codegen import KINDS_ANNOTATION, MANAGER_LABELS
from windlass.errors import ConfigError, Forbidden, NotFound
from windlass.kinds.apps.v1 import Deployment
from windlass.kinds.core.v1 import Namespace, Node

if TYPE_CHECKING:
    from windlass.api import Json
    from windlass.client import Client
    from windlass.codegen import Project

_LABELS = ",".join(f"{key}={value}" for key, value in MANAGER_LABELS.items())


async def restore_webhooks(client: Client, project: Project) -> None:
    """Put back the webhooks that a `windlass run --webhook-url` has replaced.

    One that was killed could not; one that still runs takes them over again.
    """
    from windlass.webhook import place_of, restore_webhooks, served_parts

    if parts := served_parts(project.companions):
        for url in await restore_webhooks(client, parts, place_of(project)):
            click.echo(
                f"webhooks led to {url}, a `windlass run --webhook-url`; put back what was there before"
            )


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


async def run_locally(client: Client, document: Json, target: str) -> Json:
    """Return the Deployment as the nodes of the cluster can run it.

    Simulated nodes run no images: their pods become ready without a container. Nodes that were started in
    the operator's project run its module, or its watches.yaml, in place of the image, if the pod asks for it.

    Raises:
        ConfigError: a node could run neither, so that the pod would be ready while no operator runs.
    """
    try:
        nodes = await client.list(Node)
    except Forbidden as error:
        click.echo(f"warning: not checked whether the nodes are simulated: {error}", err=True)
        return document
    (container,) = document["spec"]["template"]["spec"]["containers"]
    idle = [each for each in nodes if is_simulated(each) and not can_run(each, container["image"])]
    if not idle:
        return document
    folder = _source_folder(target)
    projects = {each.metadata.annotations.get(PROJECT, "") for each in idle}
    for start in (Path.cwd(), folder):
        if all(project and start.is_relative_to(project) for project in projects):
            return _started_in(start, document, target)
    raise ConfigError(
        f"node {idle[0].metadata.name} is simulated and has no image {container['image']}: the operator "
        "would not run. Nothing was changed. Stop the cluster, and start it with the operator's project:\n"
        f"  windlass up --project {shlex.quote(str(folder))}"
    )


def _source_folder(target: str) -> Path:
    """The folder from which an operator is imported, or that has its watches.yaml."""
    if target.endswith((".py", ".yaml", ".yml")):
        folder = Path(target).resolve().parent
        while (folder / "__init__.py").is_file():
            folder = folder.parent
        return folder
    top = target.partition(".")[0]
    spec = getattr(sys.modules.get(top), "__spec__", None) or find_spec(top)
    places = list(spec.submodule_search_locations or ()) if spec else []
    origin = places[0] if places else spec.origin if spec else None
    return Path(origin).resolve().parent if origin else Path.cwd()


def _started_in(start: Path, document: Json, target: str) -> Json:
    """A Deployment whose pods have simulated nodes run `windlass` in a folder of this machine."""
    template = document["spec"]["template"]
    (container,) = template["spec"]["containers"]
    is_file = target.endswith((".py", ".yaml", ".yml"))
    path = os.path.relpath(Path(target).resolve(), start) if is_file else target
    charts = target.endswith((".yaml", ".yml"))
    entrypoint = shlex.join(["helm", "run", f"--watches-file={path}"]) if charts else ""
    digest = _source_digest(start, Path(target) if charts else None)
    notes = {
        **template["metadata"]["annotations"],
        RUN_IN: str(start),
        ENTRYPOINT: entrypoint,
        SOURCE: digest,  # other sources are another pod, as another image would be
    }
    args = [path if each == target else each for each in container["args"]]
    spec = template["spec"] | {"containers": [container | {"args": args}]}
    metadata = template["metadata"] | {"annotations": notes}
    return document | {
        "spec": document["spec"] | {"template": template | {"metadata": metadata, "spec": spec}}
    }


def _source_digest(start: Path, watches: Path | None) -> str:
    """A digest of the operator's sources: the modules that were imported from a folder, or a watches.yaml."""
    if watches is not None:
        folder = watches.resolve().parent
        charts = {each.parent for depth in ("*", "*/*") for each in folder.glob(f"{depth}/Chart.yaml")}
        files = [watches, *(each for chart in charts for each in chart.rglob("*") if each.is_file())]
    else:
        imported = (getattr(each, "__file__", None) for each in list(sys.modules.values()))
        files = [path for each in imported if each and (path := Path(each).resolve()).is_relative_to(start)]
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        digest.update(f"{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


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
