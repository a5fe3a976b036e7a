"""What decides what a release consists of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from windlass.api import Key
from windlass.helm.asks import Asks
from windlass.helm.blueprint import Blueprint
from windlass.helm.capabilities import Capabilities
from windlass.helm.chart import Chart

CHART = Chart(path=Path("shop"), name="shop", version="1.0.0", digest="1", asks=Asks(kube_version=True))
CLUSTER = Capabilities(kube_version="v1.36.3", api_versions=frozenset({"v1"}))
SHOP = Blueprint(release=Key("a", "b"), chart=CHART, values={"x": 1, "y": 2}, capabilities=CLUSTER)


@pytest.mark.parametrize(
    "change",
    [
        {"release": Key("a", "c")},
        {"release": Key("ab", "")},
        {"chart": replace(CHART, digest="2")},
        {"values": {"x": 1}},
        {"values": {"x": "1", "y": 2}},
        {"overrides": ("x=1",)},
    ],
)
def test_whatever_users_decide_counts_in_the_digest(change: dict[str, Any]) -> None:
    assert replace(SHOP, **change).digest != SHOP.digest


def test_the_capabilities_of_the_cluster_have_a_digest_of_their_own() -> None:
    upgraded = replace(SHOP, capabilities=replace(CLUSTER, kube_version="v1.36.4"))

    assert upgraded.capabilities_digest != SHOP.capabilities_digest
    assert upgraded.full_digest != SHOP.full_digest
    assert upgraded.digest == SHOP.digest


@pytest.mark.parametrize(
    "change",
    [
        {"values": {"y": 2, "x": 1}},
        {"chart": replace(CHART, path=Path("elsewhere"))},
        {"capabilities": replace(CLUSTER, api_versions=frozenset())},
    ],
)
def test_what_decides_nothing_does_not_count(change: dict[str, Any]) -> None:
    assert replace(SHOP, **change).full_digest == SHOP.full_digest


def test_a_digest_and_a_revision_fit_into_a_label() -> None:
    assert len(f"{SHOP.digest}.{10**9}") <= 63
