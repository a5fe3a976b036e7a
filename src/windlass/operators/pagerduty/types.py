from typing import Annotated, Literal

from windlass.api import (
    AtMostOneOf,
    Cel,
    Column,
    Condition,
    Definition,
    ExactlyOneOf,
    Field,
    Json,
    ListMap,
    Model,
    Nullable,
    Resource,
    Spec,
    Status,
    Time,
    Wire,
)

GROUP = "pagerduty.platform.share-now.com"
ADOPT = f"{GROUP}/adopt"
"""The annotation that lets an object of the same name in PagerDuty become ours, when it is `true`."""
DELETION_POLICY = f"{GROUP}/deletion-policy"
"""The annotation that says what becomes of the object in PagerDuty: `Delete` (as without it) or `Orphan`."""

Seconds = Annotated[int, Field(ge=0)]
TimeOfDay = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$")]
Urgency = Literal["high", "low", "severity_based"]

_READY = ".status.conditions[?(@.type=='Ready')]"
_USER_ID = "P1NKFZC"
_POLICY_SAMPLE: Json = {
    "name": "shop-on-call",
    "description": "Who is called when the shop fails",
    "num_loops": 2,
    "escalation_rules": [
        {"escalation_delay_in_minutes": 10, "targets": [_USER_ID]},
        {"escalation_delay_in_minutes": 15, "target_refs": [{"schedule_name": "Primary"}]},
    ],
}
_SERVICE_SAMPLE: Json = {
    "name": "shop",
    "description": "The shop's own service",
    "escalation_policy_ref": "escalationpolicy-sample",
    "integrations": [{"name": "alerts", "secret_name": "shop-pagerduty"}],
}
_BUSINESS_SAMPLE: Json = {
    "name": "Shopping",
    "description": "Everything that a customer needs to buy something",
    "point_of_contact": "shop@example.com",
    "supporting_services": [{"ref": "pagerdutyservice-sample"}],
}


class Part(Model, alias_generator=None):
    """Part of one of these kinds, all of whose names have underscores on the wire too."""


class SecretKeyRef(Part):
    """One value of a Secret in the namespace of the object."""

    name: Annotated[str, Field(min_length=1)]
    key: Annotated[str, Field(min_length=1)] = "PAGERDUTY_API_KEY"


class PagerDutySpec(Spec, alias_generator=None):
    """What all three kinds have: a name in PagerDuty, and the token that may write there.

    A field that is not set is left as it is in PagerDuty, so that nothing is lost that a person configured.
    """

    name: str = ""
    """The name in PagerDuty; that of the object itself where it is not set."""
    description: str | None = None
    token_secret_ref: SecretKeyRef | None = None
    """The API token, where it is not the operator's own."""


class Pending(Part):
    """A creation that was about to be asked for, and whose outcome may be unknown."""

    name: str
    at: Time
    looking: Time | None = None
    """Since when it is looked for; it may have waited for its turn for long before it was sent."""


class PagerDutyStatus(Status, alias_generator=None):
    """What all three kinds tell of their object in PagerDuty."""

    url: str = ""
    """Where a person finds it in PagerDuty."""
    created: Time | None = None
    """When the operator created it, where it did."""
    pending: Pending | None = None
    managed: list[str] = []
    """The fields that were set at the last write; one that is set no longer goes back to its default."""
    last_synced_hash: str = ""
    """Tells whether what is wanted has changed since PagerDuty last had it."""
    observed_generation: Annotated[int | None, Wire("observedGeneration")] = None
    conditions: Annotated[list[Condition], ListMap("type")] = []

    @property
    def upstream_id(self) -> str:
        """The id that PagerDuty gave to the object, empty until it is known."""
        raise NotImplementedError

    @upstream_id.setter
    def upstream_id(self, value: str) -> None:
        raise NotImplementedError


