"""Who manages which fields: where writes meet `windlass.schema.ownership`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.refusal import Refusal
from windlass.schema.ownership import OwnershipConflict, Unfit, Writer, applied, updated

if TYPE_CHECKING:
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.options import WriteOptions

Object = dict[str, Any]


def manage_create(operation: Operation, obj: Object, options: WriteOptions) -> None:
    """Credit whoever creates an object with its fields."""
    if _is_of_the_kind(operation, obj):
        updated(None, obj, _writer(operation, options), operation.resource.rules(""))


def manage_update(operation: Operation, old: Object, obj: Object, options: WriteOptions) -> None:
    """Credit whoever changes an object with what they change."""
    if _is_of_the_kind(operation, obj):
        rules = operation.resource.rules(operation.route.subresource)
        updated(old, obj, _writer(operation, options), rules)


def _is_of_the_kind(operation: Operation, obj: Object) -> bool:
    """Whether an object does not claim to be something else, which nobody is to own."""
    kind = operation.resource.kind
    if (obj.get("kind"), obj.get("apiVersion")) == (kind.name, kind.api_version):
        return True
    obj["metadata"].pop("managedFields", None)
    return False


def applied_config(operation: Operation, old: Object | None, config: Object, options: WriteOptions) -> Object:
    """The object that a configuration makes of another, or of none.

    Raises:
        Refusal: 409, fields of other managers would change; 500, the configuration does not fit its schema.
    """
    resource, route = operation.resource, operation.route
    try:
        obj = applied(
            old, config, _writer(operation, options), resource.rules(route.subresource), force=options.force
        )
    except OwnershipConflict as conflict:
        raise Refusal(409, str(conflict), details={"causes": conflict.causes}) from conflict
    except Unfit as unfit:
        raise Refusal(500, str(unfit), "") from unfit
    return obj


def _writer(operation: Operation, options: WriteOptions) -> Writer:
    return Writer(
        options.manager,
        operation.world.now(),
        operation.resource.kind.api_version,
        operation.route.subresource,
    )
