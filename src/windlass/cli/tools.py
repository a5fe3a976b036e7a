"""`windlass tools`: the programs that Windlass runs but does not contain."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from dataclasses import astuple
from typing import TYPE_CHECKING

import click

from windlass.tools import install_control_plane, install_helm, install_kubectl, look_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from types import FrameType

_BUNDLES = ("control-plane", "helm", "kubectl")


@click.group()
def tools() -> None:
    """Install and list the programs that Windlass runs: a Kubernetes control plane, Helm, kubectl."""


@tools.command()
@click.argument(
    "bundles",
    metavar="[control-plane|helm|kubectl]...",
    type=click.Choice(_BUNDLES),
    nargs=-1,
    required=True,
)
def install(bundles: tuple[str, ...]) -> None:
    """Install a control plane (etcd and three programs of Kubernetes), Helm or kubectl.

    A program is taken from the folder KUBEBUILDER_ASSETS or from PATH if it has the right version there, else
    from the cache, else downloaded and verified, else built by the `go` tool, which takes minutes.
    Progress goes to standard error, the paths of the programs to standard output.
    """
    with _orderly_termination():
        for bundle in bundles:
            for path in _install(bundle):
                click.echo(path)


@tools.command(name="list")
def list_() -> None:
    """Show which programs would be used, and from where."""
    for program, found in look_up(_say):
        version = found.version if found else program.version
        place = f"{found.path} (from {found.origin})" if found else f"missing; {_remedy(program.bundle)}"
        click.echo(f"{program.name:<24} {version:<8} {place}")


def _install(bundle: str) -> Iterable[Path]:
    if bundle == "control-plane":
        return astuple(install_control_plane(_say))
    return (install_helm(_say) if bundle == "helm" else install_kubectl(_say),)


def _remedy(bundle: str) -> str:
    return f"run: windlass tools install {bundle}"


def _say(line: str) -> None:
    click.echo(line, err=True)


@contextmanager
def _orderly_termination() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end this process as Ctrl-C does: children stopped, unfinished files removed.

    A signal that is ignored stays so: `nohup` is meant to outlive its terminal.
    """

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    endings = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {
        number: signal.signal(number, leave)
        for number in endings
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
