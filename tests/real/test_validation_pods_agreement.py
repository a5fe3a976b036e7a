"""Pods and workloads changed by chance: our rules and the real server complain about the same, in the same words."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

import broken_jobs
import broken_pods
import broken_workloads
from broken import ABSENT, answer, created, edited, path_of
from contract import Api
from mutated import mutated
from verdict import accepted, builtin_kind, judge
from windlass.apiserver import builtin
from windlass.client import HttpTransport, load_config

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from broken import Sample
    from contract import Object
    from windlass.testing import Access

COUNT = 150
AT_ONCE = 8
ADMITTED = ("tolerations", "priority", "preemptionPolicy")
JUDGED = (200, 201, 422)
SHOWN = re.compile(r"(?<=value: )\{.*?\}(?=: )", re.DOTALL)
NO_CLAIMS = {"/spec/volumeClaimTemplates": ABSENT}  # the real server numbers their volumes at random
STATEFUL_SET = broken_workloads.STATEFUL_SET
SAMPLES = {
    sample.title: sample
    for sample in (
        *broken_pods.SAMPLES,
        *broken_workloads.SAMPLES,
        *broken_jobs.SAMPLES,
        replace(STATEFUL_SET, valid=edited(STATEFUL_SET.valid, NO_CLAIMS)),
    )
    if sample.valid["kind"] != "ControllerRevision"
}


@pytest.fixture
async def api(control_plane: Access) -> AsyncIterator[Api]:
    transport = HttpTransport(load_config(control_plane.kubeconfig))
    yield Api(transport)
    await transport.close()


def body_of(sample: Sample) -> str:
    return "template" if sample.valid["kind"] == "PodTemplate" else "spec"


def variants(sample: Sample, base: Object) -> Iterator[tuple[int, Object]]:
    """Many manifests, each of its own seed; what stands outside of the spec stays as it is.

    So does what admission puts into pods, which comes before the rules.
    """
    kept = {name: base["spec"][name] for name in ADMITTED if name in base.get("spec", {})}
    shape = builtin.library().shape(builtin_kind(sample.valid).definition)
    field = body_of(sample)
    below = shape.child(field)
    assert below is not None
    for seed in range(COUNT):
        yield seed, {**base, field: {**mutated(base[field], below, Random(seed)), **kept}}


def complaints(told: Object | None) -> list[tuple[str, str]]:
    """The causes in any order, since the real server goes through maps at random; without what they show."""
    causes = told["causes"] if told and told["code"] == 422 else []
    return sorted((field, SHOWN.sub("…", message)) for field, message in causes)


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES.keys())
async def test_new_ones_are_judged_alike(api: Api, namespace: str, sample: Sample) -> None:
    path = path_of(namespace, sample)
    gate = asyncio.Semaphore(AT_ONCE)
    compared = 0

    async def compare(seed: int, body: Object) -> None:
        nonlocal compared
        async with gate:
            told = answer(await api.create(path, body, dryRun="All"))
        if told["code"] in JUDGED:
            compared += 1
            assert complaints(judge(accepted(body))) == complaints(told), f"seed {seed}"

    await asyncio.gather(*(compare(seed, body) for seed, body in variants(sample, sample.valid)))
    assert compared > COUNT / 2


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES.keys())
async def test_changed_ones_are_judged_alike(api: Api, namespace: str, sample: Sample) -> None:
    path = path_of(namespace, sample)
    gate = asyncio.Semaphore(AT_ONCE)
    async with created(api, path, sample):
        place = f"{path}/{sample.valid['metadata']['name']}"
        base = (await api.get(place)).ok()
        old = accepted(base, new=False)

        async def compare(seed: int, body: Object) -> None:
            async with gate:
                told = answer(await api.update(place, body, dryRun="All"))
            if told["code"] in JUDGED:
                assert complaints(judge(accepted(body, new=False), old)) == complaints(told), f"seed {seed}"

        await asyncio.gather(*(compare(seed, body) for seed, body in variants(sample, base)))
