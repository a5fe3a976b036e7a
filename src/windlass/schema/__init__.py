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
    from windlass.schema.golang import go_syntax as go_syntax
    from windlass.schema.golang import json_kind as json_kind
    from windlass.schema.golang import json_text as json_text
    from windlass.schema.golang import printed as printed
    from windlass.schema.golang import quoted as quoted
    from windlass.schema.golang import shown as shown
    from windlass.schema.golang import type_name as type_name
    from windlass.schema.shape import ANY as ANY
    from windlass.schema.shape import Library as Library
    from windlass.schema.shape import Shape as Shape
    from windlass.schema.status import is_foreign as is_foreign
    from windlass.schema.status import reports_conditions as reports_conditions
    from windlass.schema.status import reports_generation as reports_generation
    from windlass.schema.value import alike as alike
    from windlass.schema.value import copied as copied

__lazy__ = {
    "ANY": "windlass.schema.shape",
    "Drift": "windlass.schema.difference",
    "Fault": "windlass.schema.fault",
    "Library": "windlass.schema.shape",
    "Path": "windlass.schema.fault",
    "Shape": "windlass.schema.shape",
    "alike": "windlass.schema.value",
    "copied": "windlass.schema.value",
    "drift": "windlass.schema.difference",
    "go_syntax": "windlass.schema.golang",
    "is_foreign": "windlass.schema.status",
    "json_kind": "windlass.schema.golang",
    "json_text": "windlass.schema.golang",
    "printed": "windlass.schema.golang",
    "quoted": "windlass.schema.golang",
    "reports_conditions": "windlass.schema.status",
    "reports_generation": "windlass.schema.status",
    "schema_of": "windlass.schema.derive",
    "shown": "windlass.schema.golang",
    "structural": "windlass.schema.derive",
    "type_name": "windlass.schema.golang",
}

__all__ = list(__lazy__)
__getattr__, __dir__ = attributes(__name__, __lazy__)
