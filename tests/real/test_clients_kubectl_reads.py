"""kubectl reads from the embedded server, and prints what it prints from the real one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kubectl import both_fixture
from kubectl_objects import config_map, deployment, pod, service
from servers import embedded_fixture

if TYPE_CHECKING:
    from kubectl import Both
    from kubectl_objects import Manifest

embedded = embedded_fixture
both = both_fixture

FORMS = [
    ("wide",),
    ("yaml",),
    ("json",),
    ("name",),
    ("custom-columns=NAME:.metadata.name,IMAGE:.spec.template.spec.containers[*].image",),
    ("jsonpath={range .items[*]}{.kind}/{.metadata.name}{'\\n'}{end}",),
    ("go-template={{range .items}}{{.metadata.name}} {{end}}",),
    ("wide", "--show-labels", "--show-kind", "--no-headers"),
    ("wide", "-L", "app"),
]


async def fill(both: Both) -> None:
    """A Deployment, its Service, a Pod and two ConfigMaps."""
    both.write(
        "all.yaml",
        deployment("web"),
        service("web"),
        pod("web"),
        config_map("a", {"tier": "front"}, one="1"),
        config_map("b", {"tier": "back"}, two="2"),
    )
    await both.run("apply", "-f", "all.yaml")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0].partition("=")[0])
async def test_get_prints_objects_in_every_form(both: Both, form: tuple[str, ...]) -> None:
    await fill(both)
    said = await both.run("get", "deployments,services,pods,configmaps", "-o", *form)
    assert "web" in said.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("get", "deployment/web", "service/web"),
        ("get", "configmaps", "-l", "tier=front"),
        ("get", "configmaps", "-l", "tier in (front, back),!env"),
        ("get", "configmaps", "--field-selector", "metadata.name=a"),
        ("get", "pods", "--field-selector", "status.phase=Pending,spec.nodeName="),
        ("get", "configmaps", "--chunk-size=1"),
        ("get", "configmaps", "--sort-by=.metadata.labels.tier"),
        ("get", "secrets"),
        ("get", "deploy", "web", "-o", "yaml", "--show-managed-fields"),
        ("get", "-f", "all.yaml"),
        ("get", "pod", "web", "--subresource=status", "-o", "yaml"),
        ("get", "configmap", "missing", "--ignore-not-found"),
    ],
    ids=" ".join,
)
async def test_get_finds_what_is_asked_for(both: Both, arguments: tuple[str, ...]) -> None:
    await fill(both)
    await both.run(*arguments)


async def test_get_all_is_what_a_namespace_has_of_the_usual_kinds(both: Both) -> None:
    await fill(both)
    said = await both.insist("get", "all")  # kinds of other tests may go while it lists them
    assert "deployment.apps/web" in said.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("get", "configmap", "missing"),
        ("get", "nothings"),
        ("get", "configmaps", "--field-selector", "spec.nothing=1"),
        ("get", "configmaps", "-l", "a=b=c"),
        ("get", "deployments.v7.apps"),
        ("get", "configmap", "a", "missing"),
        ("describe", "configmap", "missing"),
    ],
    ids=" ".join,
)
async def test_get_says_what_is_wrong(both: Both, arguments: tuple[str, ...]) -> None:
    await fill(both)
    said = await both.run(*arguments, code=1)
    assert said.err.startswith(("Error from server", "error:"))


async def test_a_watch_prints_what_happens(both: Both) -> None:
    both.write("a.yaml", config_map("a", one="1"))
    await both.run("create", "-f", "a.yaml")
    async with both.started("get", "configmaps", "--watch", "--output-watch-events") as watch:
        assert (await watch.line()).split() == ["EVENT", "NAME", "DATA", "AGE"]
        assert (await watch.line()).split()[:2] == ["ADDED", "a"]
        await both.run("label", "configmap", "a", "tier=front")
        assert (await watch.line()).split()[:2] == ["MODIFIED", "a"]
        both.write("b.yaml", config_map("b"))
        await both.run("create", "-f", "b.yaml")
        assert (await watch.line()).split()[:2] == ["ADDED", "b"]
        await both.run("delete", "configmap", "a")
        assert (await watch.line()).split()[:2] == ["DELETED", "a"]


async def test_a_watch_prints_rows_of_a_table(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    async with both.started("get", "deployment", "web", "--watch") as watch:
        assert (await watch.line()).split() == ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"]
        assert (await watch.line()).split()[:2] == ["web", "0/2"]
        patch = '{"status": {"replicas": 2, "readyReplicas": 1}}'
        await both.run("patch", "deployment", "web", "--subresource=status", "--type=merge", "-p", patch)
        assert (await watch.line()).split()[:2] == ["web", "1/2"]


async def test_a_watch_with_a_selector_shows_what_comes_into_view(both: Both) -> None:
    both.write("a.yaml", config_map("a"), config_map("b"))
    await both.run("create", "-f", "a.yaml")
    watched = ("get", "configmaps", "-l", "tier=front", "--watch-only", "--output-watch-events", "-v=6")
    async with both.started(*watched) as watch:
        await watch.until_told("watch=true")
        await both.run("label", "configmap", "a", "tier=front")
        assert (await watch.line()).split()[0] == "EVENT"
        assert (await watch.line()).split()[:2] == ["ADDED", "a"]
        await both.run("label", "configmap", "a", "tier-")
        assert (await watch.line()).split()[:2] == ["DELETED", "a"]


async def test_wait_ends_when_a_condition_is_true(both: Both) -> None:
    both.write("web.yaml", pod("web"))
    await both.run("create", "-f", "web.yaml")
    waiting = ("wait", "--for=condition=Ready", "pod/web", "--timeout=30s", "-v=6")
    async with both.started(*waiting) as wait:
        await wait.until_told("watch=true")
        patch = '{"status": {"conditions": [{"type": "Ready", "status": "True"}]}}'
        await both.run("patch", "pod", "web", "--subresource=status", "-p", patch)
        assert (await wait.end()).out == "pod/web condition met\n"


async def test_wait_ends_when_a_field_has_a_value(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    waiting = ("wait", "--for=jsonpath={.status.readyReplicas}=2", "deployment/web", "--timeout=30s", "-v=6")
    async with both.started(*waiting) as wait:
        await wait.until_told("watch=true")
        patch = '{"status": {"replicas": 2, "readyReplicas": 2}}'
        await both.run("patch", "deployment", "web", "--subresource=status", "--type=merge", "-p", patch)
        assert (await wait.end()).out == "deployment.apps/web condition met\n"


async def test_wait_ends_when_an_object_is_made(both: Both) -> None:
    async with both.started("wait", "--for=create", "configmap/a", "--timeout=30s", "-v=6") as wait:
        await wait.until_told("404 Not Found")
        both.write("a.yaml", config_map("a"))
        await both.run("create", "-f", "a.yaml")
        assert (await wait.end()).out == "configmap/a condition met\n"


async def test_wait_ends_when_an_object_is_gone(both: Both) -> None:
    both.write("a.yaml", config_map("a"))
    await both.run("create", "-f", "a.yaml")
    async with both.started("wait", "--for=delete", "configmap/a", "--timeout=30s", "-v=6") as wait:
        await wait.until_told("watch=true")
        await both.run("delete", "configmap", "a")
        assert (await wait.end()).out == "configmap/a condition met\n"


async def test_wait_gives_up(both: Both) -> None:
    both.write("web.yaml", pod("web"))
    await both.run("create", "-f", "web.yaml")
    said = await both.run("wait", "--for=condition=Ready", "pod/web", "--timeout=200ms", code=1)
    assert said.err == "error: timed out waiting for the condition on pods/web\n"


async def test_rollout_status_follows_a_deployment(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    async with both.started("rollout", "status", "deployment/web", "--timeout=30s") as rollout:
        assert (await rollout.line()).startswith("Waiting for deployment spec update to be observed")
        await both.run(*progress(1))
        assert "1 of 2 updated replicas are available" in await rollout.line()
        await both.run(*progress(2))
        assert "successfully rolled out" in (await rollout.end()).out


def progress(ready: int) -> tuple[str, ...]:
    """The command that reports how many of the two pods of a Deployment are ready."""
    status = {
        "observedGeneration": 1,
        "replicas": 2,
        "updatedReplicas": 2,
        "readyReplicas": ready,
        "availableReplicas": ready,
    }
    patch = json.dumps({"status": status})
    return ("patch", "deployment", "web", "--subresource=status", "--type=merge", "-p", patch)


@pytest.mark.parametrize("what", ["deployment", "service", "pod", "configmap"])
async def test_describe_tells_everything_about_an_object(both: Both, what: str) -> None:
    await fill(both)
    said = await both.run("describe", what)
    assert said.out.startswith("Name:")


@pytest.mark.parametrize(
    "kind",
    [
        ("secret", "generic", "a", "--from-literal=password=x"),
        ("serviceaccount", "a"),
        ("role", "a", "--verb=get", "--resource=pods"),
        ("rolebinding", "a", "--role=a", "--user=someone"),
        ("job", "a", "--image=busybox"),
        ("cronjob", "a", "--image=busybox", "--schedule=*/5 * * * *"),
        ("ingress", "a", "--rule=a.example.com/path*=web:80"),
        ("quota", "a", "--hard=cpu=1,pods=2"),
    ],
    ids=lambda kind: kind[0],
)
async def test_describe_knows_the_kind(both: Both, kind: tuple[str, ...]) -> None:
    await both.run("create", *kind)
    await both.run("describe", kind[0], "a")


async def test_describe_shows_the_events_of_an_object(both: Both) -> None:
    both.write("web.yaml", pod("web"))
    await both.run("create", "-f", "web.yaml")
    uids = [said.out for said in await both.ask("get", "pod", "web", "-o", "jsonpath={.metadata.uid}")]
    both.write_each("event.yaml", [event(both.namespace, uid) for uid in uids])
    await both.run("create", "-f", "event.yaml")
    said = await both.run("describe", "pod", "web")
    assert "it runs" in said.out
    await both.run("get", "events")
    await both.run("events", "--for", "pod/web")


def event(namespace: str, uid: str) -> Manifest:
    """An Event about the Pod web."""
    about = {"apiVersion": "v1", "kind": "Pod", "name": "web", "namespace": namespace, "uid": uid}
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "web.1"},
        "involvedObject": about,
        "reason": "Started",
        "message": "it runs",
        "type": "Normal",
        "count": 3,
        "source": {"component": "test"},
        "firstTimestamp": "2026-01-01T00:00:00Z",
        "lastTimestamp": "2026-01-01T00:00:00Z",
    }


async def test_a_namespace_can_be_described(both: Both) -> None:
    await both.run("describe", "namespace", both.namespace)
    await both.run("get", "namespace", both.namespace)


@pytest.mark.parametrize(
    ("verb", "resource", "answer"),
    [("create", "deployments.apps", "yes"), ("delete", "nodes", "yes"), ("*", "*", "yes")],
)
async def test_an_administrator_may_do_everything(both: Both, verb: str, resource: str, answer: str) -> None:
    said = await both.run("auth", "can-i", verb, resource)
    assert said.out == f"{answer}\n"


async def test_what_a_role_allows_can_be_asked(both: Both) -> None:
    await both.run("create", "serviceaccount", "robot")
    await both.run("create", "role", "reader", "--verb=get,list,watch", "--resource=pods,configmaps")
    account = f"{both.namespace}:robot"
    await both.run("create", "rolebinding", "reader", "--role=reader", f"--serviceaccount={account}")
    user = f"--as=system:serviceaccount:{account}"
    assert (await both.run("auth", "can-i", "list", "pods", user)).out == "yes\n"
    assert (await both.run("auth", "can-i", "delete", "pods", user, code=1)).out == "no\n"
    await both.run("get", "configmaps", user)
    refused = await both.run("create", "configmap", "a", user, code=1)
    assert "cannot create resource" in refused.err
    await both.run("auth", "can-i", "--list", user)
    await both.run("auth", "whoami", user)


async def test_a_token_of_a_service_account_is_who_it_says(both: Both) -> None:
    await both.run("create", "serviceaccount", "robot")
    said = await both.run("create", "token", "robot", "--duration=20m", "--audience=a.example.com")
    assert said.out == "<token>"
    await both.run("create", "token", "missing", code=1)
