from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from windlass.cli.foreground import explain, publishing, run, stop_on_signals
from windlass.cli.node_flags import NODE_OPTIONS, image_option, label_option, parse_nodes, project_option
from windlass.cluster import Cluster, ClusterOptions

if TYPE_CHECKING:
    from collections.abc import Callable


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The loopback port; a free one if none."
)
@click.option(
    "--kubeconfig",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the kubeconfig to this file, which must not exist, when the server is ready; "
    "it is removed at the end.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep everything in this folder, for the next start with it.",
)
@click.option(
    "--audit-log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append each request to this file, as a line of JSON.",
)
@click.option(
    "--nodes", "count", type=click.IntRange(0), default=1, show_default=True, help="How many nodes there are."
)
@label_option
@image_option
@project_option
@click.option("--bare", is_flag=True, help="Run the API server alone: no controllers, no nodes.")
def up(
    kubeconfig: Path | None,
    bare: bool,
    **given: Any,
) -> None:
    """Run an embedded cluster in this process until Ctrl-C: API server, controllers, simulated nodes.

    Nothing but Python is needed, and it is ready at once. Objects live in memory, or in the folder of --data:
    then whatever was answered survives even a kill, and a kubeconfig stays valid while the port is the same.
    """
    stop_on_signals()
    try:
        simulated = parse_nodes(**{name: given.pop(name) for name in NODE_OPTIONS})
        running = 0 if bare or not simulated.count else simulated
        options = ClusterOptions(controllers=not bare, nodes=running, **given)
        with publishing(kubeconfig) as publish:
            run(_serve(options, kubeconfig, publish))
    except KeyboardInterrupt:
        click.echo("Stopped.")
    except OSError as error:
        raise click.ClickException(f"cannot serve on port {given['port']}: {error.strerror}") from error


async def _serve(options: ClusterOptions, kubeconfig: Path | None, publish: Callable[[str], None]) -> None:
    async with Cluster(options) as cluster:
        publish(cluster.access.kubeconfig_for())
        ending = (
            f"stops it; {options.data} keeps everything"
            if options.data
            else "stops it and removes everything"
        )
        explain(cluster.access, kubeconfig or cluster.access.kubeconfig, ending=ending)
        await asyncio.Event().wait()
