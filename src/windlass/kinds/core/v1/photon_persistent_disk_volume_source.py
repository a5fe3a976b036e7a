# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Model, Wire


class PhotonPersistentDiskVolumeSource(Model):
    fs_type: str | None = None
    pd_id: Annotated[str, Wire("pdID")]
