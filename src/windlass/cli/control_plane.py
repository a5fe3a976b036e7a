from __future__ import annotations

import signal
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from windlass.testing import ControlPlaneOptions, start_control_plane

if TYPE_CHECKING:
    from windlass.testing import Access


@click.command("control-plane")
@click.option(
    "--kubeconfig",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the kubeconfig to this file, which must not exist; it is removed at the end.",
)
@click.option(
    "--controllers/--no-controllers",
    default=True,
    show_default=True,
    help="Also run kube-controller-manager and kube-scheduler.",
)
def control_plane(kubeconfig: Path | None, controllers: bool) -> None:
    """Run a real control plane on this machine until Ctrl-C."""
    for number in (getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` wants it
            signal.signal(number, _interrupt)
    try:
        _serve(kubeconfig, ControlPlaneOptions(controllers=controllers))
    except KeyboardInterrupt:
        click.echo("Stopped.")


def _serve(kubeconfig: Path | None, options: ControlPlaneOptions) -> None:
    with ExitStack() as stack:
        if kubeconfig:
            _claim(kubeconfig)
            stack.callback(kubeconfig.unlink, missing_ok=True)
        click.echo("Starting …")
        running = stack.enter_context(start_control_plane(options))
        if kubeconfig:
            kubeconfig.write_text(running.access.kubeconfig_for(), encoding="utf-8")
        _explain(running.access, kubeconfig or running.access.kubeconfig)
        running.wait()


def _claim(file: Path) -> None:
    """Create the file, for its owner only, so that nobody's kubeconfig is ever overwritten."""
    try:
        file.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        raise click.ClickException(f"{file} exists; choose another name, or remove it first") from None
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from error


def _explain(access: Access, kubeconfig: Path) -> None:
    click.echo(f"The control plane runs at {access.server}, its logs are in {access.folder}. Use it with:\n")
    click.echo(f"    export KUBECONFIG={kubeconfig.absolute()}\n")
    click.echo("Ctrl-C stops it and removes everything.")


def _interrupt(*_: object) -> NoReturn:
    """Take SIGTERM, or the end of the terminal, for Ctrl-C."""
    raise KeyboardInterrupt
