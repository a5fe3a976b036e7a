from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from windlass.api import Json, Key
    from windlass.helm.capabilities import Capabilities
    from windlass.helm.chart import Chart

_DIGITS = 40  # of a digest, so that it fits into a label beside a revision


@dataclass(frozen=True, kw_only=True)
class Blueprint:
    """Everything that decides what a release consists of.

    `assignments` win over the values, in the grammar of `helm --set`; `overrides` win over both, in the
    grammar of `helm --set-string`.
    """

    release: Key
    chart: Chart
    values: Json = field(default_factory=dict)
    assignments: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    capabilities: Capabilities

    @cached_property
    def digest(self) -> str:
        """A digest of release, chart and values: what users decide."""
        parts = [[*self.release], self.chart.digest, self.values, self.assignments, self.overrides]
        return _digest(parts)

    @cached_property
    def capabilities_digest(self) -> str:
        """A digest of the capabilities that the chart asks for: what the cluster decides."""
        return _digest(self.capabilities.asked_by(self.chart))

    @property
    def full_digest(self) -> str:
        """Both together: equal ones make equal objects."""
        return f"{self.digest}.{self.capabilities_digest}"


def _digest(value: Any) -> str:
    return sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).hexdigest()[:_DIGITS]
