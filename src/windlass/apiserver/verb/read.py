"""get and list."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Outdated, Refusal
from windlass.apiserver.store import Expired
from windlass.apiserver.verb.answer import answer_list, answer_record
from windlass.apiserver.verb.continuation import continue_token
from windlass.apiserver.verb.select import selection
from windlass.apiserver.verb.version import at_of_list, parse_version, too_large

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.store import Record
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.select import Selection
    from windlass.apiserver.verb.version import At

_EVENTS: Final = "events"


def get(operation: Operation) -> Reply:
    """The newest state of an object, which must not be older than the version that was asked for."""
    check_version(operation)
    return answer_record(operation, operation.record())


def check_version(operation: Operation) -> None:
    """Refuse to read what is not there yet.

    Raises:
        Refusal: 504, the version that was asked for is in the future; 500, it is none.
    """
    version = operation.call.query.text("resourceVersion")
    if version:
        try:
            wanted = parse_version(version)
        except Refusal as refusal:
            raise Refusal(500, refusal.message.removeprefix("invalid resource version: "), "") from refusal
        newest = operation.world.store.revision
        if wanted > newest:
            raise too_large(wanted, newest, cached=_is_cached(operation))


def list_objects(operation: Operation) -> Reply:
    """The objects of a collection, or of a namespace of it, that the selectors choose."""
    return answer_list(operation, *listed(operation, selection(operation)))


def listed(
    operation: Operation, chosen: Selection, *, paged: bool = False
) -> tuple[list[Record], dict[str, Any]]:
    """What a request lists of the objects that are chosen, and the metadata of that list.

    With `paged`, a version is meant exactly even without a limit, as by one who reads page by page.

    Raises:
        Refusal: 400, 410 or 504, there is no such version to list.
    """
    at = at_of_list(operation.call.query, paged=paged, cached=_is_cached(operation))
    newest = operation.world.store.revision
    wanted = at.at_least or at.revision or 0
    if wanted > newest:
        raise too_large(wanted, newest, cached=_is_cached(operation))
    if operation.past is not None:
        at = replace(at, revision=operation.past)
    try:
        records, revision, left = _records(operation, chosen, at)
    except Expired as error:
        raise _expired(at) from error
    meta = list_metadata(operation, chosen, revision)
    if left:
        last = records[-1].key.removeprefix(_place(operation))
        meta["continue"] = continue_token(revision, last + "\0")
        if not chosen.by_content:
            meta["remainingItemCount"] = left
    return records, meta


def list_metadata(operation: Operation, chosen: Selection, revision: int) -> dict[str, Any]:
    """The metadata of a whole list; one of custom resources does not tell of which shard it is."""
    meta: dict[str, Any] = {"resourceVersion": str(revision)}
    if operation.form.conversion:
        return meta
    if operation.resource.custom:
        meta["continue"] = ""
    elif chosen.shard is not None:
        meta["shardInfo"] = {"selector": chosen.shard.text}
    return meta


def prefix_of(operation: Operation, chosen: Selection) -> str:
    """How the keys of all objects begin that can be meant: a selected name spares to look at others."""
    namespaced, namespace = operation.resource.kind.namespaced, operation.route.namespace
    if not namespaced:
        return chosen.name
    return f"{namespace}/{chosen.name}" if namespace else ""


def _is_cached(operation: Operation) -> bool:
    """Whether the real server keeps the objects in memory."""
    return operation.resource.custom or operation.resource.kind.plural != _EVENTS


def _records(operation: Operation, chosen: Selection, at: At) -> tuple[list[Record], int, int]:
    resource, prefix = operation.resource, prefix_of(operation, chosen)
    start = _place(operation) + (at.start or "")
    page = resource.collection.page(prefix, start, 0 if chosen else at.limit, at.revision)
    resource.traits.prepare_reading(resource, page.records)
    if not chosen:
        return list(page.records), page.revision, page.left
    found: list[Record] = []
    for index, record in enumerate(page.records):
        if chosen.matches(resource.object(record)):
            found.append(record)
        if at.limit and len(found) == at.limit:
            # What is told to be left are objects of all shards, as the real server has it.
            left = len(page.records) - at.limit if index + 1 < len(page.records) else 0
            return found, page.revision, left
    return found, page.revision, 0


def _place(operation: Operation) -> str:
    """How the keys of all objects begin that are listed, whichever are chosen."""
    namespace = operation.route.namespace
    return f"{namespace}/" if namespace and operation.resource.kind.namespaced else ""


def _expired(at: At) -> Refusal:
    if at.start is not None:
        return Outdated(continue_token(-1, at.start))
    return Refusal(410, "The resourceVersion for the provided list is too old.")
