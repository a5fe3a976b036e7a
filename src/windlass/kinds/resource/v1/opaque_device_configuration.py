# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Any

from windlass.api import Model


class OpaqueDeviceConfiguration(Model):
    driver: str
    parameters: dict[str, Any]
