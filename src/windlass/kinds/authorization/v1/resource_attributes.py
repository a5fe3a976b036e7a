# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from windlass.api import LabelSelectorRequirement, Model


class FieldSelectorRequirement(Model):
    key: str
    operator: str
    values: list[str] = []


class FieldSelectorAttributes(Model):
    raw_selector: str | None = None
    requirements: list[FieldSelectorRequirement] = []


class LabelSelectorAttributes(Model):
    raw_selector: str | None = None
    requirements: list[LabelSelectorRequirement] = []


class ResourceAttributes(Model):
    field_selector: FieldSelectorAttributes | None = None
    group: str | None = None
    label_selector: LabelSelectorAttributes | None = None
    name: str | None = None
    namespace: str | None = None
    resource: str | None = None
    subresource: str | None = None
    verb: str | None = None
    version: str | None = None
