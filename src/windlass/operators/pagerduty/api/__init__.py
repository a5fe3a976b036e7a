"""PagerDuty's REST API as the operator uses it: a seam of one method, and what is asked through it.

`Wire` is the seam; `HttpWire` the real side of it. `PagerDuty` is made for one reconcile, whose writes are
effects, and `Shares` keeps what all of them share for one token.
"""

from windlass.operators.pagerduty.api.budget import Budget, BudgetOptions
from windlass.operators.pagerduty.api.channel import Caller, Road
from windlass.operators.pagerduty.api.client import PagerDuty
from windlass.operators.pagerduty.api.collection import (
    BUSINESS_SERVICES,
    POLICIES,
    SCHEDULES,
    SERVICES,
    USERS,
    Collection,
)
from windlass.operators.pagerduty.api.error import (
    AbilityMissingError,
    AlreadyResolvedError,
    ForbiddenError,
    InUseError,
    InvalidInputError,
    LimitedError,
    NameTakenError,
    NotFoundError,
    PagerDutyError,
    ServerFailedError,
    UnauthorizedError,
    UnreachableError,
)
from windlass.operators.pagerduty.api.http import Connection, HttpWire
from windlass.operators.pagerduty.api.metric import RequestMetrics
from windlass.operators.pagerduty.api.shared import Share, Shares
from windlass.operators.pagerduty.api.wire import Call, Reply, Wire

__all__ = [
    "BUSINESS_SERVICES",
    "POLICIES",
    "SCHEDULES",
    "SERVICES",
    "USERS",
    "AbilityMissingError",
    "AlreadyResolvedError",
    "Budget",
    "BudgetOptions",
    "Call",
    "Caller",
    "Collection",
    "Connection",
    "ForbiddenError",
    "HttpWire",
    "InUseError",
    "InvalidInputError",
    "LimitedError",
    "NameTakenError",
    "NotFoundError",
    "PagerDuty",
    "PagerDutyError",
    "Reply",
    "RequestMetrics",
    "Road",
    "ServerFailedError",
    "Share",
    "Shares",
    "UnauthorizedError",
    "UnreachableError",
    "Wire",
]
