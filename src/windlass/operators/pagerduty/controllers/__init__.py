"""The three reconcilers, each a chain of idempotent subroutines.

A subroutine looks at the subject, does one thing if it is needed, and is silent unless it has something to
say that ends the chain. Each file has those that belong together.
"""

from windlass.operators.pagerduty.controllers.business_service import BusinessServiceController
from windlass.operators.pagerduty.controllers.census import Census
from windlass.operators.pagerduty.controllers.policy import EscalationPolicyController
from windlass.operators.pagerduty.controllers.service import PagerdutyServiceController
from windlass.operators.pagerduty.controllers.subject import Desk

__all__ = [
    "BusinessServiceController",
    "Census",
    "Desk",
    "EscalationPolicyController",
    "PagerdutyServiceController",
]
