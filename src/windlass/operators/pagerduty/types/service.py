from typing import Annotated, Literal

from windlass.api import AtMostOneOf, Column, Definition, Field, Json, ListMap, Nullable, Resource, Time
from windlass.operators.pagerduty.types.shared import (
    GROUP,
    PagerDutySpec,
    PagerDutyStatus,
    Part,
    Pending,
    columns,
)

Seconds = Annotated[int, Field(ge=0)]
TimeOfDay = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$")]
Urgency = Literal["high", "low", "severity_based"]
_SERVICE_SAMPLE: Json = {
    "name": "shop",
    "description": "The shop's own service",
    "escalation_policy_ref": "escalationpolicy-sample",
    "integrations": [{"name": "alerts", "secret_name": "shop-pagerduty"}],
}


class UrgencyWithin(Part):
    """How urgent incidents are within support hours, or outside of them."""

    type: Literal["constant"] = "constant"
    """The same at all times of these hours."""
    urgency: Urgency
    """How urgent they are."""


class IncidentUrgencyRule(Part):
    """How urgent incidents are: always the same, or by support hours."""

    type: Literal["constant", "use_support_hours"] = "constant"
    """Whether support hours make a difference."""
    urgency: Urgency | None = None
    """How urgent incidents are where they make none."""
    during_support_hours: UrgencyWithin | None = None
    outside_support_hours: UrgencyWithin | None = None


class SupportHours(Part):
    """When people are there, every week."""

    type: Literal["fixed_time_per_day"] = "fixed_time_per_day"
    """The same hours on each of the days."""
    time_zone: str
    """Where these hours hold, such as `Europe/Berlin`."""
    start_time: TimeOfDay
    """When they begin, such as `09:00:00`."""
    end_time: TimeOfDay
    """When they end."""
    days_of_week: Annotated[list[Annotated[int, Field(ge=1, le=7)]], Field(max_length=7)]
    """1 is Monday."""


class NamedTime(Part):
    """A moment that support hours define."""

    type: Literal["named_time"] = "named_time"
    """A moment by its name."""
    name: Literal["support_hours_start", "support_hours_end"]
    """Which one."""


class ScheduledAction(Part):
    """What happens to the urgency of open incidents at such a moment."""

    type: Literal["urgency_change"] = "urgency_change"
    """Open incidents become more or less urgent."""
    at: NamedTime
    to_urgency: Literal["high", "low"]
    """How urgent they become."""


class AutoPause(Part):
    """Whether alerts that tend to resolve by themselves wait for some seconds before anybody is notified."""

    enabled: bool
    """Whether they wait."""
    timeout: Literal[0, 120, 180, 300, 600, 900] | None = None
    """For how many seconds."""


class Integration(Part, markers=(AtMostOneOf("type", "vendor"),)):
    """A way in for alerts, whose key is put into a Secret that belongs to the object.

    One that is no longer listed loses its Secret, but stays in PagerDuty, whose API cannot remove it.
    """

    name: Annotated[str, Field(min_length=1)]
    """Its name in PagerDuty, by which it is known again."""
    type: str | None = None
    """PagerDuty's name of the kind; `events_api_v2_inbound_integration` unless a vendor is named."""
    vendor: str | None = None
    """The id of a vendor."""
    secret_name: Annotated[str, Field(min_length=1)]
    """The Secret that gets its key."""
    secret_key: Annotated[str, Field(min_length=1)] = "PAGERDUTY_KEY"  # noqa: S105 - the name of a value
    """Under which key of the Secret."""


class PagerdutyServiceSpec(
    PagerDutySpec, markers=(AtMostOneOf("escalation_policy_ref", "escalation_policy_id"),)
):
    """What PagerDuty watches over. Without a policy, that of the operator is used."""

    auto_resolve_timeout: Annotated[Seconds | None, Nullable()] = None
    """Seconds until an incident resolves itself; 0 or null for never; 14400 unless it is set."""
    acknowledgement_timeout: Annotated[Seconds | None, Nullable()] = None
    """Seconds until an acknowledged incident counts as open again; 0 or null for never; 1800 unless set."""
    status: Literal["active", "warning", "critical", "maintenance", "disabled"] | None = None
    """`warning` and `critical` are PagerDuty's to set, and mean `active` here."""
    escalation_policy_ref: str | None = None
    """The name of an EscalationPolicy, or `namespace/name`."""
    escalation_policy_id: str | None = None
    """The id of a policy that exists in PagerDuty."""
    alert_creation: Literal["create_incidents", "create_alerts_and_incidents"] | None = None
    """`create_incidents` when it is created, unless it is set."""
    incident_urgency_rule: IncidentUrgencyRule | None = None
    support_hours: SupportHours | None = None
    scheduled_actions: list[ScheduledAction] | None = None
    """What happens at the beginning and the end of support hours."""
    auto_pause_notifications_parameters: AutoPause | None = None
    integrations: Annotated[list[Integration], ListMap("name")] = []
    """Its ways in for alerts."""
    resolve_incidents_on_delete: bool | None = None
    """Whether its open incidents are resolved before it is deleted; as the operator says unless it is set."""


class IntegrationStatus(Part):
    """A way in that exists, or that was about to be asked for."""

    name: str
    """Its name in PagerDuty."""
    id: str = ""
    """The id that PagerDuty gave to it."""
    pending: Pending | None = None


class PagerdutyServiceStatus(PagerDutyStatus):
    """What became of a service."""

    service_id: str = ""
    """The id that PagerDuty gave to it."""
    escalation_policy_id: str = ""
    """The policy that it has in PagerDuty."""
    integrations: Annotated[list[IntegrationStatus], ListMap("name")] = []
    """Its ways in, with what PagerDuty calls them."""
    resolving: Time | None = None
    """When its incidents were first asked to be resolved, since it is to be deleted."""

    @property
    def upstream_id(self) -> str:
        """The id of the service."""
        return self.service_id

    @upstream_id.setter
    def upstream_id(self, value: str) -> None:
        self.service_id = value


class PagerdutyService(
    Resource,
    group=GROUP,
    version="v1alpha1",
    definition=Definition(
        short_names=("pdsvc",),
        categories=("pagerduty",),
        columns=columns("service_id", Column("Policy", ".status.escalation_policy_id", priority=1)),
    ),
):
    """A service in PagerDuty: something that can fail, and for which somebody is on call."""

    spec: PagerdutyServiceSpec = Field(default_factory=PagerdutyServiceSpec, examples=[_SERVICE_SAMPLE])
    status: PagerdutyServiceStatus = Field(default_factory=PagerdutyServiceStatus)
