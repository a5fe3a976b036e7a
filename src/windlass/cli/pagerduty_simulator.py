"""`windlass pagerduty-simulator`: PagerDuty on this machine, for demonstrations and by-hand tests."""

from __future__ import annotations

import asyncio
from random import Random

import click

from windlass.aio import SystemClock, run
from windlass.cli.foreground import stop_on_signals
from windlass.operators.pagerduty.simulator import Account, furnish


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8085, show_default=True,
    help="The port; 0 for a free one.",
)  # fmt: skip
@click.option("--key", default="simulated", show_default=True, help="The API key to let in.")
@click.option("--seed", type=int, default=0, show_default=True, help="What the ids come from.")
@click.option("--empty", is_flag=True, help="Start with nothing: no people, no default policy.")
def pagerduty_simulator(host: str, port: int, key: str, seed: int, empty: bool) -> None:
    """Run a simulated PagerDuty account until Ctrl-C, with a page that shows it.

    It is in memory, and gone at the end. Point a client at its address in place of api.pagerduty.com. The
    page needs no key: do not serve it to people who may not change the account.
    """
    account = Account(clock=SystemClock(), random=Random(seed))  # noqa: S311 - ids, not secrets
    account.allow(key)
    if not empty:
        furnish(account)
    stop_on_signals()
    try:
        run(_serve(account, host, port, key))
    except KeyboardInterrupt:
        click.echo("Stopped.")
    except OSError as error:
        raise click.ClickException(f"cannot serve on {host}:{port}: {error.strerror}") from error


async def _serve(account: Account, host: str, port: int, key: str) -> None:
    from windlass.operators.pagerduty.simulator.server import serving

    async with serving(account, host=host, port=port) as url:
        click.echo(f"PagerDuty is simulated at {url}, which also shows it in a browser. A request:\n")
        click.echo(f"    curl -H 'Authorization: Token token={key}' \\")
        click.echo(f"      -H 'Accept: application/vnd.pagerduty+json;version=2' {url}/users\n")
        click.echo("Ctrl-C stops it and removes everything.")
        await asyncio.Event().wait()
