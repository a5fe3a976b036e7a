"""update, and what every change of a stored object goes through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from windlass.apiserver import admission
from windlass.apiserver.number import parse_unsigned
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.store import UNSETTLED
from windlass.apiserver.traits import keep
from windlass.apiserver.verb.answer import answer_object
from windlass.apiserver.verb.create import as_if_stored, check, insert
from windlass.apiserver.verb.identity import check_identity
from windlass.apiserver.verb.manage import manage_create, manage_update
from windlass.apiserver.verb.options import write_options
from windlass.schema import Fault, alike
from windlass.schema.ownership import keep_times

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.store import Record
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.options import WriteOptions

Object = dict[str, Any]

_FOLDERS: Final = {
    "/endpoints": "services/endpoints",
    "/nodes": "minions",
    "/replicationcontrollers": "controllers",
    "/services": "services/specs",
    "networking.k8s.io/ingresses": "ingress",
}
"""Where the real server keeps what it does not keep under its own name: some messages tell."""

_HEADER: Final = ("kind", "apiVersion")
MODIFIED: Final = (
    "the object has been modified; please apply your changes to the latest version and try again"
)


async def update(operation: Operation) -> Reply:
    """Replace an object, or the part of it that a subresource is."""
    resource, route = operation.resource, operation.route
    options = write_options(operation.call, "UpdateOptions")
    obj = replacement(operation, options)
    record = resource.collection.get(operation.key)
    if record is None:
        if not resource.traits.upserts:
            raise resource.not_found(route.name)
        version_number(obj)
        admission.drop_repeated_owners(operation, obj)
        manage_create(operation, obj, options)
        admission.mutate(operation, obj, None)
        return answer_object(operation, insert(operation, obj, options), 201)
    old = resource.object(record)
    check_uid(operation, obj, old)
    admission.drop_repeated_owners(operation, obj)
    manage_update(operation, old, obj, options)
    admission.mutate(operation, obj, old)
    return answer_object(operation, change(operation, record, old, obj, options))


def replacement(operation: Operation, options: WriteOptions) -> Object:
    """The object that a request puts in the place of another.

    Raises:
        Refusal: 400, it cannot be read or does not belong to the path.
    """
    resource, call = operation.resource, operation.call
    obj = resource.traits.decode(resource, call.body, call, options.validation)
    check_identity(operation, obj)
    return obj


def check_uid(operation: Operation, obj: Object, old: Object) -> None:
    """Refuse what is meant for another object of the same name.

    Raises:
        Refusal: 409.
    """
    expected, found = obj["metadata"].get("uid"), old["metadata"].get("uid", "")
    if expected and expected != found:
        raise unmet(operation, "UID", expected, found)


def unmet(operation: Operation, what: str, expected: str, found: str) -> Refusal:
    """409: the stored object is not the one, or not the version of it, that a request demands."""
    resource = operation.resource
    group, plural = resource.kind.group, resource.kind.plural
    folder = f"{group}/{plural}" if resource.custom else _FOLDERS.get(f"{group}/{plural}", plural)
    root = "" if operation.call.query.texts("dryRun") else "/registry"
    key = f"{root}/{folder}/{operation.key}"
    return resource.conflict(
        operation.route.name,
        f"StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: "
        f"Precondition failed: {what} in precondition: {expected}, {what} in object meta: {found}",
    )


def change(operation: Operation, record: Record, old: Object, obj: Object, options: WriteOptions) -> Object:
    """Complete, check and store the new state of an object whose managers are known.

    A change that changes nothing is not stored. An object that only waited for its last finalizer is gone.

    Raises:
        Refusal: it is invalid, or was meant for another version.
    """
    _check_version(operation, obj, old)
    operation.resource.traits.rewrite(obj)
    if not operation.route.subresource:
        operation.resource.traits.begin(obj, old, operation.world, dry_run=options.dry_run)
    complete(operation, obj, old)
    check(operation, obj, old, operation.route.subresource)
    operation.resource.traits.settle(obj)
    admission.validate(operation, obj, old)
    resource = operation.resource
    moved = resource.custom and record.version != resource.stored_as
    shown = as_if_stored(resource, obj, moved=moved)  # whoever has to be asked has been, before it is written
    admission.charge(operation, obj, old, dry_run=options.dry_run)
    if options.dry_run:
        return shown
    for each in (obj, shown):  # nobody looks at it before it would be stored
        each["metadata"].pop("selfLink", None)
    keep_times(old, obj)
    stored = resource.traits.to_storage(resource, obj)
    if resource.traits.freed(obj):
        resource.collection.delete(record.key, record)
        resource.traits.deleted(obj, operation.world)
        return obj
    unlike = resource.traits.differs_always(obj)
    if not unlike and not _differs(resource, shown, old) and _unchanged(resource, stored, record):
        return shown
    written = resource.collection.put(record.key, stored, record)
    if unlike:
        written.canon = UNSETTLED
    shown["metadata"]["resourceVersion"] = str(written.revision)
    resource.traits.stored(obj, operation.world)
    return shown


def complete(operation: Operation, obj: Object, old: Object) -> None:
    """Put back what no change may touch, and count the change."""
    traits, world = operation.resource.traits, operation.world
    meta, before = obj["metadata"], old["metadata"]
    keep(meta, before, "generation")
    if operation.route.subresource:
        traits.prepare_part(operation.route.subresource, obj, old, world)
    else:
        traits.prepare_update(obj, old, world)
    meta = obj["metadata"]
    meta.setdefault("uid", before.get("uid"))
    keep(meta, before, "creationTimestamp")
    if "deletionTimestamp" in before:
        meta["deletionTimestamp"] = before["deletionTimestamp"]
    if "deletionGracePeriodSeconds" in before:
        meta.setdefault("deletionGracePeriodSeconds", before["deletionGracePeriodSeconds"])
    if traits.generation and operation.route.subresource != "status" and traits.counts(obj, old):
        meta["generation"] = before.get("generation", 0) + 1


def _check_version(operation: Operation, obj: Object, old: Object) -> None:
    """An update that names a version must name the newest one; some kinds demand that it names one."""
    resource, newest = operation.resource, old["metadata"]["resourceVersion"]
    if obj["metadata"].get("resourceVersion") == newest:
        return
    number = version_number(obj)
    if number and number != int(newest):
        raise resource.conflict(operation.route.name, MODIFIED)
    if not number and not resource.traits.unconditional:
        fault = Fault.invalid("metadata.resourceVersion", 0, "must be specified for an update")
        raise Refusal.invalid(resource.kind.group, resource.kind.plural, operation.route.name, [fault])
    obj["metadata"]["resourceVersion"] = newest


def version_number(obj: Object) -> int:
    """The version that an object names as a number, zero for none.

    Raises:
        Refusal: 500, it is no number.
    """
    try:
        return parse_unsigned(obj["metadata"].get("resourceVersion") or "0")
    except ValueError as error:
        raise Refusal(500, str(error), "") from error


def _differs(resource: Resource, obj: Object, old: Object) -> bool:
    """Whether a change shows already in what was read before it; a change of what they share does not."""
    return resource.stored_as == resource.kind.api_version and any(
        obj.get(name) != value for name, value in old.items() if name not in _HEADER
    )


def _unchanged(resource: Resource, obj: Object, record: Record) -> bool:
    if record.canon is UNSETTLED:
        return False
    if resource.custom and record.version != resource.stored_as:
        return False  # it is stored in a version that is not written any more, which any write mends
    before = orjson.loads(record.body)
    if {**obj, "kind": None, "apiVersion": None} != {**before, "kind": None, "apiVersion": None}:
        return False
    # Python takes true for 1; only in a custom resource can the one become the other.
    return not resource.custom or all(alike(value, obj[name]) for name, value in before.items())
