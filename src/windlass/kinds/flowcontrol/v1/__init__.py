"""The kinds of flowcontrol/v1 and their parts, each loaded when first asked for."""

# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.kinds.flowcontrol.v1.priority_level_configuration import ExemptPriorityLevelConfiguration as ExemptPriorityLevelConfiguration
    from windlass.kinds.flowcontrol.v1.flow_schema import FlowDistinguisherMethod as FlowDistinguisherMethod
    from windlass.kinds.flowcontrol.v1.flow_schema import FlowSchema as FlowSchema
    from windlass.kinds.flowcontrol.v1.flow_schema import FlowSchemaCondition as FlowSchemaCondition
    from windlass.kinds.flowcontrol.v1.flow_schema import FlowSchemaSpec as FlowSchemaSpec
    from windlass.kinds.flowcontrol.v1.flow_schema import FlowSchemaStatus as FlowSchemaStatus
    from windlass.kinds.flowcontrol.v1.flow_schema import GroupSubject as GroupSubject
    from windlass.kinds.flowcontrol.v1.priority_level_configuration import LimitResponse as LimitResponse
    from windlass.kinds.flowcontrol.v1.priority_level_configuration import LimitedPriorityLevelConfiguration as LimitedPriorityLevelConfiguration
    from windlass.kinds.flowcontrol.v1.flow_schema import NonResourcePolicyRule as NonResourcePolicyRule
    from windlass.kinds.flowcontrol.v1.flow_schema import PolicyRulesWithSubjects as PolicyRulesWithSubjects
    from windlass.kinds.flowcontrol.v1.priority_level_configuration import PriorityLevelConfiguration as PriorityLevelConfiguration
    from windlass.kinds.flowcontrol.v1.priority_level_configuration import PriorityLevelConfigurationCondition as PriorityLevelConfigurationCondition
    from windlass.kinds.flowcontrol.v1.flow_schema import PriorityLevelConfigurationReference as PriorityLevelConfigurationReference
    from windlass.kinds.flowcontrol.v1.priority_level_configuration import PriorityLevelConfigurationSpec as PriorityLevelConfigurationSpec
    from windlass.kinds.flowcontrol.v1.priority_level_configuration import PriorityLevelConfigurationStatus as PriorityLevelConfigurationStatus
    from windlass.kinds.flowcontrol.v1.priority_level_configuration import QueuingConfiguration as QueuingConfiguration
    from windlass.kinds.flowcontrol.v1.flow_schema import ResourcePolicyRule as ResourcePolicyRule
    from windlass.kinds.flowcontrol.v1.flow_schema import ServiceAccountSubject as ServiceAccountSubject
    from windlass.kinds.flowcontrol.v1.flow_schema import Subject as Subject
    from windlass.kinds.flowcontrol.v1.flow_schema import UserSubject as UserSubject

__lazy__ = {
    "ExemptPriorityLevelConfiguration": "windlass.kinds.flowcontrol.v1.priority_level_configuration",
    "FlowDistinguisherMethod": "windlass.kinds.flowcontrol.v1.flow_schema",
    "FlowSchema": "windlass.kinds.flowcontrol.v1.flow_schema",
    "FlowSchemaCondition": "windlass.kinds.flowcontrol.v1.flow_schema",
    "FlowSchemaSpec": "windlass.kinds.flowcontrol.v1.flow_schema",
    "FlowSchemaStatus": "windlass.kinds.flowcontrol.v1.flow_schema",
    "GroupSubject": "windlass.kinds.flowcontrol.v1.flow_schema",
    "LimitResponse": "windlass.kinds.flowcontrol.v1.priority_level_configuration",
    "LimitedPriorityLevelConfiguration": "windlass.kinds.flowcontrol.v1.priority_level_configuration",
    "NonResourcePolicyRule": "windlass.kinds.flowcontrol.v1.flow_schema",
    "PolicyRulesWithSubjects": "windlass.kinds.flowcontrol.v1.flow_schema",
    "PriorityLevelConfiguration": "windlass.kinds.flowcontrol.v1.priority_level_configuration",
    "PriorityLevelConfigurationCondition": "windlass.kinds.flowcontrol.v1.priority_level_configuration",
    "PriorityLevelConfigurationReference": "windlass.kinds.flowcontrol.v1.flow_schema",
    "PriorityLevelConfigurationSpec": "windlass.kinds.flowcontrol.v1.priority_level_configuration",
    "PriorityLevelConfigurationStatus": "windlass.kinds.flowcontrol.v1.priority_level_configuration",
    "QueuingConfiguration": "windlass.kinds.flowcontrol.v1.priority_level_configuration",
    "ResourcePolicyRule": "windlass.kinds.flowcontrol.v1.flow_schema",
    "ServiceAccountSubject": "windlass.kinds.flowcontrol.v1.flow_schema",
    "Subject": "windlass.kinds.flowcontrol.v1.flow_schema",
    "UserSubject": "windlass.kinds.flowcontrol.v1.flow_schema",
}
__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
