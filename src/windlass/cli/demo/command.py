from __future__ import annotations

import codecs
import io
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from windlass.cli.duration import Duration
from windlass.cli.foreground import run, stop_on_signals
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from datetime import timedelta

    from windlass.cli.demo.show import Outcome

_PLAIN: Final = {"✔": "+", "…": "."}


@click.command()
@click.option(
    "--nodes", type=click.IntRange(1), default=3, show_default=True, help="How many nodes there are."
)
@click.option(
    "--exit-when-ready",
    is_flag=True,
    help="End with 0 when every sample is ready, and with 1 if they never are.",
)
@click.option(
    "--timeout", type=Duration(), default="10m", show_default=True,
    help="With --exit-when-ready: how long that may take.",
)  # fmt: skip
@click.option("--real", is_flag=True, help="On a real control plane, which `windlass tools` has to have.")
@click.option("--plain", is_flag=True, help="Print lines, as where there is no terminal.")
@click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path),
    help="With --exit-when-ready: write the table, as it is in the end, to this SVG file.",
)  # fmt: skip
def demo(exit_when_ready: bool, timeout: timedelta, picture: Path | None, **given: Any) -> None:
    """Show all operators at work, until Ctrl-C: nothing is needed, and nothing is left.

    A control plane with simulated nodes is started, PagerDuty is simulated, all operators run, and their
    samples are applied.
    """
    stop_on_signals()
    _write_any_sign()
    logging.getLogger("windlass").addHandler(logging.NullHandler())  # what there is to say is on the screen
    given["plain"] = given["plain"] or not sys.stdout.isatty()
    try:
        from windlass.cli.demo.screen import draw
        from windlass.cli.demo.show import Show

        outcome: Outcome = run(Show(patience=timeout if exit_when_ready else None, **given).run())
    except KeyboardInterrupt:
        if exit_when_ready:
            raise  # it is no success
        click.echo("Stopped.")
        return
    click.echo(outcome.text)
    if picture:
        draw(outcome.board, picture)
    if not outcome.ready:
        raise WindlassError(outcome.problem)


def _write_any_sign() -> None:
    """Have signs that the terminal's encoding lacks replaced, where they would be an error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error("windlass-demo", _replaced)
        sys.stdout.reconfigure(errors="windlass-demo")


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = error.object[error.start : error.end]
    return "".join(_PLAIN.get(each, "?") for each in found), error.end
