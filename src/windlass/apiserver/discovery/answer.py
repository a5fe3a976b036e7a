"""Requests for `/api` and `/apis`: the groups alone, or everything in one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.exchange import JSON, Reply
from windlass.apiserver.negotiate import PROTOBUF, YAML, Form
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.answer import written

if TYPE_CHECKING:
    from windlass.apiserver.discovery.discovery import Discovery
    from windlass.apiserver.exchange import Call

_WRITTEN: Final = {"": JSON, "*/*": JSON, "application/*": JSON, JSON: JSON, YAML: YAML, PROTOBUF: PROTOBUF}
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
        form = _WRITTEN.get(media)
        if form is None:
            continue
        parameters = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        if "as" not in parameters:
            host = call.headers.get("host", "")
            return written(
                Form(form), call, discovery.core_versions(host) if core else discovery.group_list()
            )
        if form == JSON and all(parameters.get(name) == value for name, value in _PARAMETERS.items()):
            return _aggregated(call, discovery, core=core)
    raise Refusal(406, _NEITHER)


def _aggregated(call: Call, discovery: Discovery, *, core: bool) -> Reply:
    document = discovery.aggregated(core=core)
    headers = {"etag": document.etag, "vary": "Accept", "cache-control": "public"}
    if call.headers.get("if-none-match") == document.etag:
        return Reply(status=304, headers=headers, content_type="")
    return Reply(body=document.body, content_type=_AGGREGATED, headers=headers)
