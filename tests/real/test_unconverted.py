"""Objects that `to_hub` refuses, stored before it did: on the embedded server, in this process and over TLS, and
on the real one."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, asynccontextmanager
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING

import orjson
import pytest

from polling import soon, until
from refusing import Depots, NewSpec, OldSpec
from windlass.api import UNCONVERTED, Condition, ObjectMeta, Unconverted, find_condition
from windlass.client import Client, MergePatch, WatchOptions
from windlass.errors import ApiError, Invalid, NotFound
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.kinds.events.v1 import Event
from windlass.manager import Manager, ManagerOptions
from windlass.testing import Starter
from windlass.tools import find_kubectl
from windlass.webhook import WebhookServer, defaulting, validation

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from windlass.testing import Trial

pytestmark = pytest.mark.xdist_group("unconverted")  # the definitions belong to the whole server
NO_CONDITION = Condition(type="Ready", status="Unknown", reason="None")
HELD = "test.windlass.dev/held"


@asynccontextmanager
async def old_stock(standing: Starter, name: str) -> AsyncIterator[tuple[Trial, Depots]]:
    """Three objects that were stored in v1, of which v2 refuses `b`; v2 is stored from now on."""
    depots = Depots(f"{name}.unconverted.windlass.dev")
    server = WebhookServer([depots.conversion, validation(depots.new), defaulting(depots.new)])
    async with standing(server.add_to) as trial:
        await store(trial, depots, "v1")
        depots.strict = False
        await until(lambda: made(trial, depots, "a", "3x4"), patience=30)
        await made(trial, depots, "b", "roomy")
        await made(trial, depots, "c", "5x6")
        depots.strict = True
        await store(trial, depots, "v2")
        await until(lambda: shown(trial, depots), patience=30)
        yield trial, depots


@asynccontextmanager
async def kept(trial: Trial, depots: Depots) -> AsyncIterator[None]:
    """The operator, which comes when all is stored, and reconciles what it can."""
    options = ManagerOptions(name="keeper", namespaces=(trial.namespace,))
    async with asyncio.TaskGroup() as group:
        manager = Manager(Client(trial.client.transport), options)
        manager.add(depots.keeper())
        running = group.create_task(manager.run())
        await soon(lambda: depots.seen.keys() >= {"a", "c"}, patience=30)
        yield
        running.cancel()


async def made(trial: Trial, depots: Depots, name: str, size: str) -> bool:
    """Whether an object is there, of a server that has seen the conversion."""
    metadata = ObjectMeta(name=name, labels={"is": name})
    spec = OldSpec(size=size, note="by hand")
    try:
        await trial.client.create(depots.old(metadata=metadata, spec=spec))
        await trial.client.get(depots.new, name)
    except ApiError:
        return False
    return True


async def shown(trial: Trial, depots: Depots) -> bool:
    """Whether the server reads what it has stored anew, and stores v2."""
    definition = await trial.client.get(CustomResourceDefinition, f"depots.{depots.group}")
    found = await trial.client.list(depots.new, trial.namespace)
    marked = [each.metadata.name for each in found.items if UNCONVERTED in each.metadata.annotations]
    return "v2" in definition.status.stored_versions and marked == ["b"]


async def store(trial: Trial, depots: Depots, version: str) -> None:
    name = f"depots.{depots.group}"
    definition = (await trial.client.get(CustomResourceDefinition, name)).to_wire()
    versions = deepcopy(definition["spec"]["versions"])
    for each in versions:
        each["storage"] = each["name"] == version
    await trial.client.patch(CustomResourceDefinition, name, MergePatch({"spec": {"versions": versions}}))


async def test_one_that_is_refused_does_not_break_lists_and_watches(standing: Starter) -> None:
    async with old_stock(standing, "read") as (trial, depots):
        client = trial.client

        listed = {each.metadata.name: each for each in (await client.list(depots.new, trial.namespace)).items}

        assert {name: each.spec.width for name, each in listed.items()} == {"a": 3, "b": 0, "c": 5}
        note = Unconverted.of(listed["b"].metadata.annotations)
        assert note == Unconverted(
            f"{depots.group}/v1",
            "spec.size: 'roomy' is not like 3x4",
            {"spec": {"size": "roomy", "note": "by hand"}, "status": {"observedGeneration": -1}},
        )
        assert (await client.get(depots.new, "b")).metadata.labels == {"is": "b"}
        assert (await client.get(depots.old, "b")).spec == OldSpec(size="roomy", note="by hand")
        watch = client.watch(depots.new, trial.namespace, options=WatchOptions(initial_events=True))
        async with asyncio.timeout(20), aclosing(watch):
            seen = set()
            async for event in watch:
                if event.type == "ADDED":
                    seen.add(event.object.metadata.name)
                if seen >= {"a", "b", "c"}:
                    break


async def test_metadata_and_status_of_it_are_written_in_both_versions_and_nothing_is_lost(
    standing: Starter,
) -> None:
    async with old_stock(standing, "write") as (trial, depots):
        client, written = trial.client, OldSpec(size="roomy", note="by hand")

        for kind, label in ((depots.old, "first"), (depots.new, "second"), (depots.old, "third")):
            held = MergePatch({"metadata": {"finalizers": [HELD], "labels": {label: "yes"}}})
            await client.patch(kind, "b", held)
            assert (await client.get(depots.old, "b")).spec == written
            status = MergePatch({"status": {"area": len(label)}})
            await client.subresource("status").patch(kind, "b", status)
            found = await client.get(depots.old, "b")
            assert (found.spec, found.status.area) == (written, len(label))
            assert UNCONVERTED not in found.metadata.annotations
            assert UNCONVERTED in (await client.get(depots.new, "b")).metadata.annotations

        labels = (await client.get(depots.new, "b")).metadata.labels
        assert labels == {"is": "b", "first": "yes", "second": "yes", "third": "yes"}
        await client.delete(depots.new, "b")
        assert (await client.get(depots.old, "b")).spec == written
        await client.patch(depots.new, "b", MergePatch({"metadata": {"finalizers": None}}))
        with pytest.raises(NotFound):
            await client.get(depots.old, "b")


async def test_a_placeholder_that_is_written_back_whole_loses_nothing(standing: Starter) -> None:
    async with old_stock(standing, "whole") as (trial, depots):
        client = trial.client
        read = await client.get(depots.new, "b")
        read.metadata.labels = {"new": "yes"}

        await client.update(read)
        await client.apply(
            depots.new.from_wire(
                {
                    "apiVersion": f"{depots.group}/v2",
                    "kind": "Depot",
                    "metadata": {"name": "b", "labels": {"more": "yes"}},
                }
            )
        )

        found = await client.get(depots.old, "b")
        assert found.spec == OldSpec(size="roomy", note="by hand")
        assert found.metadata.labels == {"new": "yes", "more": "yes"}
        with pytest.raises(Invalid, match="replace it as a whole, without the annotation"):
            await client.patch(depots.new, "b", MergePatch({"spec": {"width": 3, "height": 3}}))
        assert (await client.get(depots.old, "b")).spec == OldSpec(size="roomy", note="by hand")


async def test_it_is_repaired_in_either_version(standing: Starter) -> None:
    async with old_stock(standing, "mend") as (trial, depots):
        client = trial.client
        with pytest.raises(Invalid, match="'vast' is not like 3x4"):
            await client.patch(depots.old, "b", MergePatch({"spec": {"size": "vast"}}))
        await client.patch(depots.old, "b", MergePatch({"spec": {"size": "7x8"}}))
        found = await client.get(depots.new, "b")
        assert (found.spec.width, found.spec.height) == (7, 8)
        assert UNCONVERTED not in found.metadata.annotations

    async with old_stock(standing, "renew") as (trial, depots):
        client = trial.client
        read = await client.get(depots.new, "b")
        del read.metadata.annotations[UNCONVERTED]
        read.spec = NewSpec(width=1, height=2)

        await client.update(read)

        assert (await client.get(depots.old, "b")).spec.size == "1x2"
        assert UNCONVERTED not in (await client.get(depots.new, "b")).metadata.annotations


async def test_what_is_refused_is_not_stored_and_its_author_is_told_why(standing: Starter) -> None:
    async with old_stock(standing, "refuse") as (trial, depots):
        client = trial.client
        wanted = depots.old(metadata=ObjectMeta(name="d"), spec=OldSpec(size="vast"))

        with pytest.raises(Invalid) as refused:
            await client.create(wanted)

        said = f'Depot.{depots.group} "d" is invalid: it cannot be converted to {depots.group}/v2: '
        assert f"{said}spec.size: 'vast' is not like 3x4" in str(refused.value)
        for kind in (depots.old, depots.new):
            with pytest.raises(NotFound):
                await client.get(kind, "d")


async def test_an_annotation_that_somebody_made_up_is_refused(standing: Starter) -> None:
    async with old_stock(standing, "forge") as (trial, depots):
        for size, width in (("9x9", 0), ("vast", 4)):
            body = {"from": f"{depots.group}/v1", "reason": "", "object": {"spec": {"size": size}}}
            metadata = ObjectMeta(name="d", annotations={UNCONVERTED: orjson.dumps(body).decode()})
            forged = depots.new(metadata=metadata, spec=NewSpec(width=width, height=0))

            with pytest.raises(Invalid, match="for an object that cannot be converted"):
                await trial.client.create(forged)


async def test_the_operator_reports_it_and_reconciles_it_once_it_is_repaired(standing: Starter) -> None:
    async with old_stock(standing, "report") as (trial, depots), kept(trial, depots):
        client = trial.client
        ready = await until(
            lambda: condition(trial, depots, "b"), lambda each: each.reason == "ConversionFailed", patience=30
        )

        assert ready.reason == "ConversionFailed"
        assert "spec.size: 'roomy' is not like 3x4; repair it with kubectl edit depots.v1." in ready.message
        events = await until(lambda: warnings(trial), patience=30)
        assert {(each.reason, each.regarding and each.regarding.name) for each in events} == {
            ("ConversionFailed", "b")
        }
        assert "b" not in depots.seen

        await client.patch(depots.old, "b", MergePatch({"spec": {"size": "7x8"}}))

        await until(lambda: condition(trial, depots, "b"), lambda each: each.status == "True", patience=30)
        assert depots.seen["b"] == (7, 8)


async def test_one_that_is_deleted_is_finalized_once_it_is_repaired(standing: Starter) -> None:
    async with old_stock(standing, "finalize") as (trial, depots):
        client = trial.client
        finalizers = MergePatch({"metadata": {"finalizers": [depots.keeper.finalizer]}})
        await client.patch(depots.old, "b", finalizers)
        async with kept(trial, depots):
            await client.delete(depots.new, "b")

            deleted = await until(
                lambda: condition(trial, depots, "b"),
                lambda each: "it is being deleted" in each.message,
                patience=30,
            )
            assert deleted.reason == "ConversionFailed"
            assert depots.finalized == []
            await client.patch(depots.old, "b", MergePatch({"spec": {"size": "7x8"}}))
            await until(lambda: is_gone(trial, depots, "b"), patience=30)
            assert depots.finalized == ["b"]


@pytest.mark.parametrize("server", ["port", "control_plane"])
async def test_kubectl_finds_it_and_repairs_it(server: str, request: pytest.FixtureRequest) -> None:
    found = request.getfixturevalue(server)
    access = getattr(found, "access", found)
    async with old_stock(Starter(access), "kubectl") as (trial, depots):
        kubectl = partial(run_kubectl, access.kubeconfig, trial.namespace)
        marked = "{.items[?(@.metadata.annotations.windlass\\.dev/unconverted)].metadata.name}"
        reason = "{.metadata.annotations.windlass\\.dev/unconverted}"
        new, old = (f"depots.{version}.{depots.group}" for version in ("v2", "v1"))

        assert await kubectl("get", new, f"--output=jsonpath={marked}") == "b"
        said = orjson.loads(await kubectl("get", new, "b", f"--output=jsonpath={reason}"))
        assert said["reason"] == "spec.size: 'roomy' is not like 3x4"
        await kubectl("label", old, "b", "touched=yes")
        await kubectl("annotate", new, "b", "touched=yes")
        assert (await trial.client.get(depots.old, "b")).spec == OldSpec(size="roomy", note="by hand")

        shown = orjson.loads(await kubectl("get", new, "b", "--output=json"))
        del shown["metadata"]["annotations"][UNCONVERTED]
        shown["spec"] = {"width": 7, "height": 8}
        await kubectl("replace", "--filename=-", given=orjson.dumps(shown))
        assert (await trial.client.get(depots.old, "b")).spec.size == "7x8"
        assert await kubectl("get", new, f"--output=jsonpath={marked}") == ""


@pytest.mark.parametrize("server", ["port", "control_plane"])
async def test_written_again_in_its_own_version_it_is_converted_by_a_function_that_has_learned_to(
    server: str, request: pytest.FixtureRequest
) -> None:
    found = request.getfixturevalue(server)
    access = getattr(found, "access", found)
    async with old_stock(Starter(access), "learn") as (trial, depots):
        kubectl = partial(run_kubectl, access.kubeconfig, trial.namespace)
        new, old = (f"depots.{version}.{depots.group}" for version in ("v2", "v1"))
        await kubectl("annotate", new, "b", "stored=as-placeholder")
        depots.strict = False

        await kubectl(
            "replace", "--filename=-", given=(await kubectl("get", old, "b", "-o", "json")).encode()
        )

        shown = await trial.client.get(depots.new, "b")
        assert UNCONVERTED not in shown.metadata.annotations
        assert "windlass.dev/kept-v1" in shown.metadata.annotations
        assert (await trial.client.get(depots.old, "b")).spec == OldSpec(size="roomy", note="by hand")


async def run_kubectl(kubeconfig: Path, namespace: str, *arguments: str, given: bytes = b"") -> str:
    process = await asyncio.create_subprocess_exec(
        find_kubectl(),
        f"--kubeconfig={kubeconfig}",
        f"--namespace={namespace}",
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, error = await process.communicate(given)
    assert process.returncode == 0, error.decode()
    return out.decode()


async def condition(trial: Trial, depots: Depots, name: str) -> Condition:
    found = await trial.client.get(depots.new, name)
    return find_condition(found.status.conditions, "Ready") or NO_CONDITION


async def warnings(trial: Trial) -> list[Event]:
    return [
        each for each in (await trial.client.list(Event, trial.namespace)).items if each.type == "Warning"
    ]


async def is_gone(trial: Trial, depots: Depots, name: str) -> bool:
    try:
        await trial.client.get(depots.new, name)
    except NotFound:
        return True
    return False
