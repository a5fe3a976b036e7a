from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from windlass.errors import ConnectionFailedError
from windlass.operators.pagerduty.api.answer import content, refusal
from windlass.operators.pagerduty.api.collection import BUSINESS_SERVICES
from windlass.operators.pagerduty.api.error import (
    LimitedError,
    NotFoundError,
    ServerFailedError,
    UnreachableError,
)
from windlass.operators.pagerduty.api.wire import Call, Reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence

    from windlass.aio import Clock
    from windlass.api import Json
    from windlass.operators.pagerduty.api.collection import Collection
    from windlass.operators.pagerduty.api.metric import RequestMetrics
    from windlass.operators.pagerduty.api.shared import Share
    from windlass.operators.pagerduty.api.wire import Wire

_PAGE = 100
_WALL = 10_000
"""PagerDuty shows no page that ends behind this many objects."""
_TURNS = 4
_UNSAID = 30.0
_ACCEPT = "application/vnd.pagerduty+json;version=2"


class Effect(Protocol):
    """How something is done outside the cluster: `Context.effect`."""

    async def __call__(self, what: str, call: Callable[[], Awaitable[Any]], *, planned: Any = None) -> Any:
        """Do it, unless this process may not."""


@dataclass(frozen=True, kw_only=True)
class Caller:
    """In whose name requests are made: the token, what is shared by all who use it, and the namespace."""

    token: str
    share: Share
    namespace: str


@dataclass(frozen=True, kw_only=True)
class Road:
    """How requests get to PagerDuty, and who measures them."""

    wire: Wire
    clock: Clock
    metrics: RequestMetrics


class _Effect(NamedTuple):
    """A request, its answer where it is only planned, and the fields that it sets."""

    call: Call
    planned: Reply | None
    told: Json

    def __str__(self) -> str:
        """As a plan shows it: the request, and a line for each field."""
        import orjson  # so that declaring the operator does not need it

        fields = (f"{name}: {orjson.dumps(value).decode()}" for name, value in sorted(self.told.items()))
        return "\n    ".join([str(self.call), *fields])


