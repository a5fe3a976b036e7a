"""Defaults: the table is what the real server says today, and `fill` does to manifests what the server does."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections import defaultdict
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from filling import RESOURCES, dependent, differences
from real import administrator
from windlass.client import Request
from windlass.errors import ApiError

if TYPE_CHECKING:
    from windlass.client import Client
    from windlass.testing import Access

pytestmark = pytest.mark.xdist_group("probed defaults")  # one probe serves all tests

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "probe_defaults.py"
AT_ONCE = 8
COMBINATIONS = 2000

Object = dict[str, Any]
Pair = tuple[Object, Object]


@pytest.fixture(scope="module")
def probe(control_plane: Access, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[Pair]]:
    """What the script complains of, and each manifest that it sent with the answer."""
    answers = tmp_path_factory.mktemp("probe") / "answers.jsonl"
    command = [sys.executable, str(SCRIPT), "--check", "--kubeconfig", str(control_plane.kubeconfig)]
    done = subprocess.run([*command, "--answers", str(answers)], capture_output=True, text=True, check=False)
    pairs = [orjson.loads(line) for line in answers.read_bytes().splitlines()]
    return (done.stderr if done.returncode else ""), pairs


async def ask(client: Client, manifests: list[Object]) -> list[Pair]:
    """The manifests that the server would take, each with what it would make of it."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def one(manifest: Object) -> Pair | None:
        kind = RESOURCES[f"{manifest['apiVersion']}/{manifest['kind']}"].kind
        root = f"/apis/{kind.api_version}" if kind.group else f"/api/{kind.api_version}"
        request = Request(
            method="POST",
            path=f"{root}/namespaces/default/{kind.plural}" if kind.namespaced else f"{root}/{kind.plural}",
            query=(("dryRun", "All"),),
            headers={"Content-Type": "application/json"},
            body=orjson.dumps(manifest),
        )
        async with turns:
            try:
                return manifest, await client.json(request)
            except ApiError:
                return None

    return [each for each in await asyncio.gather(*map(one, manifests)) if each]


def merged(chance: Random, one: Any, other: Any) -> Any:
    """Two manifests in one: what both have is merged, or one of them has it."""
    if isinstance(one, dict) and isinstance(other, dict):
        both = {name: merged(chance, one[name], other[name]) for name in one if name in other}
        return deepcopy(one) | deepcopy(other) | both
    lists = isinstance(one, list) and isinstance(other, list) and one and other
    if lists and isinstance(one[0], dict) and isinstance(other[0], dict):
        if chance.random() < 0.5:
            return [merged(chance, one[0], other[0])]
        renamed = {"name": f"n{chance.randrange(10)}"} if "name" in other[0] else {}
        return [deepcopy(one[0]), deepcopy(other[0]) | renamed]
    return deepcopy(chance.choice([one, other]))


def test_the_table_of_defaults_is_what_the_server_says(probe: tuple[str, list[Pair]]) -> None:
    complaints, _ = probe

    assert complaints == ""


def test_each_structure_is_filled_as_the_server_fills_it(probe: tuple[str, list[Pair]]) -> None:
    _, pairs = probe

    assert len(pairs) > 3000
    assert [each for sent, got in pairs for each in differences(sent, got)] == []


async def test_what_depends_on_something_else_is_filled_as_the_server_fills_it(control_plane: Access) -> None:
    manifests = list(dependent())

    async with administrator(control_plane, "default", on_warning=lambda *_: None) as client:
        pairs = await ask(client, manifests)

    assert len(pairs) == len(manifests)
    assert [each for sent, got in pairs for each in differences(sent, got)] == []


async def test_combinations_of_structures_are_filled_as_the_server_fills_them(
    control_plane: Access, probe: tuple[str, list[Pair]]
) -> None:
    seed = Random().randrange(2**32)
    print(f"seed {seed}")  # noqa: T201 - to try the same again
    chance = Random(seed)
    by_kind: dict[str, list[Object]] = defaultdict(list)
    for sent, _ in probe[1]:
        by_kind[sent["kind"]].append(sent)
    manifests: list[Object] = []
    for _ in range(COMBINATIONS):
        several = chance.choices(by_kind[chance.choice(sorted(by_kind))], k=chance.randint(2, 5))
        whole = several[0]
        for more in several[1:]:
            if more["apiVersion"] == whole["apiVersion"]:
                whole = merged(chance, whole, more)
        manifests.append(whole)

    async with administrator(control_plane, "default", on_warning=lambda *_: None) as client:
        pairs = await ask(client, manifests)

    assert len(pairs) > COMBINATIONS / 2
    assert [each for sent, got in pairs for each in differences(sent, got)] == []
