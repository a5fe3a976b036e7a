# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import Model, Quantity, Resource


class LimitRangeItem(Model):
    default: dict[str, Quantity] = {}
    default_request: dict[str, Quantity] = {}
    max: dict[str, Quantity] = {}
    max_limit_request_ratio: dict[str, Quantity] = {}
    min: dict[str, Quantity] = {}
    type: str


class LimitRangeSpec(Model):
    limits: list[LimitRangeItem]


class LimitRange(Resource, group="", version="v1", plural="limitranges"):
    spec: LimitRangeSpec
