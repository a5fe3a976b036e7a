"""Server-side apply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver import admission
from windlass.apiserver.decode import DecodeError
from windlass.apiserver.decode.yaml_text import parse_yaml
from windlass.apiserver.patch import Patched
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.answer import answer_object
from windlass.apiserver.verb.create import insert, place
from windlass.apiserver.verb.identity import check_identity
from windlass.apiserver.verb.manage import applied_config
from windlass.apiserver.verb.update import change

if TYPE_CHECKING:
    from windlass.apiserver.exchange import Reply
    from windlass.apiserver.verb.operation import Operation
    from windlass.apiserver.verb.options import WriteOptions

Object = dict[str, Any]


async def apply(operation: Operation, options: WriteOptions) -> Reply:
    """Make an object what a configuration says, as far as it is the applier's; create it if there is none."""
    resource, route = operation.resource, operation.route
    record = resource.collection.get(operation.key)
    if record is None and route.subresource:
        raise resource.not_found(route.name)
    old = None if record is None else resource.object(record)
    base = None if record is None else resource.object(record)  # its parts become parts of the outcome
    obj = configured(operation, base, read_config(operation, options), options)
    uid = obj["metadata"].get("uid")
    if record is None and uid:
        why = f"uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        raise resource.conflict(route.name, why)
    admission.mutate(operation, obj, old)
    if record is None or old is None:
        obj["metadata"].pop("resourceVersion", None)
        place(operation, obj)
        return answer_object(operation, insert(operation, obj, options), 201)
    return answer_object(operation, change(operation, record, old, obj, options))


def configured(operation: Operation, old: Object | None, config: Object, options: WriteOptions) -> Object:
    """What a configuration makes of an object, or of none, read as an object of its kind.

    Raises:
        Refusal: 409 or 500, as `applied_config`; 400 or 422, the outcome cannot be read, or is another object
            than the path names.
    """
    resource = operation.resource
    obj = applied_config(operation, old, config, options)
    managed = obj.get("metadata", {}).pop("managedFields", None)
    settled = resource.traits.applied(resource, Patched(obj), operation.call, options.validation)
    check_identity(operation, settled)
    if managed:
        settled["metadata"]["managedFields"] = managed
    return settled


def read_config(operation: Operation, options: WriteOptions) -> Object:
    """The configuration of an apply.

    Raises:
        Refusal: 400, it cannot be read or is not meant for this resource.
    """
    config = _parsed(operation, options)
    kind = operation.resource.kind
    claimed = (config.get("apiVersion", ""), config.get("kind", ""))
    if claimed != (kind.api_version, kind.name):
        group, _, version = str(claimed[0]).rpartition("/")
        raise Refusal.bad_request(f"invalid object type: {group}/{version}, Kind={claimed[1]}")
    metadata = config.get("metadata")
    if isinstance(metadata, dict) and metadata.pop("managedFields", None) is not None:
        raise Refusal.bad_request("metadata.managedFields must be nil")
    return config


def _parsed(operation: Operation, options: WriteOptions) -> Object:
    call = operation.call
    try:
        value, repeated = parse_yaml(call.body)
    except DecodeError as error:
        raise Refusal.bad_request(f"error decoding YAML: error converting YAML to JSON: {error}") from error
    if value is None:
        value = {}
    if not isinstance(value, dict):
        named = {list: "array", str: "string", bool: "bool"}.get(type(value), "number")
        raise Refusal.bad_request(
            "error decoding YAML: error unmarshaling JSON: while decoding JSON: "
            f"json: cannot unmarshal {named} into Go value of type map[string]interface {{}}"
        )
    if repeated and options.validation == "Strict":
        listed = "\n".join(f"  {each}" for each in repeated)
        raise Refusal.bad_request(
            f"error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n{listed}"
        )
    if options.validation == "Warn":
        for text in repeated:
            call.warn(text)
    return value
