"""What goes to PagerDuty's REST API and comes back, route by route: facts, written as schemas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NULL_TEXT: Schema = TEXT | {"nullable": True}
NUMBER: Schema = {"type": "integer"}
TIMEOUT: Schema = {"type": "integer", "minimum": 1, "nullable": True}
FLAG: Schema = {"type": "boolean"}


def one_of(*values: Any) -> Schema:
    return {"enum": list(values)}


def listed(items: Schema, **more: int) -> Schema:
    return {"type": "array", "items": items, **more}


def shaped(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **(optional or {})},
    }


def closed(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    return shaped(required, optional) | {"additionalProperties": False}


def pointing(*kinds: str) -> Schema:
    """What a request may name another object by."""
    return shaped({"id": TEXT}, {"type": one_of(*kinds)})


def reference(*kinds: str) -> Schema:
    """What an answer names another object by: a reference, or the whole where `include[]` asked for it."""
    whole = [kind.removesuffix("_reference") for kind in kinds]
    return shaped(
        {
            "id": TEXT,
            "type": one_of(*kinds, *whole),
            "summary": NULL_TEXT,
            "self": TEXT,
            "html_url": NULL_TEXT,
        }
    )


def entity(kind: str | list[str], fields: Mapping[str, Schema], *, browsed: bool = True) -> Schema:
    """An object in an answer."""
    kinds = [kind] if isinstance(kind, str) else kind
    links = {"self": TEXT, "html_url": TEXT if browsed else NULL_TEXT}
    return shaped({"id": TEXT, "type": one_of(*kinds), "summary": TEXT, "name": TEXT, **links, **fields})


INTEGRATION_TYPES = [
    "aws_cloudwatch_inbound_integration", "cloudkick_inbound_integration",
    "event_transformer_api_inbound_integration", "generic_email_inbound_integration",
    "generic_events_api_inbound_integration", "keynote_inbound_integration", "nagios_inbound_integration",
    "pingdom_inbound_integration", "sql_monitor_inbound_integration", "events_api_v2_inbound_integration",
]  # fmt: skip
URGENCY = shaped({"type": one_of("constant"), "urgency": one_of("high", "low", "severity_based")})
URGENCY_RULE = {
    "oneOf": [
        URGENCY,
        shaped({
            "type": one_of("use_support_hours"),
            "during_support_hours": URGENCY,
            "outside_support_hours": URGENCY,
        }),
    ]
}  # fmt: skip
SUPPORT_HOURS = shaped({
    "type": one_of("fixed_time_per_day"), "time_zone": TEXT, "start_time": TEXT, "end_time": TEXT,
    "days_of_week": listed({"type": "integer", "minimum": 1, "maximum": 7}),
}) | {"nullable": True}  # fmt: skip
ACTION = shaped({
    "type": one_of("urgency_change"), "to_urgency": one_of("high"),
    "at": shaped({"type": one_of("named_time"), "name": one_of("support_hours_start", "support_hours_end")}),
})  # fmt: skip
AUTO_PAUSE = shaped({"enabled": FLAG}, {"timeout": one_of(0, 120, 180, 300, 600, 900, None)})
STRATEGY = shaped({"type": one_of("round_robin", "assign_to_everyone")})
ALERTS = one_of("create_incidents", "create_alerts_and_incidents")
STATUS = one_of("active", "warning", "critical", "maintenance", "disabled")
HANDOFF = one_of("if_has_services", "always")

TARGET = pointing("user", "schedule", "user_reference", "schedule_reference", "schedule_v3_reference")
POLICY_ASKED = shaped(
    {
        "type": one_of("escalation_policy"),
        "name": TEXT,
        "escalation_rules": listed(
            shaped(
                {
                    "escalation_delay_in_minutes": {"type": "integer", "minimum": 1},
                    "targets": listed(TARGET, minItems=1, maxItems=10),
                },
                {"escalation_rule_assignment_strategy": STRATEGY},
            ),
            minItems=1,
        ),
    },
    {
        "description": TEXT,
        "num_loops": {"type": "integer", "minimum": 0, "maximum": 9},
        "on_call_handoff_notifications": HANDOFF,
        "teams": listed(pointing("team_reference", "team"), maxItems=1),
    },
)
POLICY = entity("escalation_policy", {
    "description": NULL_TEXT, "num_loops": NUMBER, "on_call_handoff_notifications": HANDOFF,
    "escalation_rules": listed(shaped(
        {
            "id": TEXT, "escalation_delay_in_minutes": NUMBER,
            "targets": listed(reference("user_reference", "schedule_reference")),
        },
        {"escalation_rule_assignment_strategy": STRATEGY},
    )),
    "services": listed(reference("service_reference")), "teams": listed(reference("team_reference")),
})  # fmt: skip
SERVICE_ASKED = shaped(
    {"type": one_of("service"), "escalation_policy": pointing("escalation_policy_reference", "escalation_policy")},
    {
        "name": TEXT, "description": NULL_TEXT, "status": STATUS, "alert_creation": ALERTS,
        "auto_resolve_timeout": TIMEOUT | {"minimum": 0}, "acknowledgement_timeout": TIMEOUT | {"minimum": 0},
        "incident_urgency_rule": URGENCY_RULE, "support_hours": SUPPORT_HOURS, "scheduled_actions": listed(ACTION),
        "auto_pause_notifications_parameters": AUTO_PAUSE,
    },
)  # fmt: skip
SERVICE = entity("service", {
    "description": NULL_TEXT, "auto_resolve_timeout": TIMEOUT, "acknowledgement_timeout": TIMEOUT,
    "created_at": TEXT, "status": STATUS, "last_incident_timestamp": NULL_TEXT,
    "escalation_policy": reference("escalation_policy_reference"), "teams": listed(reference("team_reference")),
    "integrations": listed(reference(*(f"{kind}_reference" for kind in INTEGRATION_TYPES))),
    "incident_urgency_rule": URGENCY_RULE, "support_hours": SUPPORT_HOURS, "scheduled_actions": listed(ACTION),
    "alert_creation": ALERTS, "auto_pause_notifications_parameters": AUTO_PAUSE,
})  # fmt: skip
INTEGRATION_ASKED = shaped({"type": one_of(*INTEGRATION_TYPES), "name": TEXT}, {
    "service": pointing("service_reference"), "vendor": pointing("vendor_reference") | {"nullable": True},
    "integration_email": TEXT,
})  # fmt: skip
INTEGRATION = entity(INTEGRATION_TYPES, {
    "service": reference("service_reference"), "created_at": TEXT,
    "vendor": reference("vendor_reference") | {"nullable": True},
}) | {
    "oneOf": [
        {"required": ["integration_key"], "properties": {"integration_key": {"minLength": 32, "maxLength": 32}}},
        {"required": ["integration_email"]},
    ]
}  # fmt: skip
BUSINESS_FIELDS = {
    "name": TEXT, "description": NULL_TEXT, "point_of_contact": NULL_TEXT,
    "team": shaped({"id": TEXT}) | {"nullable": True},
}  # fmt: skip
BUSINESS_ASKED = shaped({"name": TEXT}, BUSINESS_FIELDS)
BUSINESS = entity("business_service", {
    "point_of_contact": NULL_TEXT, "description": NULL_TEXT,
    "team": closed({"id": TEXT, "type": one_of("team_reference"), "self": TEXT}) | {"nullable": True},
}, browsed=False)  # fmt: skip
SIDE_ASKED = closed({"id": TEXT, "type": one_of("service", "business_service")})
SIDE = closed({"id": TEXT, "type": one_of("technical_service_reference", "business_service_reference")})
DEPENDENCIES_ASKED = closed({
    "relationships": listed(shaped({"supporting_service": SIDE_ASKED, "dependent_service": SIDE_ASKED}), minItems=1)
})  # fmt: skip
DEPENDENCIES = closed({
    "relationships": listed(closed({
        "id": TEXT | {"minLength": 16, "maxLength": 18}, "type": one_of("service_dependency"),
        "supporting_service": SIDE, "dependent_service": SIDE,
    }))
})  # fmt: skip
INCIDENT_STATUS = one_of("triggered", "acknowledged", "resolved")
INCIDENTS_ASKED = closed({
    "incidents": listed(
        shaped(
            {"id": TEXT, "type": one_of("incident", "incident_reference")},
            {"status": one_of("acknowledged", "resolved"), "resolution": TEXT},
        ),
        maxItems=250,
    )
})  # fmt: skip
INCIDENT = shaped({
    "id": TEXT, "type": one_of("incident"), "summary": TEXT, "self": TEXT, "html_url": TEXT,
    "title": TEXT, "incident_number": NUMBER, "incident_key": NULL_TEXT, "created_at": TEXT,
    "status": INCIDENT_STATUS, "urgency": one_of("high", "low"),
    "service": reference("service_reference"), "escalation_policy": reference("escalation_policy_reference"),
    "teams": listed(reference("team_reference")), "assignments": listed({"type": "object"}),
    "acknowledgements": listed({"type": "object"}), "pending_actions": listed({"type": "object"}),
    "priority": {"type": "object", "nullable": True},
})  # fmt: skip
TEAM_ASKED = shaped({"type": one_of("team"), "name": TEXT}, {"description": NULL_TEXT})
TEAM = entity("team", {"description": NULL_TEXT, "default_role": TEXT})
USER = entity(
    "user", {"email": TEXT, "time_zone": TEXT, "role": TEXT, "teams": listed(reference("team_reference"))}
)
SCHEDULE = entity("schedule", {
    "time_zone": TEXT, "users": listed(reference("user_reference")),
    "escalation_policies": listed(reference("escalation_policy_reference")),
})  # fmt: skip
VENDOR = entity("vendor", {}, browsed=False)
PRIORITY = entity("priority", {}, browsed=False)
ERROR = {
    "oneOf": [
        closed({"error": closed({"code": NUMBER, "message": TEXT}, {"errors": listed(TEXT)})}),
        closed({"error": TEXT}),
    ]
}


def wrapped(name: str, schema: Schema) -> Schema:
    return closed({name: schema})


def page(name: str, schema: Schema) -> Schema:
    """A list; `total` is null unless it was asked for."""
    numbers = {"limit": {"type": "integer", "minimum": 1, "maximum": 100}, "offset": NUMBER, "more": FLAG}
    return closed({name: listed(schema, maxItems=100), **numbers, "total": NUMBER | {"nullable": True}})


@dataclass(frozen=True)
class Route:
    """What a route takes, and what it answers when it does it: a status and a body, or none."""

    status: int
    answer: Schema | None = None
    asked: Schema | None = None


def _crud(
    path: str, wrapper: str, plural: str, asked: Schema, answer: Schema
) -> dict[tuple[str, str], Route]:
    one, taken = wrapped(wrapper, answer), wrapped(wrapper, asked)
    return {
        ("GET", path): Route(200, page(plural, answer)),
        ("POST", path): Route(201, one, taken),
        ("GET", f"{path}/{{id}}"): Route(200, one),
        ("PUT", f"{path}/{{id}}"): Route(200, one, taken),
        ("DELETE", f"{path}/{{id}}"): Route(204),
    }


_BUSINESS = wrapped("business_service", BUSINESS)
_INTEGRATION = "/services/{id}/integrations/{integration_id}"

ROUTES: dict[tuple[str, str], Route] = {
    ("GET", "/abilities"): Route(200, closed({"abilities": listed(TEXT)})),
    ("GET", "/abilities/{id}"): Route(204),
    ("GET", "/priorities"): Route(200, page("priorities", PRIORITY)),
    ("GET", "/vendors"): Route(200, page("vendors", VENDOR)),
    ("GET", "/vendors/{id}"): Route(200, wrapped("vendor", VENDOR)),
    ("GET", "/users"): Route(200, page("users", USER)),
    ("GET", "/users/me"): Route(200, wrapped("user", USER)),
    ("GET", "/users/{id}"): Route(200, wrapped("user", USER)),
    ("GET", "/schedules"): Route(200, page("schedules", SCHEDULE)),
    ("GET", "/schedules/{id}"): Route(200, wrapped("schedule", SCHEDULE)),
    ("GET", "/schedules/{id}/users"): Route(200, closed({"users": listed(USER)})),
    **_crud("/teams", "team", "teams", TEAM_ASKED, TEAM),
    ("PUT", "/teams/{id}/escalation_policies/{escalation_policy_id}"): Route(204),
    ("DELETE", "/teams/{id}/escalation_policies/{escalation_policy_id}"): Route(204),
    **_crud("/escalation_policies", "escalation_policy", "escalation_policies", POLICY_ASKED, POLICY),
    **_crud("/services", "service", "services", SERVICE_ASKED, SERVICE),
    ("POST", "/services/{id}/integrations"): Route(
        201, wrapped("integration", INTEGRATION), wrapped("integration", INTEGRATION_ASKED)
    ),
    ("GET", _INTEGRATION): Route(200, wrapped("integration", INTEGRATION)),
    ("PUT", _INTEGRATION): Route(
        200, wrapped("integration", INTEGRATION), wrapped("integration", INTEGRATION_ASKED)
    ),
    ("DELETE", _INTEGRATION): Route(204),
    ("GET", "/incidents"): Route(200, page("incidents", INCIDENT)),
    ("PUT", "/incidents"): Route(200, closed({"incidents": listed(INCIDENT)}), INCIDENTS_ASKED),
    **_crud("/business_services", "business_service", "business_services", BUSINESS_ASKED, BUSINESS),
    # Business services are created with 200, and changed as far as one likes, also by PATCH.
    ("POST", "/business_services"): Route(200, _BUSINESS, wrapped("business_service", BUSINESS_ASKED)),
    ("PUT", "/business_services/{id}"): Route(
        200, _BUSINESS, wrapped("business_service", shaped({}, BUSINESS_FIELDS))
    ),
    ("PATCH", "/business_services/{id}"): Route(
        200, _BUSINESS, wrapped("business_service", shaped({}, BUSINESS_FIELDS))
    ),
    ("POST", "/service_dependencies/associate"): Route(200, DEPENDENCIES, DEPENDENCIES_ASKED),
    ("POST", "/service_dependencies/disassociate"): Route(200, DEPENDENCIES, DEPENDENCIES_ASKED),
    ("GET", "/service_dependencies/business_services/{id}"): Route(200, DEPENDENCIES),
    ("GET", "/service_dependencies/technical_services/{id}"): Route(200, DEPENDENCIES),
}


REFUSALS = frozenset({400, 401, 402, 403, 404, 406, 413, 429, 500, 502, 503, 504})
"""What a route may refuse with: the statuses of PagerDuty's document, and what a gateway may say."""


def template_of(method: str, path: str) -> str | None:
    """The route that a request takes, the literal ones first."""
    parts = path.split("/")
    fitting = [
        template
        for known, template in ROUTES
        if known == method
        and len(split := template.split("/")) == len(parts)
        and all(want.startswith("{") or want == got for want, got in zip(split, parts, strict=True))
    ]
    return min(fitting, key=lambda template: template.count("{"), default=None)
