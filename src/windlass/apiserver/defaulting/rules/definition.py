"""Custom resource definitions."""

from __future__ import annotations

from typing import Any, Final


def names(definition: dict[str, Any]) -> None:
    """The names that follow from the kind."""
    given = definition.setdefault("spec", {}).setdefault("names", {})
    kind = given.get("kind", "")
    if kind and not given.get("singular"):
        given["singular"] = kind.lower()
    if kind and not given.get("listKind"):
        given["listKind"] = f"{kind}List"


def no_conversion(definition: dict[str, Any]) -> None:
    """Versions differ in their name alone, unless a conversion is given."""
    definition.setdefault("spec", {}).setdefault("conversion", {"strategy": "None"})


def stored_versions(definition: dict[str, Any]) -> None:
    """Objects are stored in the version that says so."""
    status = definition.setdefault("status", {})
    if not status.get("storedVersions"):
        storing = [each for each in definition.get("spec", {}).get("versions") or () if each.get("storage")]
        if storing:
            status["storedVersions"] = [storing[0].get("name", "")]


RULES: Final = {
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition": (
        names,
        no_conversion,
        stored_versions,
    )
}
