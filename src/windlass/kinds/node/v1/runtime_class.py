# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Model, Quantity, Resource

if TYPE_CHECKING:
    from windlass.kinds.core.v1.toleration import Toleration

__lazy__ = {
    "Toleration": "windlass.kinds.core.v1.toleration",
}


class Overhead(Model):
    pod_fixed: dict[str, Quantity] = {}


class Scheduling(Model):
    node_selector: dict[str, str] = {}
    tolerations: "list[Toleration]" = []


class RuntimeClass(Resource, group="node.k8s.io", version="v1", plural="runtimeclasses", namespaced=False):
    handler: str
    overhead: Overhead | None = None
    scheduling: Scheduling | None = None
