"""The flags of an operator, as manifests and people write them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click
import pytest
from click.testing import CliRunner

from windlass.api import Key
from windlass.cli.flags import GoFlags, flags, log_options, manager_options
from windlass.errors import ConfigError
from windlass.manager import Address, WebhookSettings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from windlass.manager import LogOptions, ManagerOptions


def given(*arguments: str, environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What a command sees of these arguments."""
    seen: dict[str, Any] = {}

    @click.command(cls=GoFlags)
    @click.argument("operator")
    @flags
    def command(**options: Any) -> None:
        seen.update(options)

    cleared: dict[str, str | None] = {"POD_NAMESPACE": None, "OPERATOR_NAME": None}
    result = CliRunner().invoke(command, [*arguments, "app.py"], env={**cleared, **(environment or {})})
    if result.exit_code:
        raise AssertionError(result.output)
    return seen


def managed(*arguments: str, environment: Mapping[str, str] | None = None) -> ManagerOptions:
    return manager_options(given(*arguments, environment=environment), "demo", environment or {})


def logged(*arguments: str) -> LogOptions:
    return log_options(given(*arguments))


def test_without_flags_metrics_and_health_are_where_people_look_for_them() -> None:
    options = managed()

    assert (options.metrics.address, options.health) == (Address("", 8080), Address("", 8081))
    assert (options.name, options.namespaces, options.leader_elect) == ("demo", (), False)
    assert options.max_concurrent_reconciles == 10


def test_secure_metrics_have_a_port_of_their_own_unless_it_is_said() -> None:
    assert managed("--metrics-secure").metrics.address == Address("", 8443)
    assert managed("--metrics-secure", "--metrics-bind-address=:9443").metrics.address == Address("", 9443)


def test_on_a_simulated_node_every_interface_is_the_loopback_alone() -> None:
    simulated = managed("--metrics-bind-address=0.0.0.0:1", environment={"WINDLASS_POD_ROOT": "/pods/1"})

    assert simulated.health == Address("127.0.0.1", 8081)
    assert simulated.metrics.address == Address("0.0.0.0", 1)  # noqa: S104 - that it is said, it is meant


def test_every_flag_reaches_its_option(tmp_path: Path) -> None:
    options = managed(
        "--leader-elect", "--leader-election-id=lock", "--leader-election-namespace=system",
        "--metrics-bind-address", "127.0.0.1:1", "--metrics-secure", "--metrics-cert-path", str(tmp_path),
        "--health-probe-bind-address=0", "--max-concurrent-reconciles=3", "--name", "other",
    )  # fmt: skip

    assert (options.leader_elect, options.lease_name, options.lease_namespace) == (True, "lock", "system")
    assert options.metrics.address == Address("127.0.0.1", 1)
    assert (options.metrics.secure, options.metrics.certificate) == (True, tmp_path)
    assert (options.health, options.max_concurrent_reconciles, options.name) == (None, 3, "other")


def test_webhooks_are_the_operators_own_business_unless_a_flag_says_otherwise(tmp_path: Path) -> None:
    assert managed().webhooks == WebhookSettings()
    assert managed("--webhook-port=1234").webhooks.address == Address("", 1234)
    assert managed(f"--webhook-cert-path={tmp_path}").webhooks.certificate == tmp_path


def test_configurations_are_applied_only_where_it_is_said_where_the_webhooks_are() -> None:
    said = managed("--webhook-url=https://127.0.0.1:9443").webhooks

    assert (said.url, said.install) == ("https://127.0.0.1:9443", True)


def test_how_long_a_lease_holds_is_said_in_the_durations_of_go() -> None:
    options = managed(
        "--leader-elect-lease-duration=1m", "--leader-elect-renew-deadline=40s",
        "--leader-elect-retry-period", "500ms",
    )  # fmt: skip

    told = (options.lease_duration, options.renew_deadline, options.retry_period)
    assert told == (timedelta(minutes=1), timedelta(seconds=40), timedelta(milliseconds=500))
    usual = managed()
    assert (usual.lease_duration, usual.renew_deadline, usual.retry_period) == (
        timedelta(seconds=15),
        timedelta(seconds=10),
        timedelta(seconds=2),
    )


