"""Objects as expressions see them: JSON values, typed by a structural schema as they are looked at.

    adapt = adapter(schema, resource=True)
    program.evaluate({"self": adapt(obj)})

A text of format `date-time` is a timestamp, a list of type `set` is equal to another whatever the order, a
field is named as expressions must spell it, and what the schema does not describe is not there. Nothing is
converted that no expression asks for. The objects must be valid by the schema; of one that is not, it is an
error to look at the broken part.

Without a schema, a value is what it is in JSON.
"""

from windlass.schema.cel.adapt.adapter import Adapt as Adapt
from windlass.schema.cel.adapt.adapter import adapted as adapted
from windlass.schema.cel.adapt.adapter import adapter as adapter

__all__ = ["Adapt", "adapted", "adapter"]
