"""What is there when a server starts: the built-in resources, and the objects that every cluster has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.access.roles import store_roles
from windlass.apiserver.builtin import kinds, library
from windlass.apiserver.crd.definition import DefinitionTraits
from windlass.apiserver.crd.registrar import Registrar
from windlass.apiserver.initial import initial_objects
from windlass.apiserver.kind import DEPRECATED, traits_of
from windlass.apiserver.kind.pod import PodTraits
from windlass.apiserver.resource import Resource

if TYPE_CHECKING:
    from windlass.apiserver.builtin import BuiltinKind
    from windlass.apiserver.resource import Catalog
    from windlass.apiserver.world import World

_SHARED: Final = {
    "events.k8s.io/v1/Event": ("/events", "v1"),
    "autoscaling/v1/HorizontalPodAutoscaler": ("autoscaling/horizontalpodautoscalers", "autoscaling/v2"),
}
"""What is kept with the objects of another version: in which collection, and as what."""


def bootstrap(world: World, catalog: Catalog, *, service_accounts: bool = False) -> None:
    """Fill a server: a new one with all of it, one that knows its objects again with what is missing.

    `service_accounts` tells whether its pods need one.
    """
    catalog.add_all(_resource(each, world) for each in kinds())
    definitions = catalog.find("apiextensions.k8s.io", "v1", "customresourcedefinitions")
    if definitions is not None and isinstance(definitions.traits, DefinitionTraits):
        definitions.traits.registrar = Registrar(world, catalog, definitions)
        definitions.traits.registrar.resume()
    _hold(catalog, world)
    pods = catalog.find("", "v1", "pods")
    if pods is not None and isinstance(pods.traits, PodTraits):
        pods.traits.runs_as_account = service_accounts
    for group, version, plural, obj in initial_objects(world):
        resource = catalog.find(group, version, plural)
        if resource is not None:
            meta = obj["metadata"]
            _add(resource, resource.key(meta.get("namespace", ""), meta["name"]), obj, world)
    store_roles(world)


def _hold(catalog: Catalog, world: World) -> None:
    """Let services that are there already have their addresses and ports again."""
    services = catalog.find("", "v1", "services")
    if services is not None:
        for record in services.collection.page().records:
            services.traits.stored(services.object(record), world)


def _add(resource: Resource, key: str, obj: dict[str, Any], world: World) -> None:
    if resource.collection.get(key) is None:
        resource.collection.put(key, obj, None)
        resource.traits.stored(obj, world)


def _resource(builtin: BuiltinKind, world: World) -> Resource:
    kind = builtin.kind
    own = (f"{kind.group}/{kind.plural}", kind.api_version)
    collection, stored_as = _SHARED.get(f"{kind.api_version}/{kind.name}", own)
    return Resource(
        kind=kind,
        singular=builtin.singular,
        shape=library().shape(builtin.definition),
        traits=traits_of(builtin),
        collection=world.store.collection(collection),
        stored_as=stored_as,
        verbs=builtin.verbs,
        short_names=builtin.short_names,
        categories=builtin.categories,
        subresources=builtin.subresources,
        storage_hash=builtin.storage_hash,
        warning=DEPRECATED.get(f"{kind.group}/{kind.name}", ""),
    )
