"""The review that somebody answers, as a client written in Go reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.api import Kind
from windlass.apiserver.decode import DecodeError, builtin_types, decode_review, read
from windlass.apiserver.go_json import NotJsonError, parse
from windlass.apiserver.outside.network import Unreachable
from windlass.schema import quoted

if TYPE_CHECKING:
    from windlass.apiserver.outside.network import Answer

_SUCCESS: Final = range(200, 207)
_FAULT_OF_SERVER: Final = 500
_LONGEST: Final = 2048
_STATUS: Final = Kind("", "v1", "Status", "", namespaced=False)
_SAID: Final = {
    400: "the server rejected our request for an unknown reason",
    401: "the server has asked for the client to provide credentials",
    404: "the server could not find the requested resource",
    405: "the server does not allow this method on the requested resource",
    409: "the server reported a conflict",
    422: "the server rejected our request due to an error in our request",
    429: "the server has received too many requests and has asked us to try again later",
    503: "the server is currently unable to handle the request",
    504: "the server was unable to return a response in the time allotted, "
    "but may still be processing the request",
}
_UNACCEPTABLE: Final = "the server was unable to respond with a content type that the client supports"
_UNKNOWN: Final = "unknown"


def read_review(answer: Answer, kind: Kind) -> dict[str, Any]:
    """The review of a kind that somebody answered.

    Raises:
        Unreachable: it is an error, or no such review.
    """
    if answer.status not in _SUCCESS:
        said = _said_by_status(answer.body)
        raise Unreachable(_generic(answer) if said is None else said)
    if not answer.body:
        what = f"status code: {answer.status} and content type: {answer.content_type}"
        raise Unreachable(f"0-length response with {what}")
    try:
        return decode_review(answer.body, kind)
    except DecodeError as error:
        raise Unreachable(str(error)) from error


def _said_by_status(body: bytes) -> str | None:
    """What a failure says of itself that is a Status; it need not even say that it is one."""
    try:
        document = parse(body)
    except NotJsonError:
        return None
    if not isinstance(document, dict) or document.get("status") != "Failure":
        return None
    if (document.get("kind") or "Status", document.get("apiVersion") or "v1") != ("Status", "v1"):
        return None
    try:
        return str(read(document, _STATUS, builtin_types())[0].get("message", ""))
    except DecodeError:
        return None


def _generic(answer: Answer) -> str:
    """What is said of a failure that does not explain itself; only of a text is it known what it says."""
    is_text = not answer.content_type or answer.content_type.startswith("text/")
    said = answer.body[:_LONGEST].decode(errors="replace").strip() if is_text else _UNKNOWN
    match answer.status:
        case 403 | 415:
            return said
        case 406:
            return _UNACCEPTABLE if said in ("", _UNKNOWN) else said
        case code if code in _SAID:
            return _SAID[code]
        case code if code >= _FAULT_OF_SERVER:
            return f"an error on the server ({quoted(said)}) has prevented the request from succeeding"
        case code:
            return f"the server responded with the status code {code} but did not return more information"
