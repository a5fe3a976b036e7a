"""What the guides show works."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from dataclasses import fields
from datetime import timedelta
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import aiohttp
import orjson
import pytest

import readme
from windlass.api import ObjectMeta
from windlass.client import Request
from windlass.cluster import Cluster
from windlass.codegen import load_module
from windlass.errors import ConfigError
from windlass.operators.pagerduty.simulator import Weather
from windlass.testing import CALM, Faults, FaultyTransport

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from windlass.client import Response
    from windlass.testing import Starter

FAULTS = "docs/guides/faults.md"
SIMULATOR = "docs/guides/pagerduty-simulator.md"
KOPF = "docs/guides/kopf.md"
TESTING = "docs/guides/testing.md"
SECRETS = "docs/guides/secrets.md"
ON_EVERY_SIDE = {"shortest_delay", "longest_delay", "stale_by", "only", "times"}


async def test_the_examples_of_faults_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for example in readme.blocks("python", FAULTS):
        exec(example, names)  # noqa: S102 - the guide is ours

    await names["store_in_spite_of_everything"]()
    assert capsys.readouterr().out == "6 stored\n"
    await names["lose_an_answer"]()
    assert capsys.readouterr().out == "perhaps done: True\nc is there\n"


async def test_the_faults_by_endpoint_are_taken() -> None:
    (body,) = readme.blocks("json", FAULTS)
    async with Cluster() as cluster:

        async def send(method: str) -> Response:
            request = Request(method=method, path="/windlass/faults", body=body.encode())
            return await cluster.transport().send(request)

        assert (await send("PUT")).status == 200
        told = orjson.loads((await send("GET")).body)
        assert (await send("DELETE")).status == 200

    assert told["faults"] == orjson.loads(body)["faults"]


def test_the_table_of_faults_lists_all_and_where_they_can_be_had() -> None:
    text = (readme.ROOT / FAULTS).read_text(encoding="utf-8")
    listed = {
        name: (server.strip() == "yes", way.strip() == "yes")
        for names, server, way in re.findall(r"^\| (`.*?) \|.*\|(.*)\|(.*)\|$", text, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", names)
    }

    assert set(listed) == {each.name for each in fields(Faults)} - ON_EVERY_SIDE
    for name, (in_a_server, on_the_way) in listed.items():
        value: Any = CALM.longest_delay if name == "cut_every" else 1
        wanted = Faults(**{name: value})
        cluster = Cluster()
        assert _can(cluster.faults.add, wanted) is in_a_server
        assert _can(partial(FaultyTransport, cluster.transport()), wanted) is on_the_way


def _can(do: Callable[[Faults], object], wanted: Faults) -> bool:
    try:
        do(wanted)
    except ConfigError:
        return False
    return True


def test_the_examples_of_testing_pass(tmp_path: Path) -> None:
    operator, *tests = readme.blocks("python", TESTING)
    (tmp_path / "page.py").write_text(operator)
    for number, block in enumerate(tests):
        (tmp_path / f"test_{number}.py").write_text(block)
    (settings,) = readme.blocks("ini", TESTING)
    (tmp_path / "pytest.ini").write_text(settings)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=50, check=False)

    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


async def test_the_example_of_the_simulator_of_pagerduty_says_what_the_guide_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (example,) = readme.blocks("python", SIMULATOR)
    names: dict[str, Any] = {}
    exec(example, names)  # noqa: S102 - the guide is ours

    await names["create_twice"]()

    (shown,) = readme.blocks("text", SIMULATOR)
    assert capsys.readouterr().out == shown


async def test_the_simulator_of_pagerduty_lets_in_whom_the_guide_says() -> None:
    ((command, _),) = readme.dialogue(SIMULATOR)
    words = command.replace("--port 8085", "--port 0").split()
    headers = {
        "Authorization": "Token token=simulated",
        "Accept": "application/vnd.pagerduty+json;version=2",
    }
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *words), stdout=asyncio.subprocess.PIPE
    )
    assert running.stdout is not None
    try:
        said = (await running.stdout.readuntil(b"removes everything.\n")).decode()
        (url,) = re.findall(r"simulated at (http://\S+),", said)
        async with aiohttp.ClientSession(url, headers=headers) as http, http.get("/users/P1NKFZC") as answer:
            assert (await answer.json())["user"]["name"].startswith("Ada")
    finally:
        running.terminate()
        await running.communicate()

    assert running.returncode == 0


def test_the_table_of_the_weather_at_pagerduty_lists_all_of_it() -> None:
    text = (readme.ROOT / SIMULATOR).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]

    assert set(listed) - {"Weather"} == {each.name for each in fields(Weather)}


async def test_a_wait_that_is_in_vain_says_what_the_guide_shows(operator: Starter, tmp_path: Path) -> None:
    operator_of_the_page = readme.block("class PageController(", TESTING)
    (tmp_path / "page_of_the_guide.py").write_text(operator_of_the_page)
    page = load_module(str(tmp_path / "page_of_the_guide.py"))
    shown, *_ = readme.blocks("text", TESTING)
    async with operator(page.PageController()) as trial:
        await trial.client.create(page.Page(metadata=ObjectMeta(name="home")))
        await trial.ready(page.Page, "home")
        with pytest.raises(AssertionError) as failed:
            await trial.until(page.Page, "home", lambda _: False, within=timedelta(milliseconds=1))

    first, second, third = shown.splitlines()
    told = str(failed.value).replace(
        f"Page {trial.namespace}/home added", "Page found"
    )  # whichever came first
    said = told.splitlines()
    assert said[0].replace("0.001 s", "20 s").startswith(first.partition(", …")[0])
    assert said[1:] == [second, third]


def test_every_name_that_is_offered_to_users_of_kopf_exists() -> None:
    rows = re.findall(r"^\| .*? \| (.*) \|$", (readme.ROOT / KOPF).read_text(encoding="utf-8"), re.MULTILINE)
    offered = {
        name
        for row in rows
        for code in re.findall(r"`(.*?)`", row)
        for name in re.findall(r"\b[A-Z]\w+", code)
    }
    packages = (
        "api",
        "client",
        "controller",
        "errors",
        "manager",
        "reconcile",
        "testing",
        "webhook",
        "workqueue",
    )
    known = {name for package in packages for name in dir(import_module(f"windlass.{package}"))}

    assert offered - known == set()
    assert {"Reconciler", "Terminal", "QueueOptions"} <= offered


def test_the_example_of_secrets_passes_its_tests(tmp_path: Path) -> None:
    readme.write_files(tmp_path, SECRETS, "login.py", "test_login.py")
    (settings,) = readme.blocks("ini", TESTING)
    (tmp_path / "pytest.ini").write_text(settings)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=55, check=False)

    assert "2 passed" in done.stdout, done.stdout
