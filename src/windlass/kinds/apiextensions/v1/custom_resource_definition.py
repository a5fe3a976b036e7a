# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import Annotated, Any

from windlass.api import Base64, Field, Model, Resource, Time, Wire


class CustomResourceColumnDefinition(Model):
    description: str | None = None
    format: str | None = None
    json_path: str
    name: str
    priority: int | None = None
    type: str


class ServiceReference(Model):
    name: str
    namespace: str
    path: str | None = None
    port: int | None = None


class WebhookClientConfig(Model):
    ca_bundle: Base64 | None = None
    service: ServiceReference | None = None
    url: str | None = None


class WebhookConversion(Model):
    client_config: WebhookClientConfig | None = None
    conversion_review_versions: list[str]


class CustomResourceConversion(Model):
    strategy: str
    webhook: WebhookConversion | None = None


class CustomResourceDefinitionNames(Model):
    categories: list[str] = []
    kind: str
    list_kind: str | None = None
    plural: str
    short_names: list[str] = []
    singular: str | None = None


class CustomResourceSubresourceScale(Model):
    label_selector_path: str | None = None
    spec_replicas_path: str
    status_replicas_path: str


class CustomResourceSubresources(Model):
    scale: CustomResourceSubresourceScale | None = None
    status: dict[str, Any] = {}


class ExternalDocumentation(Model):
    description: str | None = None
    url: str | None = None


class ValidationRule(Model):
    field_path: str | None = None
    message: str | None = None
    message_expression: str | None = None
    optional_old_self: bool | None = None
    reason: str | None = None
    rule: str


class JSONSchemaProps(Model):
    ref: Annotated[str | None, Wire("$ref")] = None
    schema_: Annotated[str | None, Wire("$schema")] = None
    additional_items: Any = None
    additional_properties: Any = None
    all_of: "list[JSONSchemaProps]" = []
    any_of: "list[JSONSchemaProps]" = []
    default: Any = None
    definitions: "dict[str, JSONSchemaProps]" = {}
    dependencies: dict[str, Any] = {}
    description: str | None = None
    enum: list[Any] = []
    example: Any = None
    exclusive_maximum: bool | None = None
    exclusive_minimum: bool | None = None
    external_docs: ExternalDocumentation | None = None
    format: str | None = None
    id: str | None = None
    items: Any = None
    max_items: int | None = None
    max_length: int | None = None
    max_properties: int | None = None
    maximum: float | None = None
    min_items: int | None = None
    min_length: int | None = None
    min_properties: int | None = None
    minimum: float | None = None
    multiple_of: float | None = None
    not_: 'Annotated[JSONSchemaProps | None, Wire("not")]' = None
    nullable: bool | None = None
    one_of: "list[JSONSchemaProps]" = []
    pattern: str | None = None
    pattern_properties: "dict[str, JSONSchemaProps]" = {}
    properties: "dict[str, JSONSchemaProps]" = {}
    required: list[str] = []
    title: str | None = None
    type: str | None = None
    unique_items: bool | None = None
    x_kubernetes_embedded_resource: Annotated[bool | None, Wire("x-kubernetes-embedded-resource")] = None
    x_kubernetes_int_or_string: Annotated[bool | None, Wire("x-kubernetes-int-or-string")] = None
    x_kubernetes_list_map_keys: Annotated[list[str], Wire("x-kubernetes-list-map-keys")] = []
    x_kubernetes_list_type: Annotated[str | None, Wire("x-kubernetes-list-type")] = None
    x_kubernetes_map_type: Annotated[str | None, Wire("x-kubernetes-map-type")] = None
    x_kubernetes_preserve_unknown_fields: Annotated[bool | None, Wire("x-kubernetes-preserve-unknown-fields")] = None
    x_kubernetes_validations: Annotated[list[ValidationRule], Wire("x-kubernetes-validations")] = []


class CustomResourceValidation(Model):
    open_apiv_3_schema: Annotated[JSONSchemaProps | None, Wire("openAPIV3Schema")] = None


class SelectableField(Model):
    json_path: str


class CustomResourceDefinitionVersion(Model):
    additional_printer_columns: list[CustomResourceColumnDefinition] = []
    deprecated: bool | None = None
    deprecation_warning: str | None = None
    name: str
    schema_: Annotated[CustomResourceValidation | None, Wire("schema")] = None
    selectable_fields: list[SelectableField] = []
    served: bool
    storage: bool
    subresources: CustomResourceSubresources | None = None


class CustomResourceDefinitionSpec(Model):
    conversion: CustomResourceConversion | None = None
    group: str
    names: CustomResourceDefinitionNames
    preserve_unknown_fields: bool | None = None
    scope: str
    versions: list[CustomResourceDefinitionVersion]


class CustomResourceDefinitionCondition(Model):
    last_transition_time: Time | None = None
    message: str | None = None
    observed_generation: int | None = None
    reason: str | None = None
    status: str
    type: str


class CustomResourceDefinitionStatus(Model):
    accepted_names: CustomResourceDefinitionNames | None = None
    conditions: list[CustomResourceDefinitionCondition] = []
    observed_generation: int = 0
    stored_versions: list[str] = []


class CustomResourceDefinition(Resource, group="apiextensions.k8s.io", version="v1", plural="customresourcedefinitions", namespaced=False, subresources=('status',)):
    spec: CustomResourceDefinitionSpec
    status: CustomResourceDefinitionStatus = Field(default_factory=CustomResourceDefinitionStatus)
