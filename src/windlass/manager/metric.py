"""Numbers that are cheap to change and read only when somebody asks.

prometheus-client's own counters take a lock for each change, a histogram two to three microseconds. Ours live
in one event loop, are plain attributes, and become prometheus-client's data when a scrape comes: neither a
reconcile nor an operator whose metrics nobody reads pays for more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from typing_extensions import override

if TYPE_CHECKING:
    from prometheus_client import Metric
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

Labels = tuple[str, ...]
Reading = Callable[[], Iterable[tuple[Labels, float]]]
"""Looks at the world when a scrape comes: the values of labels, and the number to show."""


class Number:
    """A counter or a gauge of one series."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0.0

    def add(self, amount: float = 1) -> None:
        """Count on, or back."""
        self.value += amount

    def set(self, value: float) -> None:
        """Show this from now on."""
        self.value = value


class Distribution:
    """A histogram of one series: how many values lie between each two bounds, and their sum."""

    __slots__ = ("_bounds", "_counts", "_sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        """Take one more value; one that is a bound lies below it, as Prometheus has it."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def buckets(self) -> list[tuple[str, float]]:
        """For each bound the number of values up to it, ended by `+Inf`."""
        names = [*(_bound(each) for each in self._bounds), "+Inf"]
        return list(zip(names, map(float, accumulate(self._counts)), strict=True))

    @property
    def sum(self) -> float:
        """All values together."""
        return self._sum


class Family(Protocol):
    """All series of one name."""

    def describe(self) -> Metric:
        """The name alone, in prometheus-client's form."""

    def collect(self) -> Metric:
        """The name with all its series as they are now."""


C = TypeVar("C")


class _Series(Generic[C]):
    """The series of one name, made when they are first asked for; `labels` are what tells them apart."""

    def __init__(self, name: str, text: str, labels: Labels, make: Callable[[], C]) -> None:
        self._name = name
        self._text = text
        self.labels = labels
        self._make = make
        self._series: dict[Labels, C] = {}

    def of(self, *values: str) -> C:
        """The series with these values of the labels, to be kept by whoever changes it often."""
        series = self._series.get(values)
        if series is None:
            if len(values) != len(self.labels):
                raise ValueError(f"{self._name} has the labels {self.labels}, not {values}")
            series = self._series[values] = self._make()
        return series


class Counters(_Series[Number], Family):
    """Counts that only grow; the name ends in `_total`."""

    def __init__(self, name: str, text: str, labels: Labels) -> None:
        super().__init__(name, text, labels, Number)

    @override
    def describe(self) -> CounterMetricFamily:
        from prometheus_client.core import CounterMetricFamily

        return CounterMetricFamily(self._name, self._text, labels=self.labels)

    @override
    def collect(self) -> CounterMetricFamily:
        metric = self.describe()
        for values, series in self._series.items():
            metric.add_metric(values, series.value)
        return metric


class Gauges(_Series[Number], Family):
    """Numbers that go up and down."""

    def __init__(self, name: str, text: str, labels: Labels) -> None:
        super().__init__(name, text, labels, Number)

    @override
    def describe(self) -> GaugeMetricFamily:
        from prometheus_client.core import GaugeMetricFamily

        return GaugeMetricFamily(self._name, self._text, labels=self.labels)

    @override
    def collect(self) -> GaugeMetricFamily:
        metric = self.describe()
        for values, series in self._series.items():
            metric.add_metric(values, series.value)
        return metric


class Readings(Gauges):
    """Gauges that nobody keeps: each scrape looks at the world anew.

    Several readings of one name are shown together. Where two have the same labels, as when two informers
    hold objects of one kind, `join` makes one number of them.
    """

    def __init__(
        self, name: str, text: str, labels: Labels, join: Callable[[float, float], float] = add
    ) -> None:
        super().__init__(name, text, labels)
        self._join = join
        self._readings: dict[Hashable, Reading] = {}

    def read(self, reading: Reading, of: str | None = None) -> None:
        """Look here too; where it is said whose it is, no longer at that one's earlier reading."""
        self._readings[reading if of is None else of] = reading

    @override
    def collect(self) -> GaugeMetricFamily:
        self._series.clear()
        for reading in self._readings.values():
            for values, number in reading():
                series = self.of(*values)
                series.value = self._join(series.value, number)
        return super().collect()


class Distributions(_Series[Distribution], Family):
    """Histograms, all with the same bounds."""

    def __init__(self, name: str, text: str, labels: Labels, bounds: Sequence[float]) -> None:
        super().__init__(name, text, labels, lambda: Distribution(bounds))

    @override
    def describe(self) -> HistogramMetricFamily:
        from prometheus_client.core import HistogramMetricFamily

        return HistogramMetricFamily(self._name, self._text, labels=self.labels)

    @override
    def collect(self) -> HistogramMetricFamily:
        metric = self.describe()
        for values, series in self._series.items():
            metric.add_metric(values, series.buckets(), series.sum)
        return metric


def _bound(value: float) -> str:
    """A bound as Go's client writes it, so that series of both can be added up: `1e-08`, `0.005`, `1`."""
    return repr(float(value)).removesuffix(".0")
