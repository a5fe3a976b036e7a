# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class QuobyteVolumeSource(Model):
    group: str | None = None
    read_only: bool | None = None
    registry: str
    tenant: str | None = None
    user: str | None = None
    volume: str
