"""The kinds of apps/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.apps.v1.controller_revision import ControllerRevision as ControllerRevision
    from windlass.kinds.apps.v1.daemon_set import DaemonSet as DaemonSet
    from windlass.kinds.apps.v1.daemon_set import DaemonSetCondition as DaemonSetCondition
    from windlass.kinds.apps.v1.daemon_set import DaemonSetSpec as DaemonSetSpec
    from windlass.kinds.apps.v1.daemon_set import DaemonSetStatus as DaemonSetStatus
    from windlass.kinds.apps.v1.daemon_set import DaemonSetUpdateStrategy as DaemonSetUpdateStrategy
    from windlass.kinds.apps.v1.deployment import Deployment as Deployment
    from windlass.kinds.apps.v1.deployment import DeploymentCondition as DeploymentCondition
    from windlass.kinds.apps.v1.deployment import DeploymentSpec as DeploymentSpec
    from windlass.kinds.apps.v1.deployment import DeploymentStatus as DeploymentStatus
    from windlass.kinds.apps.v1.deployment import DeploymentStrategy as DeploymentStrategy
    from windlass.kinds.apps.v1.replica_set import ReplicaSet as ReplicaSet
    from windlass.kinds.apps.v1.replica_set import ReplicaSetCondition as ReplicaSetCondition
    from windlass.kinds.apps.v1.replica_set import ReplicaSetSpec as ReplicaSetSpec
    from windlass.kinds.apps.v1.replica_set import ReplicaSetStatus as ReplicaSetStatus
    from windlass.kinds.apps.v1.daemon_set import RollingUpdateDaemonSet as RollingUpdateDaemonSet
    from windlass.kinds.apps.v1.deployment import RollingUpdateDeployment as RollingUpdateDeployment
    from windlass.kinds.apps.v1.stateful_set import RollingUpdateStatefulSetStrategy as RollingUpdateStatefulSetStrategy
    from windlass.kinds.apps.v1.stateful_set import StatefulSet as StatefulSet
    from windlass.kinds.apps.v1.stateful_set import StatefulSetCondition as StatefulSetCondition
    from windlass.kinds.apps.v1.stateful_set import StatefulSetOrdinals as StatefulSetOrdinals
    from windlass.kinds.apps.v1.stateful_set import StatefulSetPersistentVolumeClaimRetentionPolicy as StatefulSetPersistentVolumeClaimRetentionPolicy
    from windlass.kinds.apps.v1.stateful_set import StatefulSetSpec as StatefulSetSpec
    from windlass.kinds.apps.v1.stateful_set import StatefulSetStatus as StatefulSetStatus
    from windlass.kinds.apps.v1.stateful_set import StatefulSetUpdateStrategy as StatefulSetUpdateStrategy

__lazy__ = {
    "ControllerRevision": "windlass.kinds.apps.v1.controller_revision",
    "DaemonSet": "windlass.kinds.apps.v1.daemon_set",
    "DaemonSetCondition": "windlass.kinds.apps.v1.daemon_set",
    "DaemonSetSpec": "windlass.kinds.apps.v1.daemon_set",
    "DaemonSetStatus": "windlass.kinds.apps.v1.daemon_set",
    "DaemonSetUpdateStrategy": "windlass.kinds.apps.v1.daemon_set",
    "Deployment": "windlass.kinds.apps.v1.deployment",
    "DeploymentCondition": "windlass.kinds.apps.v1.deployment",
    "DeploymentSpec": "windlass.kinds.apps.v1.deployment",
    "DeploymentStatus": "windlass.kinds.apps.v1.deployment",
    "DeploymentStrategy": "windlass.kinds.apps.v1.deployment",
    "ReplicaSet": "windlass.kinds.apps.v1.replica_set",
    "ReplicaSetCondition": "windlass.kinds.apps.v1.replica_set",
    "ReplicaSetSpec": "windlass.kinds.apps.v1.replica_set",
    "ReplicaSetStatus": "windlass.kinds.apps.v1.replica_set",
    "RollingUpdateDaemonSet": "windlass.kinds.apps.v1.daemon_set",
    "RollingUpdateDeployment": "windlass.kinds.apps.v1.deployment",
    "RollingUpdateStatefulSetStrategy": "windlass.kinds.apps.v1.stateful_set",
    "StatefulSet": "windlass.kinds.apps.v1.stateful_set",
    "StatefulSetCondition": "windlass.kinds.apps.v1.stateful_set",
    "StatefulSetOrdinals": "windlass.kinds.apps.v1.stateful_set",
    "StatefulSetPersistentVolumeClaimRetentionPolicy": "windlass.kinds.apps.v1.stateful_set",
    "StatefulSetSpec": "windlass.kinds.apps.v1.stateful_set",
    "StatefulSetStatus": "windlass.kinds.apps.v1.stateful_set",
    "StatefulSetUpdateStrategy": "windlass.kinds.apps.v1.stateful_set",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
