"""The flags of operator-sdk's binary, and what they are refused for."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click
import pytest

from windlass.cli.flags import GoFlags, log_options
from windlass.cli.helm_flags import HELM_DEFAULTS, helm_flags, settings
from windlass.errors import ConfigError
from windlass.manager import Address

if TYPE_CHECKING:
    from windlass.helm import HelmOptions
    from windlass.manager import ManagerOptions


def said(*arguments: str, environment: dict[str, str] | None = None) -> tuple[ManagerOptions, HelmOptions]:
    """What `windlass helm run` makes of these flags."""
    made: list[tuple[ManagerOptions, HelmOptions]] = []

    @click.command(cls=GoFlags, context_settings=HELM_DEFAULTS)
    @helm_flags
    def command(**given: Any) -> None:
        log_options(given)
        made.append(settings(given, "shop-operator", environment or {}))

    command.main([*arguments], standalone_mode=False)
    (both,) = made
    return both


def test_without_flags_it_is_as_operator_sdk_has_it() -> None:
    manager, helm = said()

    assert (manager.name, manager.namespaces, manager.leader_elect) == ("shop-operator", (), False)
    assert (manager.metrics.address, manager.health) == (Address("", 8080), Address("", 8081))
    assert manager.max_concurrent_reconciles == os.cpu_count()
    assert (helm.period, helm.suppress_overrides, helm.metadata_key) == (timedelta(minutes=1), False, "")
    assert (helm.history, helm.timeout) == (10, timedelta(minutes=5))
    assert (manager.default_service_account, helm.service_account) == (None, "")


def test_every_flag_has_its_effect() -> None:
    manager, helm = said(
        "--reconcile-period=2h", "--suppress-override-values", "--metadata-key=cr",
        "--max-concurrent-reconciles=3", "--metrics-bind-address=127.0.0.1:8443", "--metrics-secure",
        "--metrics-require-rbac", "--health-probe-bind-address=:6789", "--leader-elect=true",
        "--leader-election-id=shop", "--leader-election-namespace=system", "--enable-http2=false",
        "--zap-stacktrace-level=panic", "--zap-devel", "--zap-encoder=json", "--zap-log-level=debug",
        "--zap-time-encoding=epoch", "--history-max=3", "--timeout=90s", "--default-service-account=shops",
        environment={"WATCH_NAMESPACE": "a, b"},
    )  # fmt: skip

    assert (helm.period, helm.suppress_overrides, helm.metadata_key) == (timedelta(hours=2), True, "cr")
    assert (helm.history, helm.timeout) == (3, timedelta(seconds=90))
    assert (manager.max_concurrent_reconciles, manager.namespaces) == (3, ("a", "b"))
    assert (manager.metrics.address, manager.metrics.secure) == (Address("127.0.0.1", 8443), True)
    assert manager.health == Address("", 6789)
    assert (manager.default_service_account, helm.service_account) == ("shops", "shops")
    assert (manager.leader_elect, manager.lease_name, manager.lease_namespace) == (True, "shop", "system")


def test_old_names_of_flags_work() -> None:
    manager, _ = said("--metrics-addr=:9090", "--enable-leader-election")

    assert (manager.metrics.address, manager.leader_elect) == (Address("", 9090), True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--metrics-addr=:1", "--metrics-bind-address=:2"],
            "--metrics-addr is the old name of --metrics-bind",
        ),
        (["--leader-elect=false", "--enable-leader-election"], "--enable-leader-election is the old name of"),
        (["--metrics-require-rbac"], "--metrics-require-rbac needs --metrics-secure"),
    ],
)
def test_flags_that_contradict_each_other_are_refused(arguments: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        said(*arguments)
