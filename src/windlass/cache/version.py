"""Resource versions, as far as they can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from windlass.api import Json


def number(version: str) -> int | None:
    """A version as a number, by which a server orders its writes; None where it is something else."""
    return int(version) if version.isdecimal() else None


def metadata_of(raw: bytes) -> Json:
    """The metadata of an object that is kept as text."""
    metadata: Json = orjson.loads(raw)["metadata"]
    return metadata


def uid_of(raw: bytes) -> str:
    """The uid of an object that is kept as text."""
    return str(metadata_of(raw).get("uid", ""))
