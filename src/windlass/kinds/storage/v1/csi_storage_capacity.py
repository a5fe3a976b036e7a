# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import LabelSelector, Quantity, Resource


class CSIStorageCapacity(Resource, group="storage.k8s.io", version="v1", plural="csistoragecapacities"):
    capacity: Quantity | None = None
    maximum_volume_size: Quantity | None = None
    node_topology: LabelSelector | None = None
    storage_class_name: str
