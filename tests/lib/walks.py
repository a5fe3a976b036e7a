"""What the texts say that each operator began as, and what is typed here for it.

Each text tells how its operator is installed, run, deployed and removed. A walk is that tale: a step for each thing
that the text has its reader do, in our words, and what it promises.
"""

from __future__ import annotations

import os
import shutil
import socket
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

from readme import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_LEFT_OUT: Final = (
    ".git",
    ".venv*",
    ".*_cache",
    ".hypothesis",
    "__pycache__",
    "_build",
    "dist",
    "tests",
    "benchmarks",
)
_PORTS: Final = ("METRICS", "HEALTH", "PAGERDUTY")
_HELD: Final = (
    "ARGS='--metrics-bind-address=127.0.0.1:'$METRICS' --health-probe-bind-address=127.0.0.1:'$HEALTH"
)
_WEBHOOK: Final = (
    "env WEBHOOK_PORT=$(WINDLASS_PORT_9443) windlass run windlass.operators.peerpod.webhook"
    " --metrics-bind-address 0 --health-probe-bind-address 0"
)
CLUSTER: Final = (
    "windlass up --kubeconfig kubeconfig --nodes 2 --label node-role.kubernetes.io/worker=worker"
    f" --image 'registry.example.com/*=windlass' --image '*/peer-pods-webhook:*={_WEBHOOK}'"
)


class Step(NamedTuple):
    """One thing that a text has its reader do: what it says of it, what is typed, lines that must be printed."""

    says: str
    types: str
    shows: tuple[str, ...] = ()


def checkout(folder: Path) -> Path:
    """A copy of the project as a reader has it who ran `make setup`, so that what commands write goes there."""
    copy = folder / "windlass"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    (copy / ".venv").symlink_to(sys.prefix)
    for name in ("pyproject.toml", "requirements/dev.txt"):
        os.utime(copy / name, (0, 0))  # or `make` would set up the environment of the running tests anew
    return copy


