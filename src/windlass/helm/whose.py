from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from windlass.errors import UndecodableError
from windlass.helm.history import KIND
from windlass.helm.record import read_record

if TYPE_CHECKING:
    from windlass.helm.history import History

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

    def dispute(self, history: History) -> str:
        """Why a release is somebody else's, to be neither changed nor removed; empty if it is not.

        The records have to be there with their content.
        """
        record = history.deployed or history.latest
        kind = record and record.metadata.labels.get(KIND)
        if record is None or kind == self.label:
            return ""
        if kind is not None:
            return f"duplicate release name: {record.release} belongs to a {kind}"
        try:
            chart = read_record(record).chart
        except UndecodableError:
            return ""  # nor can Helm read it: it finds nothing to change or remove
        other = f"duplicate release name: {record.release} is one of the chart {chart}, not {self.chart}"
        return "" if chart == self.chart else other
