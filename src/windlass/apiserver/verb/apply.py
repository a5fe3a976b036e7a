"""Server-side apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver import admission
from windlass.apiserver.decode import DecodeError
from windlass.apiserver.refusal import Refusal, Unconvertible
from windlass.apiserver.verb.answer import answer_object
from windlass.apiserver.verb.configuration import read_config
from windlass.apiserver.verb.create import insert
from windlass.apiserver.verb.identity import check_identity
from windlass.apiserver.verb.manage import applied_config
from windlass.apiserver.verb.update import change, version_number
from windlass.schema import alike

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.verb.configuration import Config
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.options import WriteOptions

Object = dict[str, Any]


async def apply(operation: Operation, options: WriteOptions) -> Reply:
    """Make an object what a configuration says, as far as it is the applier's; create it if there is none."""
    resource, route = operation.resource, operation.route
    record = resource.collection.get(operation.key)
    if record is None and route.subresource and not resource.traits.upserts:
        raise resource.not_found(route.name)
    old = None if record is None else resource.object(record)
    base = None if record is None else resource.object(record)  # its parts become parts of the outcome
    obj = configured(operation, base, read_config(operation), options)
    admission.mutate(operation, obj, old)
    if record is None or old is None:
        version_number(obj)
        obj["metadata"].pop("resourceVersion", None)
        return answer_object(operation, insert(operation, obj, options), 201)
    return answer_object(operation, change(operation, record, old, obj, options))


def configured(operation: Operation, old: Object | None, config: Config, options: WriteOptions) -> Object:
    """What a configuration makes of an object, or of none, read as an object of its kind.

    Raises:
        Refusal: 409 or 500, as `applied_config`; 400, the configuration repeats itself, or the outcome is
            another object than the path names; 409, it is meant for one that does not exist; 500, the outcome
            is no object of its kind.
    """
    resource = operation.resource
    obj = applied_config(operation, old, config.object, options)
    metadata = obj.get("metadata") or {}
    managed = metadata.pop("managedFields", None)
    try:
        still = resource.custom and _is_still(obj, old)
        settled = obj if still else resource.traits.applied(resource, obj)
    except DecodeError as error:
        why = f"failed to convert new object ({config.subject}) to proper version: {error}"
        raise Refusal(500, why, "") from error
    except Unconvertible as error:
        why = f"failed to convert to unversioned ({config.subject}): {error.why}"
        raise Refusal(500, why, "") from error
    config.judge(operation.call, options.validation)
    uid = (settled.get("metadata") or {}).get("uid")
    if old is None and uid:
        why = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        raise resource.conflict(operation.route.name, why)
    check_identity(operation, settled)
    if managed:
        settled["metadata"]["managedFields"] = managed
    return settled


def _is_still(obj: Object, old: Object | None) -> bool:
    """Whether an object, which has no managers, is as it was: then the server gives it no defaults either.

    Those of its version may be missing in what is stored in another.
    """
    if old is None:
        return False
    metadata = {name: value for name, value in old["metadata"].items() if name != "managedFields"}
    return alike({**old, "metadata": metadata}, obj)
