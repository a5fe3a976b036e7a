"""delete: at once, after a grace period, or when the last finalizer is gone."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver import admission
from windlass.apiserver.number import seconds_of
from windlass.apiserver.outside import answered
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.answer import answer_list, answer_object, written
from windlass.apiserver.verb.delete_options import DeleteOptions, delete_options
from windlass.apiserver.verb.read import listed
from windlass.apiserver.verb.select import selection
from windlass.apiserver.verb.update import unmet
from windlass.apiserver.world import timestamp

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.store import Record
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_ORPHAN: Final = "orphan"
_FOREGROUND: Final = "foregroundDeletion"


async def delete(operation: Operation) -> Reply:
    """Delete an object."""
    options = _options(operation)
    _check_mortal(operation)
    record = operation.record()
    _admit(operation, record, options)
    last, gone = remove(operation, record, options)
    resource = operation.resource
    if gone and options.dry_run and "finalizers" in last["metadata"]:  # all that is left to show, it seems
        blank = {"kind": resource.kind.name, "apiVersion": resource.kind.api_version, **resource.traits.blank}
        return answer_object(operation, blank)
    if not gone or resource.traits.returns_deleted:
        status = 202 if not gone and options.cascades else 200
        return answer_object(operation, last, status)
    return written(operation.form, operation.call, _success(resource, last))


async def delete_collection(operation: Operation) -> Reply:
    """Delete every object that the selectors choose."""
    chosen = selection(operation)
    options = _options(operation)
    records, meta = listed(operation, chosen, paged=True)
    for record in records:
        await answered(operation, _removal(record, options))
    return answer_list(operation, records, meta)


def _removal(record: Record, options: DeleteOptions) -> Callable[[Operation], Awaitable[None]]:
    """The deletion of one of several objects, as far as it is still there."""

    async def removed(operation: Operation) -> None:
        newest = operation.resource.collection.get(record.key)
        if newest is not None:
            _admit(operation, newest, options)
            remove(operation, newest, options)

    return removed


def _options(operation: Operation) -> DeleteOptions:
    options = delete_options(operation.call)
    warning = operation.resource.traits.orphan_warning
    if warning and not options.policy:
        operation.call.warn(warning)
    return options


def _check_mortal(operation: Operation) -> None:
    """Refuse to delete what the kind itself keeps, whether it is there or not.

    Raises:
        Refusal: 403.
    """
    kind, name = operation.resource.kind, operation.route.name
    why = operation.resource.traits.immortal.get(name)
    if why:
        raise Refusal.forbidden(kind.group, kind.plural, name, why)


def _admit(operation: Operation, record: Record, options: DeleteOptions) -> None:
    """Refuse a deletion that somebody does not want.

    Raises:
        Refusal: 403, or what a webhook says; 409, a precondition does not hold.
    """
    admission.check_mortal(operation, record.name)
    if admission.is_reviewed(operation):
        resource = operation.resource
        obj = resource.object(record)
        options.check(resource, obj)
        grace = resource.traits.grace(obj, options.grace)
        if not _is_ending(obj, grace, options):
            admission.deleting(operation, obj, _reviewed(operation, obj, options, grace))


def _reviewed(operation: Operation, obj: Object, options: DeleteOptions, grace: int | None) -> Object:
    """The options of a deletion as others see them: with what the server makes of them, unless of several."""
    given = dict(options.given)
    if not operation.route.name:
        return given
    if grace is None or "deletionTimestamp" in obj["metadata"]:
        grace = options.grace
    if grace is not None:
        given["gracePeriodSeconds"] = grace
    kind = operation.resource.kind
    if (kind.group, kind.plural) == ("", "namespaces"):
        given["preconditions"] = {"uid": obj["metadata"]["uid"], **given.get("preconditions", {})}
    return given


def _is_ending(obj: Object, grace: int | None, options: DeleteOptions) -> bool:
    """Whether an object has already been given no more time than it would be given now."""
    if grace is None or "deletionTimestamp" not in obj["metadata"]:
        return False
    left = obj["metadata"].get("deletionGracePeriodSeconds")
    return bool(left) and (options.grace is None or options.grace >= left)


def remove(operation: Operation, record: Record, options: DeleteOptions) -> tuple[Object, bool]:
    """Delete an object as far as it can be now: its last state, and whether it is gone.

    Raises:
        Refusal: 409, a precondition does not hold.
    """
    resource, world = operation.resource, operation.world
    obj = resource.object(record)
    options.check(resource, obj)
    replaced = resource.traits.delete(obj, options, world)
    if replaced is not None:
        return _marked(operation, record, replaced, options), False
    grace = resource.traits.grace(obj, options.grace)
    if _is_ending(obj, grace, options):
        return obj, False
    if grace is not None and "deletionTimestamp" in obj["metadata"]:
        left = obj["metadata"].get("deletionGracePeriodSeconds")
        grace = options.grace if left else None  # what should have ended by now ends at once
    finalizers = _finalizers(resource, obj, options)
    graceful = grace is not None
    if graceful or finalizers:
        _mark(obj, grace, finalizers, world.clock.now())
        obj = _marked(operation, record, obj, options)
        if finalizers or grace:
            return obj, False
        if not options.dry_run and graceful:
            newest = resource.collection.get(record.key)
            assert newest is not None  # noqa: S101 - it was just stored
            record = newest
    if not options.dry_run:
        if obj["metadata"].get("finalizers"):
            _check_unmarked(operation, obj["metadata"], options)
        gone = resource.collection.delete(record.key, record)
        obj["metadata"]["resourceVersion"] = str(gone.revision)
        resource.traits.deleted(obj, world)
    return obj, True


def _check_unmarked(operation: Operation, meta: Object, options: DeleteOptions) -> None:
    """Refuse, as the real server does, to remove a version that was demanded along with its last finalizers.

    It looks for the version that it has stored on the way, which is none.

    Raises:
        Refusal: 409.
    """
    if options.version is not None:
        one = operation._replace(route=operation.route._replace(name=meta["name"]))
        raise unmet(one, "ResourceVersion", "", meta["resourceVersion"])


def _marked(operation: Operation, record: Record, obj: Object, options: DeleteOptions) -> Object:
    """Store the mark of a deletion, if it is one."""
    resource, world = operation.resource, operation.world
    if options.dry_run or resource.object(record) == obj:
        return obj
    written = resource.collection.put(record.key, resource.traits.to_storage(resource, obj), record)
    obj["metadata"]["resourceVersion"] = str(written.revision)
    resource.traits.stored(obj, world)
    return obj


def _mark(obj: Object, grace: int | None, finalizers: list[str], now: datetime) -> None:
    meta = obj["metadata"]
    seconds = grace or 0
    if finalizers:
        meta["finalizers"] = finalizers
    else:
        meta.pop("finalizers", None)
    if "deletionTimestamp" in meta:
        if grace is not None:
            asked = _moment(meta["deletionTimestamp"]) - seconds_of(meta["deletionGracePeriodSeconds"])
            ending = asked + seconds_of(seconds)
            if ending < now:  # it is asked to have ended already, but somebody must still see to that
                ending, seconds = now, min(seconds, 1)
            meta["deletionTimestamp"] = timestamp(ending)
            meta["deletionGracePeriodSeconds"] = seconds
        meta.setdefault("deletionGracePeriodSeconds", 0)  # the first deletion of a namespace says nothing
        return
    meta["deletionTimestamp"] = timestamp(now + seconds_of(seconds))
    meta["deletionGracePeriodSeconds"] = seconds
    if meta.get("generation"):
        meta["generation"] += 1


def _finalizers(resource: Resource, obj: Object, options: DeleteOptions) -> list[str]:
    """The finalizers of an object, of which the policy of a deletion adds or removes two."""
    present = obj["metadata"].get("finalizers", [])
    policy = options.policy
    if not policy:
        if _ORPHAN in present:
            policy = "Orphan"
        elif _FOREGROUND in present:
            policy = "Foreground"
        elif resource.traits.orphans:
            policy = "Orphan"
    wanted = [name for name in present if name not in (_ORPHAN, _FOREGROUND)]
    if not resource.traits.collected:
        pass  # it has no dependents to wait for
    elif policy == "Orphan":
        wanted.append(_ORPHAN)
    elif policy == "Foreground":
        wanted.append(_FOREGROUND)
    return present if set(wanted) == set(present) else wanted  # repetitions and their order stay


def _success(resource: Resource, obj: Object) -> Object:
    kind, meta = resource.kind, obj["metadata"]
    details = {"name": meta["name"], "group": kind.group, "kind": kind.plural, "uid": meta["uid"]}
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Success",
        "details": {key: value for key, value in details.items() if value},
    }


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
