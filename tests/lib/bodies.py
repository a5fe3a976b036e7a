"""Bodies of requests, with what the real API server says to each of them (`bodies.json`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import orjson


@dataclass(frozen=True)
class Body:
    """A body, and the message with which it is refused under strict field validation.

    `warnings` are those of an answer that is more lenient; without any, a refusal is a refusal in any case.
    No message means that the body is decoded, whatever validation makes of it then.
    """

    plural: str
    text: bytes
    message: str = ""
    warnings: tuple[str, ...] = ()
    media: str = "application/json"


def bodies() -> list[Body]:
    """All of them."""
    rows = orjson.loads((Path(__file__).parent / "bodies.json").read_bytes())
    # In the file each character stands for one byte, since some bodies are no text at all.
    return [
        Body(**{**row, "text": row["text"].encode("latin-1"), "warnings": tuple(row.get("warnings", ()))})
        for row in rows
    ]
