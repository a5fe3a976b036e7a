"""Requests for the documents: which form, and whether the client has it already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.exchange import JSON, Reply

if TYPE_CHECKING:
    from windlass.apiserver.discovery import Document
    from windlass.apiserver.exchange import Call
    from windlass.apiserver.openapi.openapi import OpenApi

_ACCEPTED: Final = ("*/*", "application/*", JSON)
_MESSAGE: Final = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
_MESSAGES: Final = (_MESSAGE, "application/com.github.proto-openapi.spec.v2@v1.0+protobuf")

_VERSIONS: Final = ("v2", "v3")


def answer_openapi(call: Call, openapi: OpenApi) -> Reply:
    """The answer to a GET of a path under `/openapi`.

    The address of a document of v3 that has its hash never changes what it gives, so clients may keep that;
    with another hash they are sent to the right address.
    """
    version, slash, root = call.path.removeprefix("/openapi/").partition("/")
    if version not in _VERSIONS or (version == "v2" and slash):
        return Reply.text("404 page not found\n", 404)
    if not slash:
        return _index(openapi) if version == "v3" else _older(call, openapi)
    document = openapi.document(root)
    if document is None:
        return Reply(status=404, content_type="")
    if not _chosen(call, _ACCEPTED):
        return Reply(status=406, content_type="")
    given = call.query.text("hash")
    if given and given != document.hash:
        return Reply(status=301, headers={"location": openapi.address(root)})
    reply = _document(call, document)
    if given:
        reply.headers["cache-control"] = "public, immutable"
    return reply


def _index(openapi: OpenApi) -> Reply:
    """What documents there are: JSON, of which the real server only sees that it is text."""
    reply = Reply.json(openapi.index())
    reply.content_type = "text/plain; charset=utf-8"
    return reply


def _older(call: Call, openapi: OpenApi) -> Reply:
    form = _chosen(call, (*_MESSAGES, *_ACCEPTED))
    if not form:
        return Reply(status=406, content_type="")
    reply = _document(call, openapi.older())
    if form in _MESSAGES and reply.body:
        reply.body, reply.content_type = openapi.older_message(), _MESSAGE
    return reply


def _document(call: Call, document: Document) -> Reply:
    headers = {"etag": document.etag, "vary": "Accept"}
    if _is_known(call, document.etag):
        return Reply(status=304, headers=headers, content_type="")
    return Reply(body=document.body, headers=headers)


def _is_known(call: Call, etag: str) -> bool:
    """Whether a client has the document of this tag: it names several, and weak ones will do."""
    known = call.headers.get("if-none-match", "").split(",")
    return any(tag.strip().removeprefix("W/") in ("*", etag) for tag in known)


def _chosen(call: Call, forms: tuple[str, ...]) -> str | None:
    """The first of the forms that a client asks for, if there is one."""
    clauses = (
        clause.partition(";")[0].strip() or "*/*" for clause in call.headers.get("accept", "").split(",")
    )
    return next((clause for clause in clauses if clause in forms), None)
