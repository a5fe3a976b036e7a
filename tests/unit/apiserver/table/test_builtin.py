from datetime import UTC, datetime
from typing import Any

import pytest

from table_case import LATER, LONG_AGO, Case
from table_cases import CASES
from table_workloads import PODS
from windlass.apiserver.table import builtin_layout

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
CREATED = "2026-01-02T03:00:00Z"

# The cells that the real server shows for the same objects, but for what it sets of itself.
# fmt: off
EXPECTED: dict[str, list[Any]] = {
    "pending": ["x", "0/2", "Pending", "0", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "running": ["x", "1/2", "Running", "0", "4m5s", "10.1.2.3", "node-1", "<none>", "0/1"],
    "gate passed": ["x", "0/2", "Pending", "0", "4m5s", "<none>", "<none>", "<none>", "1/1"],
    "restarted": ["x", "1/2", "CrashLoopBackOff", "5 (6y3d ago)", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "one completed, one running": ["x", "1/2", "NotReady", "0", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "one completed, one ready": ["x", "1/2", "Running", "0", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "one completed, one failed": ["x", "0/2", "ExitCode:3", "0", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "failed": ["x", "0/2", "Evicted", "0", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "succeeded": ["x", "0/2", "ExitCode:0", "0", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "initialising": ["x", "0/2", "Init:1/2", "0", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "initialisation waits": ["x", "0/2", "Init:ErrImagePull", "1", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "initialisation failed": ["x", "0/2", "Init:Signal:9", "4 (6y3d ago)", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "with a sidecar": ["x", "2/3", "Pending", "3 (6y3d ago)", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "initialised though an init container runs": ["x", "1/2", "Init:0/2", "0", "4m5s", "<none>", "<none>", "<none>", "<none>"],
    "deployment": ["x", "2/3", 1, 2, "4m5s", "one,two", "a:1,b:2", "any,app=x,env notin (x),!none,tier in (a,b)"],
    "stateful set": ["x", "1/0", "4m5s", "one,two", "a:1,b:2"],
    "replica set": ["x", 0, 2, 1, "4m5s", "one,two", "a:1,b:2", "any,app=x,env notin (x),!none,tier in (a,b)"],
    "daemon set": ["x", 5, 4, 3, 2, 1, "a=1,b=2", "4m5s", "one,two", "a:1,b:2", "any,app=x,env notin (x),!none,tier in (a,b)"],
    "replication controller": ["x", 2, 2, 0, "4m5s", "one,two", "a:1,b:2", "any=1,app=x"],
    "job": ["x", "Running", "0/1", "6y3d", "4m5s", "one,two", "a:1,b:2", "<none>"],
    "parallel job": ["x", "Running", "0/1 of 3", "", "4m5s", "one,two", "a:1,b:2", "<none>"],
    "indexed job": ["x", "Running", "0/4", "", "4m5s", "one,two", "a:1,b:2", "<none>"],
    "suspended job": ["x", "Suspended", "0/1", "", "4m5s", "one,two", "a:1,b:2", "<none>"],
    "job that will fail": ["x", "FailureTarget", "0/1", "6y3d", "4m5s", "one,two", "a:1,b:2", "<none>"],
    "cron job": ["x", "0 * * * *", "<none>", "<unset>", 0, "<none>", "4m5s", "one,two", "a:1,b:2", "<none>"],
    "cron job that ran": ["x", "0 * * * *", "Etc/UTC", "True", 1, "6y3d", "4m5s", "one,two", "a:1,b:2", "<none>"],
    "pod template": ["x", "one,two", "a:1,b:2", "any=1,app=x,tier=a"],
    "controller revision": ["x", "daemonset.apps/d", 7, "4m5s"],
    "controller revision of nobody": ["x", "<none>", 1, "4m5s"],
    "service": ["x", "ClusterIP", "<none>", "<none>", "80/TCP,53/UDP", "4m5s", "a=1,b=2"],
    "headless service": ["x", "ClusterIP", "None", "192.0.2.7,192.0.2.8", "80/TCP,53/UDP", "4m5s", "<none>"],
    "node port": ["x", "NodePort", "<none>", "<none>", "80/TCP", "4m5s", "<none>"],
    "pending balancer": ["x", "LoadBalancer", "<none>", "<pending>", "80/TCP", "4m5s", "<none>"],
    "balancer": ["x", "LoadBalancer", "<none>", "192.0.2.1,192.0.2.9,long.example.com", "80/TCP", "4m5s", "<none>"],
    "balancer with addresses of its own": ["x", "LoadBalancer", "<none>", "192.0.2.1,192.0.2.9,long.example.com,192.0.2.7", "80/TCP", "4m5s", "<none>"],
    "external name": ["x", "ExternalName", "<none>", "example.com", "<none>", "4m5s", "<none>"],
    "no endpoints": ["x", "<none>", "4m5s"],
    "endpoints": ["x", "192.0.2.1:80,192.0.2.2:80", "4m5s"],
    "many endpoints": ["x", "192.0.2.1:80,192.0.2.2:80,192.0.2.3:80 + 4 more...", "4m5s"],
    "endpoints without ports": ["x", "fd00::1", "4m5s"],
    "endpoints of IPv6": ["x", "[fd00::1]:80", "4m5s"],
    "empty slice": ["x", "IPv4", "<unset>", "<unset>", "4m5s"],
    "slice": ["x", "IPv4", "80,b,82 + 1 more...", "192.0.2.1,192.0.2.2,192.0.2.3", "4m5s"],
    "ingress": ["x", "<none>", "*", "192.0.2.1,192.0.2.9,long.example.com", "80", "4m5s"],
    "ingress with hosts": ["x", "c", "a.b,c.b,d.b + 3 more...", "", "80, 443", "4m5s"],
    "ingress class": ["x (default)", "a.b/c", "K.a.b/n", "4m5s"],
    "ingress class without parameters": ["x", "a.b/c", "<none>", "4m5s"],
    "network policy": ["x", "any,app=x,env notin (x),!none,tier in (a,b)", "4m5s"],
    "network policy for all": ["x", "<none>", "4m5s"],
    "volume": ["x", "1Gi", "RWO,RWX", "", "", "", "", "<unset>", "because", "4m5s", "<unset>"],
    "claimed volume": ["x", "1Gi", "RWO,RWX", "", "", "a/b", "fast", "<unset>", "because", "4m5s", "Block"],
    "claim": ["x", "", "", "", "", "", "<unset>", "4m5s", "<unset>"],
    "bound claim": ["x", "Bound", "v", "2Gi", "RWO,RWX", "fast", "<unset>", "4m5s", "<unset>"],
    "claim with a class in an annotation": ["x", "", "v", "0", "", "old", "<unset>", "4m5s", "<unset>"],
    "storage class": ["x", "a.b/c", "Delete", "Immediate", False, "4m5s"],
    "default storage class": ["x (default)", "a.b/c", "Retain", "WaitForFirstConsumer", True, "4m5s"],
    "attributes class": ["x", "d", "4m5s"],
    "attachment": ["x", "a", "p", "n", True, "4m5s"],
    "driver": ["x", True, False, False, "<unset>", False, "<none>", "4m5s"],
    "driver with much": ["x", False, True, True, "a,b", True, "Persistent,Ephemeral", "4m5s"],
    "csi node": ["x", 1, "4m5s"],
    "capacity": ["x", "2026-01-02T03:00:00Z"],
    "node": ["x", "Unknown", "<none>", "4m5s", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>"],
    "ready node": ["x", "Ready,SchedulingDisabled", "edge,worker", "4m5s", "v1.36.3", "10.0.0.1", "192.0.2.1", "Linux", "6.1 (arm64)", "containerd://2"],
    "node that is not ready": ["x", "NotReady", "<none>", "4m5s", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>"],
    "event": ["6y3d", "Warning", "Why", "pod/p", "spec.containers{a}", "kubelet, n", "said", "6y3d", 3, "x"],
    "event of nothing": ["<unknown>", "", "", "", "", "", "m", "<unknown>", 1, "x"],
    "newer event": ["6y3d", "Normal", "R", "pod/p", "spec.containers{a}", "a.b/c, i", "a note", "6y3d", 1, "x"],
    "series of events": ["5y2d", "Normal", "R", "pod/p", "spec.containers{a}", "a.b/c, i", "a note", "6y3d", 9, "x"],
    "config map": ["x", 2, "4m5s"],
    "secret": ["x", "", 1, "4m5s"],
    "service account": ["x", "4m5s"],
    "quota": ["x", "cpu: 0/1, pods: 1/3", "limits.cpu: 0/2", "4m5s"],
    "limit range": ["x", "2026-01-02T03:00:00Z"],
    "lease": ["x", "me", "4m5s"],
    "lease of nobody": ["x", "", "4m5s"],
    "priority class": ["x", 5, False, "4m5s", ""],
    "runtime class": ["x", "h", "4m5s"],
    "role": ["x", "2026-01-02T03:00:00Z"],
    "role binding": ["x", "ClusterRole/r", "4m5s", "u, v", "g", "n/s"],
    "cluster role binding": ["x", "ClusterRole/r", "4m5s", "", "", "n/s"],
    "budget": ["x", "1", "N/A", 2, "4m5s"],
    "budget in percent": ["x", "N/A", "20%", 0, "4m5s"],
    "validating webhooks": ["x", 1, "4m5s"],
    "mutating webhooks": ["x", 0, "4m5s"],
    "validating policy": ["x", 1, "v1/ConfigMap", "4m5s"],
    "policy binding": ["x", "p", "<unset>", "4m5s"],
    "policy binding with a name": ["x", "p", "s/n", "4m5s"],
    "policy binding with a name in any namespace": ["x", "p", "*/n", "4m5s"],
    "policy binding with a selector": ["x", "p", "&LabelSelector{MatchLabels:map[string]string{app: x,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:tier,Operator:In,Values:[b a],},LabelSelectorRequirement{Key:env,Operator:NotIn,Values:[x],},LabelSelectorRequirement{Key:any,Operator:Exists,Values:[],},LabelSelectorRequirement{Key:none,Operator:DoesNotExist,Values:[],},},}", "4m5s"],
    "autoscaler": ["x", "Deployment/d", "<none>", "<unset>", 5, 2, "4m5s"],
    "of percent": ["x", "Deployment/d", "cpu: 30%/60%, memory: 1Mi/100m + 1 more...", "2", 5, 2, "4m5s"],
    "of pods": ["x", "Deployment/d", "7/100m, cpu: <unknown>/60%", "<unset>", 5, 2, "4m5s"],
    "of an object": ["x", "Deployment/d", "3/10, <unknown>/100m (avg)", "<unset>", 5, 2, "4m5s"],
    "of something outside": ["x", "Deployment/d", "3/10, 4/100m (avg)", "<unset>", 5, 2, "4m5s"],
    "in the older version": ["x", "Deployment/d", "cpu: 12%/70%", "<unset>", 3, 1, "4m5s"],
}
# fmt: on


def stored(case: Case, **metadata: Any) -> dict[str, Any]:
    """The object of a case as a server holds it, as far as a table shows it."""
    obj = case.manifest("x")
    obj["metadata"] |= {"creationTimestamp": CREATED, **metadata}
    obj["status"] = {"phase": "Pending", **case.status} if case.kind == "Pod" else case.status
    return obj


def cells(obj: dict[str, Any], group: str = "") -> list[Any]:
    return builtin_layout(group, obj["kind"]).cells(obj, NOW)


@pytest.mark.parametrize("title", CASES)
def test_a_row_shows_what_matters_of_an_object(title: str) -> None:
    found = cells(stored(CASES[title]), CASES[title].group)

    assert found == EXPECTED[title]
    assert [type(cell) for cell in found] == [type(cell) for cell in EXPECTED[title]]


@pytest.mark.parametrize("title", CASES)
def test_a_row_has_a_cell_for_each_column(title: str) -> None:
    case = CASES[title]
    layout = builtin_layout(case.group, case.kind)

    assert len(layout.cells(stored(case), NOW)) == len(layout.columns)


@pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
def test_an_object_with_nothing_but_a_name_has_a_row(case: Case) -> None:
    layout = builtin_layout(case.group, case.kind)

    found = layout.cells({"kind": case.kind, "metadata": {"name": "x"}}, NOW)

    assert len(found) == len(layout.columns)
    assert "x" in found


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ({"phase": "Running"}, "Terminating"),
        ({"phase": "Running", "reason": "NodeLost"}, "Unknown"),
        ({"phase": "Succeeded"}, "Succeeded"),
        ({"phase": "Failed", "reason": "Evicted"}, "Evicted"),
    ],
    ids=str,
)
def test_a_pod_that_is_being_deleted_is_terminating_unless_it_has_finished(status: Any, reason: str) -> None:
    pod = stored(PODS["pending"], deletionTimestamp=LONG_AGO) | {"status": status}

    assert cells(pod)[2] == reason


@pytest.mark.parametrize(
    ("phase", "message"),
    [("Succeeded", "The pod has completed successfully."), ("Failed", "The pod failed.")],
)
def test_the_row_of_a_finished_pod_says_so(phase: str, message: str) -> None:
    pod = stored(PODS["pending"]) | {"status": {"phase": phase}}

    assert builtin_layout("", "Pod").conditions(pod) == [
        {"type": "Completed", "status": "True", "reason": phase, "message": message}
    ]


def test_the_row_of_another_pod_says_nothing() -> None:
    assert builtin_layout("", "Pod").conditions(stored(PODS["running"])) == []


@pytest.mark.parametrize(
    ("conditions", "deleted", "state"),
    [
        (["Complete", "SuccessCriteriaMet"], True, "Complete"),
        (["Failed", "FailureTarget"], True, "Failed"),
        (["Suspended"], True, "Terminating"),
        (["SuccessCriteriaMet"], False, "SuccessCriteriaMet"),
    ],
)
def test_the_state_of_a_job_is_the_weightiest_of_its_conditions(
    conditions: list[str],
    deleted: bool,  # noqa: FBT001
    state: str,
) -> None:
    job = stored(CASES["job"], **({"deletionTimestamp": LONG_AGO} if deleted else {}))
    job["status"] = {"conditions": [{"type": kind, "status": "True"} for kind in conditions]}

    assert cells(job, "batch")[1] == state


def test_a_finished_job_took_as_long_as_it_took() -> None:
    job = stored(CASES["job"]) | {"status": {"startTime": LONG_AGO, "completionTime": LATER}}

    assert cells(job, "batch")[3] == "7m30s"


@pytest.mark.parametrize("phase", ["Active", "Terminating"])
def test_a_namespace_shows_its_phase(phase: str) -> None:
    namespace = {"kind": "Namespace", "metadata": {"name": "x"}, "status": {"phase": phase}}

    assert cells(namespace) == ["x", phase, "<unknown>"]


@pytest.mark.parametrize("title", ["volume", "claim"])
def test_storage_that_is_being_deleted_is_terminating(title: str) -> None:
    assert "Terminating" in cells(stored(CASES[title], deletionTimestamp=LONG_AGO))


def test_an_address_names_what_it_belongs_to() -> None:
    parent = {"group": "apps", "resource": "Services", "namespace": "n", "name": "s"}
    address = {"kind": "IPAddress", "metadata": {"name": "x"}, "spec": {"parentRef": parent}}

    assert cells(address, "networking.k8s.io")[:2] == ["x", "services.apps/n/s"]


def test_a_range_of_addresses_is_shown_whole() -> None:
    cidr = {
        "kind": "ServiceCIDR",
        "metadata": {"name": "x"},
        "spec": {"cidrs": ["10.0.0.0/24", "fd00::/112"]},
    }

    assert cells(cidr, "networking.k8s.io")[1] == "10.0.0.0/24,fd00::/112"


@pytest.mark.parametrize(
    ("status", "expected"),
    [("True", ["x", "Healthy", "ok", ""]), ("False", ["x", "Unhealthy", "ok", ""])],
)
def test_a_component_is_healthy_or_not(status: str, expected: list[str]) -> None:
    conditions = [{"type": "Healthy", "status": status, "message": "ok"}]

    assert cells({"kind": "ComponentStatus", "metadata": {"name": "x"}, "conditions": conditions}) == expected


def test_a_scale_shows_what_is_wanted_and_what_is_there() -> None:
    scale = {"kind": "Scale", "metadata": {"name": "x"}, "spec": {"replicas": 3}, "status": {"replicas": 2}}

    assert cells(scale, "autoscaling") == ["x", 3, 2, "<unknown>"]


def test_a_kind_without_columns_of_its_own_shows_its_creation() -> None:
    layout = builtin_layout("example.com", "Anything")

    assert [column.name for column in layout.columns] == ["Name", "Created At"]
    assert layout.cells({"metadata": {"name": "x"}}, NOW) == ["x", "0001-01-01T00:00:00Z"]
