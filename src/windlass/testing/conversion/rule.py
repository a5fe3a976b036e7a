"""What the API server makes of an object of a kind, and what it has against it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pydantic import ValidationError

from windlass.schema import structural
from windlass.schema.custom import CustomSchema
from windlass.webhook.conversion import AnyMetadata

if TYPE_CHECKING:
    from windlass.api import Json, Resource


def filled(kind: type[Resource], obj: Json) -> Json:
    """An object with the defaults of its schema, in place."""
    _schema(kind).fill(obj)
    return obj


def faults(kind: type[Resource], obj: Json) -> list[str]:
    """What the schema of a kind has against an object, its rules in CEL included."""
    return [str(fault) for fault in _schema(kind).faults(obj)]


def accepts(kind: type[Resource], obj: Json) -> bool:
    """Whether both the schema and the Python type of a kind take an object."""
    body = {name: value for name, value in obj.items() if name not in ("apiVersion", "kind")}
    try:
        kind.model_validate(body, by_alias=True, by_name=False)
    except ValidationError:
        return False
    return not faults(kind, obj)


@cache
def _schema(kind: type[Resource]) -> CustomSchema:
    from windlass.schema.cel.rule import CelEngine

    return CustomSchema(structural(kind), AnyMetadata(), CelEngine())
