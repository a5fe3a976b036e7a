"""Requests for the documents: which form, and whether the client has it already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.exchange import JSON, Reply

if TYPE_CHECKING:
    from windlass.apiserver.discovery import Document
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.openapi.openapi import OpenApi

_ACCEPTED: Final = ("", "*/*", "application/*", JSON)


def answer_openapi(call: Call, openapi: OpenApi) -> Reply:
    """The answer to a GET of a path under `/openapi`.

    The address of a document of v3 that has its hash never changes what it gives, so clients may keep that;
    with another hash they are sent to the right address.
    """
    version, _, root = call.path.removeprefix("/openapi/").strip("/").partition("/")
    if version == "v3" and not root:
        return Reply.json(openapi.index())
    document = openapi.document(root) if version == "v3" else openapi.older() if version == "v2" else None
    if document is None:
        return Reply.text("", 404)
    if not _wants_json(call.headers.get("accept", "")):
        return Reply.text("", 406)
    given = call.query.text("hash")
    if version == "v3" and given and given != document.hash:
        return Reply(status=301, headers={"location": openapi.address(root)})
    return _document(call, document, given)


def _document(call: Call, document: Document, given: str) -> Reply:
    headers = {"etag": document.etag, "vary": "Accept"}
    if given:
        headers["cache-control"] = "public, immutable"
    if call.headers.get("if-none-match") == document.etag:
        return Reply(status=304, headers=headers, content_type="")
    return Reply(body=document.body, headers=headers)


def _wants_json(accept: str) -> bool:
    return any(clause.partition(";")[0].strip() in _ACCEPTED for clause in accept.split(","))
