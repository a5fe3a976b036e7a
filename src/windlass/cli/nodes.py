from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from windlass.cli.duration import Duration
from windlass.cli.foreground import run, stop_on_signals
from windlass.cli.node_flags import (
    image_option,
    label_option,
    parse_images,
    parse_pairs,
    project_option,
)
from windlass.cluster.controller.volume import provisioner_running
from windlass.cluster.node import ApiAddress, NodeOptions, Nodes, Surroundings, nodes_running

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.client import ClusterConfig


_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
_FLAGS: Final = (
    click.option(
        "--count", type=click.IntRange(0), default=1, show_default=True, help="How many nodes there are."
    ),
    click.option("--prefix", default="node", show_default=True, help="What their names begin with."),
    click.option("--capacity", multiple=True, metavar="NAME=AMOUNT", help="What each has; repeatable."),
    label_option,
    click.option("--taint", multiple=True, metavar="KEY=VALUE:EFFECT", help="A taint of each; repeatable."),
    click.option("--zone", multiple=True, help="A zone, in turn; repeatable."),
    click.option(
        "--heartbeat", type=Duration(), default="10s", show_default=True,
        help="How often each says that it is there; 0s for never.",
    ),
    click.option(
        "--moment", type=Duration(), default="100ms", show_default=True,
        help="How long a pod takes to start.",
    ),
    click.option(
        "--backoff", type=Duration(), default="10s", show_default=True,
        help="How long it is waited, the first time, before a container that fails is started again.",
    ),
    click.option("--kubelet-certificate", type=_FILE, help="Serve the kubelet with it, on loopback."),
    click.option("--kubelet-key", type=_FILE, help="The key of --kubelet-certificate."),
    click.option("--kubelet-client-ca", type=_FILE, help="Answer those who have a certificate of this."),
    click.option(
        "--gateway", type=click.Path(path_type=Path),
        help="Connect a kube-apiserver of this machine with pods and Services: the Unix socket of its egress "
        "selector.",
    ),
    click.option(
        "--storage", is_flag=True,
        help="Make volumes for claims, of the default StorageClass 'standard', which is created if missing.",
    ),
    click.option(
        "--kubeconfig", type=_FILE, default=None, help="The kubeconfig to use; without it that of kubectl."
    ),
    click.option("--context", default=None, help="Its context; by default the current one."),
)  # fmt: skip

_UNREACHED: Final = (
    "The API server does not reach their pods, so that webhooks in them are not called; the nodes of "
    "`windlass control-plane --nodes` and `windlass up` are reached."
)


def _flags(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_FLAGS):
        command = option(command)
    return command


@click.command()
@_flags
@image_option
@project_option
def nodes(kubeconfig: Path | None, context: str | None, **given: Any) -> None:
    """Run simulated nodes on a cluster until Ctrl-C.

    They know the cluster by its API alone, so that it may be any: pods that its scheduler gives them run,
    as far as anybody can see. The Node objects stay when they stop.
    """
    from windlass.client import load_config

    stop_on_signals()
    try:
        options = _options(given)
        if not (options.count or given["gateway"] or given["storage"]):
            raise click.UsageError("--count 0 leaves nothing to do without --gateway or --storage")
        config = load_config(kubeconfig, context=context)
        run(_serve(config, options, _surroundings(config, given), storage=given["storage"]))
    except KeyboardInterrupt:
        click.echo("Stopped.")


def _options(given: Mapping[str, Any]) -> NodeOptions:
    return NodeOptions(
        count=given["count"],
        prefix=given["prefix"],
        capacity=parse_pairs("--capacity", given["capacity"]),
        labels=parse_pairs("--label", given["labels"]),
        taints=given["taint"],
        zones=given["zone"],
        heartbeat=given["heartbeat"] or None,
        moment=given["moment"],
        backoff=given["backoff"],
        images=parse_images(given["images"]),
        project=given["project"].resolve(),
    )


def _surroundings(config: ClusterConfig, given: Mapping[str, Any]) -> Surroundings:
    """Where programs find the API server, and what the kubelet is served with."""
    from urllib.parse import urlsplit

    from windlass.pki import KeyPair

    certificate, key, authority = (
        _text(given[name]) for name in ("kubelet_certificate", "kubelet_key", "kubelet_client_ca")
    )
    if bool(certificate) != bool(key):
        raise click.UsageError("--kubelet-certificate and --kubelet-key belong together")
    place = urlsplit(config.server)
    return Surroundings(
        server=ApiAddress(place.hostname or "", place.port or 443, _text(config.ca)),
        certificate=KeyPair(certificate=certificate, key=key) if certificate else None,
        client_authority=authority,
        gateway=given["gateway"],
    )


def _text(source: Path | bytes | None) -> str:
    return (source.read_bytes() if isinstance(source, Path) else source or b"").decode()


async def _serve(config: ClusterConfig, options: NodeOptions, around: Surroundings, *, storage: bool) -> None:
    from windlass.client import connect

    simulated = Nodes(options, address="127.0.0.1" if around.certificate else "")
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(connect(config))
        await stack.enter_async_context(nodes_running(client.transport, simulated, around))
        if storage:
            await stack.enter_async_context(provisioner_running(client))
        click.echo(f"{len(simulated.states)} simulated nodes run. Ctrl-C stops them.")
        if not around.gateway:
            click.echo(_UNREACHED)
        await asyncio.Event().wait()
