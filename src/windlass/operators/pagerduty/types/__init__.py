"""The resource types: data and validation, one module for each kind."""

from windlass.operators.pagerduty.types.business_service import (
    BusinessService,
    BusinessServiceSpec,
    BusinessServiceStatus,
    Dependency,
    SupportingService,
)
from windlass.operators.pagerduty.types.policy import (
    EscalationPolicy,
    EscalationPolicySpec,
    EscalationPolicyStatus,
    EscalationRule,
    TargetRef,
)
from windlass.operators.pagerduty.types.service import (
    AutoPause,
    IncidentUrgencyRule,
    Integration,
    IntegrationStatus,
    PagerdutyService,
    PagerdutyServiceSpec,
    PagerdutyServiceStatus,
    ScheduledAction,
    SupportHours,
)
from windlass.operators.pagerduty.types.shared import (
    ADOPT,
    DELETION_POLICY,
    GROUP,
    PagerDutySpec,
    PagerDutyStatus,
    Pending,
    SecretKeyRef,
)

__all__ = [
    "ADOPT",
    "DELETION_POLICY",
    "GROUP",
    "AutoPause",
    "BusinessService",
    "BusinessServiceSpec",
    "BusinessServiceStatus",
    "Dependency",
    "EscalationPolicy",
    "EscalationPolicySpec",
    "EscalationPolicyStatus",
    "EscalationRule",
    "IncidentUrgencyRule",
    "Integration",
    "IntegrationStatus",
    "PagerDutySpec",
    "PagerDutyStatus",
    "PagerdutyService",
    "PagerdutyServiceSpec",
    "PagerdutyServiceStatus",
    "Pending",
    "ScheduledAction",
    "SecretKeyRef",
    "SupportHours",
    "SupportingService",
    "TargetRef",
]
