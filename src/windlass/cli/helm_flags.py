"""The flags of `windlass helm run`: those of an operator, and operator-sdk's own."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from windlass.cli.duration import Duration
from windlass.cli.flags import flags, manager_options, switch
from windlass.errors import ConfigError
from windlass.helm import HelmOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.manager import ManagerOptions

_ALIASES: Final = {"metrics_addr": "metrics_bind_address", "enable_leader_election": "leader_elect"}
_log = logging.getLogger("windlass.helm")


def _workers() -> int:
    return os.cpu_count() or 1


HELM_DEFAULTS: Final[Mapping[str, Any]] = {"default_map": {"max_concurrent_reconciles": _workers}}
"""Where the defaults of operator-sdk differ from those of `windlass run`; a command's settings."""

HELM_FLAGS: Final = (
    click.option(
        "--reconcile-period", type=Duration(), default="1m", show_default=True,
        help="How long after a pass that went well the next one follows.",
    ),
    switch("suppress-override-values", "Leave the values of overrides out of events."),
    click.option(
        "--metadata-key", default="", metavar="NAME",
        help="Give charts the metadata of the object, as the value of this name.",
    ),
    click.option(
        "--history-max", type=click.IntRange(min=1), default=10, show_default=True, metavar="COUNT",
        help="How many revisions of a release are kept, as `helm --history-max` has it.",
    ),
    click.option(
        "--timeout", type=Duration(), default="5m", show_default=True,
        help="How long one call of helm may take, hooks included, as `helm --timeout` has it.",
    ),
    switch("metrics-require-rbac", "Needs --metrics-secure, which has the same effect already."),
    switch("enable-http2", "Accepted, without effect: nothing here is served by HTTP/2."),
    click.option(
        "--zap-stacktrace-level", default="", metavar="LEVEL",
        help="Accepted, without effect: unexpected errors have their traceback.",
    ),
    click.option("--metrics-addr", default="", hidden=True),
    switch("enable-leader-election", "", hidden=True),
)  # fmt: skip


def helm_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags of an operator that is made of charts."""
    command = flags(command)
    for option in reversed(HELM_FLAGS):
        command = option(command)
    return command


def settings(
    given: Mapping[str, Any], name: str, environment: Mapping[str, str]
) -> tuple[ManagerOptions, HelmOptions]:
    """What the flags of the running command say, for an operator of this name.

    Raises:
        ConfigError: flags contradict each other, or a value cannot be used.
    """
    settled = _settled(given)
    defaults = HelmOptions(
        period=settled["reconcile_period"],
        suppress_overrides=settled["suppress_override_values"],
        metadata_key=settled["metadata_key"],
        history=settled["history_max"],
        timeout=settled["timeout"],
        service_account=settled["default_service_account"] or "",
    )
    return manager_options(settled, name, environment), defaults


def _settled(given: Mapping[str, Any]) -> dict[str, Any]:
    """The flags under their present names."""
    source = click.get_current_context().get_parameter_source
    settled = dict(given)
    for old, new in _ALIASES.items():
        if source(old) is not ParameterSource.COMMANDLINE:
            continue
        if source(new) is ParameterSource.COMMANDLINE:
            raise ConfigError(f"{_flag(old)} is the old name of {_flag(new)}; give the new one alone")
        _log.warning("%s is the old name of %s", _flag(old), _flag(new))
        settled[new] = given[old]
    if given["metrics_require_rbac"] and not given["metrics_secure"]:
        raise ConfigError("--metrics-require-rbac needs --metrics-secure; give both")
    return settled


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