class TargetRef(
    Part,
    markers=(
        ExactlyOneOf("id", "email", "schedule_name"),
        Cel(
            "!has(self.type) || has(self.id)",
            message="type belongs to an id: an e-mail address is a user, a schedule_name a schedule",
        ),
    ),
):
    """Who is notified: by id, a user by the e-mail address, or a schedule by its name."""

    type: Literal["user", "schedule"] | None = None
    id: Annotated[str, Field(min_length=1)] | None = None
    email: Annotated[str, Field(min_length=1)] | None = None
    schedule_name: Annotated[str, Field(min_length=1)] | None = None


class EscalationRule(Part):
    """Who is notified, and after how many minutes without an answer it is the next rule's turn."""

    escalation_delay_in_minutes: int | None = None
    targets: Annotated[list[str], Field(max_length=10)] = []
    """Users by their ids."""
    target_refs: Annotated[list[TargetRef], Field(max_length=10)] = []
    """Users and schedules in other words; both lists are one to PagerDuty."""
    assignment_strategy: Literal["round_robin", "assign_to_everyone"] | None = None


class EscalationPolicySpec(PagerDutySpec):
    """Whom PagerDuty notifies, in which order."""

    on_call_handoff_notifications: Literal["if_has_services", "always"] | None = None
    """`if_has_services` when it is created, unless it is set."""
    num_loops: Annotated[int, Field(ge=0)] | None = None
    """How often the rules are repeated; 1 when it is created, unless it is set."""
    escalation_rules: list[EscalationRule] = []
    teams: str | None = None
    """The id of one team; empty for none."""


class EscalationPolicyStatus(PagerDutyStatus):
    """What became of an escalation policy."""

    policy_id: str = ""

    @property
    def upstream_id(self) -> str:
        """The id of the policy."""
        return self.policy_id

    @upstream_id.setter
    def upstream_id(self, value: str) -> None:
        self.policy_id = value


class EscalationPolicy(
    Resource,
    group=GROUP,
    version="v1alpha1",
    definition=Definition(
        short_names=("pdep",),
        categories=("pagerduty",),
        columns=(
            Column("Ready", f"{_READY}.status"),
            Column("Reason", f"{_READY}.reason"),
            Column("ID", ".status.policy_id"),
            Column("Name", ".spec.name", priority=1),
            Column("Age", ".metadata.creationTimestamp", type="date"),
        ),
    ),
):
    """An escalation policy in PagerDuty: whom it notifies, in which order."""

    spec: EscalationPolicySpec = Field(default_factory=EscalationPolicySpec, examples=[_POLICY_SAMPLE])
    status: EscalationPolicyStatus = Field(default_factory=EscalationPolicyStatus)


class UrgencyWithin(Part):
    """How urgent incidents are within support hours, or outside of them."""

    type: Literal["constant"] = "constant"
    urgency: Urgency


class IncidentUrgencyRule(Part):
    """How urgent incidents are: always the same, or by support hours."""

    type: Literal["constant", "use_support_hours"] = "constant"
    urgency: Urgency | None = None
    during_support_hours: UrgencyWithin | None = None
    outside_support_hours: UrgencyWithin | None = None


class SupportHours(Part):
    """When people are there, every week."""

    type: Literal["fixed_time_per_day"] = "fixed_time_per_day"
    time_zone: str
    start_time: TimeOfDay
    end_time: TimeOfDay
    days_of_week: Annotated[list[Annotated[int, Field(ge=1, le=7)]], Field(max_length=7)]
    """1 is Monday."""


class NamedTime(Part):
    """A moment that support hours define."""

    type: Literal["named_time"] = "named_time"
    name: Literal["support_hours_start", "support_hours_end"]


class ScheduledAction(Part):
    """What happens to the urgency of open incidents at such a moment."""

    type: Literal["urgency_change"] = "urgency_change"
    at: NamedTime
    to_urgency: Literal["high", "low"]


class AutoPause(Part):
    """Whether alerts that tend to resolve by themselves wait for some seconds before anybody is notified."""

    enabled: bool
    timeout: Literal[0, 120, 180, 300, 600, 900] | None = None


