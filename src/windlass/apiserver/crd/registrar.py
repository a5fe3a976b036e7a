from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any, Final

from windlass.api import Kind
from windlass.apiserver.crd.condition import condition_of, is_true, set_condition
from windlass.apiserver.crd.custom import CustomTraits
from windlass.apiserver.crd.enforce import EmbeddedMetadata
from windlass.apiserver.crd.naming import judge
from windlass.apiserver.resource import Resource, Subresource
from windlass.schema.custom import CustomSchema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.apiserver.resource import Catalog
    from windlass.apiserver.store import Collection, Record
    from windlass.apiserver.world import World

Object = dict[str, Any]

CLEANUP: Final = "customresourcecleanup.apiextensions.k8s.io"
_READ_AND_CHANGE: Final = frozenset({"get", "patch", "update"})


class Registrar:
    """Makes definitions true: judges their names, serves their kinds, and clears up after those that go.

    It works at once, in the same step as the write that gives it reason to.
    """

    def __init__(self, world: World, catalog: Catalog) -> None:
        self._world = world
        self._catalog = catalog
        self._served: dict[str, list[Resource]] = {}
        self._definitions = world.store.collection("apiextensions.k8s.io/customresourcedefinitions")

    def changed(self, name: str) -> None:
        """A definition was created, changed or marked for deletion."""
        record = self._definitions.get(name)
        if record is None:
            self._forget(name)
            return
        crd = record.object()
        if "deletionTimestamp" in crd["metadata"]:
            self._clean_up(record, crd)
            return
        if self._judge(crd):
            record = self._definitions.put(name, crd, record)
            if self._establish(crd):
                record = self._definitions.put(name, crd, record)
            crd = record.object()
        self._serve(name, crd)

    def emptied(self, name: str) -> None:
        """An object of a kind is gone; perhaps its definition only waited for that."""
        record = self._definitions.get(name)
        if record is not None:
            crd = record.object()
            if "deletionTimestamp" in crd["metadata"]:
                self._clean_up(record, crd)

    def collection(self, crd: Object) -> Collection:
        """Where the objects of a kind are kept."""
        return self._world.store.collection(_storage(crd))

    def _judge(self, crd: Object) -> bool:
        now = self._world.now()
        accepted, condition = judge(crd, self._siblings(crd))
        changed = crd["status"].get("acceptedNames") != accepted
        crd["status"]["acceptedNames"] = accepted
        changed = set_condition(crd, condition, now) or changed
        if condition["status"] == "False" and not is_true(crd, "Established"):
            changed = set_condition(crd, _not_accepted(), now) or changed
        approval = _approval(crd)
        if approval:
            changed = set_condition(crd, approval, now) or changed
        return changed

    def _establish(self, crd: Object) -> bool:
        if not is_true(crd, "NamesAccepted") or is_true(crd, "Established"):
            return False
        return set_condition(crd, _established(), self._world.now())

    def _siblings(self, crd: Object) -> Iterator[Object]:
        for record in self._definitions.page().records:
            other = record.object()
            if other["spec"]["group"] == crd["spec"]["group"] and record.name != crd["metadata"]["name"]:
                yield other

    def _serve(self, name: str, crd: Object) -> None:
        wanted = list(self._resources(crd)) if is_true(crd, "Established") else []
        kept = {resource.kind.version for resource in wanted}
        for resource in self._served.get(name, ()):
            if resource.kind.version not in kept:
                self._unserve(resource)
        if wanted or name in self._served:
            self._catalog.add_all(wanted)
        self._served[name] = wanted

    def _unserve(self, resource: Resource) -> None:
        self._catalog.remove(resource.kind.group, resource.kind.version, resource.kind.plural)

    def _resources(self, crd: Object) -> Iterator[Resource]:
        spec, names = crd["spec"], {**crd["spec"]["names"], **crd["status"]["acceptedNames"]}
        stored = next(each["name"] for each in spec["versions"] if each["storage"])
        schemas = {
            each["name"]: CustomSchema(each["schema"]["openAPIV3Schema"], EmbeddedMetadata())
            for each in spec["versions"]
        }
        digest = hashlib.sha256(f"{spec['group']}/{stored}/{names['kind']}".encode()).digest()[:8]
        for each in spec["versions"]:
            if not each["served"]:
                continue
            version, namespaced = each["name"], spec["scope"] == "Namespaced"
            below = _subresources(each)
            kind = Kind(spec["group"], version, names["kind"], names["plural"], namespaced, tuple(below))
            yield Resource(
                kind=kind,
                singular=names.get("singular", ""),
                shape=schemas[version].shape,
                traits=CustomTraits(crd, each, schemas, self),
                collection=self.collection(crd),
                stored_as=f"{spec['group']}/{stored}",
                list_kind=names.get("listKind", ""),
                short_names=tuple(names.get("shortNames", ())),
                categories=tuple(names.get("categories", ())),
                subresources=_with_kind(below, kind),
                storage_hash=base64.b64encode(digest).decode(),
                custom=True,
                warning=_deprecation(crd, each),
            )

    def _clean_up(self, record: Record, crd: Object) -> None:
        """Delete every object of a kind whose definition is to go, and the definition with the last one."""
        if CLEANUP not in crd["metadata"].get("finalizers", ()):
            return
        collection, name = self.collection(crd), record.name
        if condition_of(crd, "Terminating").get("reason") == "InstanceDeletionPending":
            progress = _terminating("InstanceDeletionInProgress", "CustomResource deletion is in progress")
            set_condition(crd, progress, self._world.now())
            record = self._definitions.put(name, crd, record)
        for each in collection.page().records:
            self._remove(collection, each)
        if len(collection):
            return
        crd = record.object()
        done = [each for each in crd["metadata"]["finalizers"] if each != CLEANUP]
        if done:
            crd["metadata"]["finalizers"] = done
            set_condition(crd, _finished(), self._world.now())
            self._definitions.put(name, crd, record)
            return
        self._definitions.delete(name, record)
        self._forget(name)
        self._world.store.remove(_storage(crd))
        self._reconsider(crd["spec"]["group"])

    def _remove(self, collection: Collection, record: Record) -> None:
        obj = record.object()
        meta = obj["metadata"]
        if not meta.get("finalizers"):
            collection.delete(record.key, record)
        elif "deletionTimestamp" not in meta:
            meta["deletionTimestamp"] = self._world.now()
            meta["deletionGracePeriodSeconds"] = 0
            meta["generation"] = meta.get("generation", 0) + 1
            collection.put(record.key, obj, record)

    def _forget(self, name: str) -> None:
        for resource in self._served.pop(name, ()):
            self._unserve(resource)

    def _reconsider(self, group: str) -> None:
        """Names are free again: those who waited for them are judged anew."""
        for record in self._definitions.page().records:
            crd = record.object()
            if crd["spec"]["group"] == group and not is_true(crd, "NamesAccepted"):
                self.changed(record.name)


