"""The root of the command line."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from typing_extensions import override

from windlass._version import __version__
from windlass.errors import WindlassError

if TYPE_CHECKING:
    from collections.abc import Mapping


_INTERRUPTED = 130


class Entry(NamedTuple):
    """A command that is not loaded yet: `module:attribute`, and its line in the help."""

    target: str
    help: str


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and lists its commands without importing any.

    So the help stays fast, and a command that cannot be imported does no harm to the others. This is also the
    one place where an error of Windlass, or a signal, becomes a message and an exit code.
    """

    def __init__(self, *args: Any, entries: Mapping[str, Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._entries = entries

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self._entries])

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self._entries.get(cmd_name)
        if entry is None:
            return super().get_command(ctx, cmd_name)
        command = _load(entry.target)
        from windlass.cli.foreground import take_over_signals  # the help does without

        take_over_signals()
        return command

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._help(ctx, name)) for name in self.list_commands(ctx)])

    @override
    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except WindlassError as error:
            raise click.ClickException(str(error)) from error
        except KeyboardInterrupt as error:
            click.echo("Stopped.", err=True)
            ctx.exit(getattr(error, "code", _INTERRUPTED))

    def _help(self, ctx: click.Context, name: str) -> str:
        entry = self._entries.get(name)
        if entry is not None:
            return entry.help
        command = super().get_command(ctx, name)
        return command.get_short_help_str() if command else ""


def _load(target: str) -> click.Command:
    module, _, attribute = target.partition(":")
    command = getattr(import_module(module), attribute)
    if not isinstance(command, click.Command):
        raise TypeError(f"{target} is no click command, but {command!r}")
    return command


_ENTRIES = {
    "control-plane": Entry(
        "windlass.cli.control_plane:control_plane", "Run a real control plane until Ctrl-C."
    ),
    "demo": Entry("windlass.cli.demo.command:demo", "Show all operators at work until Ctrl-C."),
    "deploy": Entry("windlass.cli.deploy:deploy", "Deploy an operator to a cluster."),
    "generate": Entry("windlass.cli.generate:generate", "Generate manifests from the types of an operator."),
    "helm": Entry("windlass.cli.helm:helm", "Run operators that are made of Helm charts."),
    "install": Entry("windlass.cli.install:install", "Install the kinds of an operator in a cluster."),
    "nodes": Entry("windlass.cli.nodes:nodes", "Run simulated nodes on a cluster until Ctrl-C."),
    "pagerduty-simulator": Entry(
        "windlass.cli.pagerduty_simulator:pagerduty_simulator", "Run a simulated PagerDuty until Ctrl-C."
    ),
    "run": Entry("windlass.cli.run:run", "Run an operator."),
    "tools": Entry("windlass.cli.tools:tools", "Install and list the programs that Windlass runs."),
    "undeploy": Entry("windlass.cli.deploy:undeploy", "Remove an operator from a cluster."),
    "uninstall": Entry("windlass.cli.install:uninstall", "Delete the kinds of an operator from a cluster."),
    "up": Entry("windlass.cli.up:up", "Run an embedded cluster until Ctrl-C."),
}


@click.group(cls=LazyGroup, entries=_ENTRIES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="windlass")
def main() -> None:
    """Windlass, the operator SDK for Python."""


@main.command()
def version() -> None:
    """Print the version."""
    click.echo(__version__)
