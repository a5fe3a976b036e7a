"""What is there when a server starts: the built-in resources, and the objects that every cluster has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.access.roles import store_roles
from windlass.apiserver.builtin import kinds, library
from windlass.apiserver.crd.definition import DefinitionTraits
from windlass.apiserver.crd.registrar import Registrar
from windlass.apiserver.kind import traits_of
from windlass.apiserver.resource import Resource

if TYPE_CHECKING:
    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.resource import Catalog
    from windlass.apiserver.world import World

_NAMESPACES: Final = ("default", "kube-node-lease", "kube-public", "kube-system")


def bootstrap(world: World, catalog: Catalog) -> None:
    """Fill an empty server."""
    catalog.add_all(_resource(each, world) for each in kinds())
    definitions = catalog.find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
    if definitions is not None and isinstance(definitions.traits, DefinitionTraits):
        definitions.traits.registrar = Registrar(world, catalog)
    for name in _NAMESPACES:
        _namespace(world, name)
    store_roles(world)


def _resource(builtin: BuiltinKind, world: World) -> Resource:
    kind = builtin.kind
    return Resource(
        kind=kind,
        singular=builtin.singular,
        shape=library().shape(builtin.definition),
        traits=traits_of(builtin),
        collection=world.store.collection(f"{kind.group}/{kind.plural}"),
        stored_as=kind.api_version,
        verbs=builtin.verbs,
        short_names=builtin.short_names,
        categories=builtin.categories,
        subresources=builtin.subresources,
        storage_hash=builtin.storage_hash,
    )


def _namespace(world: World, name: str) -> None:
    namespace: dict[str, Any] = {
        "metadata": {
            "name": name,
            "uid": world.uid(),
            "creationTimestamp": world.now(),
            "labels": {"kubernetes.io/metadata.name": name},
        },
        "spec": {"finalizers": ["kubernetes"]},
        "status": {"phase": "Active"},
    }
    world.store.collection("/namespaces").put(name, namespace, None)
