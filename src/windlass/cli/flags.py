"""Flags as operators have them: those of controller-runtime's scaffold, in the spelling of Go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import uuid4

import click
from typing_extensions import override

from windlass.api import Key
from windlass.cli.duration import Duration
from windlass.client import pod_namespace
from windlass.errors import ConfigError
from windlass.manager import Address, LogOptions, ManagerOptions, MetricsOptions, WebhookSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.manager import LogFormat, TimeEncoding

_TRUE: Final = frozenset({"1", "t", "true"})
_FALSE: Final = frozenset({"0", "f", "false"})
_SIMULATED: Final = "WINDLASS_POD_ROOT"
_LOOPBACK: Final = "127.0.0.1"
_FORMATS: Final[Mapping[str, LogFormat]] = {"json": "json", "console": "text", "text": "text", "auto": "auto"}
_TIMES: Final[Mapping[str, TimeEncoding]] = {
    "epoch": "epoch",
    "millis": "millis",
    "nano": "nano",
    "nanos": "nano",
    "iso8601": "iso8601",
    "rfc3339": "rfc3339",
    "rfc3339nano": "rfc3339nano",
}


class GoFlags(click.Command):
    """A command whose switches may be given a value, as in Go: `--leader-elect=false`."""

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        switches = {
            name: each.secondary_opts[0]
            for each in self.params
            if isinstance(each, click.Option) and each.is_bool_flag and each.secondary_opts
            for name in each.opts
        }
        return super().parse_args(ctx, [_switched(each, switches) for each in args])


def _switched(argument: str, switches: Mapping[str, str]) -> str:
    name, given, value = argument.partition("=")
    if not given or name not in switches:
        return argument
    if value.lower() in _TRUE:
        return name
    if value.lower() in _FALSE:
        return switches[name]
    raise click.BadParameter(f"{value!r} is neither true nor false", param_hint=name)


def switch(name: str, text: str, **more: Any) -> Callable[..., Any]:
    """An option that is on or off, and may be given a value by `GoFlags`."""
    return click.option(f"--{name}/--no-{name}", default=False, help=text, **more)


MANAGER_FLAGS: Final = (
    click.option(
        "--name", envvar="OPERATOR_NAME", default="", help="The operator's name; by default the module's."
    ),
    click.option(
        "--watch-namespace", "--namespace", "-n", "namespaces", multiple=True, metavar="NAMESPACE",
        help="Watch this namespace only; repeatable. Without it, WATCH_NAMESPACE; without both, all of them.",
    ),
    switch("leader-elect", "Do nothing until this process holds the lease."),
    click.option(
        "--leader-election-id", default="", metavar="NAME",
        help="The name of the lease; by default the operator's.",
    ),
    click.option(
        "--leader-election-namespace", envvar="POD_NAMESPACE", default="", metavar="NAMESPACE",
        help="Where the lease lies; by default where this process runs.",
    ),
    *(
        click.option(f"--leader-elect-{name}", type=Duration(), default=value, show_default=True, help=text)
        for name, value, text in (
            ("lease-duration", "15s", "How long the others wait after the last renewal that they saw."),
            ("renew-deadline", "10s", "How long after a renewal the leader may act."),
            ("retry-period", "2s", "How often the leader renews, and the others look."),
        )
    ),
    click.option(
        "--metrics-bind-address", default="", metavar="ADDRESS",
        help="Where metrics are served, 0 for nowhere.  [default: :8080, or :8443 if they are secure]",
    ),
    switch("metrics-secure", "Serve metrics, and /journal, over TLS to whom the API server lets get them."),
    click.option(
        "--metrics-cert-path", type=click.Path(exists=True, file_okay=False, path_type=Path), default=None,
        help="The folder of tls.crt and tls.key; without it a certificate is made.",
    ),
    click.option(
        "--health-probe-bind-address", default=":8081", metavar="ADDRESS", show_default=True,
        help="Where /healthz and /readyz are served, 0 for nowhere; and, over loopback alone, /journal "
        "unless metrics are secure.",
    ),
    click.option(
        "--webhook-port", type=click.IntRange(1, 65535), default=None, metavar="PORT",
        help="Where webhooks are served.  [default: what the operator says, or 9443]",
    ),
    click.option(
        "--webhook-cert-path", type=click.Path(exists=True, file_okay=False, path_type=Path), default=None,
        help="The folder of tls.crt and tls.key of webhooks; without it what the operator says.",
    ),
    click.option(
        "--webhook-url", default="", metavar="URL",
        help="Where the API server finds the webhooks of this process, such as https://127.0.0.1:9443, in "
        "place of a service; their configurations are then applied.",
    ),
    click.option(
        "--webhook-service", default="", metavar="NAME",
        help="In a pod, the Service that leads to the webhooks.  [default: what the operator says, or "
        "OPERATOR-webhook-service]",
    ),
    click.option(
        "--graceful-shutdown-timeout", type=Duration(), default="25s", show_default=True,
        help="How long running reconciles may take to end after a signal; then they are cancelled.",
    ),
    click.option(
        "--max-concurrent-reconciles", type=click.IntRange(min=1), default=10, show_default=True,
        help="How many objects each controller reconciles at a time.",
    ),
    click.option(
        "--default-service-account", default=None, metavar="NAME",
        help="Deploy as this ServiceAccount of a custom resource's namespace where the resource names none; "
        "empty for the operator itself.  [default: what the operator says]",
    ),
)  # fmt: skip
"""Everything that becomes `ManagerOptions`."""

LOG_FLAGS: Final = (
    click.option(
        "--zap-log-level", "--log-level", "log_level", default="", metavar="LEVEL",
        help="debug, info, warn, error, panic, or a number from 1.  [default: info]",
    ),
    click.option(
        "--zap-encoder", "--log-format", "log_format", type=click.Choice(list(_FORMATS)), default=None,
        help="console (or text), json, or auto: console for a terminal.  [default: auto]",
    ),
    click.option(
        "--zap-time-encoding", "time_encoding", type=click.Choice(list(_TIMES)), default="rfc3339",
        show_default=True, help="How JSON writes the time.",
    ),
    switch("zap-devel", "The same as --log-level=debug --log-format=console."),
)  # fmt: skip
"""Everything that becomes `LogOptions`."""


WATCH_FLAG: Final = click.option(
    "--watch-namespace", "watch_namespaces", multiple=True, metavar="NAMESPACE",
    help="Limit the operator to this namespace, by a Role there and WATCH_NAMESPACE; repeatable. "
    "[default: all namespaces, by a ClusterRole]",
)  # fmt: skip
"""Where a generated or deployed operator works, as `windlass run` has it."""

CLUSTER_FLAGS: Final = (
    click.option(
        "--kubeconfig", type=click.Path(exists=True, dir_okay=False, path_type=Path), default=None,
        help="The kubeconfig to use; without it that of kubectl, or inside a pod the pod's own account.",
    ),
    click.option(
        "--context", default=None, help="The context of the kubeconfig; by default the current one."
    ),
)  # fmt: skip
"""Which cluster is meant."""


def flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags of an operator, in this order."""
    for option in reversed((*MANAGER_FLAGS, *LOG_FLAGS, *CLUSTER_FLAGS)):
        command = option(command)
    return command


