from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from windlass.errors import ConfigError
from windlass.manager import Address, ManagerOptions, MetricsOptions


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (":8080", Address("", 8080)),
        ("127.0.0.1:0", Address("127.0.0.1", 0)),
        ("localhost:65535", Address("localhost", 65535)),
        ("[::1]:8443", Address("::1", 8443)),
    ],
)
def test_an_address_is_read_as_flags_write_it_and_written_back(text: str, address: Address) -> None:
    assert Address.parse(text) == address
    assert str(address) == text


def test_nought_is_no_address_at_all() -> None:
    assert Address.parse("0") is None


@pytest.mark.parametrize("text", ["", "8080", ":", ":http", ":65536", ":-1", "::1:80", ":٣", ":8080 "])
def test_what_is_no_address_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(ConfigError, match="is no address to listen on"):
        Address.parse(text)


def test_a_manager_without_options_takes_no_port() -> None:
    options = ManagerOptions()

    assert (options.metrics.address, options.health, options.leader_elect) == (None, None, False)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"name": "My Operator"}, "name 'My Operator' cannot name a lease"),
        ({"name": ""}, "name '' cannot name a lease"),
        ({"lease_name": "-a"}, "lease_name '-a' cannot name a lease"),
        (
            {"namespaces": "default"},
            "namespaces 'default' are not names of namespaces: say ('default', 'shop')",
        ),
        ({"namespaces": ("default", "")}, "namespaces ('default', '') are not names"),
        ({"max_concurrent_reconciles": 0}, "max_concurrent_reconciles is 0"),
        ({"drain": timedelta(seconds=-1)}, "drain is -1 s"),
        ({"cache_budget": 0}, "cache_budget is 0 bytes"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_name(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        ManagerOptions(**options)

    assert said in str(refused.value)


def test_health_and_open_metrics_may_share_an_address() -> None:
    address = Address("", 8081)

    assert ManagerOptions(health=address, metrics=MetricsOptions(address=address)).health == address


def test_a_certificate_for_metrics_that_are_not_secure_is_a_mistake() -> None:
    with pytest.raises(ConfigError, match="not to be secure"):
        MetricsOptions(certificate=Path("certs"))
