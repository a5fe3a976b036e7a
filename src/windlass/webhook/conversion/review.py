"""The documents that the API server and a converter exchange."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.controller import error_message, plain_message
from windlass.errors import ConversionError, UndecodableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from windlass.api import Json

_log: Final = logging.getLogger("windlass.webhook")


def answer_conversion(convert: Callable[[Json, str], Json], body: bytes) -> bytes:
    """The ConversionReview that answers another one: all objects converted, in order, or why one was not.

    Raises:
        UndecodableError: the body is no ConversionReview.
    """
    review = _read(body)
    request: Json = review["request"]
    response: Json = {"uid": request.get("uid", "")}
    try:
        wanted = request.get("desiredAPIVersion", "")
        response["convertedObjects"] = [_converted(convert, obj, wanted) for obj in request["objects"]]
        response["result"] = {"status": "Success"}
    except ConversionError as error:
        response["convertedObjects"] = []
        response["result"] = {"status": "Failure", "message": str(error)}
    return orjson.dumps({"apiVersion": review["apiVersion"], "kind": review["kind"], "response": response})


def _converted(convert: Callable[[Json, str], Json], obj: Json, wanted: str) -> Json:
    try:
        return convert(obj, wanted)
    except (ConversionError, UndecodableError, ValueError) as error:
        raise ConversionError(
            f"{named(obj)} cannot be converted to {wanted}: {error_message(error)}"
        ) from error
    except Exception as error:
        # A fault of the function: whoever asked learns which object it is, and its author where it happened.
        _log.exception("%s cannot be converted to %s", named(obj), wanted)
        text = plain_message(f"{type(error).__name__}: {error}")
        message = f"{named(obj)} cannot be converted to {wanted}: {text}"
        raise ConversionError(message) from error


def _read(body: bytes) -> Json:
    try:
        review: Any = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise UndecodableError(f"a review is JSON, and this is not: {error}") from error
    if not isinstance(review, dict) or review.get("kind") != "ConversionReview":
        kind = review.get("kind") if isinstance(review, dict) else type(review).__name__
        raise UndecodableError(f"a {kind} is no ConversionReview")
    request = review.get("request")
    objects = request.get("objects") if isinstance(request, dict) else None
    if not isinstance(objects, list) or not all(isinstance(each, dict) for each in objects):
        raise UndecodableError("a ConversionReview has a `request` with `objects`, and this has none")
    found: Json = review
    return found


def named(obj: Json) -> str:
    """What messages call an object."""
    metadata = obj.get("metadata") or {}
    name = "/".join(filter(None, (metadata.get("namespace"), metadata.get("name"))))
    return f"{obj.get('kind')} {name} of {obj.get('apiVersion')}"
