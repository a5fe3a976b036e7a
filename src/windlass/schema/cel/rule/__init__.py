"""Rules in schemas, `x-kubernetes-validations`: checked with the definition, then put to its objects.

`CelEngine` is what a `CustomSchema` is given to know them. It says what an API server says: of a definition
whose rules do not compile or may cost too much, and of an object that breaks a rule. Objects have a budget;
updates are excused for what they do not change.
"""

from windlass.schema.cel.rule.engine import CelEngine as CelEngine
from windlass.schema.cel.rule.engine import CelRules as CelRules

__all__ = ["CelEngine", "CelRules"]
