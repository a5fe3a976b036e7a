from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Collection:
    """Objects of one kind in PagerDuty: where they lie, and what answers call one and several of them.

    `narrowed` is the query parameter by which a list can be narrowed to a text, if there is one, and `label`
    the field that people know one by.
    """

    path: str
    one: str
    many: str
    narrowed: str = ""
    label: str = "name"


POLICIES = Collection("/escalation_policies", "escalation_policy", "escalation_policies", "query")
SERVICES = Collection("/services", "service", "services", "query")
BUSINESS_SERVICES = Collection("/business_services", "business_service", "business_services")
USERS = Collection("/users", "user", "users", "query", "email")
INCIDENTS = Collection("/incidents", "incident", "incidents")
SCHEDULES = Collection("/schedules", "schedule", "schedules", "query")
