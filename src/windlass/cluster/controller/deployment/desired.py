"""The replica set that a Deployment wants, and what is written on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from windlass.api import ObjectMeta
from windlass.cluster.controller.deployment.resize import new_size
from windlass.cluster.controller.deployment.rollout import (
    DESIRED_REPLICAS,
    MAX_REPLICAS,
    REVISION,
    REVISION_HISTORY,
    TEMPLATE_HASH,
    number,
)
from windlass.cluster.controller.template_hash import template_hash
from windlass.kinds.apps.v1 import ReplicaSet, ReplicaSetSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.cluster.controller.deployment.rollout import Rollout

_NOT_COPIED: Final = frozenset(
    {
        "kubectl.kubernetes.io/last-applied-configuration",
        "deprecated.deployment.rollback.to",
        REVISION,
        REVISION_HISTORY,
        DESIRED_REPLICAS,
        MAX_REPLICAS,
    }
)
_LONGEST_NAME: Final = 253
_LONGEST_HISTORY: Final = 2000


def new_replica_set(rollout: Rollout) -> ReplicaSet:
    """The set for the Deployment's template, as large as it may be at once."""
    deployment = rollout.deployment
    template = deployment.spec.template.model_copy(deep=True)
    digest = template_hash(template.to_wire(), deployment.status.collision_count or None)
    template.metadata.labels = {**template.metadata.labels, TEMPLATE_HASH: digest}
    selector = deployment.spec.selector.model_copy(deep=True)
    selector.match_labels = {**selector.match_labels, TEMPLATE_HASH: digest}
    name = deployment.metadata.name[: _LONGEST_NAME - len(digest) - 1]
    return ReplicaSet(
        metadata=ObjectMeta(
            name=f"{name}-{digest}",
            namespace=deployment.metadata.namespace,
            labels=template.metadata.labels,
            annotations=annotations_of_new(rollout, {}) | size_annotations(rollout),
        ),
        spec=ReplicaSetSpec(
            replicas=new_size(rollout),
            min_ready_seconds=deployment.spec.min_ready_seconds or 0,
            selector=selector,
            template=template,
        ),
    )


def annotations_of_new(rollout: Rollout, present: Mapping[str, str]) -> dict[str, str]:
    """What is to be written on the new set: the Deployment's annotations, and a revision above all others.

    A set that was new before keeps its earlier revisions in its history.
    """
    given = rollout.deployment.metadata.annotations
    wanted = {**present, **{name: text for name, text in given.items() if name not in _NOT_COPIED}}
    before = present.get(REVISION, "")
    revision = 1 + max((number(each, REVISION) or 0 for each in rollout.old), default=0)
    if int(before if before.isdecimal() else 0) < revision:
        wanted[REVISION] = str(revision)
        if before:
            wanted[REVISION_HISTORY] = _history(present.get(REVISION_HISTORY, ""), before)
    return wanted


def size_annotations(rollout: Rollout) -> dict[str, str]:
    """What a set is told of the size of the whole, by which it is later seen that the whole was scaled."""
    return {DESIRED_REPLICAS: str(rollout.replicas), MAX_REPLICAS: str(rollout.max_replicas)}


def _history(past: str, revision: str) -> str:
    revisions = [*filter(None, past.split(",")), revision]
    while len(",".join(revisions)) > _LONGEST_HISTORY:
        revisions.pop(0)
    return ",".join(revisions)
