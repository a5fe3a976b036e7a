"""Trials that share a control plane and convert one kind do not meet, whatever they leave behind."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

import databases
from databases import (
    DEFINITION,
    WITHOUT_V1,
    Database,
    NextDatabase,
    NumberSpec,
    OldDatabase,
    StoredDatabase,
    TextSpec,
    check,
    converting,
)
from windlass.api import ObjectMeta
from windlass.kinds.apiextensions.v1 import CustomResourceDefinition
from windlass.reconcile import Reconciler, Result
from windlass.testing import on_trial
from windlass.webhook import WebhookServer

if TYPE_CHECKING:
    from pathlib import Path

    from windlass.client import Client
    from windlass.reconcile import Context
    from windlass.testing import Access, Starter

KEPT = ["windlass.dev/kept"]


class Idle(Reconciler[Database]):
    """An operator of one version, which converts nothing."""

    name = "idle"

    @override
    async def reconcile(self, resource: Database, ctx: Context) -> Result[Any]:
        return Result.ready()


class IdleOld(Reconciler[OldDatabase]):
    """The same of the other version."""

    name = "idle-old"

    @override
    async def reconcile(self, resource: OldDatabase, ctx: Context) -> Result[Any]:
        return Result.ready()


@pytest.fixture(params=["on a port", "real"])
def access(request: pytest.FixtureRequest) -> Access:
    """A control plane that trials share."""
    if request.param == "on a port":
        port: Access = request.getfixturevalue("port").access
        return port
    real: Access = request.getfixturevalue("control_plane")
    return real


@pytest.fixture
def program(access: Access, tmp_path: Path) -> list[str]:
    """The beginning of a command that runs trials in another process."""
    (tmp_path / "access.json").write_text(json.dumps(access.to_dict()))
    return [sys.executable, databases.__file__, str(tmp_path / "access.json")]


async def is_left(client: Client) -> list[str]:
    """What there is of the kind, in every namespace."""
    return [each.metadata.name for each in await client.list(OldDatabase)]


@pytest.mark.parametrize("number", range(4))
async def test_equal_tests_all_find_what_the_first_one_finds(standing: Starter, number: int) -> None:
    async with standing(converting("Gi")) as trial:
        await check(trial, "Gi")
    assert number < 4


async def test_objects_that_a_failing_test_leaves_do_not_reach_the_next_conversion(access: Access) -> None:
    async def fail() -> None:
        async with on_trial(access, [converting("Gi")]) as trial:
            await check(trial, "Gi", finalizers=KEPT)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()

    async with on_trial(access, [converting("Mi")]) as trial:
        assert await is_left(trial.client) == []
        await check(trial, "Mi")


async def test_a_conversion_is_undone_before_the_next_test_begins(access: Access) -> None:
    async with on_trial(access, [converting("Gi")]) as trial:
        await check(trial, "Gi")

    async with on_trial(access, [Idle(), IdleOld()]) as trial:
        made = Database(metadata=ObjectMeta(name="a"), spec=NumberSpec(amount=3))
        await trial.client.create(made)
        assert (await trial.client.get(OldDatabase, "a")).spec.size == ""


async def test_the_next_test_may_know_one_version_only(access: Access) -> None:
    async with on_trial(access, [converting("Gi")]) as trial:
        await check(trial, "Gi", finalizers=KEPT)

    async with on_trial(access, [Idle()]) as trial:
        await trial.client.create(Database(metadata=ObjectMeta(name="a"), spec=NumberSpec(amount=3)))
        definition = await trial.client.get(CustomResourceDefinition, DEFINITION)
        assert [each.name for each in definition.spec.versions] == ["v2"]


async def test_the_next_test_may_drop_the_version_that_was_stored(access: Access) -> None:
    async with on_trial(access, [converting("Gi")]) as trial:
        await check(trial, "Gi", finalizers=KEPT)

    for _ in range(2):
        async with on_trial(access, [WebhookServer([WITHOUT_V1]).add_to]) as trial:
            made = NextDatabase(metadata=ObjectMeta(name="a"), spec=TextSpec(size="3"))
            await trial.client.create(made)
            assert (await trial.client.get(StoredDatabase, "a")).spec.amount == 3
            definition = await trial.client.get(CustomResourceDefinition, DEFINITION)
            assert definition.status.stored_versions == ["v2"]
    async with on_trial(access, [converting("Mi")]) as trial:
        await check(trial, "Mi")


async def test_what_a_killed_test_run_leaves_is_removed(access: Access, program: list[str]) -> None:
    killed = await asyncio.create_subprocess_exec(*program, "Gi", "0", stdout=subprocess.PIPE)
    assert killed.stdout
    assert await killed.stdout.readline() == b"checked\n"
    killed.kill()
    await killed.communicate()

    async with on_trial(access, [converting("Mi")]) as trial:
        assert await is_left(trial.client) == []
        await check(trial, "Mi")


async def test_test_processes_that_convert_in_other_ways_wait_for_each_other(
    access: Access, program: list[str]
) -> None:
    other = await asyncio.create_subprocess_exec(*program, "Gi", "3", stdout=subprocess.PIPE)
    for _ in range(3):
        async with on_trial(access, [converting("Mi")]) as trial:
            await check(trial, "Mi", finalizers=KEPT)
    out, _ = await other.communicate()

    assert (other.returncode, out) == (0, b"checked\n" * 3)


async def test_two_operators_of_one_test_run_at_the_same_time(access: Access) -> None:
    others: list[Reconciler[Any]] = [Idle(), IdleOld()]
    async with on_trial(access, [converting("Gi")]) as first, on_trial(access, others) as second:
        await check(first, "Gi")
        made = OldDatabase(metadata=ObjectMeta(name="a"), spec=TextSpec(size="7Gi"))
        await second.client.create(made)
        assert (await second.client.get(Database, "a")).spec.amount == 7
