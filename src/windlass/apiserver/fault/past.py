"""Reads that are answered by a replica that lags behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.apiserver.store import Expired
from windlass.apiserver.verb.version import parse_version

if TYPE_CHECKING:
    from windlass.apiserver.store import Collection
    from windlass.apiserver.verb.operation import Operation

_MANY: Final = 1000


class Replica:
    """What each connection has been told: it may lag behind the newest state, but never goes back."""

    def __init__(self) -> None:
        self._told: dict[object, int] = {}

    def lagging(self, operation: Operation, by: int) -> Operation:
        """A read as of some writes ago, as far as it may be."""
        newest = operation.world.store.revision
        connection = operation.call.connection
        revision = newest
        if by and _may_lag(operation):
            least = max(self._told.get(connection, 0), _asked(operation), newest - by)
            revision = _kept(operation.resource.collection, least)
        self._note(connection, revision)
        return operation._replace(past=revision) if revision < newest else operation

    def _note(self, connection: object, revision: int) -> None:
        self._told.pop(connection, None)  # those that were told something last are forgotten last
        self._told[connection] = revision
        if len(self._told) > _MANY:
            del self._told[next(iter(self._told))]


def _may_lag(operation: Operation) -> bool:
    """Whether a read leaves it to the server which state it shows."""
    query = operation.call.query
    version = query.text("resourceVersion")
    match operation.route.verb:
        case "list":
            exact = query.text("resourceVersionMatch") == "Exact" or bool(query.text("continue"))
            return not exact and not (query.text("limit") and version not in ("", "0"))
        case "watch":
            return query.flag("sendInitialEvents") or version in ("", "0")
        case verb:
            return verb == "get"


def _asked(operation: Operation) -> int:
    """The version that an answer must not be older than; what cannot be read is refused later."""
    text = operation.call.query.text("resourceVersion")
    return parse_version(text) if text.isdecimal() else 0


def _kept(collection: Collection, revision: int) -> int:
    """A revision, or the oldest after it that is still known."""
    try:
        collection.position(revision)
    except Expired as expired:
        return expired.oldest
    return revision
