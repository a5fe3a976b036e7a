# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Model, Wire


class AzureDiskVolumeSource(Model):
    caching_mode: str | None = None
    disk_name: str
    disk_uri: Annotated[str, Wire("diskURI")]
    fs_type: str | None = None
    kind: str | None = None
    read_only: bool | None = None
