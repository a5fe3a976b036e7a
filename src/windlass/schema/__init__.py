"""Structural schemas: derived from Python types, and compared with what a cluster serves.

`structural(WebApp)` is the schema that goes into a custom resource definition. A type that cannot be said in
one is refused with a message that names the field and the way out. It does not talk to a cluster.
"""

from windlass.schema.derive import schema_of, structural
from windlass.schema.drift import Drift, drift

__all__ = ["Drift", "drift", "schema_of", "structural"]
