from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from windlass.codegen.models.layout import homes, in_order
from windlass.codegen.models.names import snake
from windlass.codegen.models.reader import Reader
from windlass.codegen.models.render import render_module
from windlass.codegen.models.shape import ClassShape, ModuleShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.api import Kind

_MARK = "# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.\n"


def from_openapi(definitions: Mapping[str, Any], kinds: Iterable[Kind], package: str) -> dict[str, str]:
    """The modules for all of these kinds and what they consist of: path below the package → text."""
    reader = Reader(definitions, enums=False)
    for kind in kinds:
        key = _definition_of(kind, definitions)
        reader.resource(key, kind, _without_description(definitions[key]))
    classes = {key: _without_prose(shape) for key, shape in reader.classes.items()}
    home = homes(classes)
    place = {key: f"{package}.{_package(home[key])}.{_module(classes[home[key]])}" for key in classes}
    by_module: dict[str, list[ClassShape]] = defaultdict(list)
    for key, shape in classes.items():
        by_module[place[key]].append(shape)
    where = {key: (place[key], classes[key].name) for key in classes}
    files = {
        _path(name, package): render_module(ModuleShape(name, tuple(in_order(shapes))), where, _MARK)
        for name, shapes in by_module.items()
    }
    return files | _packages(where)


def _definition_of(kind: Kind, definitions: Mapping[str, Any]) -> str:
    wanted = {"group": kind.group, "version": kind.version, "kind": kind.name}
    return next(
        key
        for key, schema in definitions.items()
        if wanted in schema.get("x-kubernetes-group-version-kind", ())
    )


def _without_description(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "description"}


def _without_prose(shape: ClassShape) -> ClassShape:
    return ClassShape(shape.key, shape.name, shape.base, shape.fields, shape.kind)


def _package(key: str) -> str:
    """`io.k8s.api.apps.v1.Deployment` → `apps.v1`."""
    *_, group, version, _ = key.split(".")
    return f"{group}.{version}"


def _module(shape: ClassShape) -> str:
    return snake(shape.name)


def _path(module: str, package: str) -> str:
    return module.removeprefix(f"{package}.").replace(".", "/") + ".py"


def _packages(where: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The `__init__.py` of each group and version: every class by its name, loaded when it is asked for."""
    exports: dict[str, dict[str, str]] = defaultdict(dict)
    for key, (module, name) in where.items():
        exports[_package(key)][name] = module
    files = {}
    for name, modules in exports.items():
        group, version = name.split(".")
        files[f"{group}/__init__.py"] = f'"""The versions of {group}."""\n'
        files[f"{group}/{version}/__init__.py"] = _package_text(name, dict(sorted(modules.items())))
    return files


def _package_text(name: str, modules: Mapping[str, str]) -> str:
    typed = "".join(f"    from {module} import {each} as {each}\n" for each, module in modules.items())
    lazy = "".join(f'    "{each}": "{module}",\n' for each, module in modules.items())
    group, version = name.split(".")
    return (
        f'"""The kinds of {group}/{version} and their parts, each loaded when first asked for."""\n\n{_MARK}'
        "from typing import TYPE_CHECKING\n\nfrom windlass._lazy import attributes\n\n"
        f"if TYPE_CHECKING:\n{typed}\n__lazy__ = {{\n{lazy}}}\n"
        f"__all__ = list(__lazy__)\n__getattr__, __dir__ = attributes(__name__, __lazy__)\n"
    )
