# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Model, Resource, Wire


class VolumeNodeResources(Model):
    count: int | None = None


class CSINodeDriver(Model):
    allocatable: VolumeNodeResources | None = None
    name: str
    node_id: Annotated[str, Wire("nodeID")]
    topology_keys: list[str] = []


class CSINodeSpec(Model):
    drivers: list[CSINodeDriver]


class CSINode(Resource, group="storage.k8s.io", version="v1", plural="csinodes", namespaced=False):
    spec: CSINodeSpec
