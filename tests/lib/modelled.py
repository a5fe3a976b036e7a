"""Definitions to make models of, and the models as modules."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from windlass.codegen import from_crds


def definition(schema: dict[str, Any] | None, **said: Any) -> dict[str, Any]:
    """A definition with one version; `kind`, `group`, `version`, `scope` and `subresources` may be said."""
    kind, group = said.get("kind", "Box"), said.get("group", "demo.example.com")
    version: dict[str, Any] = {"name": said.get("version", "v1"), "served": True, "storage": True}
    if schema is not None:
        version["schema"] = {"openAPIV3Schema": schema}
    if "subresources" in said:
        version["subresources"] = said["subresources"]
    plural = f"{kind.lower()}s"
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "names": {"kind": kind, "plural": plural},
            "scope": said.get("scope", "Namespaced"),
            "versions": [version],
        },
    }


def with_spec(properties: dict[str, Any], required: list[str] | None = None, **said: Any) -> dict[str, Any]:
    """A definition whose spec has these properties."""
    spec = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    return definition({"type": "object", "properties": {"spec": spec}}, **said)


def text_of(crd: dict[str, Any]) -> str:
    """The text of the one module that a definition makes."""
    (text,) = from_crds([crd]).values()
    return text


def module_of(crd: dict[str, Any]) -> ModuleType:
    """The module that a definition makes, imported."""
    return load(text_of(crd))


def load(text: str, name: str = "generated_models") -> ModuleType:
    """A module from its text."""
    module = sys.modules[name] = ModuleType(name)
    exec(compile(text, f"{name}.py", "exec"), vars(module))  # noqa: S102 - what an import does
    return module
