# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Resource


class VolumeAttributesClass(Resource, group="storage.k8s.io", version="v1", plural="volumeattributesclasses", namespaced=False):
    driver_name: str
    parameters: dict[str, str] = {}
