from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from windlass.helm.history import KIND

if TYPE_CHECKING:
    from windlass.helm.history import History
    from windlass.helm.records import Records
    from windlass.reconcile import Context

_LONGEST: Final = 63


@dataclass(frozen=True, kw_only=True)
class Whose:
    """Who may have a release: objects of a kind, and of releases that say nothing of that, those of a chart.

    Operators before this one left no label; without a `chart`, their releases are not ours either.
    """

    kind: str
    chart: str = ""

    @property
    def label(self) -> str:
        """The kind, as far as a label can hold it."""
        return self.kind if len(self.kind) <= _LONGEST else sha256(self.kind.encode()).hexdigest()[:_LONGEST]

    async def dispute(self, history: History, records: Records, ctx: Context) -> str:
        """Why a release is somebody else's, to be neither changed nor removed; empty if it is ours."""
        record = history.deployed or history.latest
        if record is None:
            return ""
        kind = record.metadata.labels.get(KIND)
        if kind is not None:
            belongs = f"duplicate release name: {record.release} belongs to a {kind}"
            return "" if kind == self.label else belongs
        chart = (await records.revision(record, ctx)).chart
        is_other = f"duplicate release name: {record.release} is one of the chart {chart}, not {self.chart}"
        return "" if chart == self.chart else is_other
