"""The kinds that both servers are compared on, each with a manifest that both of them take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

import broken_access
import broken_autoscaling
import broken_cluster
import broken_core
import broken_jobs
import broken_network
import broken_pods
import broken_services
import broken_storage
import broken_workloads
from broken import ABSENT, edited
from differential_admission import AREA as ADMISSION
from differential_admission import classes
from differential_custom import (
    BROKEN_RULES,
    CUSTOM_EDITS,
    PLURAL,
    VERSIONS,
    custom_definition,
    custom_manifest,
)
from differential_edit import group as group_of
from differential_edit import refused, sensible, taken
from verdict import builtin_kind
from windlass.apiserver import builtin
from windlass.schema import Shape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypothesis.vendor.pretty import RepresentationPrinter

    from broken import Edit, Sample
    from contract import Object
    from differential_edit import Group

NAMES: Final = ("a", "b")
"""Few, so that requests meet."""

_AREAS: Final[Mapping[str, tuple[Sample, ...]]] = {
    "configuration": (
        broken_core.CONFIG_MAP,
        broken_core.SECRET,
        broken_core.SERVICE_ACCOUNT,
        broken_access.ROLE,
        broken_access.ROLE_BINDING,
        broken_cluster.LEASE,
        broken_cluster.EVENT,
    ),
    "pods": (
        *broken_pods.SAMPLES,
        broken_workloads.POD_TEMPLATE,
        broken_workloads.REPLICATION_CONTROLLER,
        broken_storage.PERSISTENT_VOLUME_CLAIM,
    ),
    "workloads": (
        broken_workloads.DEPLOYMENT,
        broken_workloads.REPLICA_SET,
        broken_workloads.DAEMON_SET,
        broken_workloads.STATEFUL_SET,
        broken_jobs.JOB,
        broken_jobs.CRON_JOB,
        broken_cluster.POD_DISRUPTION_BUDGET,
        broken_autoscaling.HORIZONTAL_POD_AUTOSCALER,
        broken_autoscaling.HORIZONTAL_POD_AUTOSCALER_V1,
    ),
    "network": (
        broken_services.SERVICE,
        broken_services.ENDPOINTS,
        broken_services.ENDPOINT_SLICE,
        broken_network.INGRESS,
        broken_network.NETWORK_POLICY,
    ),
    "cluster": (  # no PriorityClass: one that is the default would reach every pod of every other test
        broken_access.CLUSTER_ROLE,
        broken_network.INGRESS_CLASS,
        broken_storage.PERSISTENT_VOLUME,
        broken_storage.STORAGE_CLASS,
    ),
    "access": (
        broken_core.CONFIG_MAP,
        broken_access.ROLE,
        broken_access.CLUSTER_ROLE,
        broken_access.ROLE_BINDING,
        broken_access.CLUSTER_ROLE_BINDING,
    ),
    "admission": (
        broken_core.CONFIG_MAP,
        broken_pods.SAMPLES[0],
        broken_workloads.DEPLOYMENT,
    ),
    "custom": (),
}
AREAS: Final = tuple(_AREAS)
"""What the kinds are grouped by."""

_UNFIT: Final = {"/spec/volumeClaimTemplates": ABSENT}
"""The real server goes through claims in the order of a Go map, which differs each time."""


@dataclass(frozen=True)
class Subject:
    """A kind, and how to speak of it: `parts` are those subresources that hold a part of the object.

    `taken` and `refused` are changes that servers are known to take and to refuse.
    """

    title: str
    valid: Object
    shape: Shape
    root: str
    plural: str
    parts: tuple[str, ...]
    taken: tuple[Group, ...]
    refused: tuple[Group, ...] = ()
    namespaced: bool = True

    def _repr_pretty_(self, printer: RepresentationPrinter, _cycle: bool) -> None:  # noqa: FBT001 - Hypothesis's own
        """Short, because Hypothesis shows it wherever it is drawn."""
        printer.text(self.title)

    def collection(self, namespace: str) -> str:
        """The path of the kind's objects."""
        place = f"namespaces/{namespace}/" if self.namespaced else ""
        return f"{self.root}/{place}{self.plural}"

    def name(self, namespace: str, short: str) -> str:
        """The name of an object: what is in no namespace must have one that nobody else has."""
        return short if self.namespaced else f"{namespace}-{short}"

    def manifest(self, name: str) -> Object:
        """The valid manifest under a name."""
        return {**self.valid, "metadata": {**self.valid["metadata"], "name": name}}


@cache
def subjects(area: str, group: str) -> tuple[Subject, ...]:
    """The kinds of an area; the custom kind is in the group given."""
    if area == "custom":
        return tuple(_custom(group, version) for version in VERSIONS)
    found = tuple(_builtin(sample) for sample in _AREAS[area])
    if area == ADMISSION:
        pods = replace(found[1], taken=(*found[1].taken, *map(group_of, _of_classes(group))))
        return (found[0], pods, *found[2:], *(_custom(group, version) for version in VERSIONS))
    return found


def _of_classes(group: str) -> tuple[Edit, ...]:
    """Changes that make a pod one of a class, or contradict it."""
    high, heavy = classes(group)
    return (
        {"/spec/priorityClassName": high},
        {"/spec/priorityClassName": high, "/spec/priority": 8},
        {"/spec/priorityClassName": "unknown"},
        {"/spec/runtimeClassName": heavy},
        {"/spec/runtimeClassName": heavy, "/spec/overhead": {"cpu": "1"}},
        {"/spec/runtimeClassName": heavy, "/spec/nodeSelector": {"vm": "no"}},
        {"/spec/runtimeClassName": "unknown"},
    )


def _builtin(sample: Sample) -> Subject:
    valid = edited(sample.valid, _UNFIT) if sample.valid["kind"] == "StatefulSet" else sample.valid
    found = builtin_kind(valid)
    version = valid["apiVersion"]
    return Subject(
        title=sample.title,
        valid=valid,
        shape=builtin.library().shape(found.definition),
        root=f"/{'apis' if '/' in version else 'api'}/{version}",
        plural=found.kind.plural,
        parts=tuple(name for name in ("status", "scale") if name in found.subresources),
        taken=taken(sample),
        refused=refused(sample),
        namespaced=found.kind.namespaced,
    )


def _custom(group: str, version: str) -> Subject:
    (schema,) = [
        each["schema"]["openAPIV3Schema"]
        for each in custom_definition(group)["spec"]["versions"]
        if each["name"] == version
    ]
    return Subject(
        title=f"Gadget {version}",
        valid=custom_manifest(group, version),
        shape=Shape(schema),
        root=f"/apis/{group}/{version}",
        plural=PLURAL,
        parts=("status", "scale"),
        taken=sensible(CUSTOM_EDITS),
        refused=tuple(map(group_of, BROKEN_RULES)),
    )
