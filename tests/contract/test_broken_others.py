"""broken manifests: of every kind that is no workload, with the whole answer to each."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from broken import (
    OTHERS,
    answer,
    ask_create,
    ask_update,
    created,
    edited,
    path_of,
    permissions,
    refusals,
    samples,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from broken import Edit, Refusal, Sample
    from contract import Api

PLACE = "kube-public"
"""A namespace that every server has, and that no rule mentions."""

SAMPLES = samples(OTHERS)
REFUSED, FROZEN, STATUS = (refusals(OTHERS, sort) for sort in ("refused", "frozen", "status"))
ACCEPTED, CHANGED = (permissions(OTHERS, sort) for sort in ("accepted", "changed"))


@asynccontextmanager
async def stored(api: Api, namespace: str, sample: Sample) -> AsyncIterator[tuple[str, Sample]]:
    """The valid manifest exists for the length of the block, outside namespaces under a name of its own."""
    name = "a" if sample.namespaced else f"{namespace}-own"
    own = replace(sample, valid=edited(sample.valid, {"/metadata/name": name}))
    path = path_of(namespace, own)
    async with created(api, path, own):
        yield path, own


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES.keys())
async def test_a_valid_manifest_is_accepted(api: Api, sample: Sample) -> None:
    assert (await ask_create(api, path_of(PLACE, sample), sample, {})).status == 201


@pytest.mark.parametrize(("sample", "edit"), ACCEPTED.values(), ids=ACCEPTED.keys())
async def test_an_unusual_manifest_is_accepted(api: Api, sample: Sample, edit: Edit) -> None:
    reply = await ask_create(api, path_of(PLACE, sample), sample, edit)

    assert reply.status == 201, reply.body


@pytest.mark.parametrize(("sample", "edit"), CHANGED.values(), ids=CHANGED.keys())
async def test_what_may_change_changes(api: Api, namespace: str, sample: Sample, edit: Edit) -> None:
    async with stored(api, namespace, sample) as (path, own):
        reply = await ask_update(api, path, own, edit)

    assert reply.status == 200, reply.body


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED.keys())
async def test_a_broken_manifest_is_refused(api: Api, case: Refusal) -> None:
    reply = await ask_create(api, path_of(PLACE, case.sample), case.sample, case.edit)

    assert answer(reply) == case.answer


@pytest.mark.parametrize("case", FROZEN.values(), ids=FROZEN.keys())
async def test_a_forbidden_change_is_refused(api: Api, namespace: str, case: Refusal) -> None:
    await assert_refused(api, namespace, case)


@pytest.mark.parametrize("case", STATUS.values(), ids=STATUS.keys())
async def test_a_broken_status_is_refused(api: Api, namespace: str, case: Refusal) -> None:
    await assert_refused(api, namespace, case, "/status")


async def assert_refused(api: Api, namespace: str, case: Refusal, subresource: str = "") -> None:
    """The update must be refused as recorded, whatever name the manifest was stored under."""
    async with stored(api, namespace, case.sample) as (path, own):
        told = answer(await ask_update(api, path, own, case.edit, subresource))
    name = own.valid["metadata"]["name"]

    assert {**told, "message": told["message"].replace(f'"{name}"', '"a"')} == case.answer
