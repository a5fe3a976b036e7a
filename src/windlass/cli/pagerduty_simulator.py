"""`windlass pagerduty-simulator`: PagerDuty on this machine, for demonstrations and by-hand tests."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import click

from windlass.aio import SystemClock
from windlass.cli.foreground import run, stop_on_signals
from windlass.operators.pagerduty.simulator import Account, furnish

if TYPE_CHECKING:
    from ssl import SSLContext

_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8085, show_default=True,
    help="The port; 0 for a free one.",
)  # fmt: skip
@click.option("--key", default="simulated", show_default=True, help="The API key to let in.")
@click.option("--seed", type=int, default=0, show_default=True, help="What the ids come from.")
@click.option("--certificate", type=_FILE, help="Serve over HTTPS with this certificate, in PEM.")
@click.option("--certificate-key", type=_FILE, help="The key of --certificate; by default in the same file.")
@click.option("--empty", is_flag=True, help="Start with nothing: no people, no default policy.")
def pagerduty_simulator(
    seed: int, empty: bool, certificate: Path | None, certificate_key: Path | None, **given: Any
) -> None:
    """Run a simulated PagerDuty account until Ctrl-C, with a page that shows it.

    It is in memory, and gone at the end. Point a client at its address in place of api.pagerduty.com. The
    page needs no key: do not serve it to people who may not change the account.
    """
    stop_on_signals()
    account = Account(clock=SystemClock(), random=Random(seed))  # noqa: S311 - ids, not secrets
    account.allow(given["key"])
    if not empty:
        furnish(account)
    tls = _tls(certificate, certificate_key) if certificate else None
    try:
        run(_serve(account, tls, **given))
    except KeyboardInterrupt:
        click.echo("Stopped.")
    except OSError as error:
        raise click.ClickException(
            f"cannot serve on {given['host']}:{given['port']}: {error.strerror}"
        ) from error


def _tls(certificate: Path, key: Path | None) -> SSLContext:
    import ssl  # dear to load, and seldom needed

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:  # what ssl raises is one
        raise click.ClickException(f"cannot use {certificate}: {error.strerror or error}") from error
    return context


async def _serve(account: Account, tls: SSLContext | None, *, host: str, port: int, key: str) -> None:
    from windlass.operators.pagerduty.simulator.server import serving

    async with serving(account, host=host, port=port, tls=tls) as url:
        click.echo(f"PagerDuty is simulated at {url}, which also shows it in a browser. A request:\n")
        click.echo(f"    curl -H 'Authorization: Token token={key}' \\")
        click.echo(f"      -H 'Accept: application/vnd.pagerduty+json;version=2' {url}/users\n")
        click.echo("Ctrl-C stops it and removes everything.")
        await asyncio.Event().wait()
