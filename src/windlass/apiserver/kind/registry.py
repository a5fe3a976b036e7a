"""Which class has the particulars of which kind."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from windlass.apiserver.kind.builtin import BuiltinTraits

if TYPE_CHECKING:
    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.traits import Traits

_CLASSES: Final[dict[str, str]] = {
    "apiextensions.k8s.io/CustomResourceDefinition": "windlass.apiserver.crd.definition:DefinitionTraits",
    "/Namespace": "windlass.apiserver.kind.namespace:NamespaceTraits",
    "/Pod": "windlass.apiserver.kind.pod:PodTraits",
    "/Service": "windlass.apiserver.kind.service:ServiceTraits",
}
"""`group/Kind` to the module, and the class in it."""


def traits_of(builtin: BuiltinKind) -> Traits:
    """The particulars of a built-in kind."""
    home = _CLASSES.get(f"{builtin.kind.group}/{builtin.kind.name}")
    if home is None:
        return BuiltinTraits(builtin)
    module, _, class_name = home.partition(":")
    found: Traits = getattr(import_module(module), class_name)(builtin)
    return found
