# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model, Resource


class TopologySelectorLabelRequirement(Model):
    key: str
    values: list[str]


class TopologySelectorTerm(Model):
    match_label_expressions: list[TopologySelectorLabelRequirement] = []


class StorageClass(Resource, group="storage.k8s.io", version="v1", plural="storageclasses", namespaced=False):
    allow_volume_expansion: bool | None = None
    allowed_topologies: list[TopologySelectorTerm] = []
    mount_options: list[str] = []
    parameters: dict[str, str] = {}
    provisioner: str
    reclaim_policy: str | None = None
    volume_binding_mode: str | None = None
