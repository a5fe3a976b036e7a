"""The configuration that an apply sends: YAML, and so also JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode import DecodeError
from windlass.apiserver.decode.yaml_text import parse_yaml
from windlass.apiserver.go_json import unstructured
from windlass.apiserver.refusal import Refusal
from windlass.schema.ownership import named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.verb.operation import Operation

Object = dict[str, Any]

_LONG: Final = re.compile(rb"[0-9]{19}")


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
        if "/" in group:
            group = version = name = ""
        if (group, version, name) != (kind.group, kind.version, kind.name):
            raise Refusal.bad_request(f"invalid object type: {group}/{version}, Kind={name}")
        config.object["apiVersion"] = kind.api_version  # which was said with a slash too many
    metadata = config.object.get("metadata")
    if isinstance(metadata, dict):
        _check_managers(metadata)
    return config


def _check_managers(metadata: Object) -> None:
    """Refuse managers, which are nobody's to apply; what is none is left for the schema to judge."""
    managers = metadata.get("managedFields")
    if isinstance(managers, list) and all(isinstance(each, dict) for each in managers):
        raise Refusal.bad_request("metadata.managedFields must be nil")
    if managers is None:
        metadata.pop("managedFields", None)


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
    return Config(unstructured(value) if _LONG.search(call.body) else value, repeated)
