# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model


class CELDeviceSelector(Model):
    expression: str


class DeviceSelector(Model):
    cel: CELDeviceSelector | None = None
