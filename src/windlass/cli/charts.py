"""The charts of a `watches.yaml`, fetched where they are not on disk, and the flags that say how."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from windlass.cli.flags import switch
from windlass.cli.foreground import run
from windlass.tools import cache_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from windlass.helm import GivenValues, HelmWatch, RemoteChart

_FLAGS: Final = (
    click.option(
        "--chart-cache", type=click.Path(file_okay=False, path_type=Path), default=None,
        help="The folder that keeps charts which are fetched.  [default: ~/.cache/windlass/charts]",
    ),
    click.option(
        "--registry-config", type=click.Path(dir_okay=False, path_type=Path), default=None,
        envvar="HELM_REGISTRY_CONFIG",
        help="Credentials of registries and repositories, as `helm registry login` writes them.",
    ),
    switch("allow-charts-without-digest", "Fetch charts whose version floats, or that no digest verifies."),
    switch("plain-http", "Fetch charts without TLS."),
)  # fmt: skip


CHART_OPTIONS: Final = ("chart_cache", "registry_config", "allow_charts_without_digest", "plain_http")
"""The parameters of `chart_flags`."""

_VALUES: Final = (
    click.option(
        "--values", "-f", "files", multiple=True, metavar="[KIND:]FILE",
        help="To find the role: values of every rendering, for all charts or that of a kind; repeatable.",
    ),
    click.option(
        "--set", "sets", multiple=True, metavar="[KIND:]PATH=VALUE",
        help="As --values, in the grammar of `helm --set`; repeatable.",
    ),
    click.option(
        "--set-string", "set_strings", multiple=True, metavar="[KIND:]PATH=VALUE",
        help="As --set, for texts; repeatable.",
    ),
)  # fmt: skip

VALUE_OPTIONS: Final = ("files", "sets", "set_strings")
"""The parameters of `value_flags`."""


def chart_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags that say how charts are fetched."""
    for option in reversed(_FLAGS):
        command = option(command)
    return command


def value_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags of the values with which charts are rendered to find the role."""
    for option in reversed(_VALUES):
        command = option(command)
    return command


def given_values(given: Mapping[str, Any]) -> GivenValues:
    """Return the values that the flags of `value_flags` state; none where a command does not have them."""
    from windlass.helm import GivenValues

    return GivenValues(**{name: tuple(given.get(name) or ()) for name in VALUE_OPTIONS})


def run_flags(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the flags of `windlass helm run` that fetch charts in the cluster as these flags do here.

    The cache and the file of credentials are paths of this machine, which the container does not have.
    """
    names = ("allow_charts_without_digest", "plain_http")
    return tuple(f"--{name.replace('_', '-')}" for name in names if given.get(name))


def name_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flag of the operator's name, as `operator`."""
    return click.option(
        "--operator", default="", metavar="NAME",
        help="The operator's name; by default the module's, or that of the first kind in a watches.yaml.",
    )(command)  # fmt: skip


def image_flag(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flag of the operator's image, as `image`."""
    return click.option(
        "--image", default="",
        help="The operator's image; by default that of this version for an operator that ships, and "
        "OPERATOR:latest for any other.",
    )(command)  # fmt: skip


def load_watches(
    file: Path, given: Mapping[str, Any] | None = None, *, charts: bool = True
) -> Sequence[HelmWatch]:
    """Read a `watches.yaml`, and fetch the charts that are not on disk, by the flags of `chart_flags`.

    Without `charts`, read the kinds only, and neither read nor fetch a chart.

    Raises:
        ConfigError: an entry cannot be used, or its chart cannot be fetched.
    """
    from windlass.helm import FetchOptions, fetch_chart, read_watches

    given = given or {"registry_config": os.environ.get("HELM_REGISTRY_CONFIG")}
    config = given.get("registry_config")
    options = FetchOptions(
        cache=given.get("chart_cache") or cache_folder(os.environ) / "charts",
        allow_without_digest=given.get("allow_charts_without_digest", False),
        plain_http=given.get("plain_http", False),
        registry_config=Path(config) if config else None,
    )

    def fetch(chart: RemoteChart) -> Path:
        return run(fetch_chart(chart, options))

    return read_watches(file, fetch, charts=charts)
