# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class GCEPersistentDiskVolumeSource(Model):
    fs_type: str | None = None
    partition: int | None = None
    pd_name: str
    read_only: bool | None = None
