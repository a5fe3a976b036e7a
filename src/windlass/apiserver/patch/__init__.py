"""The three forms of a patch that are not an apply: JSON patch, merge patch, strategic merge patch.

Each is one pure function from an object and the body of a request to what the object becomes; the object that
came in is never changed. Whatever the real server refuses is refused with its code, reason and message.

    merge_patched({"data": {"a": "1"}}, b'{"data": {"a": null, "b": "2"}}').document

The result is JSON, not yet an object of the kind: decoding, defaulting and validation come after, and say
through `Patched.refusal` what is wrong with it; `misfit` has the words for a strategic merge patch. Who has a
JSON patch from elsewhere than a client takes the two steps alone, `json_operations` and `carried_out`.
"""

from windlass.apiserver.patch.json_patch import Operations, carried_out, json_operations, json_patched
from windlass.apiserver.patch.merge import merge_patched
from windlass.apiserver.patch.outcome import Patched, Rejected, Unusable
from windlass.apiserver.patch.restore import misfit
from windlass.apiserver.patch.strategic import strategic_patched

__all__ = [
    "Operations",
    "Patched",
    "Rejected",
    "Unusable",
    "carried_out",
    "json_operations",
    "json_patched",
    "merge_patched",
    "misfit",
    "strategic_patched",
]
