"""What expressions decide about objects: validating admission policies, and the conditions of webhooks.

`validate` holds an object to the policies that are bound. `Expressions` compiles what policies and conditions
say, for those who check them when they are written; `conditions_hold` is for webhooks.
"""

from windlass.apiserver.admission.policy.condition import Undecided, conditions_hold
from windlass.apiserver.admission.policy.expression import Expression, Expressions
from windlass.apiserver.admission.policy.validating import validate

__all__ = ["Expression", "Expressions", "Undecided", "conditions_hold", "validate"]
