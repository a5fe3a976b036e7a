"""broken workloads: Pods, their templates, and Jobs, with the whole answer to each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from broken import WORKLOADS, answer, ask_create, ask_update, created, path_of, permissions, refusals

if TYPE_CHECKING:
    from broken import Edit, Refusal, Sample
    from contract import Api

REFUSED, FROZEN, STATUS = (refusals(WORKLOADS, sort) for sort in ("refused", "frozen", "status"))
ACCEPTED, CHANGED = (permissions(WORKLOADS, sort) for sort in ("accepted", "changed"))


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
async def test_it_is_refused_to_create(api: Api, namespace: str, case: Refusal) -> None:
    reply = await ask_create(api, path_of(namespace, case.sample), case.sample, case.edit)

    assert answer(reply) == case.answer


@pytest.mark.parametrize("case", FROZEN.values(), ids=FROZEN.keys())
async def test_it_is_refused_to_change(api: Api, namespace: str, case: Refusal) -> None:
    path = path_of(namespace, case.sample)
    async with created(api, path, case.sample):
        reply = await ask_update(api, path, case.sample, case.edit)

    assert answer(reply) == case.answer


@pytest.mark.parametrize("case", STATUS.values(), ids=STATUS.keys())
async def test_it_is_refused_to_report(api: Api, namespace: str, case: Refusal) -> None:
    path = path_of(namespace, case.sample)
    async with created(api, path, case.sample):
        reply = await ask_update(api, path, case.sample, case.edit, "/status")

    assert answer(reply) == case.answer


@pytest.mark.parametrize(("sample", "edit"), ACCEPTED.values(), ids=ACCEPTED.keys())
async def test_it_is_fine_to_create(api: Api, namespace: str, sample: Sample, edit: Edit) -> None:
    assert (await ask_create(api, path_of(namespace, sample), sample, edit)).status == 201


@pytest.mark.parametrize(("sample", "edit"), CHANGED.values(), ids=CHANGED.keys())
async def test_it_is_fine_to_change(api: Api, namespace: str, sample: Sample, edit: Edit) -> None:
    path = path_of(namespace, sample)
    async with created(api, path, sample):
        assert (await ask_update(api, path, sample, edit)).status == 200
