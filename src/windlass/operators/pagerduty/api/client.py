from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from windlass.operators.pagerduty.api.channel import Channel
from windlass.operators.pagerduty.api.collection import BUSINESS_SERVICES
from windlass.operators.pagerduty.api.error import NotFoundError, ServerFailedError
from windlass.operators.pagerduty.api.incident import Incidents
from windlass.operators.pagerduty.api.wire import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.api import Json
    from windlass.operators.pagerduty.api.channel import Caller, Effect, Road
    from windlass.operators.pagerduty.api.collection import Collection


class PagerDuty:
    """PagerDuty as one reconcile uses it.

    Raises, whichever method:
        PagerDutyError: PagerDuty refused, or no answer came.
    """

    def __init__(self, road: Road, caller: Caller, effect: Effect) -> None:
        self._channel = Channel(road, caller, effect)
        self._dependencies = caller.share.dependencies
        self.incidents = Incidents(self._channel)

    async def find(self, collection: Collection, label: str) -> Json | None:
        """The object that people know by exactly this name (or e-mail address), letters of any case."""
        wanted = label.casefold()
        narrowed = ((collection.narrowed, label),) if collection.narrowed else ()
        async for item in self._channel.pages(collection, narrowed):
            if str(item.get(collection.label) or "").casefold() == wanted:
                return item
        return None

    async def get(self, collection: Collection, id_: str, include: Sequence[str] = ()) -> Json | None:
        """One object by its id; None if there is none, or it is not visible yet."""
        query = tuple(("include[]", each) for each in include)
        call = Call(method="GET", path=f"{collection.path}/{id_}", query=query)
        try:
            answer = await self._channel.send(call)
        except NotFoundError:
            return None
        return _one(answer, collection.one)

    async def create(self, collection: Collection, content_: Json) -> Json:
        """Create an object; returns it with its id."""
        call = Call(method="POST", path=collection.path, body={collection.one: content_})
        return _one(await self._channel.send(call, told=content_), collection.one)

    async def update(self, collection: Collection, id_: str, content_: Json, changed: Json) -> Json:
        """Change an object, of which all is sent and `changed` is told; returns it as it is now."""
        body = {collection.one: content_}
        call = Call(method="PUT", path=f"{collection.path}/{id_}", body=body)
        return _one(await self._channel.send(call, planned=body, told=changed), collection.one)

    async def delete(self, collection: Collection, id_: str) -> None:
        """Delete an object; one that is gone already is no fault."""
        try:
            await self._channel.send(Call(method="DELETE", path=f"{collection.path}/{id_}"), planned={})
        except NotFoundError:
            return

    async def integrate(self, service_id: str, content_: Json) -> Json:
        """Create an integration of a service; returns it with its key."""
        path = f"/services/{service_id}/integrations"
        call = Call(method="POST", path=path, body={"integration": content_})
        return _one(await self._channel.send(call, told=content_), "integration")

    async def dependencies(self, business_service_id: str) -> Sequence[Json]:
        """The relationships of a business service, as supporting and as dependent one."""
        path = f"/service_dependencies{BUSINESS_SERVICES.path}/{business_service_id}"
        found = (await self._channel.send(Call(method="GET", path=path))).get("relationships")
        return found if isinstance(found, list) else []

    async def relate(self, relationship: Json, *, associated: bool) -> None:
        """Let one service rest on another, or no longer; one at a time for each token."""
        path = f"/service_dependencies/{'associate' if associated else 'disassociate'}"
        async with self._dependencies:
            call = Call(method="POST", path=path, body={"relationships": [relationship]})
            await self._channel.send(call, planned={}, told=relationship)

    async def abilities(self) -> frozenset[str]:
        """What the account's plan includes."""
        found = (await self._channel.send(Call(method="GET", path="/abilities"))).get("abilities")
        return frozenset(map(str, found)) if isinstance(found, list) else frozenset()


def _one(answer: Json, name: str) -> Json:
    found = answer.get(name)
    if not isinstance(found, dict):
        raise ServerFailedError(f"PagerDuty's answer has no {name}", HTTPStatus.OK)
    return found
