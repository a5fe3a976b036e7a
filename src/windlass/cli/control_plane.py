from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from windlass.cli.foreground import explain, publishing, stop_on_signals
from windlass.cli.node_flags import image_option, label_option, parse_nodes, project_option
from windlass.testing import ControlPlaneOptions, start_control_plane


@click.command("control-plane")
@click.option(
    "--kubeconfig",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the kubeconfig to this file, which must not exist, when the server is ready; "
    "it is removed at the end.",
)
@click.option(
    "--controllers/--no-controllers",
    default=True,
    show_default=True,
    help="Also run kube-controller-manager and kube-scheduler.",
)
@click.option(
    "--nodes", "count", type=click.IntRange(0), default=0, help="How many simulated nodes run pods."
)
@label_option
@image_option
@project_option
@click.option("--restart", is_flag=True, help="Start a program again that ends, on the same port and data.")
def control_plane(kubeconfig: Path | None, controllers: bool, restart: bool, **simulated: Any) -> None:
    """Run a real control plane on this machine until Ctrl-C.

    With controllers there is a default StorageClass, whose volumes are simulated. The API server reaches the
    pods of --nodes: a webhook behind a Service is called.
    """
    stop_on_signals()
    try:
        nodes = parse_nodes(**simulated)
        options = ControlPlaneOptions(controllers=controllers, nodes=nodes if nodes.count else 0)
        _serve(kubeconfig, options, restart=restart)
    except KeyboardInterrupt:
        click.echo("Stopped.")


def _serve(kubeconfig: Path | None, options: ControlPlaneOptions, *, restart: bool) -> None:
    with publishing(kubeconfig) as publish:
        click.echo("Starting …")
        with start_control_plane(options) as running:
            publish(running.access.kubeconfig_for())
            logs = f", its logs are in {running.access.folder}"
            explain(running.access, kubeconfig or running.access.kubeconfig, logs)
            if restart:
                running.keep_alive()
            running.wait()