class Integration(Part, markers=(AtMostOneOf("type", "vendor"),)):
    """A way in for alerts, whose key is put into a Secret that belongs to the object.

    One that is no longer listed loses its Secret, but stays in PagerDuty, whose API cannot remove it.
    """

    name: Annotated[str, Field(min_length=1)]
    type: str | None = None
    """PagerDuty's name of the kind; `events_api_v2_inbound_integration` unless a vendor is named."""
    vendor: str | None = None
    """The id of a vendor."""
    secret_name: Annotated[str, Field(min_length=1)]
    secret_key: Annotated[str, Field(min_length=1)] = "PAGERDUTY_KEY"  # noqa: S105 - the name of a value


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
    auto_pause_notifications_parameters: AutoPause | None = None
    integrations: Annotated[list[Integration], ListMap("name")] = []


class IntegrationStatus(Part):
    """A way in that exists, or that was about to be asked for."""

    name: str
    id: str = ""
    pending: Pending | None = None


class PagerdutyServiceStatus(PagerDutyStatus):
    """What became of a service."""

    service_id: str = ""
    escalation_policy_id: str = ""
    integrations: Annotated[list[IntegrationStatus], ListMap("name")] = []

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
        columns=(
            Column("Ready", f"{_READY}.status"),
            Column("Reason", f"{_READY}.reason"),
            Column("ID", ".status.service_id"),
            Column("Policy", ".status.escalation_policy_id", priority=1),
            Column("Name", ".spec.name", priority=1),
            Column("Age", ".metadata.creationTimestamp", type="date"),
        ),
    ),
):
    """A service in PagerDuty: something that can fail, and for which somebody is on call."""

    spec: PagerdutyServiceSpec = Field(default_factory=PagerdutyServiceSpec, examples=[_SERVICE_SAMPLE])
    status: PagerdutyServiceStatus = Field(default_factory=PagerdutyServiceStatus)


class SupportingService(
    Part,
    markers=(
        ExactlyOneOf("ref", "business_ref", "id"),
        Cel("!has(self.type) || has(self.id)", message="type belongs to an id"),
    ),
):
    """What a business service rests on: one of ours by its name, or any by its id."""

    ref: Annotated[str, Field(min_length=1)] | None = None
    """The name of a PagerdutyService, or `namespace/name`."""
    business_ref: Annotated[str, Field(min_length=1)] | None = None
    """The name of a BusinessService, or `namespace/name`."""
    id: Annotated[str, Field(min_length=1)] | None = None
    type: Literal["service", "business_service"] | None = None


class BusinessServiceSpec(PagerDutySpec):
    """What people outside of engineering know by a name."""

    point_of_contact: str | None = None
    team: str | None = None
    """The id of a team; empty for none."""
    supporting_services: list[SupportingService] | None = None
    """All that it rests on; without the list, dependencies are left as they are."""


class Dependency(Part):
    """A service that a business service rests on, as PagerDuty knows it."""

    id: str
    type: str


class BusinessServiceStatus(PagerDutyStatus):
    """What became of a business service."""

    business_service_id: str = ""
    misspelt_id: Annotated[str | None, Wire("business_service_id ")] = None
    """How the id was once written, with a blank at the end: read, and never written."""
    supporting_services: list[Dependency] = []

    @property
    def upstream_id(self) -> str:
        """The id of the business service, in whichever spelling it is stored."""
        return self.business_service_id or self.misspelt_id or ""

    @upstream_id.setter
    def upstream_id(self, value: str) -> None:
        self.business_service_id = value
        self.misspelt_id = None


class BusinessService(
    Resource,
    group=GROUP,
    version="v1alpha1",
    definition=Definition(
        short_names=("pdbs",),
        categories=("pagerduty",),
        columns=(
            Column("Ready", f"{_READY}.status"),
            Column("Reason", f"{_READY}.reason"),
            Column("ID", ".status.business_service_id"),
            Column("Name", ".spec.name", priority=1),
            Column("Age", ".metadata.creationTimestamp", type="date"),
        ),
    ),
):
    """A business service in PagerDuty: what people outside of engineering know, and what it rests on."""

    spec: BusinessServiceSpec = Field(default_factory=BusinessServiceSpec, examples=[_BUSINESS_SAMPLE])
    status: BusinessServiceStatus = Field(default_factory=BusinessServiceStatus)
