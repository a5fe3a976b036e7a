"""Types: whether an expression makes sense before there are values.

    checked = check(parse("self.replicas > 3"), environment)
    checked.type

`check` finds the type of each node and the overloads that each call may turn out to be, and refuses what
cannot have a value: an unknown name, a function applied to the wrong types, a literal that is no duration. It
reports every problem at once, in the words of cel-go and at the same places.
"""

from windlass.schema.cel.check.checked import Checked as Checked
from windlass.schema.cel.check.checked import Reference as Reference
from windlass.schema.cel.check.stage import check as check

__all__ = ["Checked", "Reference", "check"]
