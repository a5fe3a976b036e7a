"""Whether an object is the one that the path names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.refusal import Refusal

if TYPE_CHECKING:
    from windlass.apiserver.verb.operation import Operation

_NAMES: Final = ("name", "uid", "resourceVersion")
"""What the audit trail tells of an object that a request brings."""


def check_identity(operation: Operation, obj: dict[str, Any]) -> None:
    """Refuse an object that has another name or namespace than the path, and give it the namespace.

    Raises:
        Refusal: 400.
    """
    place(operation, obj)
    name, expected = obj["metadata"].get("name") or "", operation.route.name
    if not name:
        raise Refusal.bad_request(
            f"the name of the object ({expected} based on URL) was undeterminable: name must be provided"
        )
    if name != expected:
        raise Refusal.bad_request(
            f"the name of the object ({name}) does not match the name on the URL ({expected})"
        )


def place(operation: Operation, obj: dict[str, Any]) -> None:
    """Put an object into the namespace of the path.

    Raises:
        Refusal: 400, it says that it belongs elsewhere.
    """
    meta = obj.get("metadata")
    if not isinstance(meta, dict):
        meta = obj["metadata"] = {}
    record = operation.call.record
    if record is not None and record.named is None and operation.route.verb in ("create", "update"):
        record.named = {name: meta[name] for name in _NAMES if name in meta}
    if not operation.resource.kind.namespaced:
        meta.pop("namespace", None)
        return
    check_namespace(operation, obj)
    meta["namespace"] = operation.route.namespace


def check_namespace(operation: Operation, obj: dict[str, Any]) -> None:
    """Refuse an object that says that it belongs elsewhere.

    Raises:
        Refusal: 400.
    """
    namespace = obj["metadata"].get("namespace") or ""
    if operation.resource.kind.namespaced and namespace not in ("", operation.route.namespace):
        raise Refusal.bad_request(
            "the namespace of the provided object does not match the namespace sent on the request"
        )
