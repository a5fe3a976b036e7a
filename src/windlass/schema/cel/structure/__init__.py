"""The types of values that a structural schema describes, and how large they can be.

    declared = declare(schema, root=True)
    scoped = declared.scoped()
    environment = base.extended({"self": scoped.type, "oldSelf": scoped.type}, scoped.objects)

What a schema does not describe, expressions cannot speak of. `escape` tells how they spell the name of a
field, `Declared.size` how large a part of the value can be, which the estimate of a cost needs.
"""

from windlass.schema.cel.structure.declared import REQUEST_SIZE as REQUEST_SIZE
from windlass.schema.cel.structure.declared import Declared as Declared
from windlass.schema.cel.structure.declared import Scoped as Scoped
from windlass.schema.cel.structure.name import escape as escape
from windlass.schema.cel.structure.name import unescape as unescape
from windlass.schema.cel.structure.read import declare as declare
from windlass.schema.cel.structure.read import with_metadata as with_metadata

__all__ = ["REQUEST_SIZE", "Declared", "Scoped", "declare", "escape", "unescape", "with_metadata"]
