"""What of a cluster's capabilities decides what a chart renders."""

from __future__ import annotations

from pathlib import Path

import pytest

from windlass.helm.asks import Asks
from windlass.helm.capabilities import Capabilities
from windlass.helm.chart import Chart

CLUSTER = Capabilities(kube_version="v1.36.3", api_versions=frozenset({"v1", "apps/v1", "a/v1"}))


@pytest.mark.parametrize(
    ("asks", "counts"),
    [
        (Asks(), {"kube": "", "served": []}),
        (Asks(kube_version=True), {"kube": "v1.36.3", "served": []}),
        (Asks(api_versions=frozenset({"a/v1", "b/v1"})), {"kube": "", "served": ["a/v1"]}),
        (Asks(api_versions=None), {"kube": "", "served": ["a/v1", "apps/v1", "v1"]}),
    ],
)
def test_only_what_a_chart_asks_for_counts(asks: Asks, counts: object) -> None:
    chart = Chart(path=Path("shop"), name="shop", version="1.0.0", digest="", asks=asks)

    assert CLUSTER.asked_by(chart) == counts
