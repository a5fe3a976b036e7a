# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class HostPathVolumeSource(Model):
    path: str
    type: str | None = None
