"""create."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver import admission
from windlass.apiserver.number import parse_unsigned
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.store import UNSETTLED, Record
from windlass.apiserver.verb.answer import answer_object
from windlass.apiserver.verb.identity import place
from windlass.apiserver.verb.manage import manage_create
from windlass.apiserver.verb.options import write_options

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.resource import Resource
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.options import WriteOptions

Object = dict[str, Any]

_LONGEST_GENERATED: Final = 63
_SUFFIX: Final = 5
_NAMES_TRIED: Final = 8
_NOT_OF_CLIENTS: Final = (
    *("uid", "creationTimestamp", "selfLink"),
    *("deletionTimestamp", "deletionGracePeriodSeconds"),
)
"""What a create may not set. An update or an apply that creates may."""


async def create(operation: Operation) -> Reply:
    """Store a new object."""
    resource, call = operation.resource, operation.call
    options = write_options(call, "CreateOptions")
    obj = resource.traits.decode(resource, call.body, call, options.validation)
    place(operation, obj)
    for name in _NOT_OF_CLIENTS:
        obj["metadata"].pop(name, None)
    admission.drop_repeated_owners(operation, obj)
    manage_create(operation, obj, options)
    admission.mutate(operation, obj, None)
    name_generated(operation, obj)
    return answer_object(operation, insert(operation, obj, options), 201)


def name_generated(operation: Operation, obj: Object) -> None:
    """Complete a generateName where there is no name; one that is taken is tried again a few times."""
    meta, resource = obj["metadata"], operation.resource
    prefix = meta.get("generateName")
    if not prefix or meta.get("name"):
        return
    for _ in range(_NAMES_TRIED):
        meta["name"] = prefix[: _LONGEST_GENERATED - _SUFFIX] + operation.world.suffix()
        if resource.collection.get(resource.key(meta.get("namespace", ""), meta["name"])) is None:
            return


def insert(operation: Operation, obj: Object, options: WriteOptions) -> Object:
    """Complete, check and store a new object whose managers are known.

    Raises:
        Refusal: it is invalid, or there is one of its name.
    """
    resource, world = operation.resource, operation.world
    meta = obj["metadata"]
    version = meta.pop("resourceVersion", "")
    meta["uid"] = world.uid()
    meta["creationTimestamp"] = world.now()
    resource.traits.rewrite(obj)
    if not operation.route.subresource:
        resource.traits.begin(obj, None, world, dry_run=options.dry_run)
    if resource.traits.generation:
        meta["generation"] = 1
    resource.traits.prepare_create(obj, world)
    check(operation, obj, None)
    unsettled = resource.traits.settle(obj)
    if operation.route.verb != "create":
        operation.gate.admit_creation(operation.call, operation.route)
    admission.validate(operation, obj, None)
    shown = as_if_stored(resource, obj)  # everybody who has to be asked has been, before anything is written
    admission.charge(operation, obj, None, dry_run=options.dry_run)
    if version and _is_version(version):
        raise Refusal(500, "resourceVersion should not be set on objects to be created", "")
    key = resource.key(meta.get("namespace", ""), meta["name"])
    existing = resource.collection.get(key)
    if existing is not None:
        raise _exists(operation, obj, existing.object())
    if version and operation.route.verb == "create":
        shown["metadata"]["resourceVersion"] = version
    if not options.dry_run:
        for each in (obj, shown):  # nobody looks at it before it would be stored
            each["metadata"].pop("selfLink", None)
        record = resource.collection.put(key, resource.traits.to_storage(resource, obj), None)
        if unsettled or resource.traits.differs_always(obj):
            record.canon = UNSETTLED
        shown["metadata"]["resourceVersion"] = str(record.revision)
        resource.traits.stored(obj, world)
    return shown


def _is_version(text: str) -> bool:
    """Whether a text is the version of some object; what is none is overlooked."""
    try:
        return parse_unsigned(text) > 0
    except ValueError:
        return False


def as_if_stored(resource: Resource, obj: Object, *, moved: bool = False) -> Object:
    """An object as it would be read again: without what another version that it would be stored in lacks.

    One that `moved` was stored in another version so far, and gets defaults that it did not have there.
    """
    if resource.stored_as == resource.kind.api_version and not moved:
        return resource.traits.read_again(obj)
    version = obj["metadata"].get("resourceVersion")
    stored = resource.traits.to_storage(resource, {**obj, "metadata": {**obj["metadata"]}})
    shown = resource.object(Record.of("", 0, stored))
    shown["metadata"].pop("resourceVersion")
    if version is not None:
        shown["metadata"]["resourceVersion"] = version
    return shown


def check(operation: Operation, obj: Object, old: Object | None, subresource: str = "") -> None:
    """Refuse what is invalid, and warn of what is doubtful.

    Raises:
        Refusal: 422.
    """
    resource = operation.resource
    faults = list(resource.traits.validate(obj, old, subresource))
    for text in resource.traits.excuses(obj, old, faults) if old is not None else ():
        operation.call.warn(text)
    if faults:
        kind = resource.kind
        group, name = resource.traits.fault_group, kind.name
        group = kind.group if group is None else group
        if resource.custom:  # the server takes its word for what it is
            group, name = obj["apiVersion"].rpartition("/")[0], obj["kind"]
        raise Refusal.invalid(group, name, obj["metadata"].get("name", ""), faults)
    if subresource:
        resource.traits.permit_part(subresource, obj, old, operation.world)
        return
    resource.traits.permit(obj, old, operation.world)
    for text in resource.traits.warnings(obj, old):
        operation.call.warn(text)


def _exists(operation: Operation, obj: Object, existing: Object) -> Refusal:
    kind, meta = operation.resource.kind, obj["metadata"]
    refusal = Refusal.already_exists(kind.group, kind.plural, meta["name"])
    message, details = refusal.message, refusal.details or {}
    if meta.get("generateName") and not operation.route.name:
        message += ", the server was not able to generate a unique name for the object"
        details = {**details, "retryAfterSeconds": 1}
    if existing["metadata"].get("deletionTimestamp"):
        message = f"object is being deleted: {message}"
    return Refusal(409, message, refusal.reason, details)
