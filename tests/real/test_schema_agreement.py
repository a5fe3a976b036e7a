"""Schemas and custom resources: on random ones, Windlass and the real server are of one opinion.

Both are asked what is wrong, and what becomes of an object; faults are compared to the letter.
"""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from contract import Api
from contract_crd import CRDS, Definitions, invalid
from contract_target import transport_to
from random_schemas import RandomSchemas
from schemas import METADATA, PRESERVE, obj
from windlass.schema.custom import CustomSchema, check_schema

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from contract import Object
    from schemas import Schema
    from windlass.testing import Access

ROOT = "spec.validation.openAPIV3Schema"
FIELD = f"{ROOT}.properties[spec].properties["
LOOSE = obj(spec={"type": "object"} | PRESERVE)


@pytest.fixture
async def api(control_plane: Access) -> AsyncIterator[Api]:
    transport = transport_to(control_plane)
    yield Api(transport)
    await transport.close()


@pytest.fixture
async def crds(api: Api, namespace: str) -> AsyncIterator[Definitions]:
    definitions = Definitions(api, namespace)
    yield definitions
    await definitions.close()


def with_fields(fields: Schema) -> Schema:
    """The schema of a kind whose spec has these fields."""
    return obj(spec=obj(**fields))


def complaints(schema: Schema) -> set[str]:
    """What Windlass says about a schema."""
    return {str(fault) for fault in check_schema(schema, ROOT, METADATA)}


def sound_fields(chance: RandomSchemas, count: int) -> Schema:
    """Random fields without those that Windlass would refuse."""
    fields = {f"f{index}": chance.schema() for index in range(count)}
    refused = {text.removeprefix(FIELD).partition("]")[0] for text in complaints(with_fields(fields))}
    return {name: schema for name, schema in fields.items() if name not in refused}


def as_sent(value: Any) -> Any:
    """A value as the server writes it: whole numbers without a fraction."""
    if isinstance(value, dict):
        return {name: as_sent(item) for name, item in value.items()}
    if isinstance(value, list):
        return [as_sent(item) for item in value]
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**63
    return int(value) if whole else value


@pytest.mark.parametrize("seed", range(100))
async def test_a_schema_is_refused_for_the_same_reasons(api: Api, crds: Definitions, seed: int) -> None:
    chance = RandomSchemas(Random(seed))
    schema = with_fields({f"f{index}": chance.schema() for index in range(3)})
    for _ in range(seed % 4):
        chance.spoil(schema)

    reply = await api.create(CRDS, crds.new(deepcopy(schema)), dryRun="All")

    assert (invalid(reply) if reply.status == 422 else set()) == complaints(schema)


@pytest.mark.parametrize("seed", range(8))
async def test_an_object_is_refused_for_the_same_reasons_or_becomes_the_same(
    api: Api, crds: Definitions, seed: int
) -> None:
    chance = RandomSchemas(Random(seed))
    fields = sound_fields(chance, 40)
    kind = await crds.serve(deepcopy(with_fields(fields)))
    ours = CustomSchema(with_fields(fields), METADATA)

    for _ in range(20):
        sent = kind.object("a", spec={name: chance.value(schema) for name, schema in fields.items()})
        reply = await api.create(kind.path, sent, dryRun="All")
        ours.prune(sent)
        ours.fill(sent)

        assert (invalid(reply) if reply.status == 422 else set()) == set(map(str, ours.faults(sent)))
        if reply.status == 201:
            assert reply.body["spec"] == as_sent(sent["spec"])


@pytest.mark.parametrize("seed", range(4))
async def test_an_update_is_refused_for_the_same_reasons(api: Api, crds: Definitions, seed: int) -> None:
    chance = RandomSchemas(Random(seed))
    fields = sound_fields(chance, 30)
    kind = await crds.serve(LOOSE)
    names = [f"o{index}" for index in range(5)]
    for name in names:
        (await kind.create(name, spec={each: chance.value(fields[each], 0.6) for each in fields})).ok()

    await crds.change_schema(kind, deepcopy(with_fields(fields)))

    ours = CustomSchema(with_fields(fields), METADATA)
    for name in names:
        old = (await api.get(kind.at(name))).ok()
        new = changed(old, fields, chance)
        reply = await api.update(kind.at(name), new, dryRun="All")
        ours.prune(new)
        ours.fill(new)
        assert (invalid(reply) if reply.status == 422 else set()) == set(map(str, ours.faults(new, old)))


def changed(old: Object, fields: Schema, chance: RandomSchemas) -> Object:
    """An object with two fields changed."""
    new = deepcopy(old)
    for name in list(fields)[:2]:
        new["spec"][name] = chance.change(new["spec"].get(name), fields[name])
    return new
