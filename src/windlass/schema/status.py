"""What the loop reports in the status of a kind, as its type says, and the default that follows from that."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, get_args

from windlass.api import UNOBSERVED, Condition, Default, Definition, Model

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from windlass.api import Json, Resource

OBSERVED: Final = "observedGeneration"
_FIELD: Final = "observed_generation"
_GENERATION: Final[Mapping[str, Any]] = {
    "type": "integer",
    "description": "The generation of the spec that this status is about.",
}


def is_foreign(kind: type[Resource]) -> bool:
    """Whether a kind is a model of a definition that another project generates."""
    return bool(getattr(sys.modules.get(kind.__module__), "__foreign__", False))


def reports_conditions(kind: type[Resource], status_type: type[Model] | None = None) -> bool:
    """Whether the status has conditions in the common form.

    `status_type` stands in where the kind has no type for its status.
    """
    fields = _status_fields(kind) or _fields(status_type)
    return "conditions" in fields and Condition in _mentioned(fields["conditions"].annotation)


def reports_generation(kind: type[Resource], status_type: type[Model] | None = None) -> bool:
    """Whether the status has `observedGeneration`.

    One that has conditions does so even if the type has no such field. None does that is no subresource:
    each write of it would make a new generation.
    """
    definition = kind.__definition__ or Definition()
    if not definition.status:
        return False
    fields = _status_fields(kind) or _fields(status_type)
    stated = _FIELD in fields or _is_in_default(kind)
    return stated or bool(definition.ready and not is_foreign(kind) and reports_conditions(kind))


def default_generation(kind: type[Resource], status: Json) -> None:
    """Put the default into the schema of a status: a new object reads as not observed yet, as kstatus wants.

    The default of the whole status is left out where the status has fields that nothing can fill in.
    """
    if is_foreign(kind) or not reports_generation(kind):
        return
    fields: Json = status.setdefault("properties", {})
    observed = fields.setdefault(OBSERVED, dict(_GENERATION))
    if observed.get("type") != "integer":
        return
    observed.setdefault("default", UNOBSERVED)
    if all("default" in fields[name] for name in status.get("required", ())):
        status.setdefault("default", {OBSERVED: UNOBSERVED})


def _status_fields(kind: type[Resource]) -> dict[str, Any]:
    status = kind.model_fields.get("status")
    for each in _mentioned(status.annotation) if status else ():
        if isinstance(each, type) and issubclass(each, Model):
            return _fields(each)
    return {}


def _fields(type_: type[Model] | None) -> dict[str, Any]:
    if type_ is None:
        return {}
    if not type_.__pydantic_complete__:
        type_.model_rebuild()
    return dict(type_.model_fields)


def _is_in_default(kind: type[Resource]) -> bool:
    """Whether a status without a type has the generation in its default."""
    status = kind.model_fields.get("status")
    marks = status.metadata if status else ()
    return any(isinstance(each, Default) and OBSERVED in each.value for each in marks)


def _mentioned(annotation: Any) -> Iterator[Any]:
    """A type and everything that it is made of."""
    yield annotation
    for argument in get_args(annotation):
        yield from _mentioned(argument)
