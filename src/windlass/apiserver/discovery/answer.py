"""Requests for `/api` and `/apis`: the groups alone, or everything in one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.exchange import JSON, Reply
from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.discovery.discovery import Discovery
    from windlass.apiserver.exchange import Call

_PLAIN: Final = frozenset({"", "*/*", "application/*", JSON})
_NEITHER: Final = (
    "only the following media types are accepted: "
    "application/json, application/yaml, application/vnd.kubernetes.protobuf"
)
_AGGREGATED: Final = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
_PARAMETERS: Final = {"as": "APIGroupDiscoveryList", "g": "apidiscovery.k8s.io", "v": "v2"}


def answer_discovery(call: Call, discovery: Discovery) -> Reply:
    """The answer to a GET of `/api` or `/apis`, in the first form of the Accept header that there is.

    Raises:
        Refusal: 406, there is none.
    """
    core = call.path.strip("/") == "api"
    for clause in call.headers.get("accept", "").split(","):
        media, *pairs = (part.strip() for part in clause.split(";"))
        if media not in _PLAIN:
            continue
        parameters = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        if "as" not in parameters:
            if core:
                return Reply.json(discovery.core_versions(call.headers.get("host", "")))
            return Reply.json(discovery.group_list())
        if all(parameters.get(name) == value for name, value in _PARAMETERS.items()):
            return _aggregated(call, discovery, core=core)
    raise Refusal(406, _NEITHER)


def _aggregated(call: Call, discovery: Discovery, *, core: bool) -> Reply:
    document = discovery.aggregated(core=core)
    headers = {"etag": document.etag, "vary": "Accept", "cache-control": "public"}
    if call.headers.get("if-none-match") == document.etag:
        return Reply(status=304, headers=headers)
    return Reply(body=document.body, content_type=_AGGREGATED, headers=headers)
