"""What the annotations of an object wish."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from windlass.api import ObjectMeta
from windlass.helm.annotation import Wishes

DOMAIN = "helm.sdk.operatorframework.io"


def wishes(**annotations: str) -> Wishes:
    named = {f"{DOMAIN}/{name.replace('_', '-')}": text for name, text in annotations.items()}
    return Wishes.of(ObjectMeta(name="a", annotations={"other": "x", **named}))


def test_without_annotations_only_a_rollback_is_forced() -> None:
    assert wishes() == Wishes(rollback_force=True)
    assert not wishes().upgrade_force


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ({"upgrade_force": "true"}, Wishes(upgrade_force=True)),
        ({"rollback_force": "F"}, Wishes(rollback_force=False)),
        ({"uninstall_wait": "1"}, Wishes(uninstall_wait=True)),
        ({"uninstall_wait": "0"}, Wishes()),
        ({"install_disable_hooks": "T"}, Wishes(install_disable_hooks=True)),
        ({"upgrade_disable_hooks": "TRUE"}, Wishes(upgrade_disable_hooks=True)),
        ({"uninstall_disable_hooks": "True"}, Wishes(uninstall_disable_hooks=True)),
        ({"install_description": "by hand"}, Wishes(install_description="by hand")),
        ({"upgrade_description": "x"}, Wishes(upgrade_description="x")),
        ({"uninstall_description": "x"}, Wishes(uninstall_description="x")),
        ({"reconcile_period": "1h30m"}, Wishes(period=timedelta(minutes=90))),
        ({"reconcile_period": "0s"}, Wishes(period=timedelta())),
    ],
)
def test_each_annotation_is_a_wish(annotation: dict[str, Any], expected: Wishes) -> None:
    assert wishes(**annotation) == expected


@pytest.mark.parametrize(
    ("annotation", "why"),
    [
        ({"upgrade_force": "yes"}, f"annotation {DOMAIN}/upgrade-force: 'yes' is neither true nor false"),
        ({"rollback_force": ""}, f"annotation {DOMAIN}/rollback-force: '' is neither true nor false"),
        ({"uninstall_wait": "tRue"}, f"annotation {DOMAIN}/uninstall-wait: 'tRue' is neither"),
        ({"reconcile_period": "often"}, f"annotation {DOMAIN}/reconcile-period: 'often' is not a duration"),
        ({"reconcile_period": "-1s"}, f"annotation {DOMAIN}/reconcile-period: -1s is less than nothing"),
        ({"reconcile_period": "9" * 30 + "h"}, "is longer than 292 years"),
    ],
)
def test_what_cannot_be_understood_is_told_and_otherwise_absent(annotation: dict[str, Any], why: str) -> None:
    found = wishes(**annotation, uninstall_description="kept")

    assert [why in each for each in found.unclear] == [True]
    assert found == Wishes(uninstall_description="kept", unclear=found.unclear)
