"""What the commands that run until Ctrl-C share."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.cluster import Access


def stop_on_signals() -> None:
    """Take SIGTERM, or the end of the terminal, for Ctrl-C."""
    for number in (getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` wants it
            signal.signal(number, _interrupt)


def claim(file: Path) -> None:
    """Create the file, for its owner only, so that nobody's kubeconfig is ever overwritten."""
    try:
        file.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        raise click.ClickException(f"{file} exists; choose another name, or remove it first") from None
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from error


def explain(
    access: Access, kubeconfig: Path, more: str = "", ending: str = "stops it and removes everything"
) -> None:
    """Tell how to use what runs now, and what Ctrl-C will do."""
    click.echo(f"The control plane runs at {access.server}{more}. Use it with:\n")
    click.echo(f"    export KUBECONFIG={kubeconfig.absolute()}\n")
    click.echo(f"Ctrl-C {ending}.")


def first_of(error: BaseException) -> BaseException:
    """The first error of a group, and of a group in it; else the error itself."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _interrupt(*_: object) -> None:
    """Have happen what Ctrl-C does, which an event loop takes in order: it ends its task, and then itself.

    An exception of our own would be raised wherever the process is, such as in a callback that keeps it.
    """
    if not callable(signal.getsignal(signal.SIGINT)):  # it is ignored, as in the background of a shell
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)
