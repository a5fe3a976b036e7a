"""From what was seen to what is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from templating import ptemplate
from windlass.api import OwnerReference
from windlass.kinds.apps.v1 import DaemonSetStatus
from windlass.operators.ptemplate.desired import consumers_of, module_of
from windlass.operators.ptemplate.kmm import ModuleStatus, NodeCounts
from windlass.operators.ptemplate.report import Seen, concluded, conflict

OURS = "uid-1"


def owned(resource: Any, uid: str = OURS, group: str = "pt.example.com") -> Any:
    reference = OwnerReference(
        api_version=f"{group}/v1alpha1", kind="Ptemplate", name="pt", uid=uid, controller=True
    )
    resource.metadata.owner_references = [reference]
    return resource


def counts(desired: int, available: int) -> NodeCounts:
    return NodeCounts(
        nodes_matching_selector_number=desired, desired_number=desired, available_number=available
    )


def seen(*, loaded: int = 2, ready: int = 2, updated: int = 2, **more: Any) -> Seen:
    """Two nodes, on which all is well unless something is said."""
    module, daemon_set = owned(module_of(ptemplate("pt", "ns"))), owned(consumers_of(ptemplate("pt", "ns")))
    module.status = ModuleStatus(module_loader=counts(2, loaded), device_plugin=counts(2, 2))
    daemon_set.metadata.generation = 3
    daemon_set.status = DaemonSetStatus(
        current_number_scheduled=2,
        desired_number_scheduled=2,
        number_misscheduled=0,
        number_ready=ready,
        updated_number_scheduled=updated,
        observed_generation=3,
    )
    known: dict[str, Any] = {"module_served": True, "module": module, "daemon_set": daemon_set}
    return Seen(**{**known, "pods": ("b", "a"), **more})


def module_with(status: ModuleStatus) -> Any:
    module = owned(module_of(ptemplate("pt", "ns")))
    module.status = status
    return module


NOT_YET = seen().daemon_set
assert NOT_YET
NOT_YET.status.observed_generation = 2
NOWHERE = seen().daemon_set
assert NOWHERE
NOWHERE.status = DaemonSetStatus(
    current_number_scheduled=0,
    desired_number_scheduled=0,
    number_misscheduled=0,
    number_ready=0,
    observed_generation=3,
)

GOING = seen()
for going in (GOING.module, GOING.daemon_set):
    assert going
    going.metadata.deletion_timestamp = datetime(2026, 1, 1, tzinfo=UTC)
NOT_BEGUN = NodeCounts(nodes_matching_selector_number=2)

CASES: dict[str, tuple[Seen, str, str]] = {
    "KMM is missing": (seen(module_served=False, module=None), "KMMAvailable", "KMMMissing"),
    "the secret is missing": (seen(secret="s", secret_found=False), "SecretFound", "SecretMissing"),
    "KMM has said nothing": (seen(module=module_with(ModuleStatus())), "ModuleReady", "NotReported"),
    "the module is on one node": (seen(loaded=1), "ModuleReady", "Progressing"),
    "there are no nodes": (
        seen(module=module_with(ModuleStatus(module_loader=counts(0, 0)))),
        "ModuleReady",
        "NoNodes",
    ),
    "the module is going": (seen(module=GOING.module), "ModuleReady", "NotReported"),
    "its consumers are going": (seen(daemon_set=GOING.daemon_set), "ConsumersReady", "NotCreated"),
    "the module is on no node yet": (
        seen(module=module_with(ModuleStatus(module_loader=NOT_BEGUN))),
        "ModuleReady",
        "Progressing",
    ),
    "the plugin is on one node": (
        seen(module=module_with(ModuleStatus(module_loader=counts(2, 2), device_plugin=counts(2, 1)))),
        "DevicePluginReady",
        "Progressing",
    ),
    "there is no DaemonSet": (seen(daemon_set=None), "ConsumersReady", "NotCreated"),
    "its controller has not looked": (seen(daemon_set=NOT_YET), "ConsumersReady", "RollingOut"),
    "one consumer is not ready": (seen(ready=1), "ConsumersReady", "RollingOut"),
    "one consumer is of old": (seen(updated=1), "ConsumersReady", "RollingOut"),
    "nodes got the module, and no consumer": (seen(daemon_set=NOWHERE), "ConsumersReady", "RollingOut"),
    "consumers have no nodes of their own choice": (
        seen(daemon_set=NOWHERE, follows_ready_label=False),
        "ConsumersReady",
        "NoNodes",
    ),
}


@pytest.mark.parametrize(("state", "lacking", "reason"), CASES.values(), ids=CASES)
def test_what_is_lacking_is_told_and_why(state: Seen, lacking: str, reason: str) -> None:
    result = concluded(state)
    assert result.status is not None
    said = {each.type: each for each in result.status.conditions}

    assert (result.is_ready, result.reason) == (False, reason)
    assert (said[lacking].status, said[lacking].reason, said[lacking].message) == (
        "False",
        reason,
        result.message,
    )


def test_where_nothing_is_lacking_it_is_ready() -> None:
    result = concluded(seen(secret="s"))
    assert result.status is not None

    assert result.is_ready
    assert result.message == "2 of 2 consumers are ready"
    assert {each.type for each in result.status.conditions if each.status == "True"} == {
        "KMMAvailable",
        "SecretFound",
        "ModuleReady",
        "DevicePluginReady",
        "ConsumersReady",
    }


def test_without_a_secret_nothing_is_said_of_one() -> None:
    status = concluded(seen()).status
    assert status is not None

    assert "SecretFound" not in {each.type for each in status.conditions}


def test_consumers_are_sorted_and_never_null() -> None:
    some, none = concluded(seen()).status, concluded(seen(pods=())).status
    assert some is not None
    assert none is not None

    assert some.to_wire()["consumers"] == ["a", "b"]
    assert none.to_wire()["consumers"] == []


OTHERS = owned(module_of(ptemplate("pt", "ns")), "uid-2", "ptemplates.pt.example.com")
NOBODYS = consumers_of(ptemplate("pt", "ns"))


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (
            seen(module=OTHERS),
            "Module ns/pt belongs to the Ptemplate pt of ptemplates.pt.example.com/v1alpha1",
        ),
        (seen(daemon_set=NOBODYS), "DaemonSet ns/pt-consumer was made by another hand"),
    ],
)
def test_what_is_not_ours_is_a_conflict(state: Seen, message: str) -> None:
    taken = state.taken(OURS)
    assert taken is not None
    result = conflict(taken, state)
    assert result.status is not None

    assert result.message.startswith(message)
    assert (result.reason, result.status.consumers) == ("Conflict", [])


def test_what_is_ours_is_none() -> None:
    assert seen().taken(OURS) is None
    assert replace(seen(), module=None, daemon_set=None).taken(OURS) is None
