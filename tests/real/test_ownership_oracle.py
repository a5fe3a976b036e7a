"""Who owns what after random writes, by us and by the API machinery of Kubernetes: the answers must be equal.

Each seed makes a kind and some objects of it, and writes to them: 200 writes a seed, 20,000 in all, and far
more with `--hypothesis-profile soak`. A failure names its seed, the schema, the write and both answers.
"""

from __future__ import annotations

import shutil
from random import Random
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from oracle import ask, build
from ownership_cases import Chance
from ownership_writes import Life, Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from ownership_cases import Kind
    from ownership_writes import Asked

PARTS = 4
LIVES, WRITES = 8, 25
LONG_AGO = "2020"
UNDECLARED = "field not declared in schema"
"""The fault at which Go leaves a map, of whose other faults it tells those that it happens to meet before."""

pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="the oracle is built with go")


@pytest.fixture(scope="session")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that knows."""
    return build(tmp_path_factory.mktemp("oracle"))


@pytest.mark.property
@pytest.mark.parametrize("part", range(PARTS))
@settings(max_examples=settings().max_examples // PARTS, phases=[Phase.reuse, Phase.generate])
@given(seed=st.integers(0, 2**32 - 1))
def test_owners_and_objects_are_those_of_the_api_machinery(oracle: Path, part: int, seed: int) -> None:
    chance = Chance(Random(f"{part} {seed}"))
    kind = chance.kind("kind")
    asked = [life.write() for life in (Life(kind, chance) for _ in range(LIVES)) for _ in range(WRITES)]

    _, *answers = ask(oracle, [kind.definition(), *(each.request for each in asked)])

    for each, answer in zip(asked, answers, strict=True):
        expected = outcome(answer, each)
        assert each.outcome == expected, told(kind, each, expected)


def outcome(answer: Any, asked: Asked) -> Outcome:
    """What the oracle says, as far as it can be compared."""
    ours = asked.outcome
    found = answer.get("object")
    if found is None:
        if not asked.request["write"].get("apply"):
            # A server whose update of managed fields fails goes on without any.
            return Outcome(without_managed_fields(asked.request["write"]["object"]))
        causes = tuple(sorted(tuple(sorted(cause.items())) for cause in answer.get("causes", ())))
        error = answer["error"]
        is_same = in_order(error) == in_order(ours.error) or (
            UNDECLARED in error and UNDECLARED in ours.error
        )
        return Outcome(error=ours.error if is_same else error, causes=causes)
    metadata = found.setdefault("metadata", {})
    metadata.setdefault("uid", "1")
    for entry in metadata.get("managedFields") or ():
        if entry.get("time", "") > LONG_AGO:
            entry["time"] = asked.now
    return Outcome(found)


def in_order(error: str) -> list[str]:
    """The lines of a message: Go walks maps, and so tells several faults, in no order."""
    return sorted(error.splitlines())


def without_managed_fields(value: dict[str, Any]) -> dict[str, Any]:
    metadata = {name: each for name, each in value["metadata"].items() if name != "managedFields"}
    return {**value, "metadata": {**metadata, "uid": "1"}}


def told(kind: Kind, asked: Asked, expected: Outcome) -> str:
    write = asked.request["write"]
    parts = {
        "schema": kind.schema(write["version"]),
        "write": write,
        "ours": asked.outcome,
        "oracle": expected,
    }
    return "\n".join(f"{name}: {orjson.dumps(part).decode()}" for name, part in parts.items())
