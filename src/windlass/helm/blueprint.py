from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from windlass.api import Json, Key
    from windlass.helm.capabilities import Capabilities
    from windlass.helm.chart import Chart

_DIGITS = 40  # of a digest, so that it fits into a label beside a revision


@dataclass(frozen=True, kw_only=True)
class Blueprint:
    """Everything that decides what a release consists of: equal digests make equal objects.

    `overrides` are assignments in the grammar of `helm --set-string`, which win over the values.
    """

    release: Key
    chart: Chart
    values: Json = field(default_factory=dict)
    overrides: tuple[str, ...] = ()
    capabilities: Capabilities

    @cached_property
    def digest(self) -> str:
        """A short text that stands for all of it; of the capabilities, what the chart asks for counts."""
        parts = [
            [*self.release],
            self.chart.digest,
            self.values,
            self.overrides,
            self.capabilities.asked_by(self.chart),
        ]
        return sha256(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)).hexdigest()[:_DIGITS]
