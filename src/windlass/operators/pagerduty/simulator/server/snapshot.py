from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from typing import TYPE_CHECKING

from windlass.operators.pagerduty.simulator.dependency import standing
from windlass.operators.pagerduty.simulator.faults import FAIR, Weather
from windlass.operators.pagerduty.simulator.views import business_service, policy, service

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json
    from windlass.operators.pagerduty.simulator.account import Account
    from windlass.operators.pagerduty.simulator.collection import Collection, Record

_SHOWN = 30
_STRATEGIES = ("escalation_rule_assignment_strategies",)

WEATHERS: Mapping[str, Weather] = {
    "fair": FAIR,
    "slow": Weather(latency=timedelta(seconds=1), slow=0.2, slowest=timedelta(seconds=10)),
    "late": Weather(
        read_lag=timedelta(seconds=3),
        list_lag=timedelta(seconds=3),
        dependency_lag=timedelta(seconds=5),
        incident_lag=timedelta(seconds=5),
    ),
    "storm": Weather(throttled=0.1, failing=0.2, cut_before=0.1, cut_after=0.1),
}
"""What a person may choose on the page."""


def snapshot(account: Account) -> Json:
    """Everything that the page shows."""
    books = account.books
    return {
        "policies": [policy(books, each, _STRATEGIES) for each in _sorted(books.policies)],
        "services": [service(books, each, ("integrations",)) for each in _sorted(books.services)],
        "business_services": [business_service(books, each) for each in _sorted(books.business_services)],
        "dependencies": [
            {"supporting": each.supporting, "dependent": each.dependent} for each in standing(books)
        ],
        "weather": _weather(account.faults.weather),
        "weathers": list(WEATHERS),
        "rate": {"limit": account.rate.limit, "exceeded": account.rate.exceeded},
        "requests": _requests(account),
    }


def _sorted(collection: Collection) -> list[Record]:
    return sorted(collection, key=lambda each: (each.name.casefold(), each.id))


def _weather(weather: Weather) -> str:
    """Its name, or what of it is not fair."""
    known = next((name for name, each in WEATHERS.items() if each == weather), None)
    foul = [each.name for each in fields(Weather) if getattr(weather, each.name) != getattr(FAIR, each.name)]
    return known or ", ".join(foul)


def _requests(account: Account) -> list[Json]:
    """The latest, the newest first."""
    latest = [
        {
            "at": each.at.strftime("%H:%M:%S"),
            "method": each.call.method,
            "path": each.call.path + _query(each.call.query),
            "status": each.status,
            "done": each.done,
        }
        for each in list(account.journal)[-_SHOWN:]
    ]
    return latest[::-1]


def _query(query: tuple[tuple[str, str], ...]) -> str:
    return "?" + "&".join(f"{name}={value}" for name, value in query) if query else ""