def manager_options(given: Mapping[str, Any], name: str, environment: Mapping[str, str]) -> ManagerOptions:
    """What the flags say, for an operator that is called `name` unless they say otherwise.

    Raises:
        ConfigError: a value cannot be used; the message names it.
    """
    secure = bool(given["metrics_secure"])
    address = given["metrics_bind_address"] or (":8443" if secure else ":8080")
    return ManagerOptions(
        name=given["name"] or name,
        namespaces=_namespaces(given["namespaces"], environment),
        leader_elect=given["leader_elect"],
        lease_name=given["leader_election_id"],
        lease_namespace=given["leader_election_namespace"],
        identity=_identity(environment),
        lease_duration=given["leader_elect_lease_duration"],
        renew_deadline=given["leader_elect_renew_deadline"],
        retry_period=given["leader_elect_retry_period"],
        metrics=MetricsOptions(
            address=_address("--metrics-bind-address", address, environment),
            secure=secure,
            certificate=given["metrics_cert_path"],
        ),
        webhooks=_webhooks(given, environment),
        health=_address("--health-probe-bind-address", given["health_probe_bind_address"], environment),
        max_concurrent_reconciles=given["max_concurrent_reconciles"],
        drain=given["graceful_shutdown_timeout"],
        default_service_account=given["default_service_account"],
    )


def log_options(given: Mapping[str, Any]) -> LogOptions:
    """What the flags say about logs.

    Raises:
        ConfigError: there is no such level.
    """
    devel = given["zap_devel"]
    return LogOptions(
        level=given["log_level"] or ("debug" if devel else "info"),
        format=_FORMATS[cast("str", given["log_format"] or ("console" if devel else "auto"))],
        time_encoding=_TIMES[given["time_encoding"]],
    )


def _webhooks(given: Mapping[str, Any], environment: Mapping[str, str]) -> WebhookSettings:
    """Read the flags of webhooks; configurations are written only where a URL is given.

    Raises:
        ConfigError: a Service is given outside a pod, or beside a URL.
    """
    port, url, service = given["webhook_port"], given["webhook_url"], given["webhook_service"]
    namespace = pod_namespace(environment)
    if service and (url or not namespace):
        why = "give it or --webhook-url, not both" if url else "it leads to a pod, and this is none"
        raise ConfigError(f"--webhook-service {service}: {why}")
    return WebhookSettings(
        service=Key(namespace, service) if service else None,
        namespace=namespace,
        address=Address("", port) if port else None,
        certificate=given["webhook_cert_path"],
        url=url,
        install=True if url else None,
    )


def _identity(environment: Mapping[str, str]) -> str:
    """Who holds the lease: the pod, so that a person knows which; outside of one, the manager decides.

    A pod's process that is started again must not take itself for the one before, hence the rest.
    """
    pod = environment.get("HOSTNAME", "")
    return f"{pod}_{uuid4()}" if pod else ""


def _namespaces(given: tuple[str, ...], environment: Mapping[str, str]) -> tuple[str, ...]:
    listed = ",".join(given) or environment.get("WATCH_NAMESPACE", "")
    return tuple(dict.fromkeys(each.strip() for each in listed.split(",") if each.strip()))


def _address(flag: str, text: str, environment: Mapping[str, str]) -> Address | None:
    """Where a flag says to listen.

    In place of a container on a simulated node, every interface is that of the loopback: the others are the
    machine's, and the node needs that one alone.
    """
    try:
        address = Address.parse(text)
    except ConfigError as error:
        raise ConfigError(f"{flag}: {error}") from error
    if address and not address.host and _SIMULATED in environment:
        return Address(_LOOPBACK, address.port)
    return address
