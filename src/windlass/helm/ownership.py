"""Whose the objects of a release are, in the words of operator-sdk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Key, Selection
from windlass.helm.manifest import is_kept
from windlass.reconcile import Watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from windlass.api import Json, Resource, Untyped

MANAGER: Final = "windlass-owner"
"""The field manager of this metadata alone, so that no upgrade by Helm takes it away."""

HELM: Final = "helm"
"""The field manager of Helm itself, in whose name drift is put right."""

CHART: Final = "helm.sdk.operatorframework.io/chart"
PRIMARY: Final = "operator-sdk/primary-resource"
PRIMARY_TYPE: Final = "operator-sdk/primary-resource-type"


@dataclass(frozen=True)
class Owner:
    """The object whose release something belongs to; with its uid, another of the same name is not it."""

    kind: type[Resource]
    key: Key
    uid: str = ""

    @property
    def type_name(self) -> str:
        """The kind as the annotation has it: `Minimart.charts.samutup.com`."""
        kind = self.kind.__kind__
        return f"{kind.name}.{kind.group}" if kind.group else kind.name

    def refers(self, obj: Json, namespace: str) -> bool:
        """Whether an object of a namespace can have an owner reference to it.

        It cannot across namespaces, and must not where the object is to outlive its owner.
        """
        return (not self.key.namespace or namespace == self.key.namespace) and not is_kept(obj)

    @property
    def reference(self) -> Json:
        """The controller reference to it."""
        kind = self.kind.__kind__
        named = {"apiVersion": kind.api_version, "kind": kind.name, "name": self.key.name, "uid": self.uid}
        return {**named, "controller": True, "blockOwnerDeletion": True}

    def adopt(self, obj: Json, namespace: str) -> Json:
        """Return an object that is about to be created with a reference to its owner, or annotations instead.

        It replaces other references, as operator-sdk does.
        """
        metadata = dict(obj.get("metadata") or {})
        if self.refers(obj, namespace):
            metadata["ownerReferences"] = [self.reference]
        else:
            metadata["annotations"] = {**(metadata.get("annotations") or {}), **self._annotations}
        return {**obj, "metadata": metadata}

    @property
    def _annotations(self) -> Json:
        primary = f"{self.key.namespace}/{self.key.name}"
        return {PRIMARY: primary, PRIMARY_TYPE: self.type_name}

    def mark(self, obj: Json, namespace: str, chart: str) -> Json:
        """The metadata, and nothing else, that says whose an object is; its name is in it."""
        metadata: Json = {"name": obj["metadata"]["name"], "labels": {CHART: chart}}
        if namespace:
            metadata["namespace"] = namespace
        if not self.refers(obj, namespace):
            metadata["annotations"] = self._annotations
        return {"apiVersion": obj["apiVersion"], "kind": obj["kind"], "metadata": metadata}

    def dependents(self, kind: type[Untyped], chart: str, *, wakes: bool) -> Watch[Any]:
        """The watch of a kind that charts of this name make; a change concerns the owner, unless told not."""
        selection = Selection(labels=f"{CHART}={chart}")
        to = _Owners(self.kind, self.type_name) if wakes else None
        return Watch(kind, to=to, selection=selection, managers=(HELM, MANAGER))


@dataclass(frozen=True)
class _Owners:
    """Tells from an object whose it is. Equal ones are the same watch."""

    kind: type[Resource]
    type_name: str

    def __call__(self, resource: Resource) -> Iterable[Key]:
        metadata, known = resource.metadata, self.kind.__kind__
        for each in metadata.owner_references:
            group = each.api_version.rpartition("/")[0]
            if each.controller and (group, each.kind) == (known.group, known.name):
                yield Key(metadata.namespace if known.namespaced else "", each.name)
        if metadata.annotations.get(PRIMARY_TYPE) == self.type_name:
            namespace, _, name = metadata.annotations.get(PRIMARY, "").partition("/")
            if name:
                yield Key(namespace, name)
