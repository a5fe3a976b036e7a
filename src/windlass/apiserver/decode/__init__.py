"""The bodies of requests: from text to an object of a kind, or to the refusal that the real server has.

`decode` reads objects of built-in kinds as Go's decoder would: types, unknown and repeated fields, canonical
forms. `complete` adds what Go writes of itself. `decode_custom` reads custom resources, of which only the
text is judged here; their schema has its own say. Who has a parsed object already, the outcome of a patch,
uses `read_again`, or, where the server does not go through text, `convert`. `decode_review` reads what
webhooks answer.

    decoded = decode(body, "application/json", kind, builtin_types(), "Strict")
    complete(decoded.object, kind, builtin_types())
"""

from windlass.apiserver.decode.body import (
    Decoded,
    check_claim,
    complete,
    convert,
    decode,
    decode_delete_options,
    read,
    read_again,
    read_metadata,
)
from windlass.apiserver.decode.custom import Draft, decode_custom
from windlass.apiserver.decode.problem import DecodeError
from windlass.apiserver.decode.review import REVIEW_VERSIONS, decode_review
from windlass.apiserver.decode.types import Types, builtin_types

__all__ = [
    "REVIEW_VERSIONS",
    "DecodeError",
    "Decoded",
    "Draft",
    "Types",
    "builtin_types",
    "check_claim",
    "complete",
    "convert",
    "decode",
    "decode_custom",
    "decode_delete_options",
    "decode_review",
    "read",
    "read_again",
    "read_metadata",
]
