"""What rules say of random objects, and what that costs, by us and by Kubernetes: the answers must be equal."""

from __future__ import annotations

import shutil
from random import Random
from typing import TYPE_CHECKING

import pytest

from cel_rule_cases import CASES
from cel_rule_samples import sample
from oracle import SOURCE, ask, build
from windlass.schema.cel.rule import CelEngine
from windlass.schema.custom.judge import Link
from windlass.schema.shape import Shape

if TYPE_CHECKING:
    from pathlib import Path

    from cel_rule_samples import Sample

pytestmark = pytest.mark.skipif(shutil.which("go") is None, reason="the oracle is built with go")

COUNT = 500


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that knows."""
    return build(tmp_path_factory.mktemp("oracle"), SOURCE / "cel")


def test_what_is_recorded_is_what_kubernetes_says(oracle: Path) -> None:
    for case, reply in zip(CASES, ask(oracle, [case.question for case in CASES]), strict=True):
        told = [f"{rule['field']}: {rule['message']}" for rule in reply.get("rules", ())]
        assert sorted(told) == sorted(case.faults), case.name


@pytest.mark.parametrize("seed", range(4))
def test_rules_say_what_kubernetes_says(oracle: Path, seed: int) -> None:
    chance = Random(seed)
    samples = [sample(chance) for _ in range(COUNT)]
    told = 0
    for each, reply in zip(samples, ask(oracle, [each.question for each in samples]), strict=True):
        assert "error" not in reply, each
        expected = sorted((rule["type"], rule["field"], rule["message"]) for rule in reply.get("rules", ()))
        faults, left = _judged(each)
        assert faults == expected, each
        assert left == reply.get("left"), each
        told += len(faults)
    assert told > COUNT // 2


def _judged(asked: Sample) -> tuple[list[tuple[str, str, str]], int | None]:
    """The faults of a sample, and what is left of its budget, if it has any rules."""
    rules = CelEngine().compile(asked.schema, resource=False)
    if rules is None:
        return [], None
    link = None if asked.old is None else Link(asked.value, asked.old, Shape(asked.schema))
    judgement = rules.judged(asked.value, asked.old, link, "root")
    faults = sorted((fault.reason, fault.field, fault.message) for fault in judgement.faults)
    return faults, judgement.meter.left
