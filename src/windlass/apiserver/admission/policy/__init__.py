"""What expressions decide about objects: admission policies, and the conditions of webhooks.

`MutatingPolicies` lets policies change an object, `validate` holds it to those that judge it. `Expressions`
compiles what policies and conditions say, for those who check them when they are written; `conditions_hold`
is for webhooks.
"""

from windlass.apiserver.admission.policy.condition import Undecided, conditions_hold
from windlass.apiserver.admission.policy.expression import Expression, Expressions
from windlass.apiserver.admission.policy.mutating import MutatingPolicies
from windlass.apiserver.admission.policy.policy import PATCH_FIELDS, PATCH_TYPES
from windlass.apiserver.admission.policy.validating import validate

__all__ = [
    "PATCH_FIELDS",
    "PATCH_TYPES",
    "Expression",
    "Expressions",
    "MutatingPolicies",
    "Undecided",
    "conditions_hold",
    "validate",
]
