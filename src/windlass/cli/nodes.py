from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from windlass.aio import run
from windlass.api import parse_duration
from windlass.cli.foreground import stop_on_signals
from windlass.cli.image import image_option, parse_images
from windlass.cluster.node import NodeOptions, Nodes, nodes_running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.client import ClusterConfig


class _Duration(click.ParamType):  # type: ignore[type-arg]  # only in some releases has it any
    name = "duration"

    def convert(
        self, value: str | timedelta, param: click.Parameter | None, ctx: click.Context | None
    ) -> timedelta:
        try:
            return value if isinstance(value, timedelta) else parse_duration(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command()
@click.option(
    "--count", type=click.IntRange(1), default=1, show_default=True, help="How many nodes there are."
)
@click.option("--prefix", default="node", show_default=True, help="What their names begin with.")
@click.option("--capacity", multiple=True, metavar="NAME=AMOUNT", help="What each has: cpu=8; repeatable.")
@click.option("--label", multiple=True, metavar="NAME=VALUE", help="A label of each; repeatable.")
@click.option("--taint", multiple=True, metavar="KEY=VALUE:EFFECT", help="A taint of each; repeatable.")
@click.option("--zone", multiple=True, help="A zone, in turn; repeatable.")
@click.option(
    "--heartbeat", type=_Duration(), default="10s", show_default=True,
    help="How often each says that it is there; 0s for never.",
)  # fmt: skip
@click.option(
    "--moment", type=_Duration(), default="100ms", show_default=True, help="How long a pod takes to start."
)
@click.option(
    "--backoff", type=_Duration(), default="10s", show_default=True,
    help="How long it is waited, the first time, before a container that fails is started again.",
)  # fmt: skip
@image_option
@click.option(
    "--kubeconfig", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=None,
    help="The kubeconfig to use; without it that of kubectl.",
)  # fmt: skip
@click.option("--context", default=None, help="The context of the kubeconfig; by default the current one.")
def nodes(
    kubeconfig: Path | None,
    context: str | None,
    heartbeat: timedelta,
    images: tuple[str, ...],
    **given: object,
) -> None:
    """Run simulated nodes on a cluster until Ctrl-C.

    They know the cluster by its API alone, so that it may be any: pods that its scheduler gives them run,
    as far as anybody can see. The Node objects stay when they stop.
    """
    from windlass.client import load_config

    stop_on_signals()
    options = _options(given, heartbeat=heartbeat or None, images=parse_images(images))
    try:
        run(_serve(load_config(kubeconfig, context=context), options))
    except KeyboardInterrupt:
        click.echo("Stopped.")


def _options(given: dict[str, object], **more: object) -> NodeOptions:
    for name, plural in (("label", "labels"), ("capacity", "capacity")):
        given[plural] = _pairs(f"--{name}", given.pop(name))  # type: ignore[arg-type]
    given["taints"], given["zones"] = given.pop("taint"), given.pop("zone")
    return NodeOptions(**given, **more)  # type: ignore[arg-type]  # click has checked them


def _pairs(option: str, texts: Sequence[str]) -> dict[str, str]:
    for text in texts:
        if "=" not in text:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint=option)
    return dict(text.split("=", 1) for text in texts)


async def _serve(config: ClusterConfig, options: NodeOptions) -> None:
    from windlass.client import connect

    async with connect(config) as client, nodes_running(client.transport, Nodes(options)) as running:
        click.echo(f"{len(running.states)} simulated nodes run. Ctrl-C stops them.")
        await asyncio.Event().wait()
