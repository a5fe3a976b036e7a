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
    obj = configured(operation, base, read_config(operation), options)
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


def configured(operation: Operation, old: Object | None, config: Config, options: WriteOptions) -> Object:
    """What a configuration makes of an object, or of none, read as an object of its kind.

    Raises:
        Refusal: 409 or 500, as `applied_config`; 400, the configuration repeats itself, or the outcome is
            another object than the path names; 500, the outcome is no object of its kind.
    """
    resource = operation.resource
    obj = applied_config(operation, old, config.object, options)
    metadata = obj.get("metadata") or {}
    managed = metadata.pop("managedFields", None)
    try:
        settled = resource.traits.applied(resource, obj)
    except DecodeError as error:
        why = f"failed to convert new object ({config.subject}) to proper version: {error}"
        raise Refusal(500, why, "") from error
    config.judge(operation.call, options.validation)
    check_identity(operation, settled)
    if managed:
        settled["metadata"]["managedFields"] = managed
    return settled


@dataclass(frozen=True, slots=True)
class Config:
    """The configuration of an apply, and what it says twice."""

    object: Object
    repeated: Sequence[str] = ()

    @property
    def subject(self) -> str:
        """What it is about, as the server says it."""
        return named(self.object)

    def judge(self, call: Call, validation: str) -> None:
        """Refuse or warn of what it says twice.

        Raises:
            Refusal: 400.
        """
        if self.repeated and validation == "Strict":
            listed = "\n".join(f"  {each}" for each in self.repeated)
            raise Refusal.bad_request(
                "error strict decoding YAML: error converting YAML to JSON: "
                f"yaml: unmarshal errors:\n{listed}"
            )
        if validation == "Warn":
            for text in self.repeated:
                call.warn(text)


def read_config(operation: Operation) -> Config:
    """The configuration of an apply.

    Raises:
        Refusal: 400, it cannot be read or is not meant for this resource.
    """
    config = _parsed(operation.call)
    kind = operation.resource.kind
    version, name = (_text(config.object.get(field)) for field in ("apiVersion", "kind"))
    if (version, name) != (kind.api_version, kind.name):
        group, _, version = version.rpartition("/")
        raise Refusal.bad_request(f"invalid object type: {group}/{version}, Kind={name}")
    metadata = config.object.get("metadata")
    if isinstance(metadata, dict) and metadata.pop("managedFields", None) is not None:
        raise Refusal.bad_request("metadata.managedFields must be nil")
    return config


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _parsed(call: Call) -> Config:
    try:
        value, repeated = parse_yaml(call.body)
    except DecodeError as error:
        raise Refusal.bad_request(f"error decoding YAML: error converting YAML to JSON: {error}") from error
    if value is None:
        value = {}
    if not isinstance(value, dict):
        sort = {list: "array", str: "string", bool: "bool"}.get(type(value), "number")
        raise Refusal.bad_request(
            "error decoding YAML: error unmarshaling JSON: while decoding JSON: "
            f"json: cannot unmarshal {sort} into Go value of type map[string]interface {{}}"
        )
    return Config(value, repeated)
