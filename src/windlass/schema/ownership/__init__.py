"""Who owns which fields of an object: `metadata.managedFields` and server-side apply, as pure functions.

An API server calls `updated` for each create, replace and patch, and `applied` for each apply; both leave
the object with its managed fields as a Kubernetes API server writes them. `overlaid` sets fields that nobody
comes to own by it. `Rules` say how a kind is merged,
and are made once; a `Writer` says who writes, when and in which version. `ScaleOwnership` carries owners
between an object and its Scale.

    rules = Rules(shapes={"apps/v1": deployments}, reset={"apps/v1": {"f:status": {}}})
    live = applied(None, {"metadata": {"name": "web"}, ...}, Writer("me", now, "apps/v1"), rules)

Sets of fields are dictionaries in the form of `fieldsV1` and are never changed in place. Nothing here reads a
clock, stores anything, or knows HTTP.
"""

from windlass.schema.ownership.atom import Atom, Grammar, Unfit
from windlass.schema.ownership.conflict import Conflict, OwnershipConflict
from windlass.schema.ownership.overlay import overlaid
from windlass.schema.ownership.rules import Rules
from windlass.schema.ownership.scaling import ScaleOwnership
from windlass.schema.ownership.structure import structure
from windlass.schema.ownership.writing import Writer, applied, keep_times, named, updated

__all__ = [
    "Atom",
    "Conflict",
    "Grammar",
    "OwnershipConflict",
    "Rules",
    "ScaleOwnership",
    "Unfit",
    "Writer",
    "applied",
    "keep_times",
    "named",
    "overlaid",
    "structure",
    "updated",
]
