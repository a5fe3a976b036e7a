"""The status of a release in the words of operator-sdk."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import Condition, Key, Kind, Untyped
from windlass.helm.record import Revision
from windlass.helm.status import HelmStatus

if TYPE_CHECKING:
    from windlass.errors import ReleaseStep

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
SHOP = Untyped.of(Kind("example.com", "v1", "Shop", "shops"))


def revision(number: int = 1) -> Revision:
    return Revision(
        release=Key("shop", "web"),
        number=number,
        state="deployed",
        chart="shop",
        chart_version="0.1.0",
        app_version="2.0",
        manifest="kind: A",
        notes="Hello",
    )


def found(status: HelmStatus) -> dict[str, tuple[str, str, str]]:
    return {each.type: (each.status, each.reason, each.message) for each in status.conditions}


@pytest.mark.parametrize(("number", "reason"), [(1, "InstallSuccessful"), (2, "UpgradeSuccessful")])
def test_a_deployed_release_tells_how_and_what_the_chart_says(number: int, reason: str) -> None:
    status = HelmStatus()
    status.initialize(NOW)
    status.deploy(revision(number), NOW)

    assert found(status) == {
        "Initialized": ("True", "Initialized", ""),
        "Deployed": ("True", reason, "Hello"),
    }
    assert status.to_wire()["deployedRelease"] == {
        "name": "web",
        "manifest": "kind: A",
        "revision": number,
        "chart": "shop-0.1.0",
        "version": "2.0",
    }


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("install", ("ReleaseFailed", "InstallError")),
        ("upgrade", ("ReleaseFailed", "UpgradeError")),
        ("uninstall", ("ReleaseFailed", "UninstallError")),
        ("reconcile", ("Irreconcilable", "ReconcileError")),
    ],
)
def test_a_failure_is_told_beside_what_is_deployed_and_goes_when_it_is_over(
    step: ReleaseStep, expected: tuple[str, str]
) -> None:
    status = HelmStatus()
    status.deploy(revision(), NOW)
    status.fail(step, "no such image", NOW)
    type_, reason = expected

    assert found(status)[type_] == ("True", reason, "no such image")
    assert found(status)["Deployed"][0] == "True"

    status.deploy(revision(), LATER)
    assert found(status)[type_] == ("True", reason, "no such image")
    status.recover()
    assert set(found(status)) == {"Deployed"}


def test_work_in_progress_and_what_only_a_change_can_help_are_told_as_kstatus_wants() -> None:
    status = HelmStatus(observed_generation=3)

    status.ready("False", "RollingOut", "1 of 2", NOW)
    assert {name: said[0] for name, said in found(status).items()} == {
        "Ready": "False",
        "Reconciling": "True",
    }
    status.stall("TenantForbidden", "no", NOW)
    assert {name: said[0] for name, said in found(status).items()} == {"Ready": "False", "Stalled": "True"}
    status.ready("True", "Ready", "", NOW)
    assert {name: said[0] for name, said in found(status).items()} == {"Ready": "True"}
    assert {each.observed_generation for each in status.conditions} == {3}


def test_a_time_moves_only_with_the_status() -> None:
    status = HelmStatus()
    status.deploy(revision(1), NOW)
    status.deploy(revision(2), LATER)
    assert status.conditions[0].last_transition_time == NOW

    status.uninstall(LATER)
    assert status.conditions[0].last_transition_time == LATER


def test_an_uninstalled_release_is_told_and_one_that_is_waited_for_is_kept() -> None:
    status = HelmStatus()
    status.deploy(revision(), NOW)
    status.fail("uninstall", "no", NOW)

    status.uninstall(NOW, "waiting")
    assert found(status) == {"Deployed": ("False", "UninstallSuccessful", "waiting")}
    assert status.deployed_release is not None

    status.uninstall(NOW)
    assert status.deployed_release is None


@pytest.mark.parametrize("given", [None, {}, [], "text", {"conditions": None}])
def test_whatever_status_an_object_has_is_gone_on_from(given: Any) -> None:
    status = HelmStatus.of(SHOP.from_wire({"metadata": {"name": "web"}, "status": given}))

    status.deploy(revision(), NOW)

    assert set(found(status)) == {"Deployed"}


def test_what_others_write_into_the_status_stays() -> None:
    theirs = {"type": "Backup", "status": "True", "reason": "Done", "message": ""}
    shop = SHOP.from_wire({"metadata": {"name": "web"}, "status": {"url": "x", "conditions": [theirs]}})

    status = HelmStatus.of(shop)
    status.deploy(revision(), NOW)

    assert status.to_wire()["url"] == "x"
    assert isinstance(status.conditions[0], Condition)
    assert set(found(status)) == {"Backup", "Deployed"}


@pytest.mark.parametrize(
    "nonsense",
    [
        {"conditions": "none"},
        {"conditions": [1]},
        {"conditions": [{"type": "Deployed", "status": "True", "lastTransitionTime": "soon"}]},
        {"deployedRelease": 1},
        {"observedGeneration": "x"},
    ],
)
def test_what_cannot_be_understood_is_left_out_and_all_else_stays(nonsense: dict[str, Any]) -> None:
    shop = SHOP.from_wire({"metadata": {"name": "web", "generation": 2}, "status": {"more": 1, **nonsense}})

    status = HelmStatus.of(shop)
    status.deploy(revision(), NOW)

    assert status.to_wire()["more"] == 1
    assert found(status) == {"Deployed": ("True", "InstallSuccessful", "Hello")}


def test_a_manifest_that_no_object_can_hold_is_not_told() -> None:
    status = HelmStatus()
    status.deploy(replace(revision(), manifest="é" * 2**20), NOW)

    assert status.deployed_release is not None
    assert (status.deployed_release.name, status.deployed_release.manifest) == ("web", "")
