"""log: what a container has written, which its kubelet knows."""

from __future__ import annotations

from contextlib import aclosing
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from windlass.apiserver.exchange import Reply
from windlass.apiserver.kubelet import KubeletRefusal, LogQuery, PodName
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.container import container_of
from windlass.apiserver.subresource.node import kubelet_of
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from windlass.apiserver.exchange import Query
    from windlass.apiserver.verb.operation import Operation

_FLAGS: Final = ("follow", "previous", "timestamps")
_BAD, _MISSING, _FAILED = 400, 404, 500
_VALUES: Final = ("sinceSeconds", "sinceTime", "tailLines", "limitBytes")


async def read_log(operation: Operation) -> Reply:
    """What the kubelet of the pod says; of a pod that no node runs, nothing.

    Raises:
        Refusal: a parameter is invalid, or the kubelet cannot be reached, or has no answer.
    """
    route, query = operation.route, operation.call.query
    faults = list(_faults(query))
    if faults:
        raise Refusal.invalid("", "PodLogOptions", route.name, faults)
    pod = operation.record().object()
    container = container_of(pod, query)
    node = pod["spec"].get("nodeName")
    if not node:
        return Reply(status=204, content_type="")
    place = kubelet_of(operation.world, node, "pods")
    if place.kubelet is not None:
        wanted = log_query(query, operation.world.clock.now())
        chunks = place.kubelet.logs(PodName(route.namespace, route.name), container, wanted)
        return await _begun(chunks, route.name)
    url = f"https://{place.address}/containerLogs/{route.namespace}/{route.name}/{container}{_asked(query)}"
    raise Refusal(500, f'Get "{url}": {place.refused}', "")


def log_query(query: Query, now: datetime) -> LogQuery:
    """Which part of a log the parameters of a request ask for; they are known to be valid."""
    seconds, since = query.number("sinceSeconds"), query.text("sinceTime")
    return LogQuery(
        follow=query.flag("follow"),
        previous=query.flag("previous"),
        timestamps=query.flag("timestamps"),
        since=now - timedelta(seconds=seconds) if seconds else _moment(since),
        tail=query.number("tailLines"),
        limit=query.number("limitBytes"),
    )


async def _begun(chunks: AsyncGenerator[bytes, None], name: str) -> Reply:
    """The answer that a log is, once it has begun: before that, it may still be an error."""
    try:
        first = await anext(chunks, b"")
    except KubeletRefusal as refusal:
        raise _refused(refusal, name) from refusal
    return Reply(content_type="text/plain", chunks=_whole(first, chunks))


async def _whole(first: bytes, rest: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest):
        if first:
            yield first
        async for chunk in rest:
            yield chunk


def _refused(refusal: KubeletRefusal, name: str) -> Refusal:
    """What a client is told of the answer of a kubelet."""
    if refusal.status == _FAILED:
        return Refusal.internal(str(refusal))
    if refusal.status == _BAD:
        return Refusal.bad_request(str(refusal))
    message = f"the server could not find the requested resource ( pods/log {name})"
    if refusal.status != _MISSING:
        message = f"{refusal} ( pods/log {name})"
    return Refusal(refusal.status, message, details={"name": name, "kind": "pods/log"})


def _moment(text: str) -> datetime | None:
    """The time that a text is; `None` for none, and for a text that is no time, as the real server has it."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _faults(query: Query) -> Iterator[Fault]:
    lines, size = query.number("tailLines"), query.number("limitBytes")
    if lines is not None and lines < 0:
        yield Fault.invalid("tailLines", lines, "must be greater than or equal to 0")
    if size is not None and size < 1:
        yield Fault.invalid("limitBytes", size, "must be greater than 0")
    seconds = query.number("sinceSeconds")
    if seconds is not None and query.text("sinceTime"):
        yield Fault.forbidden("[]", "at most one of `sinceTime` or `sinceSeconds` may be specified")
    elif seconds is not None and seconds < 1:
        yield Fault.invalid("sinceSeconds", seconds, "must be greater than 0")
    if query.text("stream"):
        yield Fault.forbidden("stream", "may not be specified")


def _asked(query: Query) -> str:
    """The parameters that the kubelet would be given."""
    flags = {name: "true" for name in _FLAGS if query.flag(name)}
    values = {name: query.text(name) for name in _VALUES if query.text(name)}
    text = urlencode(sorted((flags | values).items()))
    return f"?{text}" if text else ""
