from __future__ import annotations

from datetime import timedelta

import pytest

from windlass.api import Key
from windlass.errors import ConfigError
from windlass.operators.pagerduty import REGIONS, PagerDutyOptions, TokenSecret


def test_everything_can_be_said_by_the_environment() -> None:
    read = PagerDutyOptions.from_environment(
        {
            "PAGERDUTY_TOKEN_SECRET": "system/pagerduty:token",
            "PAGERDUTY_REGION": "EU",
            "PAGERDUTY_DEFAULT_POLICY": "system/everybody",
            "PAGERDUTY_RESYNC": "1h",
            "PAGERDUTY_RESOLVE_INCIDENTS_ON_DELETE": "True",
            "PAGERDUTY_REQUESTER": "ada@example.com",
        }
    )

    assert read.token_secret == TokenSecret("system", "pagerduty", "token")
    assert read.base_url == REGIONS["eu"] == "https://api.eu.pagerduty.com"
    assert read.default_policy_key == Key("system", "everybody")
    assert read.resync == timedelta(hours=1)
    assert (read.resolve_incidents_on_delete, read.requester) == (True, "ada@example.com")


def test_without_anything_said_it_is_the_american_region_every_ten_minutes() -> None:
    read = PagerDutyOptions.from_environment({"PAGERDUTY_TOKEN": " abc123\n"})

    assert (read.token, read.base_url) == ("abc123", "https://api.pagerduty.com")
    assert read.resync == timedelta(minutes=10)
    assert not read.resolve_incidents_on_delete
    assert "abc123" not in repr(read)


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"PAGERDUTY_REGION": "moon"}, "there are us and eu"),
        ({"PAGERDUTY_RESYNC": "often"}, "PAGERDUTY_RESYNC"),
        ({"PAGERDUTY_RESOLVE_INCIDENTS_ON_DELETE": "yes"}, "say true or false"),
        ({"PAGERDUTY_REQUESTER": "Ada"}, "no e-mail address"),
        ({"PAGERDUTY_RESYNC": "0s"}, "never rest"),
        ({"PAGERDUTY_TOKEN_SECRET": "only-a-name"}, "namespace/name"),
        ({"PAGERDUTY_TOKEN": "a", "PAGERDUTY_TOKEN_SECRET": "b/c"}, "say one of them"),
        ({"PAGERDUTY_API_URL": "api.pagerduty.com"}, "begin with https://"),
    ],
)
def test_what_cannot_be_used_is_named(environment: dict[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        PagerDutyOptions.from_environment(environment)


def test_a_policy_without_a_namespace_is_an_id() -> None:
    assert PagerDutyOptions(default_policy="P1NKFZC").default_policy_key is None
