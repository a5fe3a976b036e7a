"""Loads every built-in kind, completes it, and sends an object with all its fields to Python and back.

Run as a program it prints, as JSON, how many classes it saw and what went wrong.
"""

from __future__ import annotations

import json
import pkgutil
from datetime import datetime
from importlib import import_module
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import windlass.kinds
from windlass.api import Encoded, Model, Quantity, Resource, Untyped, format_micro_time

VALUES: dict[Any, Any] = {
    str: "text",
    int: 7,
    bool: True,
    float: 1.5,
    bytes: "aGVsbG8=",
    Quantity: "1500m",
    Any: {"free": [1, "a"]},
}
TIME, MICRO_TIME = "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000006Z"


def every_class() -> list[type[Model]]:
    """Each model of each module below `windlass.kinds`."""
    modules = [
        import_module(found.name)
        for found in pkgutil.walk_packages(windlass.kinds.__path__, "windlass.kinds.")
        if not found.ispkg
    ]
    values = [(module.__name__, value) for module in modules for value in vars(module).values()]
    return [
        value
        for home, value in values
        if isinstance(value, type) and issubclass(value, Model) and value.__module__ == home
    ]


def every_export() -> list[str]:
    """Each name that a package of kinds promises; one that it does not keep is an AttributeError."""
    packages = [
        import_module(found.name)
        for found in pkgutil.walk_packages(windlass.kinds.__path__, "windlass.kinds.")
        if found.ispkg
    ]
    return [
        getattr(package, name).__name__ for package in packages for name in getattr(package, "__all__", ())
    ]


def full(cls: type[Model], inside: tuple[type, ...] = ()) -> dict[str, Any]:
    """An object on the wire that has every field of a class; what would contain itself is left out."""
    cls.model_rebuild()  # only then its fields have their types
    wire: dict[str, Any] = {}
    for name, info in cls.model_fields.items():
        value = example(info.annotation, tuple(info.metadata), (*inside, cls))
        if value is not None:
            wire[info.alias or name] = value
    if issubclass(cls, Resource):
        wire |= {"apiVersion": cls.__kind__.api_version, "kind": cls.__kind__.name}
    return wire


def example(annotation: Any, marks: tuple[Any, ...], inside: tuple[type, ...]) -> Any:
    """A value of a type, as it stands on the wire; None where the type would contain itself."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return example(arguments[0], (*marks, *arguments[1:]), inside)
    if origin in (Union, UnionType):
        return example(next(each for each in arguments if each is not NoneType), marks, inside)
    if origin in (list, dict):
        below = example(arguments[-1], (), inside)
        return None if below is None else [below] if origin is list else {"key": below}
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return full(annotation, inside) if annotation not in inside else None
    if annotation is datetime:
        return MICRO_TIME if Encoded(format_micro_time) in marks else TIME
    return arguments[0] if origin is Literal else VALUES[annotation]


def faults(cls: type[Model]) -> list[str]:
    """What does not come back as it went, typed or untyped."""
    cls.model_rebuild(force=True)
    wire = full(cls)
    found = [] if cls.from_wire(wire).to_wire() == wire else [f"{cls.__module__}.{cls.__name__}"]
    if issubclass(cls, Resource) and Untyped.of(cls.__kind__).from_wire(wire).to_wire() != wire:
        found.append(f"Untyped {cls.__kind__}")
    return found


if __name__ == "__main__":
    classes = every_class()
    kinds = [each for each in classes if issubclass(each, Resource)]
    wrong = [fault for each in classes for fault in faults(each)]
    told = {"classes": len(classes), "exports": len(every_export()), "kinds": len(kinds), "faults": wrong}
    print(json.dumps(told))  # noqa: T201 - its result
