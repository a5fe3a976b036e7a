from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from windlass.operators.pagerduty.simulator.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from windlass.api import Json
    from windlass.operators.pagerduty.api import Call


class Answer(NamedTuple):
    """A status and what goes with it."""

    status: int
    body: Json | None = None


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request as a route sees it: who asks, what stands in the path, and what was sent."""

    call: Call
    path: Mapping[str, str]
    user: str | None = None

    @property
    def id(self) -> str:
        """The object that the path names."""
        return self.path["id"]

    def one(self, name: str) -> str | None:
        """A parameter of the query; the last one counts."""
        return next((value for key, value in reversed(self.call.query) if key == name), None)

    def every(self, name: str) -> list[str]:
        """A parameter that may be given several times, as `include[]`."""
        return [value for key, value in self.call.query if key == name]

    def entity(self, wrapper: str) -> Json:
        """The object in the body, which lies under its own name: a copy, as if it had been sent.

        Raises:
            Refusal: there is none.
        """
        found: Any = (self.call.body or {}).get(wrapper)
        if not isinstance(found, dict):
            raise Refusal.invalid(f"the body must have an object {wrapper!r}")
        return _sent(found)


def _sent(given: Json) -> Json:
    """What would have come out of a real wire: nothing that the caller still holds.

    Raises:
        TypeError: it could not have been sent.
    """
    received: Json = json.loads(json.dumps(given))
    return received
