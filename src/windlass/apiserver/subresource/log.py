"""log: what a container has written, which its kubelet knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from windlass.apiserver.decode.moment import canonical_time
from windlass.apiserver.exchange import Reply
from windlass.apiserver.kubelet import KubeletRefusal, LogQuery, PodName
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.streaming import log_reply
from windlass.apiserver.subresource.container import container_of
from windlass.apiserver.subresource.node import kubelet_of
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    _check_time(query.text("sinceTime"))
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
        wanted = LogQuery.of(query, operation.world.clock.now())
        chunks = place.kubelet.logs(PodName(route.namespace, route.name), container, wanted)
        try:
            return await log_reply(chunks)
        except KubeletRefusal as refusal:
            raise _refused(refusal, route.name) from refusal
    url = f"https://{place.address}/containerLogs/{route.namespace}/{route.name}/{container}{_asked(query)}"
    raise Refusal(500, f'Get "{url}": {place.refused}', "")


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


def _check_time(text: str) -> None:
    try:
        if text:
            canonical_time(text)
    except ValueError as error:
        raise Refusal.bad_request(str(error)) from error


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
