# Generated from the OpenAPI document of an API server by `make kinds`; do not edit.
from typing import TYPE_CHECKING

from windlass.api import Field, Model, Resource

if TYPE_CHECKING:
    from windlass.kinds.admissionregistration.v1.match_resources import MatchResources
    from windlass.kinds.admissionregistration.v1.param_ref import ParamRef

__lazy__ = {
    "MatchResources": "windlass.kinds.admissionregistration.v1.match_resources",
    "ParamRef": "windlass.kinds.admissionregistration.v1.param_ref",
}


class MutatingAdmissionPolicyBindingSpec(Model):
    match_resources: "MatchResources | None" = None
    param_ref: "ParamRef | None" = None
    policy_name: str | None = None


class MutatingAdmissionPolicyBinding(Resource, group="admissionregistration.k8s.io", version="v1", plural="mutatingadmissionpolicybindings", namespaced=False):
    spec: MutatingAdmissionPolicyBindingSpec = Field(default_factory=MutatingAdmissionPolicyBindingSpec)
