"""What is particular to a kind: how it is read and shown, what the server adds to it, and how it goes.

The verbs are the same for all kinds; wherever kinds differ, a verb asks the traits of the resource. What most
kinds have in common is the default here. Built-in kinds have their own in `windlass.apiserver.kind`, custom
ones in `windlass.apiserver.crd`.
"""

from windlass.apiserver.traits.traits import FieldReader, Traits
from windlass.apiserver.traits.writing import WHOLE_METADATA, keep

__all__ = ["WHOLE_METADATA", "FieldReader", "Traits", "keep"]