def surroundings() -> str:
    """The command that says where the cluster is, and which ports are free."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in _PORTS]
        ports = [f"{name}={each.getsockname()[1]}" for name, each in zip(_PORTS, held, strict=True)]
    return f"export KUBECONFIG=$PWD/kubeconfig {' '.join(ports)}"


def _running(target: str, operator: str, *, set_up: str = "") -> tuple[Step, ...]:
    return (
        Step(
            "run the controller in the foreground, so use another terminal",
            f"{set_up} make {target} OPERATOR={operator} {_HELD} 2>operator.log & RUNNING=$!",
        ),
        Step(
            "it serves health checks",
            "curl -s --retry 20 --retry-delay 1 --retry-connrefused http://127.0.0.1:$HEALTH/readyz",
            ("ok",),
        ),
    )


def _image(operator: str, image: str) -> Step:
    stub = "CONTAINER_TOOL='echo told to'"
    return Step(
        f"build and push the image of {operator} to where IMG says",
        f"make docker-build docker-push {stub} IMG={image}",
        (f"told to build --tag {image} .", f"told to push {image}"),
    )


def _running_pod(project: str, image: str) -> Step:
    pod = "{.status.phase} {.spec.containers[0].image}"
    return Step(
        "the controller runs as a pod with that image",
        f"kubectl get pods -n {project}-system -o jsonpath='{{range .items[*]}}{pod}{{\"\\n\"}}{{end}}'",
        (f"Running {image}",),
    )


def _uninstalled(operator: str, definition: str) -> tuple[Step, ...]:
    return (
        Step("delete the kinds from the cluster", f"make uninstall OPERATOR={operator}"),
        Step(
            "they are gone, with every object of theirs",
            f"kubectl get crd -o name | grep -c {definition} || true",
            ("0",),
        ),
        Step(
            "whoever deletes them again is told",
            f"make uninstall OPERATOR={operator} || echo refused",
            ("refused",),
        ),
        Step("unless that is to be ignored", f"make uninstall OPERATOR={operator} ignore-not-found=true"),
    )


def _undeployed(operator: str, project: str) -> tuple[Step, ...]:
    named = f"{project}-system"
    return (
        Step("remove the controller from the cluster", f"make undeploy OPERATOR={operator}"),
        Step(
            "its namespace is gone",
            f"kubectl get namespace {named} || true",
            (f'Error from server (NotFound): namespaces "{named}" not found',),
        ),
        Step(
            "and so is what it was allowed to do",
            f"kubectl get clusterrole,clusterrolebinding -o name | grep -c /{project}- || true",
            ("0",),
        ),
        Step("once more, if it is to be ignored", f"make undeploy OPERATOR={operator} ignore-not-found=true"),
    )


_STOPPED: Final = Step("stop it", "kill $RUNNING && { wait $RUNNING || true; }")


def _generated(operator: str, target: str = "manifests") -> tuple[Step, ...]:
    return (
        Step(
            "generate the manifests anew after a change of the types",
            f"rm -r config/{operator}/crd && make {target} OPERATOR={operator}",
        ),
        Step("they are those that ship", f"diff -r config/{operator} {ROOT}/config/{operator}"),
    )


PAGERDUTY: Final[Sequence[Step]] = (
    Step(
        "an account of PagerDuty, of which the text has its reader know the token",
        "windlass pagerduty-simulator --port $PAGERDUTY >simulator.log &",
    ),
    Step(
        "its settings",
        "export PAGERDUTY_TOKEN=simulated PAGERDUTY_API_URL=http://127.0.0.1:$PAGERDUTY",
    ),
    Step("install the kinds", "make install OPERATOR=pagerduty"),
    *_running("run", "pagerduty"),
    Step("install samples of the three kinds", "kubectl apply -f config/pagerduty/samples/"),
    Step("all of them come to be in PagerDuty", "kubectl wait --for condition=Ready pdep,pdsvc,pdbs --all"),
    _STOPPED,
    _image("pagerduty", "registry.example.com/pagerduty-operator:tag"),
    Step(
        "deploy the controller with that image",
        "make deploy OPERATOR=pagerduty IMG=registry.example.com/pagerduty-operator:tag"
        ' ARGS="--env PAGERDUTY_TOKEN=$PAGERDUTY_TOKEN --env PAGERDUTY_API_URL=$PAGERDUTY_API_URL"',
    ),
    _running_pod("pagerduty", "registry.example.com/pagerduty-operator:tag"),
    *_uninstalled("pagerduty", "pagerduty.platform.share-now.com"),
    Step(
        "nothing of it is left in PagerDuty, since the controller was still there",
        "curl -s -H 'Authorization: Token token=simulated' -H 'Accept: application/vnd.pagerduty+json;version=2'"
        " $PAGERDUTY_API_URL/services | grep -o '\"services\":\\[\\]'",
        ('"services":[]',),
    ),
    *_undeployed("pagerduty", "pagerduty"),
    *_generated("pagerduty"),
    Step("see what else there is", "make help | grep -o 'make manifests'", ("make manifests",)),
)

COLLECTOR: Final[Sequence[Step]] = (
    Step("define the custom resource", "make install OPERATOR=collector"),
    *_running("run", "collector"),
    Step("create Collectors", "kubectl apply -f config/collector/samples/"),
    Step(
        "the controller deploys the chart of each",
        "kubectl wait --for condition=Available col --all --all-namespaces --timeout 60s",
    ),
    Step(
        "in the namespace of its tenant are a Deployment, a Secret and a Service",
        "kubectl get deployment,service,secret -n acme -l app.kubernetes.io/instance=cisco-amp-collector-main -o name",
        (
            "deployment.apps/cisco-amp-collector-main",
            "service/cisco-amp-collector-main-private",
            "secret/cisco-amp-collector-main",
        ),
    ),
    Step(
        "the conditions are in its status",
        "kubectl get col okta-main -n globex -o jsonpath='{.status.conditions[*].type}'",
    ),
    _STOPPED,
    _image("collector", "registry.example.com/kube8-operator:1"),
    Step(
        "the operator is deployed to a cluster",
        "make deploy OPERATOR=collector IMG=registry.example.com/kube8-operator:1",
    ),
    _running_pod("collector", "registry.example.com/kube8-operator:1"),
    Step(
        "update a Collector",
        'kubectl patch col cisco-amp-main -n acme --type merge -p \'{"spec": {"values": {"replicaCount": 2}}}\'',
    ),
    Step(
        "its release is updated",
        "kubectl wait -n acme deployment cisco-amp-collector-main --for jsonpath='{.spec.replicas}'=2",
    ),
    Step("delete a Collector", "kubectl delete col cisco-amp-main -n acme"),
    Step(
        "its release is deleted",
        "kubectl get deployment,service -n acme",
        ("No resources found in acme namespace.",),
    ),
    *_uninstalled("collector", "collectors.example.com"),
    *_undeployed("collector", "collector"),
    *_generated("collector"),
)

MINIMART: Final[Sequence[Step]] = (
    Step(
        "name the image by the base of its tag and a version, then build and push it",
        "make docker-build docker-push CONTAINER_TOOL='echo told to' IMAGE_TAG_BASE=samutup/minimart-operator VERSION=0.0.1",
        (
            "told to build --tag samutup/minimart-operator:0.0.1 .",
            "told to push samutup/minimart-operator:0.0.1",
        ),
    ),
    *_running("install run", "minimart"),
    Step("metrics are served", "curl -s http://127.0.0.1:$METRICS/metrics | grep -c '^controller_runtime_'"),
    Step("and that it is alive", "curl -s http://127.0.0.1:$HEALTH/healthz", ("ok",)),
    _STOPPED,
    Step(
        "deploy it",
        "make deploy OPERATOR=minimart IMAGE_TAG_BASE=registry.example.com/minimart-operator VERSION=0.0.1",
    ),
    Step(
        "see what was made",
        "kubectl get all -n minimart-system -o name | sed 's/manager-.*/manager-…/'",
        (
            "pod/minimart-controller-manager-…",
            "deployment.apps/minimart-controller-manager",
            "replicaset.apps/minimart-controller-manager-…",
        ),
    ),
    _running_pod("minimart", "registry.example.com/minimart-operator:0.0.1"),
    Step(
        "follow the log of the operator, which is JSON",
        'grep -m 1 -o \'"level":"info"\' <(exec kubectl logs -f deployment.apps/minimart-controller-manager'
        " -n minimart-system -c manager)",
        ('"level":"info"',),
    ),
    Step(
        "describe the definition",
        "kubectl describe crd minimarts.charts.samutup.com | grep -o 'List Kind: *MinimartList'",
    ),
    Step("apply the sample", "kubectl apply -f config/minimart/samples/charts_v1alpha1_minimart.yaml"),
    Step(
        "a shop comes to be",
        "kubectl wait minimart minimart-sample --for condition=Deployed && kubectl rollout status deployment minimart-sample",
    ),
    Step(
        "with a Service on a port of the nodes",
        "kubectl get service minimart-sample -o jsonpath='{.spec.type} {.spec.ports[0].port}{\"\\n\"}'",
        ("NodePort 80",),
    ),
    Step(
        "its kind and the status of it are an endpoint of the API server",
        'kubectl get --raw /apis/charts.samutup.com/v1alpha1 | grep -o \'"name":"minimarts[^"]*"\'',
        ('"name":"minimarts"', '"name":"minimarts/status"'),
    ),
    Step(
        "clean up: delete the sample",
        "kubectl delete -f config/minimart/samples/charts_v1alpha1_minimart.yaml",
    ),
    Step("the shop is gone", "kubectl get deployment,pod", ("No resources found in default namespace.",)),
    *_undeployed("minimart", "minimart"),
    *_uninstalled("minimart", "minimarts.charts.samutup.com"),
)

PTEMPLATE: Final[Sequence[Step]] = (
    Step(
        "the cluster has KMM, in whose place something stands",
        "windlass install windlass.operators.ptemplate.simulator",
    ),
    Step(
        "and it runs",
        "windlass run windlass.operators.ptemplate.simulator --metrics-bind-address=0 --health-probe-bind-address=0"
        " 2>kmm.log &",
    ),
    *_generated("ptemplate", "build"),
    Step("the code is built", "ls dist | grep -o 'windlass-.*whl'"),
    Step(
        "build an image that is named for IMAGE_TAG_BASE",
        "make docker-build CONTAINER_TOOL='echo told to' IMAGE_TAG_BASE=registry.example.com/ptemplate VERSION=2",
        ("told to build --tag registry.example.com/ptemplate:2 .",),
    ),
    Step(
        "deploy it as a pod, with its kinds, accounts, roles and bindings",
        "make deploy OPERATOR=ptemplate IMAGE_TAG_BASE=registry.example.com/ptemplate VERSION=2",
        (
            "customresourcedefinition.apiextensions.k8s.io/ptemplates.pt.example.com created",
            "serviceaccount/ptemplate-operator-controller-manager created",
            "clusterrole.rbac.authorization.k8s.io/ptemplate-operator-manager-role created",
            "clusterrolebinding.rbac.authorization.k8s.io/ptemplate-operator-manager-rolebinding created",
        ),
    ),
    _running_pod("ptemplate-operator", "registry.example.com/ptemplate:2"),
    Step("look at its role", "kubectl get clusterrole ptemplate-operator-manager-role"),
    Step(
        "create a Ptemplate, as the text prints it and as it was meant",
        "kubectl apply -f config/ptemplate/samples/",
    ),
    Step(
        "a Module and a DaemonSet are made of each",
        "kubectl wait ptemplates.pt.example.com,ptemplates.ptemplates.pt.example.com --all --for condition=Ready"
        " --timeout 60s && kubectl get modules,daemonsets -o name",
        ("module.kmm.sigs.x-k8s.io/consumer-pod", "daemonset.apps/consumer-pod-consumer"),
    ),
    Step(
        "the definition in the cluster lacks a field of the status",
        'kubectl patch crd ptemplates.pt.example.com --type json -p \'[{"op": "remove", "path":'
        ' "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/consumers"}]\'',
    ),
    Step(
        "deploy again, and it is there",
        "make deploy OPERATOR=ptemplate IMAGE_TAG_BASE=registry.example.com/ptemplate VERSION=2",
        (
            "customresourcedefinition.apiextensions.k8s.io/ptemplates.pt.example.com configured",
            "deployment.apps/ptemplate-operator-controller-manager unchanged",
        ),
    ),
    *_uninstalled("ptemplate", "pt.example.com"),
    *_undeployed("ptemplate", "ptemplate-operator"),
)

PEERPOD: Final[Sequence[Step]] = (
    *_running("install run", "peerpod"),
    Step("install samples", "kubectl apply -f config/peerpod/samples/"),
    Step(
        "nodes advertise machines",
        "kubectl wait ppc peerpodconfig-sample --for condition=NodesAdvertised --timeout 60s",
    ),
    _STOPPED,
    _image("peerpod", "registry.example.com/peer-pod-controller:tag"),
    Step(
        "deploy the controller with that image",
        "make deploy OPERATOR=peerpod IMG=registry.example.com/peer-pod-controller:tag",
    ),
    _running_pod("peerpod", "registry.example.com/peer-pod-controller:tag"),
    Step(
        "the limit is another, and is spread evenly over the nodes",
        'kubectl patch ppc peerpodconfig-sample --type merge -p \'{"spec": {"limit": "7"}}\''
        " && kubectl wait node node-1 --for jsonpath='{.status.capacity.kata\\.peerpods\\.io/vm}'=4"
        " && kubectl wait node node-2 --for jsonpath='{.status.capacity.kata\\.peerpods\\.io/vm}'=3",
    ),
    Step(
        "the DaemonSet of the cloud-api-adaptor and the webhook are deployed",
        "kubectl wait ppc peerpodconfig-sample --for condition=Ready --timeout 90s",
    ),
    Step(
        "and the webhook goes on",
        "kubectl get pods -l app=peer-pods-webhook"
        " -o jsonpath='{.items[*].status.containerStatuses[0].restartCount}{\"\\n\"}'",
        ("0 0",),
    ),
    *_uninstalled("peerpod", "confidentialcontainers.org"),
    Step(
        "nor do nodes offer machines any more",
        "kubectl get nodes -o jsonpath='{.items[*].status.capacity}' | grep -c kata || true",
        ("0",),
    ),
    *_undeployed("peerpod", "peerpod"),
    *_generated("peerpod"),
)

WALKS: Final = {
    "pagerduty": PAGERDUTY,
    "collector": COLLECTOR,
    "minimart": MINIMART,
    "ptemplate": PTEMPLATE,
    "peerpod": PEERPOD,
}
