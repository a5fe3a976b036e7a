# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated

from windlass.api import Model, Wire


class FlockerVolumeSource(Model):
    dataset_name: str | None = None
    dataset_uuid: Annotated[str | None, Wire("datasetUUID")] = None
