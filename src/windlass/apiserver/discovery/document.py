from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True, slots=True)
class Document:
    """A document in JSON with the hash by which clients know it again."""

    body: bytes
    hash: str

    @classmethod
    def of(cls, value: Any) -> Document:
        """Write a document."""
        from hashlib import sha512  # not needed to start

        body = orjson.dumps(value)
        return cls(body, sha512(body).hexdigest().upper())

    @property
    def etag(self) -> str:
        """The hash as a header has it."""
        return f'"{self.hash}"'
