"""The kinds of apiextensions/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceColumnDefinition as CustomResourceColumnDefinition
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceConversion as CustomResourceConversion
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceDefinition as CustomResourceDefinition
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceDefinitionCondition as CustomResourceDefinitionCondition
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceDefinitionNames as CustomResourceDefinitionNames
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceDefinitionSpec as CustomResourceDefinitionSpec
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceDefinitionStatus as CustomResourceDefinitionStatus
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceDefinitionVersion as CustomResourceDefinitionVersion
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceSubresourceScale as CustomResourceSubresourceScale
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceSubresources as CustomResourceSubresources
    from windlass.kinds.apiextensions.v1.custom_resource_definition import CustomResourceValidation as CustomResourceValidation
    from windlass.kinds.apiextensions.v1.custom_resource_definition import ExternalDocumentation as ExternalDocumentation
    from windlass.kinds.apiextensions.v1.custom_resource_definition import JSONSchemaProps as JSONSchemaProps
    from windlass.kinds.apiextensions.v1.custom_resource_definition import SelectableField as SelectableField
    from windlass.kinds.apiextensions.v1.custom_resource_definition import ServiceReference as ServiceReference
    from windlass.kinds.apiextensions.v1.custom_resource_definition import ValidationRule as ValidationRule
    from windlass.kinds.apiextensions.v1.custom_resource_definition import WebhookClientConfig as WebhookClientConfig
    from windlass.kinds.apiextensions.v1.custom_resource_definition import WebhookConversion as WebhookConversion

__lazy__ = {
    "CustomResourceColumnDefinition": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceConversion": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceDefinition": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceDefinitionCondition": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceDefinitionNames": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceDefinitionSpec": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceDefinitionStatus": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceDefinitionVersion": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceSubresourceScale": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceSubresources": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "CustomResourceValidation": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "ExternalDocumentation": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "JSONSchemaProps": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "SelectableField": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "ServiceReference": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "ValidationRule": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "WebhookClientConfig": "windlass.kinds.apiextensions.v1.custom_resource_definition",
    "WebhookConversion": "windlass.kinds.apiextensions.v1.custom_resource_definition",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
