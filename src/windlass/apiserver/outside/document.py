"""The document of an answer, as a client written in Go reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver.outside.network import Unreachable

if TYPE_CHECKING:
    from windlass.apiserver.outside.network import Answer

_ERROR: Final = 400
_FAULT_OF_SERVER: Final = 500
_SAID: Final = {
    400: "the server rejected our request for an unknown reason",
    401: "the server has asked for the client to provide credentials",
    404: "the server could not find the requested resource",
    405: "the server does not allow this method on the requested resource",
    503: "the server is currently unable to handle the request",
    504: "the server was unable to return a response in the time allotted, "
    "but may still be processing the request",
}


def checked_document(answer: Answer) -> dict[str, Any]:
    """The object that somebody answered.

    Raises:
        Unreachable: it is an error, or no object.
    """
    try:
        document = orjson.loads(answer.body)
    except orjson.JSONDecodeError as error:
        if answer.status < _ERROR:
            raise Unreachable(f"couldn't get version/kind; json parse error: {error}") from error
        document = None
    if answer.status >= _ERROR:
        is_status = isinstance(document, dict) and document.get("kind") == "Status"
        raise Unreachable((is_status and document.get("message")) or _generic(answer))
    if not isinstance(document, dict):
        raise Unreachable("couldn't get version/kind; json parse error: it is no object")
    return document


def _generic(answer: Answer) -> str:
    """What is said of an error that does not explain itself."""
    said = answer.body.decode(errors="replace").strip()
    if answer.status in _SAID:
        return _SAID[answer.status]
    if answer.status >= _FAULT_OF_SERVER:
        return f'an error on the server ("{said or "unknown"}") has prevented the request from succeeding'
    return f"the server responded with the status code {answer.status} but did not return more information"
