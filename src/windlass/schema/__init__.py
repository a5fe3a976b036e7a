"""Structural schemas: derived from Python types, compared with what a cluster serves, and enforced.

`structural(WebApp)` is the schema that goes into a custom resource definition. A type that cannot be said in
one is refused with a message that names the field and the way out. `Shape` is a schema read for use: what the
API server prunes, defaults, validates and merges by. It does not talk to a cluster.
"""

from typing import TYPE_CHECKING

from windlass._lazy import attributes

if TYPE_CHECKING:
    from windlass.schema.derive import schema_of as schema_of
    from windlass.schema.derive import structural as structural
    from windlass.schema.difference import Drift as Drift
    from windlass.schema.difference import drift as drift
    from windlass.schema.fault import Fault as Fault
    from windlass.schema.fault import Path as Path
    from windlass.schema.fault import quoted as quoted
    from windlass.schema.fault import shown as shown
    from windlass.schema.shape import ANY as ANY
    from windlass.schema.shape import Library as Library
    from windlass.schema.shape import Shape as Shape

__lazy__ = {
    "ANY": "windlass.schema.shape",
    "Drift": "windlass.schema.difference",
    "Fault": "windlass.schema.fault",
    "Library": "windlass.schema.shape",
    "Path": "windlass.schema.fault",
    "Shape": "windlass.schema.shape",
    "drift": "windlass.schema.difference",
    "quoted": "windlass.schema.fault",
    "schema_of": "windlass.schema.derive",
    "shown": "windlass.schema.fault",
    "structural": "windlass.schema.derive",
}

__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
