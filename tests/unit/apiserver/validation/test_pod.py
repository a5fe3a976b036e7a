"""What the tables do not show: pods with a history."""

from __future__ import annotations

from typing import Any

import pytest

from broken import ABSENT, edited
from broken_pods import MAIN, REQUIRED, VALID
from verdict import accepted, judge, stored

GATED = edited(VALID, {"/spec/schedulingGates": [{"name": "g"}, {"name": "h"}]})
TERM = {"matchExpressions": [{"key": "a", "operator": "Exists"}]}
STATUS = "/status/containerStatuses"


def fields_of(body: dict[str, Any], edit: dict[str, Any], subresource: str = "") -> list[str]:
    old = stored(body)
    told = judge(accepted(edited(old, edit), new=False), old, subresource)
    return [field for field, _ in told["causes"]] if told else []


def test_a_deadline_only_comes_nearer() -> None:
    body = edited(VALID, {"/spec/activeDeadlineSeconds": 50})

    assert fields_of(body, {"/spec/activeDeadlineSeconds": 49}) == []
    assert fields_of(body, {"/spec/activeDeadlineSeconds": 51}) == ["spec.activeDeadlineSeconds"]
    assert fields_of(body, {"/spec/activeDeadlineSeconds": ABSENT}) == ["spec.activeDeadlineSeconds"]


def test_a_grace_period_below_zero_may_become_one() -> None:
    body = edited(VALID, {"/spec/terminationGracePeriodSeconds": -1})

    assert fields_of(body, {"/spec/terminationGracePeriodSeconds": 1}) == []
    assert fields_of(body, {"/spec/terminationGracePeriodSeconds": 2}) == ["spec"]


def test_gates_only_go() -> None:
    assert fields_of(GATED, {"/spec/schedulingGates": [{"name": "h"}]}) == []
    assert fields_of(GATED, {"/spec/schedulingGates": ABSENT}) == []
    assert fields_of(GATED, {"/spec/schedulingGates/1/name": "i"}) == ["spec.schedulingGates[1].name"]


def test_a_gated_pod_may_narrow_down_its_nodes() -> None:
    body = edited(GATED, {"/spec/nodeSelector": {"a": "b"}})

    assert fields_of(body, {"/spec/nodeSelector/c": "d"}) == []
    assert fields_of(body, {"/spec/nodeSelector/a": "d"}) == ["spec.nodeSelector"]
    assert fields_of(VALID, {"/spec/nodeSelector": {"a": "b"}}) == ["spec"]


def test_a_gated_pod_may_be_given_an_affinity_and_have_it_narrowed() -> None:
    pointer = f"/spec/affinity/nodeAffinity/{REQUIRED}"
    terms = f"spec.affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms"
    body = edited(GATED, {pointer: {"nodeSelectorTerms": [TERM]}})
    more = {"key": "b", "operator": "Exists"}

    assert fields_of(GATED, {pointer: {"nodeSelectorTerms": [TERM]}}) == []
    assert fields_of(body, {f"{pointer}/nodeSelectorTerms/0/matchExpressions/-": more}) == []
    assert fields_of(body, {f"{pointer}/nodeSelectorTerms/0/matchExpressions/0": more}) == [f"{terms}[0]"]
    assert fields_of(body, {f"{pointer}/nodeSelectorTerms/-": TERM}) == [terms]
    assert fields_of(body, {"/spec/affinity": ABSENT}) == [terms]


def test_what_a_pod_already_had_may_stay() -> None:
    odd = {
        f"/spec/affinity/podAffinity/{REQUIRED}": [
            {
                "topologyKey": "zone",
                "labelSelector": {"matchExpressions": [{"key": "a", "operator": "In", "values": ["-"]}]},
            }
        ]
    }
    body = edited(VALID, odd)

    assert judge(accepted(body)) is not None
    assert fields_of(body, {f"{MAIN}/image": "x"}) == []


def test_a_change_tells_what_changed() -> None:
    old = stored(VALID)
    new = accepted(edited(old, {"/spec/nodeName": "n"}), new=False)
    from windlass.apiserver.validation import validate

    (fault,) = validate("/Pod", new, old, "")

    assert fault.message.splitlines()[1:] == ['+\tnodeName: "n"']


@pytest.mark.parametrize(
    ("policy", "code", "fine"),
    [("Always", 0, True), ("OnFailure", 1, True), ("OnFailure", 0, False), ("Never", 1, False)],
)
def test_a_container_that_ended_comes_back_if_its_policy_says_so(
    policy: str, code: int, *, fine: bool
) -> None:
    ended = {"name": "main", "state": {"terminated": {"exitCode": code}}}
    body = edited(VALID, {"/spec/restartPolicy": policy, STATUS: [ended]})

    found = fields_of(body, {f"{STATUS}/0/state": {"running": {}}}, "status")

    assert found == ([] if fine else ["status.containerStatuses[0].state"])


def test_a_rule_brings_a_container_back_that_its_policy_would_not() -> None:
    rule = {"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}
    ended = [{"name": "main", "state": {"terminated": {"exitCode": 42}}}]
    rules = {f"{MAIN}/restartPolicy": "Never", f"{MAIN}/restartPolicyRules": [rule]}
    body = edited(VALID, {"/spec/restartPolicy": "Never", STATUS: ended, **rules})

    assert fields_of(body, {f"{STATUS}/0/state": {"running": {}}}, "status") == []


def test_an_ephemeral_container_does_not_come_back() -> None:
    ended = {"name": "debug", "state": {"terminated": {"exitCode": 1}}}
    body = edited(VALID, {"/status/ephemeralContainerStatuses": [ended]})

    found = fields_of(body, {"/status/ephemeralContainerStatuses/0/state": {"running": {}}}, "status")

    assert found == ["status.ephemeralContainerStatuses[0].state"]


def test_a_bound_pod_gets_no_nominee() -> None:
    body = edited(VALID, {"/spec/nodeName": "n"})

    assert fields_of(VALID, {"/status/nominatedNodeName": "m"}, "status") == []
    assert fields_of(body, {"/status/nominatedNodeName": "m"}, "status") == ["status.nominatedNodeName"]


def test_an_ephemeral_container_is_added_and_then_stays() -> None:
    debug = {"name": "debug", "image": "x"}
    pointer = "/spec/ephemeralContainers"
    body = edited(VALID, {pointer: [debug]})
    sub = "ephemeralcontainers"

    assert fields_of(VALID, {pointer: [debug]}, sub) == []
    assert fields_of(body, {pointer: ABSENT}, sub) == ["spec.ephemeralContainers"]
    assert fields_of(body, {f"{pointer}/0/image": "y"}, sub) == ["spec.ephemeralContainers"]
    assert fields_of(VALID, {pointer: [{**debug, "name": "main", "targetContainerName": "x"}]}, sub) == [
        "spec.ephemeralContainers[0].name",
        "spec.ephemeralContainers[0].targetContainerName",
    ]
    assert fields_of(VALID, {pointer: [{**debug, "ports": [{"containerPort": 1}]}]}, sub) == [
        "spec.ephemeralContainers[0].ports"
    ]