def test_a_pod_is_named_in_its_lease_and_each_of_its_processes_is_another() -> None:
    one, two = (managed(environment={"HOSTNAME": "shop-0"}).identity for _ in range(2))

    assert one.startswith("shop-0_")
    assert two.startswith("shop-0_")
    assert one != two
    assert managed().identity == ""


@pytest.mark.parametrize(
    ("arguments", "elects"),
    [
        (["--leader-elect"], True),
        (["--leader-elect=true"], True),
        (["--leader-elect=false"], False),
        (["--leader-elect=False"], False),
        (["--leader-elect", "--leader-elect=0"], False),
        (["--no-leader-elect"], False),
    ],
)
def test_a_switch_may_be_given_a_value_as_in_go(arguments: list[str], elects: bool) -> None:  # noqa: FBT001
    assert managed(*arguments).leader_elect is elects


def test_a_switch_whose_value_is_neither_is_refused() -> None:
    with pytest.raises(AssertionError, match="'maybe' is neither true nor false"):
        given("--leader-elect=maybe")


@pytest.mark.parametrize(
    ("arguments", "environment", "namespaces"),
    [
        ([], {}, ()),
        ([], {"WATCH_NAMESPACE": ""}, ()),
        ([], {"WATCH_NAMESPACE": "a, b,a,"}, ("a", "b")),
        (["-n", "c"], {"WATCH_NAMESPACE": "a"}, ("c",)),
        (["--namespace=c", "-n", "d"], {}, ("c", "d")),
        (["--namespace=c,d", "-n", "d"], {}, ("c", "d")),
    ],
)
def test_namespaces_come_from_flags_or_else_from_the_environment(
    arguments: list[str], environment: dict[str, str], namespaces: tuple[str, ...]
) -> None:
    assert managed(*arguments, environment=environment).namespaces == namespaces


def test_the_environment_of_a_pod_names_the_operator_and_the_place_of_its_lease() -> None:
    options = managed(environment={"OPERATOR_NAME": "shop", "POD_NAMESPACE": "shop-system"})

    assert (options.name, options.lease_namespace) == ("shop", "shop-system")


def test_an_address_that_is_none_is_refused_with_its_flag() -> None:
    with pytest.raises(ConfigError, match="--metrics-bind-address: '8080' is no address"):
        managed("--metrics-bind-address=8080")


@pytest.mark.parametrize(
    ("arguments", "level", "format_", "time"),
    [
        ([], "info", "auto", "rfc3339"),
        (["--zap-devel"], "debug", "text", "rfc3339"),
        (["--zap-devel=true", "--zap-log-level=error", "--zap-encoder=json"], "error", "json", "rfc3339"),
        (["--log-level", "2", "--log-format", "text"], "2", "text", "rfc3339"),
        (["--zap-encoder=console", "--zap-time-encoding=nanos"], "info", "text", "nano"),
        (["--zap-time-encoding=iso8601"], "info", "auto", "iso8601"),
    ],
)
def test_log_flags_have_zaps_names_and_plain_ones(
    arguments: list[str], level: str, format_: str, time: str
) -> None:
    options = logged(*arguments)

    assert (options.level, options.format, options.time_encoding) == (level, format_, time)


POD = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443", "POD_NAMESPACE": "till"}


def test_in_a_pod_webhooks_know_their_namespace_and_may_be_behind_a_named_service() -> None:
    assert managed(environment=POD).webhooks.namespace == "till"
    assert managed("--webhook-service=doors", environment=POD).webhooks.service == Key("till", "doors")


@pytest.mark.parametrize(
    ("arguments", "environment", "why"),
    [
        (["--webhook-service=doors"], {}, "it leads to a pod, and this is none"),
        (["--webhook-service=doors", "--webhook-url=https://here"], POD, "or --webhook-url, not both"),
    ],
)
def test_a_service_without_a_pod_or_beside_a_url_is_refused(
    arguments: list[str], environment: dict[str, str], why: str
) -> None:
    with pytest.raises(ConfigError, match=why):
        managed(*arguments, environment=environment)
