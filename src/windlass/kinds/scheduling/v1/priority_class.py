# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Resource


class PriorityClass(Resource, group="scheduling.k8s.io", version="v1", plural="priorityclasses", namespaced=False):
    description: str | None = None
    global_default: bool | None = None
    preemption_policy: str | None = None
    value: int | None = None
