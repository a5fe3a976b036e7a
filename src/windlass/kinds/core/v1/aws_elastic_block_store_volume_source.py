# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Model, Wire


class AWSElasticBlockStoreVolumeSource(Model):
    fs_type: str | None = None
    partition: int | None = None
    read_only: bool | None = None
    volume_id: Annotated[str, Wire("volumeID")]
