"""kubectl changes objects on the embedded server, and prints what it prints on the real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from kubectl import both_fixture
from kubectl_objects import config_map, deployment, pod, service
from servers import embedded_fixture

if TYPE_CHECKING:
    from kubectl import Both

embedded = embedded_fixture
both = both_fixture


async def test_apply_creates_then_configures_then_leaves_alone(both: Both) -> None:
    both.write("web.yaml", deployment("web"), service("web"), config_map("web", colour="red"))
    created = await both.run("apply", "-f", "web.yaml")
    unchanged = await both.run("apply", "-f", "web.yaml")
    both.write("web.yaml", deployment("web", 3), service("web"), config_map("web", colour="blue"))
    configured = await both.run("apply", "-f", "web.yaml")

    assert created.lines == ["deployment.apps/web created", "service/web created", "configmap/web created"]
    assert {line.split()[1] for line in unchanged.lines} == {"unchanged"}
    assert [line.split()[1] for line in configured.lines] == ["configured", "unchanged", "configured"]
    await both.get("deployment,service,configmap")


async def test_apply_removes_what_is_no_longer_in_the_file(both: Both) -> None:
    both.write("a.yaml", config_map("a", {"tier": "front", "env": "test"}, one="1", two="2"))
    await both.run("apply", "-f", "a.yaml")
    await both.run("patch", "configmap", "a", "-p", '{"data": {"three": "3"}}')
    both.write("a.yaml", config_map("a", {"tier": "front"}, one="1"))
    await both.run("apply", "-f", "a.yaml")

    said = await both.run("get", "configmap", "a", "-o", "jsonpath={.data} {.metadata.labels}")
    assert said.out == '{"one":"1","three":"3"} {"tier":"front"}'


async def test_apply_prunes_what_is_no_longer_there(both: Both) -> None:
    labels = {"app": both.namespace}
    pruning = ("apply", "-f", "all.yaml", "--prune", "-l", f"app={both.namespace}")
    both.write("all.yaml", config_map("a", labels), config_map("b", labels))
    await both.run(*pruning)
    both.write("all.yaml", config_map("a", labels))
    said = await both.run(*pruning)
    assert "configmap/b pruned" in said.lines
    assert (await both.run("get", "configmaps", "-o", "name")).out == "configmap/a\n"


@pytest.mark.parametrize("how", ["--dry-run=server", "--dry-run=client"])
async def test_a_dry_run_changes_nothing(both: Both, how: str) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml", how, "-o", "yaml")
    await both.run("get", "deployment", "web", code=1)


async def test_server_side_apply_names_the_manager_in_the_way(both: Both) -> None:
    both.write("a.yaml", config_map("a", colour="red"))
    await both.run("apply", "--server-side", "-f", "a.yaml", "--field-manager", "first")
    both.write("a.yaml", config_map("a", colour="blue"))
    refused = await both.run("apply", "--server-side", "-f", "a.yaml", "--field-manager", "second", code=1)
    assert 'conflict with "first"' in refused.err

    await both.run("apply", "--server-side", "-f", "a.yaml", "--field-manager", "second", "--force-conflicts")
    await both.get("configmap", "a")


async def test_server_side_apply_takes_over_from_client_side_apply(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    both.write("web.yaml", deployment("web", 5))
    await both.run("apply", "--server-side", "-f", "web.yaml")
    await both.get("deployment", "web")


async def test_apply_sets_a_status(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "--server-side", "-f", "web.yaml")
    status = {"observedGeneration": 1, "replicas": 2, "readyReplicas": 1}
    both.write("status.yaml", deployment("web") | {"status": status})
    await both.run("apply", "--server-side", "--subresource=status", "-f", "status.yaml")
    said = await both.run("get", "deployment", "web", "-o", "jsonpath={.status}")
    assert yaml.safe_load(said.out) == status


async def test_the_last_applied_configuration_can_be_seen_and_set(both: Both) -> None:
    both.write("a.yaml", config_map("a", colour="red"))
    await both.run("apply", "-f", "a.yaml")
    await both.run("apply", "view-last-applied", "configmap", "a")
    both.write("a.yaml", config_map("a", colour="blue"))
    await both.run("apply", "set-last-applied", "-f", "a.yaml")
    await both.run("apply", "view-last-applied", "-f", "a.yaml", "-o", "json")


async def test_diff_shows_what_apply_would_change(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("diff", "-f", "web.yaml", code=1)
    await both.run("apply", "-f", "web.yaml")
    await both.run("diff", "-f", "web.yaml")
    both.write("web.yaml", deployment("web", 7))
    said = await both.run("diff", "-f", "web.yaml", code=1)
    assert "+  replicas: 7" in said.lines
    await both.run("diff", "--server-side", "-f", "web.yaml", code=1)


async def test_an_edit_is_stored(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    said = await both.run("edit", "deployment", "web", KUBE_EDITOR="sed -i s/nginx:1.27/nginx:1.28/")
    assert said.out == "deployment.apps/web edited\n"
    said = await both.run("edit", "deployment", "web", KUBE_EDITOR="true")
    assert said.err + said.out == "Edit cancelled, no changes made.\n"
    await both.get("deployment", "web")


async def test_an_edit_that_is_not_valid_is_opened_again_with_the_reason(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    both.write("editor.sh", 'cp "$1" seen.yaml\nsed -i "s/replicas: 2/replicas: -2/" "$1"\n')
    await both.run("edit", "deployment", "web", code=1, KUBE_EDITOR="sh editor.sh")
    assert "spec.replicas: Invalid value: -2" in both.read("seen.yaml")


async def test_an_edit_of_the_status_is_stored(both: Both) -> None:
    both.write("web.yaml", pod("web"))
    await both.run("create", "-f", "web.yaml")
    edit = "sed -i 's/phase: Pending/phase: Running/'"
    await both.run("edit", "pod", "web", "--subresource=status", KUBE_EDITOR=edit)
    said = await both.run("get", "pod", "web", "-o", "jsonpath={.status.phase}")
    assert said.out == "Running"


PATCHES = {
    "strategic": '{"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "busybox"}]}}}}',
    "merge": '{"metadata": {"labels": {"app": null, "tier": "front"}}, "spec": {"paused": true}}',
    "json": '[{"op": "test", "path": "/spec/replicas", "value": 2}, {"op": "replace", "path": "/spec/replicas", "value": 4}]',
}


@pytest.mark.parametrize("kind", PATCHES)
async def test_each_kind_of_patch_changes_the_object(both: Both, kind: str) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    said = await both.run("patch", "deployment", "web", "--type", kind, "-p", PATCHES[kind])
    assert said.out == "deployment.apps/web patched\n"
    said = await both.run("patch", "deployment", "web", "--type=merge", "-p", "{}")
    assert said.out == "deployment.apps/web patched (no change)\n"
    await both.run("get", "deployment", "web", "-o", "yaml")


@pytest.mark.parametrize(
    ("kind", "patch"),
    [
        ("json", '[{"op": "test", "path": "/spec/replicas", "value": 9}]'),
        ("json", '[{"op": "remove", "path": "/spec/nothing"}]'),
        ("merge", '{"spec": {"replicas": "many"}}'),
        ("merge", '{"spec": {"selector": {"matchLabels": {"app": "other"}}}}'),
        ("strategic", '{"spec": {"template": {"spec": {"containers": [{"image": "busybox"}]}}}}'),
    ],
)
async def test_a_patch_that_does_not_fit_is_refused_with_the_reason(
    both: Both, kind: str, patch: str
) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    await both.run("patch", "deployment", "web", "--type", kind, "-p", patch, code=1)


async def test_a_status_is_patched_through_its_subresource(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    patch = '{"status": {"replicas": 2, "readyReplicas": 1}}'
    await both.run("patch", "deployment", "web", "--subresource=status", "--type=merge", "-p", patch)
    await both.run("get", "deployment", "web")


@pytest.mark.parametrize(("verb", "word"), [("label", "labeled"), ("annotate", "annotated")])
async def test_labels_and_annotations_come_change_and_go(both: Both, verb: str, word: str) -> None:
    both.write("a.yaml", config_map("a"), config_map("b"))
    await both.run("create", "-f", "a.yaml")
    said = await both.run(verb, "configmap", "a", "b", "tier=front", "env=test")
    assert said.lines == [f"configmap/a {word}", f"configmap/b {word}"]
    refused = await both.run(verb, "configmap", "a", "tier=back", code=1)
    assert "already has a value" in refused.err
    await both.run(verb, "configmap", "a", "tier=back", "--overwrite")
    await both.run(verb, "configmap", "b", "tier-")
    await both.run(verb, "configmap", "a", "tier=new", "--overwrite", "--resource-version=1", code=1)
    await both.get("configmaps")


async def test_a_label_that_is_not_valid_is_refused(both: Both) -> None:
    both.write("a.yaml", config_map("a"))
    await both.run("create", "-f", "a.yaml")
    await both.run("label", "configmap", "a", "tier=not/valid", code=1)


async def test_replace_replaces_the_whole_object(both: Both) -> None:
    both.write("a.yaml", config_map("a", {"tier": "front"}, one="1"))
    await both.run("create", "-f", "a.yaml")
    await both.run("create", "-f", "a.yaml", code=1)
    both.write("a.yaml", config_map("a", two="2"))
    await both.run("replace", "-f", "a.yaml")
    await both.get("configmap", "a")
    both.write("a.yaml", config_map("a", three="3"))
    await both.run("replace", "--force", "-f", "a.yaml")
    await both.run("get", "configmap", "a", "-o", "jsonpath={.data}")


@pytest.mark.parametrize("validate", ["strict", "warn", "ignore"])
async def test_an_unknown_field_is_treated_as_asked(both: Both, validate: str) -> None:
    broken = config_map("a") | {"dat": {"one": "1"}}
    both.write("a.yaml", broken)
    await both.run("create", f"--validate={validate}", "-f", "a.yaml", code=int(validate == "strict"))
    broken = deployment("web")
    broken["spec"]["template"]["spec"]["containers"][0]["imag"] = "nginx"
    both.write("web.yaml", broken)
    await both.run("apply", f"--validate={validate}", "-f", "web.yaml", code=int(validate == "strict"))


async def test_a_manifest_that_is_not_valid_is_refused_with_every_reason(both: Both) -> None:
    broken = deployment("Web")
    broken["spec"]["replicas"] = -1
    broken["spec"]["template"]["metadata"]["labels"] = {"app": "other"}
    both.write("web.yaml", broken)
    said = await both.run("create", "-f", "web.yaml", code=1)
    assert "spec.replicas" in said.err
    assert "metadata.name" in said.err


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: Nothing\nmetadata: {name: a}\n",
        "apiVersion: example.com/v1\nkind: ConfigMap\nmetadata: {name: a}\n",
        "kind: ConfigMap\nmetadata: {name: a}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {one: [1]}\n",
        "apiVersion: v1\nkind: ConfigMap\ndata: {one: '1'}\n",
    ],
)
async def test_a_manifest_of_no_kind_or_shape_is_refused(both: Both, text: str) -> None:
    both.write("a.yaml", text)
    await both.run("apply", "-f", "a.yaml", code=1)


async def test_a_deployment_is_scaled(both: Both) -> None:
    both.write("web.yaml", deployment("web"))
    await both.run("apply", "-f", "web.yaml")
    said = await both.run("scale", "deployment", "web", "--replicas=5")
    assert said.out == "deployment.apps/web scaled\n"
    await both.run("scale", "deployment", "web", "--current-replicas=2", "--replicas=7", code=1)
    await both.run("scale", "deployment", "missing", "--replicas=7", code=1)
    await both.run("get", "deployment", "web", "--subresource=scale", "-o", "yaml")
    await both.get("deployment", "web")


CREATIONS = {
    "configmap": ("configmap", "a", "--from-literal=one=1", "--from-file=two=a.txt"),
    "secret": ("secret", "generic", "a", "--from-literal=password=x"),
    "secret-tls": ("secret", "docker-registry", "a", "--docker-username=u", "--docker-password=p"),
    "deployment": ("deployment", "a", "--image=nginx", "--replicas=2", "--port=80"),
    "service": ("service", "clusterip", "a", "--tcp=80:8080"),
    "service-nodeport": ("service", "nodeport", "a", "--tcp=80:8080"),
    "serviceaccount": ("serviceaccount", "a"),
    "role": ("role", "a", "--verb=get,list", "--resource=pods,deployments.apps"),
    "rolebinding": ("rolebinding", "a", "--role=a", "--user=someone"),
    "job": ("job", "a", "--image=busybox", "--", "true"),
    "cronjob": ("cronjob", "a", "--image=busybox", "--schedule=*/5 * * * *"),
    "ingress": ("ingress", "a", "--rule=a.example.com/path*=web:80"),
    "quota": ("quota", "a", "--hard=cpu=1,pods=2"),
    "poddisruptionbudget": ("poddisruptionbudget", "a", "--selector=app=web", "--min-available=1"),
}


@pytest.mark.parametrize("arguments", CREATIONS.values(), ids=list(CREATIONS))
async def test_create_makes_an_object_of_each_kind(both: Both, arguments: tuple[str, ...]) -> None:
    both.write("a.txt", "text")
    said = await both.run("create", *arguments)
    assert said.out.endswith("/a created\n")
    await both.get(arguments[0], "a")


async def test_run_expose_autoscale_and_set_make_and_change_objects(both: Both) -> None:
    await both.run("run", "single", "--image=nginx", "--port=80", "--env=A=1")
    await both.run("expose", "pod", "single", "--port=80")
    await both.run("create", "deployment", "web", "--image=nginx")
    await both.run("autoscale", "deployment", "web", "--min=1", "--max=5", "--cpu=50%")
    await both.run("set", "image", "deployment/web", "nginx=nginx:1.28")
    await both.run("set", "env", "deployment/web", "COLOUR=red")
    await both.run("set", "resources", "deployment/web", "--limits=cpu=200m,memory=64Mi")
    await both.run("rollout", "restart", "deployment/web")
    await both.run("rollout", "pause", "deployment/web")
    await both.run("get", "all,horizontalpodautoscaler", "-o", "yaml")
