"""Keys by value, by owner, and by what a function says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from caching import config_map, key
from windlass.api import Snapshot
from windlass.cache.index import Entries, Index, Owners, Sight
from windlass.kinds.core.v1 import ConfigMap

if TYPE_CHECKING:
    import pytest


def seen(name: str, **labels: str) -> Sight:
    data = config_map(name).to_wire()
    data["metadata"]["labels"] = labels
    return Sight(Snapshot(ConfigMap, orjson.dumps(data), key=key(name)))


def test_a_value_may_have_no_key_one_or_several() -> None:
    entries = Entries()
    for name in ("a", "a", "b"):
        entries.add("x", key(name))
    assert sorted(entries.find("x")) == [key("a"), key("b")]
    entries.discard("x", key("c"))
    entries.discard("x", key("a"))
    assert entries.find("x") == [key("b")]
    entries.discard("x", key("b"))
    entries.discard("x", key("b"))
    assert entries.find("x") == []
    assert not entries._keys


def test_one_key_alone_is_not_discarded_for_another() -> None:
    entries = Entries()
    entries.add("x", key("a"))
    entries.discard("x", key("b"))

    assert entries.find("x") == [key("a")]


def test_a_text_that_only_speaks_of_owners_has_none() -> None:
    owners = Owners()
    said = {"metadata": {"annotations": {"copy": '{"ownerReferences":[{"uid":"u"}]}'}}}
    elsewhere = {"metadata": {}, "spec": {"ownerReferences": [{"uid": "u"}]}}
    owners.move(key("a"), None, orjson.dumps(said))
    owners.move(key("b"), None, orjson.dumps(elsewhere))

    assert owners.controlled.find("u") == owners.others.find("u") == []


def test_a_function_may_say_one_value_several_or_none() -> None:
    index = Index("x", lambda each: {"one": "v", "many": ["v", "w", "v"]}.get(each.metadata.name))
    for name in ("one", "many", "none"):
        index.set(key(name), seen(name))
    assert sorted(index.find("v")) == [key("many"), key("one")]
    assert index.find("w") == [key("many")]

    index.set(key("many"), None)
    assert (index.find("v"), index.find("w")) == ([key("one")], [])


def test_of_several_values_a_key_has_to_have_all() -> None:
    entries = Entries()
    for value, names in {"red": "abc", "large": "bcd", "only": "c"}.items():
        for name in names:
            entries.add(value, key(name))

    assert entries.find("red", "large") == [key("b"), key("c")]
    assert entries.find("red", "large", "only") == [key("c")]
    assert entries.find("red", "none") == []


def test_an_index_that_asks_for_no_more_has_nothing_decoded() -> None:
    index = Index("x", lambda each: each.metadata["labels"].get("app"), undecoded=True)
    sight = seen("a", app="web")
    index.set(key("a"), sight)

    assert index.find("web") == [key("a")]
    assert "resource" not in vars(sight)


def test_what_cannot_be_decoded_is_in_no_index_that_needs_that(caplog: pytest.LogCaptureFixture) -> None:
    sight = Sight(Snapshot(ConfigMap, b'{"metadata":{"labels":{"app":"web"}},"data":7}', key=key("a")))
    typed, plain = Index("t", lambda _: "v"), Index("p", lambda _: "v", undecoded=True)
    for index in (typed, plain):
        index.set(key("a"), sight)

    assert (typed.find("v"), plain.find("v")) == ([], [key("a")])
    assert "is not in the index t" in caplog.text


def test_a_value_that_is_no_text_could_not_be_found_and_is_told(caplog: pytest.LogCaptureFixture) -> None:
    sizes: Any = lambda each: [len(each.metadata.labels)]  # noqa: E731 - one whose type is not known
    index = Index("size", sizes)
    index.set(key("a"), seen("a", app="web"))

    assert index.find("1") == []
    assert "1 is no text: an index says str(1)" in caplog.text
