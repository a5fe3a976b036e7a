from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api.wire import Json

UNCONVERTED: Final = "windlass.dev/unconverted"
"""The annotation of an object that could not be converted to the version that it is shown in.

An empty value is as good as none.
"""

_BESIDE: Final = ("apiVersion", "kind", "metadata")


@dataclass(frozen=True, slots=True)
class Unconverted:
    """What the annotation says of an object that could not be converted: its body here is not the user's.

    `api_version` is the version that it was written in, `reason` why it cannot be converted from there, and
    `body` everything that it has in that version beside its metadata.
    """

    api_version: str
    reason: str
    body: Json

    @classmethod
    def of(cls, annotations: Mapping[str, str] | None) -> Unconverted | None:
        """Read the annotation; None where there is none, or none that can be read.

        Unconverted.of(app.metadata.annotations)
        """
        text = (annotations or {}).get(UNCONVERTED)
        if not text:
            return None
        import orjson

        try:
            found: Any = orjson.loads(text)
        except orjson.JSONDecodeError:
            return None
        if not isinstance(found, dict):
            return None
        version, reason, body = found.get("from"), found.get("reason"), found.get("object")
        if not (isinstance(version, str) and version and isinstance(reason, str) and isinstance(body, dict)):
            return None
        return cls(version, reason, {name: value for name, value in body.items() if name not in _BESIDE})

    def text(self) -> str:
        """The text of the annotation."""
        import orjson

        said = {"from": self.api_version, "reason": self.reason, "object": self.body}
        return orjson.dumps(said, option=orjson.OPT_SORT_KEYS).decode()
