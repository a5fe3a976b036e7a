from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windlass.apiserver.crd.enforce import EmbeddedMetadata
from windlass.apiserver.crd.rules import LazyRules
from windlass.apiserver.crd.serving import resources_of
from windlass.schema.custom import CustomSchema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windlass.apiserver.crd.lifecycle import Lifecycle
    from windlass.apiserver.resource import Catalog, Resource
    from windlass.apiserver.store import Collection

Object = dict[str, Any]


class Offer:
    """What is served of one definition.

    A change of the definition replaces no more than it must: a schema that stays is not compiled again, and
    objects that are known to fit it are not looked at again.
    """

    def __init__(self, catalog: Catalog, collection: Collection, lifecycle: Lifecycle) -> None:
        self._catalog = catalog
        self._collection = collection
        self._lifecycle = lifecycle
        self._spec: Object = {}
        self._resources: Sequence[Resource] = ()
        self._schemas: dict[str, tuple[Object, CustomSchema]] = {}

    def renew(self, crd: Object) -> None:
        """Serve what an established definition says now."""
        spec = {**crd["spec"], "names": crd["status"]["acceptedNames"]}
        if spec == self._spec:
            return
        self._spec = spec
        self._schemas = {
            f"{spec['group']}/{each['name']}": self._schema(spec["group"], each) for each in spec["versions"]
        }
        schemas = {version: schema for version, (_, schema) in self._schemas.items()}
        resources = [
            each
            for each in resources_of(crd, schemas, self._collection, self._lifecycle)
            if not self._catalog.serves_builtin(each.kind.group, each.kind.version)
        ]
        self._replace(resources)

    def withdraw(self) -> None:
        """Serve nothing any more."""
        self._spec = {}
        self._replace(())

    def _schema(self, group: str, version: Object) -> tuple[Object, CustomSchema]:
        written = version["schema"]["openAPIV3Schema"]
        known = self._schemas.get(f"{group}/{version['name']}")
        if known is not None and known[0] == written:
            return known
        return written, CustomSchema(written, EmbeddedMetadata(), LazyRules())

    def _replace(self, resources: Sequence[Resource]) -> None:
        kept = {each.kind.version for each in resources}
        for each in self._resources:
            if each.kind.version not in kept:
                self._catalog.remove(each.kind.group, each.kind.version, each.kind.plural)
        if resources:
            self._catalog.add_all(resources)
        if self._resources:
            self._collection.dismiss(anew=True)  # who watches would go on reading by what was said before
        self._resources = resources
