"""What is no resource: discovery, OpenAPI, version, health."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.apiserver.exchange import Reply

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.resource import Catalog


def document(call: Call, catalog: Catalog) -> Reply:
    """The answer to a path that is no resource's."""
    if call.path in ("/healthz", "/livez", "/readyz"):
        return Reply.text("ok")
    return Reply.text("404 page not found\n", 404)
