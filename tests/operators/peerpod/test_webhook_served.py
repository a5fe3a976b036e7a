"""What an API server makes of a pod whose webhook it asks, and of those about which it does not."""

from __future__ import annotations

import base64
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from remote_pods import VM, asked, container, remote_pod, size
from windlass.client import Client, ClientOptions
from windlass.errors import ApiError, Invalid
from windlass.kinds.core.v1 import Container, LimitRange, Pod
from windlass.kinds.node.v1 import RuntimeClass
from windlass.operators.peerpod.webhook import NOTE, OPT_OUT, VCPUS, SizingSettings, pod_webhook
from windlass.webhook import (
    AdmissionRequest,
    HookOptions,
    Place,
    Verdict,
    WebhookServer,
    answer_review,
    configurations,
    mutating,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from windlass.api import Json
    from windlass.manager import Manager
    from windlass.testing import Starter, Trial
    from windlass.webhook import Webhook

ONE = {VM: "1"}


@mutating(Pod, verbs=("create",), name="proxy.pods.example.com", path="/proxy", options=HookOptions())
def with_proxy(request: AdmissionRequest[Pod]) -> Verdict[Pod]:
    """Comes after ours, by its name, and adds a container."""
    proxy = container("proxy", requests={"cpu": "2"}, limits={"cpu": "2"})
    request.object.spec.containers.append(Container.from_wire(proxy))
    return Verdict.change(request.object)


@mutating(Pod, verbs=("create",), name="failing.pods.example.com", path="/failing")
def failing(request: AdmissionRequest[Pod]) -> Verdict[Pod]:
    """Never answers."""
    raise RuntimeError(request.uid)


@asynccontextmanager
async def runtime_class(trial: Trial, **fields: Any) -> AsyncIterator[str]:
    """A runtime class that is the test's alone."""
    name = f"kata-{trial.namespace}"
    await trial.client.create(
        RuntimeClass.from_wire({"metadata": {"name": name}, "handler": "kata", **fields})
    )
    try:
        yield name
    finally:
        await trial.client.delete(RuntimeClass, name)


@asynccontextmanager
async def serving(
    operator: Starter, *more: Webhook[Pod], sizes: Any = None
) -> AsyncIterator[tuple[Trial, str]]:
    """An API server that asks the webhook, and the runtime class whose pods are sized."""
    made: list[WebhookServer] = []

    def add_to(manager: Manager) -> None:
        namespace = manager.options.namespaces[0]
        hook = pod_webhook(SizingSettings(runtime_classes=(f"kata-{namespace}", "kata-other")))
        if sizes is not None:
            hook = replace(hook, judge=sizes)
        made.append(WebhookServer([hook, *more]))
        made[0].add_to(manager)

    async with (
        operator(add_to) as trial,
        runtime_class(trial, overhead={"podFixed": {"cpu": "250m"}}) as name,
    ):
        yield trial, name


def pod(name: str, runtime_class: str | None, *containers: Json, **metadata: Any) -> Pod:
    """A pod that needs no account."""
    made = remote_pod(*containers, runtimeClassName=runtime_class, automountServiceAccountToken=False)
    made.metadata = type(made.metadata).from_wire({"name": name, **metadata})
    return made


async def test_a_pod_is_sized_when_it_is_created(operator: Starter) -> None:
    heard: list[str] = []
    async with serving(operator) as (trial, runtime_class):
        options = ClientOptions(namespace=trial.namespace, on_warning=lambda _, text: heard.append(text))
        client = Client(trial.client.transport, options)
        made = await client.create(
            pod("shop", runtime_class, container(requests={"cpu": "2"}, limits={"cpu": "3"}))
        )

        assert size(made)[0] == "3"
        assert asked(made) == {"app": {"requests": ONE, "limits": ONE}}
        assert made.spec.overhead["cpu"] == "250m"
        assert heard == ["cpu: asked of the pod's machine (default_vcpus=3), not of its node"]


async def test_W07_other_pods_never_depend_on_the_webhook(operator: Starter) -> None:
    async with serving(operator, sizes=failing.judge) as (trial, runtime_class):
        plain = await trial.client.create(pod("plain", None, container(requests={"cpu": "2"})))
        opted_out = await trial.client.create(pod("opted-out", runtime_class, labels={OPT_OUT: "disabled"}))
        with pytest.raises(ApiError, match=r"failed calling webhook .*mwebhook\.peerpods\.io"):
            await trial.client.create(pod("shop", runtime_class))

        assert asked(plain) == {"app": {"requests": {"cpu": "2"}}}
        assert asked(opted_out) == {"app": {}}


async def test_W08_asked_again_it_counts_what_another_webhook_and_defaults_have_added(
    operator: Starter,
) -> None:
    async with serving(operator, with_proxy) as (trial, runtime_class):
        limit = {"type": "Container", "defaultRequest": {"cpu": "500m"}, "default": {"cpu": "1"}}
        await trial.client.create(
            LimitRange.from_wire({"metadata": {"name": "defaults"}, "spec": {"limits": [limit]}})
        )
        made = await trial.client.create(
            pod(
                "shop",
                runtime_class,
                container(requests={"cpu": "4"}, limits={"cpu": "4"}),
                container("by-default"),
            )
        )

        assert size(made)[0] == "7"  # 4, 1 by default, and the proxy's 2
        assert "cpu" not in str(asked(made))


async def test_W10_a_pod_that_cannot_be_sized_is_refused(operator: Starter) -> None:
    async with serving(operator) as (trial, runtime_class):
        with pytest.raises(Invalid, match="no machine is that large"):
            await trial.client.create(pod("huge", runtime_class, container(requests={"cpu": "9e15"})))


async def review(hook: Webhook[Pod], document: Json) -> Json:
    """What the webhook answers, as on the wire."""
    body = {
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {"uid": "1", "operation": "CREATE", "object": document},
    }
    answer: Json = orjson.loads(await answer_review(hook, orjson.dumps(body)))["response"]
    return answer


async def test_W10_an_amount_that_is_none_is_refused_and_never_taken_for_zero() -> None:
    document = remote_pod().to_wire()
    document["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "many"}}

    answer = await review(pod_webhook(SizingSettings()), document)

    assert not answer["allowed"]
    assert "spec.containers.0.resources.requests.cpu" in answer["status"]["message"]


async def test_the_patch_touches_what_changes_and_nothing_else() -> None:
    document = remote_pod(
        container(requests={"cpu": "2", "ephemeral-storage": "1Gi"}),
        container("idle"),
        annotations={"a": "b"},
    ).to_wire()
    document["spec"]["containers"][0]["fieldOfTomorrow"] = {"kept": True}

    answer = await review(pod_webhook(SizingSettings()), document)
    patch = orjson.loads(base64.b64decode(answer["patch"]))

    resources = "/spec/containers/0/resources"
    escaped = VM.replace("/", "~1")
    assert {(each["op"], each["path"]) for each in patch} == {
        ("add", f"/metadata/annotations/{NOTE.replace('/', '~1')}"),
        ("add", f"/metadata/annotations/{VCPUS}"),
        ("remove", f"{resources}/requests/cpu"),
        ("add", f"{resources}/requests/{escaped}"),
        ("add", f"{resources}/limits"),
    }
    again = await review(pod_webhook(SizingSettings()), remote_pod(runtimeClassName="runc").to_wire())
    assert "patch" not in again


def test_its_configuration_keeps_the_cluster_and_its_own_namespace_out() -> None:
    from windlass.api import Key

    place = Place(name="peer-pods", service=Key("peer-pods-system", "webhook"))
    (configuration,) = configurations([pod_webhook(SizingSettings(runtime_classes=("a", "b")))], place)
    (hook,) = configuration.to_wire()["webhooks"]

    assert (hook["name"], hook["failurePolicy"], hook["reinvocationPolicy"], hook["sideEffects"]) == (
        "mwebhook.peerpods.io",
        "Fail",
        "IfNeeded",
        "None",
    )
    assert hook["clientConfig"]["service"]["path"] == "/mutate-v1-pod"
    assert hook["matchConditions"] == [
        {
            "name": "runtime-class",
            "expression": "has(object.spec.runtimeClassName) && object.spec.runtimeClassName in ['a', 'b']",
        }
    ]
    assert hook["namespaceSelector"]["matchExpressions"][0]["values"] == ["kube-system", "peer-pods-system"]
    assert hook["objectSelector"]["matchExpressions"] == [
        {"key": OPT_OUT, "operator": "NotIn", "values": ["disabled"]}
    ]
    assert hook["rules"][0]["operations"] == ["CREATE"]