class PagerDuty:
    """PagerDuty as one reconcile uses it: each request waits for its turn, and each write is an effect.

    A request waits before the effect begins, so that whether this process still leads is asked at the last
    moment. One that is refused for being one too many was not done, and waits for another turn.

    Raises, whichever method:
        PagerDutyError: PagerDuty refused, or no answer came.
    """

    def __init__(self, road: Road, caller: Caller, effect: Effect) -> None:
        self._road = road
        self._caller = caller
        self._effect = effect

    async def find(self, collection: Collection, label: str) -> Json | None:
        """The object that people know by exactly this name (or e-mail address), letters of any case."""
        wanted = label.casefold()
        async for item in self._list(collection, label):
            if str(item.get(collection.label) or "").casefold() == wanted:
                return item
        return None

    async def get(self, collection: Collection, id_: str, include: Sequence[str] = ()) -> Json | None:
        """One object by its id; None if there is none, or it is not visible yet."""
        query = tuple(("include[]", each) for each in include)
        try:
            answer = await self._send(Call(method="GET", path=f"{collection.path}/{id_}", query=query))
        except NotFoundError:
            return None
        return _one(answer, collection.one)

    async def create(self, collection: Collection, content_: Json) -> Json:
        """Create an object; returns it with its id."""
        call = Call(method="POST", path=collection.path, body={collection.one: content_})
        return _one(await self._send(call, told=content_), collection.one)

    async def update(self, collection: Collection, id_: str, content_: Json, changed: Json) -> Json:
        """Change an object, of which all is sent and `changed` is told; returns it as it is now."""
        body = {collection.one: content_}
        call = Call(method="PUT", path=f"{collection.path}/{id_}", body=body)
        return _one(await self._send(call, planned=body, told=changed), collection.one)

    async def delete(self, collection: Collection, id_: str) -> None:
        """Delete an object; one that is gone already is no fault."""
        try:
            await self._send(Call(method="DELETE", path=f"{collection.path}/{id_}"), planned={})
        except NotFoundError:
            return

    async def integrate(self, service_id: str, content_: Json) -> Json:
        """Create an integration of a service; returns it with its key."""
        path = f"/services/{service_id}/integrations"
        call = Call(method="POST", path=path, body={"integration": content_})
        return _one(await self._send(call, told=content_), "integration")

    async def dependencies(self, business_service_id: str) -> Sequence[Json]:
        """The relationships of a business service, as supporting and as dependent one."""
        path = f"/service_dependencies{BUSINESS_SERVICES.path}/{business_service_id}"
        found = (await self._send(Call(method="GET", path=path))).get("relationships")
        return found if isinstance(found, list) else []

    async def relate(self, relationship: Json, *, associated: bool) -> None:
        """Let one service rest on another, or no longer; one at a time for each token."""
        path = f"/service_dependencies/{'associate' if associated else 'disassociate'}"
        async with self._caller.share.dependencies:
            call = Call(method="POST", path=path, body={"relationships": [relationship]})
            await self._send(call, planned={}, told=relationship)

    async def abilities(self) -> frozenset[str]:
        """What the account's plan includes."""
        found = (await self._send(Call(method="GET", path="/abilities"))).get("abilities")
        return frozenset(map(str, found)) if isinstance(found, list) else frozenset()

    async def _list(self, collection: Collection, text: str) -> AsyncIterator[Json]:
        """Objects page by page, narrowed to a text as far as PagerDuty can."""
        narrowed = ((collection.narrowed, text),) if collection.narrowed else ()
        for offset in range(0, _WALL, _PAGE):
            query = (*narrowed, ("limit", str(_PAGE)), ("offset", str(offset)))
            page = await self._send(Call(method="GET", path=collection.path, query=query))
            for item in page.get(collection.many) or ():
                yield item
            if not page.get("more"):
                return

    async def _send(self, call: Call, *, planned: Json | None = None, told: Json | None = None) -> Json:
        """One request, once it is its turn; the document that answers it. `told` are fields that it sets."""
        whole = Call(
            method=call.method, path=call.path, query=call.query, body=call.body, headers=self._headers()
        )
        effect = _Effect(whole, _planned(planned), told or {})
        reply = await self._attempt(effect)
        for _ in range(_TURNS):
            if reply.status != HTTPStatus.TOO_MANY_REQUESTS:
                return content(whole, reply)
            reply = await self._attempt(effect)
        raise LimitedError(str(refusal(whole, reply)), timedelta(seconds=_wait(reply.headers)))

    async def _attempt(self, effect: _Effect) -> Reply:
        call, budget = effect.call, self._caller.share.budget
        await budget.turn(self._caller.namespace)
        reply: Reply | None = None
        try:
            if call.method == "GET":
                reply = await self._measured(call)
            else:
                reply = await self._effect(
                    str(effect), lambda: self._measured(call), planned=effect.planned
                )
        finally:
            budget.heard(reply)
        return reply

    async def _measured(self, call: Call) -> Reply:
        clock = self._road.clock
        began, code = clock.monotonic(), ""
        try:
            reply = await self._road.wire.send(call)
            code = str(reply.status)
        except ConnectionFailedError as error:
            raise UnreachableError(str(error), sent=error.sent) from error
        finally:
            self._road.metrics.ended(call.method, route(call.path), code, clock.monotonic() - began)
        return reply

    def _headers(self) -> Mapping[str, str]:
        return {"authorization": f"Token token={self._caller.token}", "accept": _ACCEPT}


def route(path: str) -> str:
    """A path with a blank for each id, so that metrics do not grow with the account: `/services/{id}`."""
    return "/".join("{id}" if part and not part.islower() else part for part in path.split("/"))


def _one(answer: Json, name: str) -> Json:
    found = answer.get(name)
    if not isinstance(found, dict):
        raise ServerFailedError(f"PagerDuty's answer has no {name}", HTTPStatus.OK)
    return found


def _planned(body: Json | None) -> Reply | None:
    if body is None:
        return None
    import orjson  # only in a plan

    return Reply(status=HTTPStatus.OK, headers={}, body=orjson.dumps(body))


def _wait(headers: Mapping[str, str]) -> float:
    try:
        return max(1.0, float(headers.get("ratelimit-reset", _UNSAID)))
    except ValueError:
        return _UNSAID
