"""log: what a container has written, which its kubelet would know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from windlass.apiserver.exchange import Reply
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.subresource.container import container_of
from windlass.apiserver.subresource.node import kubelet_of
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.exchange import Query
    from windlass.apiserver.verb.operation import Operation

_FLAGS: Final = ("follow", "previous", "timestamps")
_VALUES: Final = ("sinceSeconds", "sinceTime", "tailLines", "limitBytes")


async def read_log(operation: Operation) -> Reply:
    """Nothing of a pod that no node runs; of others, that their kubelet cannot be reached."""
    route, query = operation.route, operation.call.query
    faults = list(_faults(query))
    if faults:
        raise Refusal.invalid("", "PodLogOptions", route.name, faults)
    pod = operation.record().object()
    container = container_of(pod, query)
    node = pod["spec"].get("nodeName")
    if not node:
        return Reply(status=204, content_type="")
    kubelet = kubelet_of(operation.world, node, "pods")
    url = f"https://{kubelet.address}/containerLogs/{route.namespace}/{route.name}/{container}{_asked(query)}"
    raise Refusal(500, f'Get "{url}": {kubelet.refused}', "")


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
