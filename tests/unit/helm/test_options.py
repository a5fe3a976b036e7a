"""How the objects of a kind become releases: what can be said, and what cannot."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from windlass.api import LabelSelector, LabelSelectorRequirement
from windlass.errors import ConfigError
from windlass.helm.options import HelmOptions


def test_both_forms_of_a_selector_mean_the_same() -> None:
    terms = [LabelSelectorRequirement(key="tier", operator="NotIn", values=["test"])]
    written = HelmOptions(selector="app=shop,tier notin (test)")
    held = HelmOptions(selector=LabelSelector(match_labels={"app": "shop"}, match_expressions=terms))

    assert written.labels() == held.labels()
    assert HelmOptions().labels().matches({})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"period": timedelta(seconds=-1)}, "period is -1 s"),
        ({"timeout": timedelta()}, "timeout is 0 s"),
        ({"history": 0}, "history is 0"),
        ({"dry_run": "none"}, "dry_run is 'none', neither"),
        ({"overrides": {"": "x"}}, "an override has no path"),
        ({"selector": "app=,=="}, "selector: not a label selector"),
        (
            {"selector": LabelSelector(match_expressions=[LabelSelectorRequirement(key="a", operator="Is")])},
            "selector: a: 'Is' is none of",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_when_it_is_said(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        HelmOptions(**options)