def _storage(crd: Object) -> str:
    return f"{crd['spec']['group']}/{crd['spec']['names']['plural']}"


def _subresources(version: Object) -> tuple[str, ...]:
    below = version.get("subresources") or {}
    return tuple(name for name in ("status", "scale") if name in below)


def _with_kind(names: tuple[str, ...], kind: Kind) -> dict[str, Subresource]:
    scale = Kind("autoscaling", "v1", "Scale", kind.plural, kind.namespaced)
    return {name: Subresource(name, _READ_AND_CHANGE, scale if name == "scale" else kind) for name in names}


def _deprecation(crd: Object, version: Object) -> str:
    if not version.get("deprecated"):
        return ""
    if version.get("deprecationWarning"):
        return str(version["deprecationWarning"])
    from windlass.apiserver.crd.version import better_version

    group, kind = crd["spec"]["group"], crd["spec"]["names"]["kind"]
    said = f"{group}/{version['name']} {kind} is deprecated"
    better = better_version(version["name"], crd["spec"]["versions"])
    return f"{said}; use {group}/{better} {kind}" if better else said


def _established() -> Object:
    return {
        "type": "Established",
        "status": "True",
        "reason": "InitialNamesAccepted",
        "message": "the initial names have been accepted",
    }


def _not_accepted() -> Object:
    return {
        "type": "Established",
        "status": "False",
        "reason": "NotAccepted",
        "message": "not all names are accepted",
    }


def _terminating(reason: str, message: str) -> Object:
    return {"type": "Terminating", "status": "True", "reason": reason, "message": message}


def _finished() -> Object:
    return {
        "type": "Terminating",
        "status": "False",
        "reason": "InstanceDeletionCompleted",
        "message": "removed all instances",
    }


def _approval(crd: Object) -> Object | None:
    group = crd["spec"]["group"]
    if not group.endswith((".k8s.io", ".kubernetes.io")) and group not in ("k8s.io", "kubernetes.io"):
        return None
    value = (crd["metadata"].get("annotations") or {}).get("api-approved.kubernetes.io", "")
    condition: Object = {"type": "KubernetesAPIApprovalPolicyConformant"}
    if value.startswith("unapproved"):
        said = f'not approved: "{value}"'
        return {**condition, "status": "False", "reason": "UnapprovedAnnotation", "message": said}
    return {**condition, "status": "True", "reason": "ApprovedAnnotation", "message": f"approved in {value}"}
