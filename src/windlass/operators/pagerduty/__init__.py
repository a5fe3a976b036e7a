"""On-call from manifests: escalation policies, services and business services of PagerDuty.

`add_to(manager)` runs the three controllers. It takes the API token from the environment (`PAGERDUTY_TOKEN`,
or `PAGERDUTY_TOKEN_SECRET` for a Secret that has it) unless it is given `PagerDutyOptions`.
"""

from windlass.operators.pagerduty.controllers import (
    BusinessServiceController,
    EscalationPolicyController,
    PagerdutyServiceController,
)
from windlass.operators.pagerduty.options import REGIONS, PagerDutyOptions, TokenSecret
from windlass.operators.pagerduty.types import (
    ADOPT,
    DELETION_POLICY,
    GROUP,
    BusinessService,
    EscalationPolicy,
    PagerdutyService,
)
from windlass.operators.pagerduty.wiring import add_to

__all__ = [
    "ADOPT",
    "DELETION_POLICY",
    "GROUP",
    "REGIONS",
    "BusinessService",
    "BusinessServiceController",
    "EscalationPolicy",
    "EscalationPolicyController",
    "PagerDutyOptions",
    "PagerdutyService",
    "PagerdutyServiceController",
    "TokenSecret",
    "add_to",
]
