"""Which function answers for which subresource."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.verb.operation import Operation

_HANDLERS: Final[dict[str, str]] = {
    "attach": "windlass.apiserver.subresource.stream:stream",
    "binding": "windlass.apiserver.subresource.binding:bind",
    "bindings": "windlass.apiserver.subresource.binding:create_binding",
    "ephemeralcontainers": "windlass.apiserver.subresource.part:write_part",
    "eviction": "windlass.apiserver.subresource.eviction:evict",
    "exec": "windlass.apiserver.subresource.stream:stream",
    "finalize": "windlass.apiserver.subresource.part:write_part",
    "log": "windlass.apiserver.subresource.log:read_log",
    "portforward": "windlass.apiserver.subresource.stream:stream",
    "proxy": "windlass.apiserver.subresource.proxy:proxy",
    "resize": "windlass.apiserver.subresource.part:write_part",
    "scale": "windlass.apiserver.subresource.scale:scale",
    "token": "windlass.apiserver.review.token_request:request_token",
}
"""The name of a subresource, which means the same wherever there is one, to the module and its function.

Bindings are a collection of their own, too, which keeps nothing.
"""


class Handler(Protocol):
    """Answers one request to a subresource."""

    async def __call__(self, operation: Operation) -> Reply:
        """The answer.

        Raises:
            Refusal: there is none.
        """


async def handle(operation: Operation) -> Reply:
    """The answer to a verb on a subresource.

    Raises:
        Refusal: there is none.
    """
    route = operation.route
    return await handler(route.subresource or route.plural)(operation)


@cache
def handler(name: str) -> Handler:
    """What answers for a subresource, by its name."""
    module, _, function = _HANDLERS[name].partition(":")
    found: Handler = getattr(import_module(module), function)
    return found
