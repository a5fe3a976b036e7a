"""The version at which a collection is read: resourceVersion, resourceVersionMatch, limit and continue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from windlass.apiserver.number import parse_unsigned
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.continuation import read_token
from windlass.schema import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.exchange import Query

_MATCH: Final = "resourceVersionMatch"
_ANY: Final = "0"


@dataclass(frozen=True, slots=True)
class At:
    """Where a list is to be read: from which key on, how much of it, and as it was at which revision.

    `start` is given where a list goes on, by its key below what is listed.
    `revision` is exact, `None` the newest state, which must not be older than `at_least`.
    """

    revision: int | None = None
    at_least: int = 0
    start: str | None = None
    limit: int = 0


def at_of_list(query: Query, *, paged: bool, cached: bool) -> At:
    """What a list asks for, whose options have been checked.

    Who takes any state of what is `cached` is given the whole of it at once. Where a collection is `paged`, a
    version is exact even without a limit.

    Raises:
        Refusal: 400, a version or the place to go on from cannot be read.
    """
    limit = max(query.number("limit") or 0, 0)
    token, text = query.text("continue"), query.text("resourceVersion")
    if cached and text == _ANY:
        limit = 0
    if token:
        return _continued(token, text, limit)
    revision = parse_version(text)
    match = query.text(_MATCH)
    if match == "Exact" or ((limit or paged) and revision and not match):
        return At(revision=revision, limit=limit)
    return At(at_least=revision, limit=limit)


def check_options(query: Query, *, watching: bool) -> None:
    """Refuse options of a list or a watch that do not go together.

    Raises:
        Refusal: 422.
    """
    faults = list(_watch_faults(query) if watching else _list_faults(query))
    if faults:
        raise Refusal.invalid("meta.k8s.io", "ListOptions", "", faults)


def parse_version(text: str) -> int:
    """A resource version as a number; an empty one is zero.

    Raises:
        Refusal: 400.
    """
    if not text:
        return 0
    try:
        return parse_unsigned(text)
    except ValueError as error:
        fault = Fault.invalid("resourceVersion", text, str(error))
        raise Refusal.bad_request(f"invalid resource version: {fault}") from error


def too_large(revision: int, newest: int, *, cached: bool) -> Refusal:
    """504: the version is still to come; where a cache may only be late, one may ask again."""
    cause = {"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}
    message = f"Timeout: Too large resource version: {revision}, current: {newest}"
    if not cached:
        return Refusal(504, message, details={"causes": [cause]})
    details = {"causes": [cause], "retryAfterSeconds": 1}
    return Refusal(504, message, details=details)


def _continued(token: str, version: str, limit: int) -> At:
    if version and version != _ANY:
        raise Refusal.bad_request("specifying resource version is not allowed when using continue")
    revision, start = read_token(token)
    return At(revision=revision if revision > 0 else None, start=start, limit=limit)


def _list_faults(query: Query) -> Iterator[Fault]:
    match, version = query.text(_MATCH), query.text("resourceVersion")
    if match and not version:
        yield Fault.forbidden(_MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided")
    if match and query.text("continue"):
        yield Fault.forbidden(_MATCH, "resourceVersionMatch is forbidden when continue is provided")
    if match not in ("", "Exact", "NotOlderThan"):
        yield Fault.not_supported(_MATCH, match, ("Exact", "NotOlderThan", ""))
    if match == "Exact" and version == "0":
        yield Fault.forbidden(_MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
    if "sendInitialEvents" in query:
        yield Fault.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list")


def begins_with_all(query: Query) -> bool:
    """Whether a watch begins with what exists: it says so, or names no version and nothing else."""
    if "sendInitialEvents" in query:
        return query.flag("sendInitialEvents")
    return not query.text(_MATCH) and query.text("resourceVersion") in ("", _ANY)


def _watch_faults(query: Query) -> Iterator[Fault]:
    match, told = query.text(_MATCH), "sendInitialEvents" in query
    if not told and begins_with_all(query):
        match, told = "NotOlderThan", True
    if told and match != "NotOlderThan":
        yield Fault.forbidden(
            _MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
        )
    if match and not told:
        yield Fault.forbidden(
            _MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"
        )
    if match not in ("", "NotOlderThan"):
        yield Fault.not_supported(_MATCH, match, ("NotOlderThan",))
    if match and query.text("continue"):
        yield Fault.forbidden(_MATCH, "resourceVersionMatch is forbidden when continue is provided")
