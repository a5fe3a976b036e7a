from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from windlass.schema.shape import Shape

_ABSENT_UNLESS_SET: Final = ("*", "[", "map[")
_ZEROS: Final = {"string": "", "integer": 0, "number": 0, "boolean": False}
_SPECIAL: Final = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": "0",
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": 0,
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time": None,
    "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": None,
}


def structure(shape: Shape) -> dict[str, Any]:
    """What an object of a built-in kind holds before anything is set, for example `{"spec": {}}`.

    Servers hold these objects in structures, some parts of which are always there, and written. The schema
    says which, with `x-keep-zero`, and `x-go`, the type of the field.
    """
    return {name: _zero(field) for name, field in shape.properties.items() if field.schema.get("x-keep-zero")}


def _zero(field: Shape) -> Any:
    if field.schema.get("x-go", "").startswith(_ABSENT_UNLESS_SET):
        return None
    if field.name in _SPECIAL:
        return _SPECIAL[field.name]
    if field.type == "object":
        return structure(field) if "properties" in field.schema else None
    return _ZEROS.get(field.type)
