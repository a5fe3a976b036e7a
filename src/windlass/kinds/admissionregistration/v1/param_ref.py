# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import LabelSelector, Model


class ParamRef(Model):
    name: str | None = None
    namespace: str | None = None
    parameter_not_found_action: str | None = None
    selector: LabelSelector | None = None
