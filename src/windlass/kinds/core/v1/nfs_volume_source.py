# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class NFSVolumeSource(Model):
    path: str
    read_only: bool | None = None
    server: str
