"""Incidents of a service: which are open, and that they be resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.operators.pagerduty.api.collection import INCIDENTS
from windlass.operators.pagerduty.api.wire import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json
    from windlass.operators.pagerduty.api.channel import Channel

_MOST: Final = 250
"""PagerDuty changes no more incidents than this at once."""
_OPEN: Final = (("statuses[]", "triggered"), ("statuses[]", "acknowledged"))
_EVER: Final = ("date_range", "all")  # otherwise PagerDuty shows those of a month


class Incidents:
    """Incidents as the deletion of a service deals with them."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    async def open(self, service_id: str) -> Sequence[str]:
        """The ids of those of a service that nobody has resolved, or of the first 10,000 of them."""
        query = (("service_ids[]", service_id), *_OPEN, _EVER)
        return [each["id"] async for each in self._channel.pages(INCIDENTS, query)]

    async def resolve(self, ids: Sequence[str], requester: str) -> None:
        """Resolve these in the name of a user, by the e-mail address; without it, of the token's own user.

        Raises:
            AlreadyResolvedError: somebody has resolved one of them meanwhile; others may still be open.
        """
        headers = {"from": requester} if requester else {}
        for begin in range(0, len(ids), _MOST):
            batch = list(ids[begin : begin + _MOST])
            body = {"incidents": [_resolved(each) for each in batch]}
            call = Call(method="PUT", path=INCIDENTS.path, body=body, headers=headers)
            await self._channel.send(call, planned={}, told={"status": "resolved", "incidents": batch})


def _resolved(id_: str) -> Json:
    return {"id": id_, "type": "incident_reference", "status": "resolved"}
