# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Model, Wire


class VsphereVirtualDiskVolumeSource(Model):
    fs_type: str | None = None
    storage_policy_id: Annotated[str | None, Wire("storagePolicyID")] = None
    storage_policy_name: str | None = None
    volume_path: str
