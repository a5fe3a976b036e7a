"""What charts do, and what goes wrong with them, with the real `helm` on both control planes."""

from __future__ import annotations

import os
import signal
from datetime import timedelta
from itertools import accumulate
from typing import TYPE_CHECKING

import pytest

from servers import embedded_fixture
from shelves import helm_processes
from shop_release import Shop
from stalls import OFTEN, WITHIN, Stalls, config_map, job, message, stalls_fixture, told
from windlass.api import Kind, ObjectMeta, Untyped
from windlass.client import MergePatch
from windlass.helm import ProcessLimits
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.core.v1 import ConfigMap, Secret
from windlass.tools import find_helm

if TYPE_CHECKING:
    from pathlib import Path

embedded = embedded_fixture
stalls = stalls_fixture
pytestmark = pytest.mark.timeout(180)

SIZE = config_map('{size: "{{ .Values.size }}"}')
DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: coupons.GROUP}
spec:
  group: GROUP
  scope: Namespaced
  names: {kind: Coupon, plural: coupons}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
"""


def counting(folder: Path) -> tuple[Path, Path]:
    """A helm that writes down when it begins and when it ends, and where it does so."""
    program, log = folder / "helm", folder / "log"
    program.write_text(
        f'#!/bin/sh\necho "+ $1 $2" >>{log}\n{find_helm()} "$@"\ncode=$?\necho "- $1 $2" >>{log}\nexit $code\n'
    )
    program.chmod(0o755)
    return program, log


async def test_fifty_objects_at_once_are_fifty_installations_two_at_a_time(
    stalls: Stalls, tmp_path: Path
) -> None:
    stalls.write(main=SIZE)
    program, log = counting(tmp_path)
    names = [f"s{number:02}" for number in range(50)]
    async with stalls.operator(program=program, workers=2) as stall:
        for name in names:
            await stall.trial.client.create(Shop(metadata=ObjectMeta(name=name), spec={"size": name}))
        for name in names:
            await stall.deployed(name)
            assert (await stall.trial.client.get(ConfigMap, name)).data == {"size": name}
        await stall.trial.settled()

    lines = [line for line in log.read_text().splitlines() if "version" not in line]
    at_once = accumulate(1 if line.startswith("+") else -1 for line in lines)
    assert sorted(line for line in lines if line.startswith("+")) == [f"+ upgrade {name}" for name in names]
    assert max(at_once) == 2


async def test_a_missing_helm_is_told_with_the_command_that_installs_it_and_used_when_it_is_there(
    stalls: Stalls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helm = find_helm()
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("WINDLASS_CACHE", str(tmp_path))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    stalls.write(main=SIZE)
    async with stalls.operator(period=OFTEN) as stall:
        await stall.trial.client.create(Shop(metadata=ObjectMeta(name="a"), spec={"size": 3}))
        await stall.failed("a", "windlass tools install helm", "Irreconcilable")
        (tmp_path / "bin" / "helm").symlink_to(helm)
        await stall.deployed("a")


async def test_a_chart_that_breaks_is_told_and_used_again_when_it_is_mended(stalls: Stalls) -> None:
    stalls.write(main=SIZE)
    async with stalls.operator(period=OFTEN) as stall:
        await stall.create("a", {"size": 1})
        stalls.write(main=SIZE + "{{ .Values.no.such.thing }}")
        bad = await stall.failed("a", "nil pointer", "Irreconcilable")
        assert told(bad, "Deployed")
        (stalls.chart / "Chart.yaml").unlink()
        await stall.failed("a", "no Chart.yaml", "Irreconcilable")
        await stall.trial.client.create(Shop(metadata=ObjectMeta(name="b"), spec={"size": 2}))
        await stall.failed("b", "no Chart.yaml", "Irreconcilable")
        await stall.trial.client.delete(Shop, "b")  # which needs no chart
        await stall.trial.gone(Shop, "b", within=WITHIN)

        stalls.write(main=SIZE)
        await stall.deployed("a")
        await stall.are("a", "deployed")
        stalls.write(main=config_map('{new: "yes"}'))
        await stall.says("a", new="yes")


async def test_values_that_the_schema_refuses_are_told_until_they_are_right_again(stalls: Stalls) -> None:
    schema = '{"properties": {"size": {"type": "integer", "maximum": 9}}}'
    stalls.files({"templates/main.yaml": SIZE, "values.schema.json": schema})
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 3})
        await stall.edit("a", size=10)
        bad = await stall.failed("a", "maximum: got 10, want 9", "Irreconcilable")
        assert told(bad, "Deployed")
        assert (await stall.trial.client.get(ConfigMap, "a")).data == {"size": "3"}
        await stall.edit("a", size=3)
        await stall.deployed("a")
        await stall.settled("a", "deployed")


async def test_an_installation_that_the_server_refuses_half_way_leaves_nothing_but_what_was_there(
    stalls: Stalls,
) -> None:
    bad = config_map("{}", "{{ .Values.bad }}")
    stalls.write(main=SIZE, bad="{{ if .Values.bad }}" + bad + "{{ end }}")
    async with stalls.operator() as stall:
        client = stall.trial.client
        await client.create(ConfigMap(metadata=ObjectMeta(name="foreign"), data={"mine": "yes"}))
        await client.create(Shop(metadata=ObjectMeta(name="a"), spec={"size": 1, "bad": "Not_A_Name"}))
        await stall.failed("a", "Not_A_Name")
        assert await stall.maps() == {"foreign"}
        assert await stall.revisions("a") == {}
        await stall.edit("a", bad="foreign")
        await stall.failed("a", "exists and cannot be imported")
        assert (await client.get(ConfigMap, "foreign")).data == {"mine": "yes"}
        await stall.edit("a", bad=None)
        await stall.deployed("a", "InstallSuccessful")
        await stall.remove("a")
        assert await stall.maps() == {"foreign"}


async def test_a_field_that_does_not_exist_is_refused_in_objects_and_hooks(stalls: Stalls) -> None:
    field = "{{ with .Values.typo }}\n{{ . }}: 1\n{{ end }}"
    hook = config_map("{}", "{{ .Release.Name }}-hook", "{helm.sh/hook: pre-upgrade}")
    stalls.write(main=SIZE + field, hook=hook + "{{ with .Values.hookTypo }}\n{{ . }}: 1\n{{ end }}")
    async with stalls.operator() as stall:
        await stall.trial.client.create(Shop(metadata=ObjectMeta(name="a"), spec={"size": 1, "typo": "daat"}))
        await stall.failed("a", "daat")
        assert await stall.maps() == set()
        assert await stall.revisions("a") == {}
        await stall.edit("a", typo=None)
        await stall.deployed("a")
        await stall.edit("a", typo="dtaa", size=2)
        await stall.failed("a", "dtaa")
        assert await stall.revisions("a") == {1: "deployed"}
        await stall.edit("a", typo=None, hookTypo="dada")
        await stall.failed("a", "dada")
        assert (await stall.says("a", size="1")).metadata.name == "a"


async def test_hooks_are_run_at_their_moments_and_are_no_part_of_the_release(stalls: Stalls) -> None:
    hooks = [
        config_map(
            "{at: '{{ .Release.Revision }}'}", f"{{{{ .Release.Name }}}}-{hook}", f"{{helm.sh/hook: {hook}}}"
        )
        for hook in ("pre-install", "post-upgrade", "pre-delete")
    ]
    stalls.write(main=SIZE, hooks="---\n".join(hooks))
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1})
        assert await stall.maps("a") == {"a", "a-pre-install"}
        await stall.edit("a", size=2)
        await stall.says("a-post-upgrade", at="2")
        await stall.deployed("a", "UpgradeSuccessful")
        await stall.trial.client.delete(ConfigMap, "a-pre-install")  # nobody brings a hook back
        await stall.settled("a", "superseded", "deployed")
        assert await stall.maps("a") == {"a", "a-post-upgrade"}
        await stall.remove("a")
        assert await stall.maps("a") == {"a-post-upgrade", "a-pre-delete"}


async def test_a_hook_that_fails_undoes_an_upgrade_and_holds_a_deletion_up_until_it_is_skipped(
    stalls: Stalls,
) -> None:
    hook = config_map("{}", "Not_A_Name", '{helm.sh/hook: "{{ .Values.hook }}"}')
    stalls.write(main=SIZE, hook="{{ if .Values.hook }}" + hook + "{{ end }}")
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1})
        await stall.edit("a", size=2, hook="post-upgrade")
        bad = await stall.failed("a", "Not_A_Name")
        assert "rolled back to revision 1" in message(bad, "ReleaseFailed")
        assert (await stall.trial.client.get(ConfigMap, "a")).data == {"size": "1"}
        await stall.are("a", "superseded", "failed", "deployed")
        await stall.edit("a", hook="pre-delete")
        await stall.deployed("a")
        await stall.trial.client.delete(Shop, "a")
        await stall.failed("a", "Not_A_Name")
        assert await stall.has("a")
        skip = {"annotations": {"helm.sdk.operatorframework.io/uninstall-disable-hooks": "true"}}
        await stall.trial.client.patch(Shop, "a", MergePatch({"metadata": skip}))
        await stall.trial.gone(Shop, "a", within=WITHIN)
        assert await stall.maps("a") == set()


async def test_a_template_that_does_not_end_or_fills_the_memory_is_stopped_and_told(stalls: Stalls) -> None:
    endless = "{{ range until 100000 }}{{ range until 100000 }}{{ $x := 1 }}{{ end }}{{ end }}"
    filling = '{{ $s := repeat 1000000 "a" }}{{ range until 12 }}{{ $s = printf "%s%s" $s $s }}{{ end }}'
    stalls.write(
        main=SIZE, endless=f"{{{{ if .Values.endless }}}}{endless}{{{{ end }}}}",
        filling=f"{{{{ if .Values.filling }}}}{filling}{{{{ end }}}}",
    )  # fmt: skip
    async with stalls.operator(limits=ProcessLimits(cpu=2, memory=256 * 2**20)) as stall:
        await stall.create("a", {"size": 1})
        await stall.edit("a", endless=True)
        bad = await stall.failed("a", "it may use 2s of processor time", "Irreconcilable")
        assert told(bad, "Deployed")
        await stall.edit("a", endless=False, filling=True)
        await stall.failed("a", "it may use 256MiB of memory", "Irreconcilable")
        await stall.edit("a", filling=False, size=2)
        await stall.says("a", size="2")
        await stall.settled("a", "superseded", "deployed")


@pytest.mark.parametrize(
    "asks", ["", '{{ .Capabilities.APIVersions.Has "policy/v1beta1" }}'], ids=["", "on the server"]
)
async def test_the_other_owner_of_an_object_is_named_by_both(stalls: Stalls, asks: str) -> None:
    shared = config_map("{}", "shared", f"{{asked: '{asks}'}}" if asks else "{}")
    stalls.write(main=SIZE, shared=shared)
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1})
        await stall.trial.client.create(Shop(metadata=ObjectMeta(name="b"), spec={"size": 2}))
        bad = await stall.failed("b", "is also an object of release")
        assert "/a" in message(bad, "ObjectConflict")
        keeper = await stall.trial.until(
            Shop, "a", lambda found: bool(told(found, "ObjectConflict")), within=WITHIN
        )
        assert "/b" in message(keeper, "ObjectConflict")
        await stall.remove("b")
        assert "shared" in await stall.maps()


@pytest.mark.parametrize("first", ["hook", "object"])
async def test_a_hook_does_not_replace_the_object_or_the_hook_of_another_release(
    stalls: Stalls, first: str
) -> None:
    annotations = "{ {{ if .Values.hook }}helm.sh/hook: 'pre-install,pre-upgrade'{{ end }} }"
    stalls.write(main=SIZE, shared=config_map("{of: '{{ .Release.Name }}'}", "shared", annotations))
    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1, "hook": first == "hook"})
        before = (await stall.trial.client.get(ConfigMap, "shared")).metadata.uid
        spec = {"size": 2, "hook": True}
        await stall.trial.client.create(Shop(metadata=ObjectMeta(name="b"), spec=spec))
        bad = await stall.failed("b", "is also an object of release")
        assert "/a" in message(bad, "ObjectConflict")
        keeper = await stall.trial.until(
            Shop, "a", lambda found: bool(told(found, "ObjectConflict")), within=WITHIN
        )
        assert "/b" in message(keeper, "ObjectConflict")
        kept = await stall.trial.client.get(ConfigMap, "shared")
        assert (kept.metadata.uid, kept.data) == (before, {"of": "a"})
        await stall.edit("a", size=3)  # the hook of the release itself may be replaced
        await stall.says("a", size="3")
        await stall.remove("b")


async def test_a_manifest_with_values_of_wrong_types_is_a_failed_rendering(stalls: Stalls) -> None:
    labelled = "metadata: {name: '{{ .Release.Name }}-more', labels: {x: {{ .Values.label }}}}"
    stalls.write(main=SIZE, more=f"apiVersion: v1\nkind: ConfigMap\n{labelled}\n")
    async with stalls.operator() as stall:
        await stall.trial.client.create(Shop(metadata=ObjectMeta(name="b"), spec={"size": 1, "label": True}))
        bad = await stall.failed("b", "metadata.labels.x is True and no text: quote it")
        assert "RenderFailed" in str(bad.status.conditions)
        await stall.create("a", {"size": 1, "label": "text"})
        await stall.edit("a", label=True)
        bad = await stall.failed("a", "metadata.labels.x is True and no text: quote it", "Irreconcilable")
        assert "RenderFailed" in str(bad.status.conditions)
        await stall.are("a", "deployed")


async def test_a_hook_that_never_ends_is_given_up_and_so_is_a_helm_that_is_killed(stalls: Stalls) -> None:
    stalls.write(main=SIZE, job="{{ if .Values.slow }}" + job("post-upgrade") + "{{ end }}")
    async with stalls.operator(timeout=timedelta(seconds=2)) as stall:
        await stall.create("a", {"size": 1})
        await stall.edit("a", size=2, slow=True)
        await stall.failed("a", "rolled back to revision 1")
        assert (await stall.trial.client.get(ConfigMap, "a")).data == {"size": "1"}
        await stall.are("a", "superseded", "failed", "deployed")

    async with stalls.operator() as stall:
        await stall.create("a", {"size": 1})
        await stall.edit("a", size=2, slow=True)
        await stall.are("a", "deployed", "pending-upgrade")
        for process in await helm_processes(stall.trial.namespace):
            os.kill(process, signal.SIGKILL)
        await stall.failed("a", "helm upgrade ended with code -9; rolled back to revision 1")
        await stall.are("a", "superseded", "failed", "deployed")
        assert (await stall.trial.client.get(ConfigMap, "a")).data == {"size": "1"}


async def test_kinds_that_a_chart_brings_are_known_at_once_watched_and_stay(stalls: Stalls) -> None:
    group = f"{stalls.token}.example.com"
    coupon = f"apiVersion: {group}/v1\nkind: Coupon\nmetadata: {{name: '{{{{ .Release.Name }}}}'}}\nspec: {{percent: 5}}\n"
    stalls.files({"crds/coupon.yaml": DEFINITION.replace("GROUP", group), "templates/main.yaml": coupon})
    coupons = Untyped.of(Kind(group, "v1", "Coupon", "coupons"))
    async with stalls.operator() as stall:
        await stall.create("a")
        client = stall.trial.client
        await client.patch(coupons, "a", MergePatch({"spec": {"percent": 50}}))
        await stall.trial.until(coupons, "a", lambda found: found["spec"] == {"percent": 5}, within=WITHIN)
        await stall.settled("a", "deployed")
        await stall.remove("a")
        await stall.trial.gone(coupons, "a", within=WITHIN)
        await client.delete(CustomResourceDefinition, f"coupons.{group}")  # which Helm leaves


async def test_an_object_can_be_deleted_although_a_kind_of_its_release_is_gone(stalls: Stalls) -> None:
    group = f"{stalls.token}.example.com"
    coupon = f"apiVersion: {group}/v1\nkind: Coupon\nmetadata: {{name: coupon}}\n"
    stalls.files({"crds/coupon.yaml": DEFINITION.replace("GROUP", group)})
    stalls.write(main=SIZE, coupon=coupon)
    async with stalls.operator() as stall:
        await stall.create("a")
        await stall.trial.client.delete(CustomResourceDefinition, f"coupons.{group}")
        await stall.trial.gone(CustomResourceDefinition, f"coupons.{group}", within=WITHIN)
        await stall.failed("a", "Coupon", "Irreconcilable")
        await stall.remove("a")
        assert await stall.maps("a") == set()


@pytest.mark.parametrize("dry_run", ["client", "server"])
async def test_a_chart_that_looks_at_the_cluster_looks_again_only_if_it_may(
    stalls: Stalls, dry_run: str
) -> None:
    look = '{{ lookup "v1" "ConfigMap" .Release.Namespace "seen" | dig "data" "colour" "none" }}'
    stalls.write(main=config_map(f"{{colour: '{look}'}}"))
    async with stalls.operator(period=OFTEN, dry_run=dry_run) as stall:
        client = stall.trial.client
        await client.create(ConfigMap(metadata=ObjectMeta(name="seen"), data={"colour": "red"}))
        await stall.create("a")
        await stall.says("a", colour="red")
        await client.patch(ConfigMap, "seen", MergePatch({"data": {"colour": "blue"}}))
        if dry_run == "server":
            await stall.says("a", colour="blue")
            await stall.are("a", "superseded", "deployed")
            return
        await stall.passes("a")
        assert (await client.get(ConfigMap, "a")).data == {"colour": "red"}
        assert await stall.revisions("a") == {1: "deployed"}


async def test_a_file_beside_the_templates_is_part_of_the_chart(stalls: Stalls) -> None:
    stalls.files(
        {"words.txt": "one", "templates/main.yaml": config_map('{words: "{{ .Files.Get "words.txt" }}"}')}
    )
    async with stalls.operator(period=OFTEN) as stall:
        await stall.create("a")
        await stall.says("a", words="one")
        stalls.files({"words.txt": "two"})
        await stall.says("a", words="two")
        await stall.are("a", "superseded", "deployed")


async def test_a_subchart_comes_and_goes_by_its_condition(stalls: Stalls) -> None:
    needs = "dependencies: [{name: cache, version: 0.1.0, condition: cache.enabled}]\n"
    stalls.files(
        {
            "Chart.yaml": f"apiVersion: v2\nname: stall\nversion: 0.1.0\n{needs}",
            "templates/main.yaml": SIZE,
            "charts/cache/Chart.yaml": "apiVersion: v2\nname: cache\nversion: 0.1.0\n",
            "charts/cache/templates/cache.yaml": config_map("{}", "{{ .Release.Name }}-cache"),
        }
    )
    async with stalls.operator() as stall:
        await stall.create("a", {"cache": {"enabled": False}})
        assert await stall.maps("a") == {"a"}
        await stall.edit("a", cache={"enabled": True})
        await stall.says("a-cache")
        await stall.are("a", "superseded", "deployed")  # before that, another spec may interrupt it
        await stall.edit("a", cache={"enabled": False})
        await stall.trial.gone(ConfigMap, "a-cache", within=WITHIN)
        await stall.are("a", "superseded", "superseded", "deployed")


async def test_a_name_that_is_too_long_for_helm_is_told_and_can_be_deleted(stalls: Stalls) -> None:
    stalls.write(main=SIZE)
    longest, longer = "a" * 53, "a" * 54
    async with stalls.operator() as stall:
        await stall.create(longest)
        await stall.trial.client.create(Shop(metadata=ObjectMeta(name=longer)))
        await stall.failed(longer, "53")
        await stall.remove(longer)
        await stall.remove(longest)


async def test_a_password_that_is_made_up_stays_and_makes_no_revision(stalls: Stalls) -> None:
    secret = (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: '{{ .Release.Name }}'}\n"
        "stringData: {password: '{{ randAlphaNum 20 }}', at: '{{ now }}'}\n"
    )
    stalls.write(main=SIZE, secret=secret)
    async with stalls.operator(period=OFTEN) as stall:
        await stall.create("a", {"size": 1})
        before = (await stall.trial.client.get(Secret, "a")).data
        await stall.edit("a", size=2, unused="new")
        await stall.says("a", size="2")
        await stall.deployed("a", "UpgradeSuccessful")
        await stall.edit("a", unused="newer")
        await stall.passes("a")
        assert (await stall.trial.client.get(Secret, "a")).data == before
        assert await stall.revisions("a") == {1: "superseded", 2: "deployed"}


async def test_the_number_of_a_revision_in_a_template_makes_no_further_revision(stalls: Stalls) -> None:
    stalls.write(main=config_map('{size: "{{ .Values.size }}", revision: "{{ .Release.Revision }}"}'))
    async with stalls.operator(period=OFTEN) as stall:
        await stall.create("a", {"size": 1})
        await stall.edit("a", size=2)
        await stall.says("a", size="2", revision="2")
        await stall.passes("a")
        assert await stall.revisions("a") == {1: "superseded", 2: "deployed"}


async def test_another_order_of_the_same_objects_is_no_change(stalls: Stalls) -> None:
    other = config_map("{}", "{{ .Release.Name }}-other")
    stalls.write(main=f"{SIZE}---\n{other}")
    async with stalls.operator(period=OFTEN) as stall:
        await stall.create("a")
        stalls.write(main=f"# A remark.\n{other}---\n{SIZE}")
        record = "sh.helm.release.v1.a.v1"
        before = (await stall.trial.client.get(Secret, record)).metadata.labels["windlass.dev/input"]
        await stall.trial.until(
            Secret, record, lambda found: found.metadata.labels["windlass.dev/input"] != before, within=WITHIN
        )
        assert await stall.revisions("a") == {1: "deployed"}


async def test_many_upgrades_that_fail_leave_few_records_and_the_last_good_revision(stalls: Stalls) -> None:
    hook = config_map("{}", "Bad_{{ .Values.bad }}", "{helm.sh/hook: post-upgrade}")
    stalls.write(main=SIZE, bad="{{ if .Values.bad }}" + hook + "{{ end }}")
    async with stalls.operator(history=5) as stall:
        await stall.create("a", {"size": 1})
        for number in range(2, 10):
            await stall.edit("a", size=number, bad=number)
            await stall.failed("a", f"Bad_{number}")
        revisions = await stall.revisions("a")
        assert len(revisions) <= 5
        assert max(revisions) == 1 + 2 * 8
        assert revisions[max(revisions)] == "deployed"
        assert (await stall.trial.client.get(ConfigMap, "a")).data == {"size": "1"}
        await stall.edit("a", size=1, bad=None)
        await stall.deployed("a")
        await stall.trial.settled()
        assert max(await stall.revisions("a")) == 1 + 2 * 8  # it is what is deployed
