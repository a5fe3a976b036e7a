from typing import Annotated, Literal

from windlass.api import Cel, Definition, ExactlyOneOf, Field, Json, Resource
from windlass.operators.pagerduty.types.shared import GROUP, PagerDutySpec, PagerDutyStatus, Part, columns

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
    """What has this id; a user unless it is said."""
    id: Annotated[str, Field(min_length=1)] | None = None
    """The id of a user or a schedule."""
    email: Annotated[str, Field(min_length=1)] | None = None
    """The e-mail address of a user."""
    schedule_name: Annotated[str, Field(min_length=1)] | None = None
    """The name of a schedule."""


class EscalationRule(Part):
    """Who is notified, and after how many minutes without an answer it is the next rule's turn."""

    escalation_delay_in_minutes: int | None = None
    """How long to wait for an answer before it is the next rule's turn."""
    targets: Annotated[list[str], Field(max_length=10)] = []
    """Users by their ids."""
    target_refs: Annotated[list[TargetRef], Field(max_length=10)] = []
    """Users and schedules in other words; both lists are one to PagerDuty."""
    assignment_strategy: Literal["round_robin", "assign_to_everyone"] | None = None
    """Whether its targets are notified in turns, or all at once."""


class EscalationPolicySpec(PagerDutySpec):
    """Whom PagerDuty notifies, in which order."""

    on_call_handoff_notifications: Literal["if_has_services", "always"] | None = None
    """`if_has_services` when it is created, unless it is set."""
    num_loops: Annotated[int, Field(ge=0)] | None = None
    """How often the rules are repeated; 1 when it is created, unless it is set."""
    escalation_rules: list[EscalationRule] = []
    """Who is notified, one rule after the other."""
    teams: str | None = None
    """The id of one team; empty for none."""


class EscalationPolicyStatus(PagerDutyStatus):
    """What became of an escalation policy."""

    policy_id: str = ""
    """The id that PagerDuty gave to it."""

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
        columns=columns("policy_id"),
    ),
):
    """An escalation policy in PagerDuty: whom it notifies, in which order."""

    spec: EscalationPolicySpec = Field(default_factory=EscalationPolicySpec, examples=[_POLICY_SAMPLE])
    status: EscalationPolicyStatus = Field(default_factory=EscalationPolicyStatus)
