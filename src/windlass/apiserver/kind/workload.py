"""What is particular to the kinds that make pods."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from windlass.apiserver.defaulting import fill
from windlass.apiserver.kind.builtin import BuiltinTraits
from windlass.apiserver.refusal import Unconvertible
from windlass.schema import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.apiserver.resource import Resource
    from windlass.apiserver.world import World

Object = dict[str, Any]

_TEMPLATE_GENERATION: Final = "deprecated.daemonset.template.generation"
_NUMBER: Final = re.compile(r"[+-]?[0-9]+")
_NAME_LABELS: Final = ("job-name", "batch.kubernetes.io/job-name")
_UID_LABEL: Final = "batch.kubernetes.io/controller-uid"
_UID_LABELS: Final = ("controller-uid", _UID_LABEL)


class DeploymentTraits(BuiltinTraits):
    """The annotations of a deployment are counted too: they go to its replica sets."""

    @override
    def counts(self, obj: Object, old: Object) -> bool:
        annotations = (each["metadata"].get("annotations") or {} for each in (obj, old))
        return super().counts(obj, old) or next(annotations) != next(annotations)


class DaemonSetTraits(BuiltinTraits):
    """The template of a daemon set is counted apart, in an annotation."""

    @property
    @override
    def blank(self) -> Object:
        return {**super().blank, "metadata": {"annotations": {_TEMPLATE_GENERATION: "0"}}}

    @override
    def finished(self, resource: Resource, obj: Object) -> Object:
        annotations = obj.setdefault("metadata", {}).setdefault("annotations", {})
        given = annotations.setdefault(_TEMPLATE_GENERATION, "0")
        if not _NUMBER.fullmatch(given):
            why = f"strconv.ParseInt: parsing {quoted(given)}: invalid syntax"
            raise Unconvertible(self.kind.name, self.kind.version, why)
        return super().finished(resource, obj)

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        super().prepare_create(obj, world)
        given = _template_generation(obj)
        obj["metadata"]["annotations"][_TEMPLATE_GENERATION] = str(max(given, 1))

    @override
    def prepare_update(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_update(obj, old, world)
        changed = obj["spec"].get("template") != old["spec"].get("template")
        annotations = obj["metadata"].setdefault("annotations", {})
        annotations[_TEMPLATE_GENERATION] = str(_template_generation(old) + changed)

    @override
    def prepare_status(self, obj: Object, old: Object, world: World) -> None:
        super().prepare_status(obj, old, world)
        annotations = obj["metadata"].setdefault("annotations", {})
        annotations[_TEMPLATE_GENERATION] = str(_template_generation(old))


class ReplicationControllerTraits(BuiltinTraits):
    """A replication controller can be found by how many pods it has."""

    field_labels = {"status.replicas": lambda rc: str(rc.get("status", {}).get("replicas", 0))}


def _successful(job: Mapping[str, Any]) -> str:
    return str(job.get("status", {}).get("succeeded", 0))


class JobTraits(BuiltinTraits):
    """A job knows its pods by its own identity, unless it says that it chooses itself."""

    field_labels = {"status.successful": _successful}
    unknown_label = "field label {1} not supported for Job"
    orphan_warning = (
        "child pods are preserved by default when jobs are deleted; "
        "set propagationPolicy=Background to remove them "
        "or set propagationPolicy=Orphan to suppress this warning"
    )

    @override
    def prepare_create(self, obj: Object, world: World) -> None:
        super().prepare_create(obj, world)
        if obj["spec"].get("manualSelector"):
            return
        meta, spec = obj["metadata"], obj["spec"]
        labels = spec["template"].setdefault("metadata", {}).setdefault("labels", {})
        for label in _NAME_LABELS:
            labels.setdefault(label, meta.get("name", ""))
        for label in _UID_LABELS:
            labels.setdefault(label, meta["uid"])
        matched = spec.setdefault("selector", {}).setdefault("matchLabels", {})
        matched.setdefault(_UID_LABEL, meta["uid"])

    @override
    def settle(self, obj: Object) -> bool:
        labelled = bool(obj["metadata"].get("labels"))
        fill("batch/v1/Job", obj)  # a job without labels has those of its pods
        return bool(obj["metadata"].get("labels")) is not labelled


def _template_generation(daemon_set: Object) -> int:
    return int((daemon_set["metadata"].get("annotations") or {}).get(_TEMPLATE_GENERATION, 0))
