from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from windlass.operators.pagerduty.simulator import (
    business,
    dependency,
    directory,
    incident,
    integration,
    policy,
    service,
    team,
)
from windlass.operators.pagerduty.simulator.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windlass.operators.pagerduty.simulator.books import Books
    from windlass.operators.pagerduty.simulator.request import Answer, Request

    Handler = Callable[[Books, Request], Answer]


class Match(NamedTuple):
    """A route, and what the path says in the places that it leaves open."""

    template: str
    handler: Handler
    path: Mapping[str, str]


_POLICY = "/escalation_policies/{id}"
_SERVICE = "/services/{id}"
_INTEGRATION = "/services/{id}/integrations/{integration_id}"
_BUSINESS = "/business_services/{id}"
_TEAM = "/teams/{id}"
_TEAM_POLICY = "/teams/{id}/escalation_policies/{escalation_policy_id}"

ROUTES: Mapping[tuple[str, str], Handler] = {
    ("GET", "/abilities"): directory.list_abilities,
    ("GET", "/abilities/{id}"): directory.test_ability,
    ("GET", "/priorities"): directory.list_priorities,
    ("GET", "/vendors"): directory.list_vendors,
    ("GET", "/vendors/{id}"): directory.get_vendor,
    ("GET", "/users"): directory.list_users,
    ("GET", "/users/me"): directory.get_me,
    ("GET", "/users/{id}"): directory.get_user,
    ("GET", "/schedules"): directory.list_schedules,
    ("GET", "/schedules/{id}"): directory.get_schedule,
    ("GET", "/schedules/{id}/users"): directory.list_schedule_users,
    ("GET", "/teams"): team.list_teams,
    ("POST", "/teams"): team.create_team,
    ("GET", _TEAM): team.get_team,
    ("PUT", _TEAM): team.update_team,
    ("DELETE", _TEAM): team.delete_team,
    ("PUT", _TEAM_POLICY): team.add_policy,
    ("DELETE", _TEAM_POLICY): team.remove_policy,
    ("GET", "/escalation_policies"): policy.list_policies,
    ("POST", "/escalation_policies"): policy.create_policy,
    ("GET", _POLICY): policy.get_policy,
    ("PUT", _POLICY): policy.update_policy,
    ("DELETE", _POLICY): policy.delete_policy,
    ("GET", "/services"): service.list_services,
    ("POST", "/services"): service.create_service,
    ("GET", _SERVICE): service.get_service,
    ("PUT", _SERVICE): service.update_service,
    ("DELETE", _SERVICE): service.delete_service,
    ("POST", "/services/{id}/integrations"): integration.create_integration,
    ("GET", _INTEGRATION): integration.get_integration,
    ("PUT", _INTEGRATION): integration.update_integration,
    ("DELETE", _INTEGRATION): integration.delete_integration,
    ("GET", "/incidents"): incident.list_incidents,
    ("PUT", "/incidents"): incident.update_incidents,
    ("GET", "/business_services"): business.list_business_services,
    ("POST", "/business_services"): business.create_business_service,
    ("GET", _BUSINESS): business.get_business_service,
    ("PUT", _BUSINESS): business.update_business_service,
    ("PATCH", _BUSINESS): business.update_business_service,
    ("DELETE", _BUSINESS): business.delete_business_service,
    ("POST", "/service_dependencies/associate"): dependency.associate,
    ("POST", "/service_dependencies/disassociate"): dependency.disassociate,
    ("GET", "/service_dependencies/business_services/{id}"): dependency.list_of_business_service,
    ("GET", "/service_dependencies/technical_services/{id}"): dependency.list_of_service,
}
"""Everything that the account answers. An earlier route goes before a later one: `/users/me` is no id."""

_SPLIT = [(method, template, template.split("/")) for method, template in ROUTES]


def match(method: str, path: str) -> Match:
    """The route of a request.

    Raises:
        Refusal: there is none.
    """
    parts = path.split("/")
    for known, template, pattern in _SPLIT:
        if known == method and len(pattern) == len(parts):
            found = _places(pattern, parts)
            if found is not None:
                return Match(template, ROUTES[method, template], found)
    raise Refusal.not_found()


def _places(pattern: list[str], parts: list[str]) -> Mapping[str, str] | None:
    """What stands in the open places, if the rest is the same."""
    pairs = list(zip(pattern, parts, strict=True))
    if any(not known.startswith("{") and known != given for known, given in pairs):
        return None
    return {known[1:-1]: given for known, given in pairs if known.startswith("{")}
