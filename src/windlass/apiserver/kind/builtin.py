from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.traits import Traits
from windlass.apiserver.validation import validate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.apiserver.exchange import Call
    from windlass.apiserver.patch import Patched
    from windlass.apiserver.resource import Resource
    from windlass.schema import Fault

Object = dict[str, Any]


class BuiltinTraits(Traits):
    """A kind that every API server has: decoded, defaulted and validated as the real server does."""

    def __init__(self, name: str) -> None:
        self.name = name
        """The kind as the tables name it: `apps/Deployment`."""

    @override
    def decode(self, resource: Resource, body: bytes, call: Call, validation: str) -> Object:
        import orjson

        obj: Object = _clean(orjson.loads(body or b"{}"))
        obj["kind"], obj["apiVersion"] = resource.kind.name, resource.kind.api_version
        return obj

    @override
    def patched(self, resource: Resource, outcome: Patched, call: Call, validation: str) -> Object:
        obj: Object = _clean(outcome.document)
        return obj

    @override
    def validate(self, obj: Object, old: Object | None, subresource: str) -> Iterable[Fault]:
        return validate(self.name, obj, old, subresource)


def _clean(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _clean(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [_clean(v) for v in value]
    return value
