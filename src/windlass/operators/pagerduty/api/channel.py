from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from windlass.errors import ConnectionFailedError
from windlass.operators.pagerduty.api.answer import content, refusal
from windlass.operators.pagerduty.api.error import LimitedError, UnreachableError
from windlass.operators.pagerduty.api.wire import Call, Reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

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


class Channel:
    """The way of one reconcile to PagerDuty: each request waits for its turn, and each write is an effect.

    A request waits before the effect begins, so that whether this process still leads is asked at the last
    moment. One that is refused for being one too many was not done, and waits for another turn.

    Raises, whichever method:
        PagerDutyError: PagerDuty refused, or no answer came.
    """

    def __init__(self, road: Road, caller: Caller, effect: Effect) -> None:
        self._road = road
        self._caller = caller
        self._effect = effect

    async def pages(self, collection: Collection, query: tuple[tuple[str, str], ...]) -> AsyncIterator[Json]:
        """The objects of a list, page by page, as far as PagerDuty shows them."""
        for offset in range(0, _WALL, _PAGE):
            place = (("limit", str(_PAGE)), ("offset", str(offset)))
            page = await self.send(Call(method="GET", path=collection.path, query=(*query, *place)))
            for item in page.get(collection.many) or ():
                yield item
            if not page.get("more"):
                return

    async def send(self, call: Call, *, planned: Json | None = None, told: Json | None = None) -> Json:
        """One request, once it is its turn; the document that answers it.

        `planned` is what answers it where it is only planned, and `told` are the fields that it sets.
        """
        whole = replace(call, headers={**call.headers, **self._headers()})
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
                reply = await self._effect(str(effect), lambda: self._measured(call), planned=effect.planned)
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
