"""PagerDuty's REST API as the operator uses it: a seam of one method, and what is asked through it."""

from windlass.operators.pagerduty.api.wire import Call, Reply, Wire

__all__ = ["Call", "Reply", "Wire"]
