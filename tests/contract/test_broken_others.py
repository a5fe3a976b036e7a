"""broken manifests: of every kind that is no workload, with the whole answer to each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from broken import answer, ask_create, ask_update, created, edited, path_of
from broken_others import Refusal, refusals, samples

if TYPE_CHECKING:
    from broken import Sample
    from contract import Api, Object

SAMPLES, REFUSED, FROZEN, STATUS = samples(), refusals("refused"), refusals("frozen"), refusals("status")
PLACE = "kube-public"
"""A namespace that every server has, and that no rule mentions."""


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES.keys())
async def test_a_valid_manifest_is_accepted(api: Api, sample: Sample) -> None:
    assert (await ask_create(api, path_of(PLACE, sample), sample, {})).status == 201


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
async def test_a_broken_manifest_is_refused(api: Api, case: Refusal) -> None:
    reply = await ask_create(api, path_of(PLACE, case.sample), case.sample, case.edit)

    assert answer(reply) == case.answer


@pytest.mark.parametrize("case", FROZEN.values(), ids=FROZEN.keys())
async def test_a_forbidden_change_is_refused(api: Api, namespace: str, case: Refusal) -> None:
    assert await answer_to_update(api, namespace, case) == case.answer


@pytest.mark.parametrize("case", STATUS.values(), ids=STATUS.keys())
async def test_a_broken_status_is_refused(api: Api, namespace: str, case: Refusal) -> None:
    assert await answer_to_update(api, namespace, case, "/status") == case.answer


async def answer_to_update(api: Api, namespace: str, case: Refusal, subresource: str = "") -> Object:
    """The answer; what lives in no namespace is stored under a name of its own."""
    name = "a" if case.sample.namespaced else f"{namespace}-own"
    sample = replace(case.sample, valid=edited(case.sample.valid, {"/metadata/name": name}))
    path = path_of(namespace, sample)
    async with created(api, path, sample):
        told = answer(await ask_update(api, path, sample, case.edit, subresource))
    return {**told, "message": told["message"].replace(f'"{name}"', '"a"')}
