from typing import Any

import orjson
import pytest

from contract_crd import definition, integer, spec, version
from windlass.apiserver import World
from windlass.apiserver.crd.enforce import EmbeddedMetadata
from windlass.apiserver.crd.family import Family
from windlass.apiserver.outside import settled
from windlass.apiserver.refusal import Refusal
from windlass.apiserver.store import Record
from windlass.schema.custom import CustomSchema

V1, V2 = "example.com/v1", "example.com/v2"


def family(**more: Any) -> Family:
    """Stored as v1; `a` is in both versions, `old` in v1 alone and `new` in v2 alone, each with a default."""
    versions = [
        version("v1", spec(a=integer(), old=integer(default=1))),
        version("v2", spec(a=integer(), new=integer(default=2)), storage=False),
    ]
    crd = definition("example.com", *versions)
    crd["spec"] |= more
    schemas = {
        f"example.com/{each['name']}": CustomSchema(each["schema"]["openAPIV3Schema"], EmbeddedMetadata())
        for each in versions
    }
    return Family(crd, schemas)


def stored(api_version: str, **fields: Any) -> Record:
    obj = {"apiVersion": api_version, "kind": "Widget", "metadata": {"name": "a"}, "spec": fields}
    return Record.of("default/a", 7, obj)


def read(record: Record, api_version: str) -> tuple[Any, bool]:
    """The specification of an object in a version, and whether that is how it is stored."""
    text = family().read(record, api_version)
    return orjson.loads(text)["spec"], text == record.body


def test_what_is_stored_as_it_is_read_is_settled() -> None:
    assert read(stored(V1, a=1, old=3), V1) == ({"a": 1, "old": 3}, True)


def test_defaults_are_those_of_the_version_that_was_stored() -> None:
    assert read(stored(V1, a=1), V1) == ({"a": 1, "old": 1}, False)
    assert read(stored(V2, a=1), V2) == ({"a": 1, "new": 2}, False)
    assert read(stored(V1, a=1), V2) == ({"a": 1}, True)


def test_what_a_version_lacks_is_pruned() -> None:
    assert read(stored(V1, a=1, old=3), V2) == ({"a": 1}, False)


def test_what_was_stored_in_a_version_that_is_gone_is_read_by_the_one_that_is_stored_now() -> None:
    assert read(stored("example.com/v0", a=1, x=2), V1) == ({"a": 1, "old": 1}, False)


def test_an_object_is_stored_without_what_the_stored_version_lacks_and_without_its_defaults() -> None:
    sent = {"apiVersion": V2, "kind": "Widget", "metadata": {"name": "a"}, "spec": {"a": 1, "new": 3}}

    written = family().write(sent)

    assert (written["apiVersion"], written["spec"]) == (V1, {"a": 1})
    assert sent["spec"] == {"a": 1, "new": 3}


def test_an_object_of_the_stored_version_is_stored_as_it_is() -> None:
    sent = {"apiVersion": V1, "kind": "Widget", "metadata": {"name": "a"}, "spec": {"a": 1}}

    assert family().write(sent) is sent


def test_an_object_is_known_by_every_schema_that_it_is_read_by() -> None:
    kind, other = family(), family()
    first, second = (kind.schemas[each] for each in (V1, V2))

    assert kind.canon(stored(V1), V1) is first
    assert kind.canon(stored(V1), V2) == (first, second) != other.canon(stored(V1), V2)
    assert kind.canon(stored(V2), V2) is second


async def test_a_webhook_is_asked_even_if_both_schemas_would_take_the_object() -> None:
    client = {"service": {"namespace": "nobody", "name": "here"}}
    webhook = {"clientConfig": client, "conversionReviewVersions": ["v1"]}
    hook = {"strategy": "Webhook", "webhook": webhook}

    assert family(conversion=hook).canon(stored(V1, a=1), V2) is None
    with pytest.raises(Refusal):
        await settled(World(), lambda: family(conversion=hook).read(stored(V1, a=1), V2))
    assert orjson.loads(family(conversion=hook).read(stored(V1, a=1), V1))["spec"] == {"a": 1, "old": 1}
