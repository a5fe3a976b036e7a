"""Keys by value, by owner, and by what a function says."""

from __future__ import annotations

import orjson

from caching import config_map, key
from windlass.cache.index import Entries, Index, Owners


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
        index.set(key(name), config_map(name))
    assert sorted(index.find("v")) == [key("many"), key("one")]
    assert index.find("w") == [key("many")]

    index.set(key("many"), None)
    assert (index.find("v"), index.find("w")) == ([key("one")], [])
