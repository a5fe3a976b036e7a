# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Model, Wire


class FCVolumeSource(Model):
    fs_type: str | None = None
    lun: int | None = None
    read_only: bool | None = None
    target_wwns: Annotated[list[str], Wire("targetWWNs")] = []
    wwids: list[str] = []
