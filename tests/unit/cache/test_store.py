"""Texts by key, and their weight."""

from __future__ import annotations

from caching import key
from windlass.cache.store import Store
from windlass.kinds.core.v1 import ConfigMap


def test_the_weight_is_that_of_what_is_there() -> None:
    store = Store()
    assert store.put(key("a"), b"12345") is None
    one = store.size
    store.put(key("b", "other"), b"12345")
    assert store.size == 2 * one
    assert store.put(key("a"), b"1234567") == b"12345"
    assert store.size == 2 * one + 2
    assert store.pop(key("a")) == b"1234567"
    assert store.pop(key("a")) is None
    assert store.pop(key("b", "nowhere")) is None
    assert store.size == one
    store.pop(key("b", "other"))
    assert (store.size, len(store)) == (0, 0)


def test_keys_are_by_namespace_and_may_change_while_they_are_read() -> None:
    store = Store()
    for name in ("a", "b"):
        store.put(key(name), b"")
    store.put(key("c", "other"), b"")

    assert list(store.keys("default")) == [key("a"), key("b")]
    seen = []
    for each in store.keys():  # noqa: SIM118 - not a dictionary
        seen.append(each)
        store.pop(each)
    assert seen == [key("a"), key("b"), key("c", "other")]
    assert store.names() == {}


def test_what_many_texts_share_weighs_once_and_each_is_read_whole() -> None:
    store, alone = Store(), Store()
    texts = {key(f"c{number}"): b'{"a":"what all of them say","b":%d}' % number for number in range(3000)}
    for each, text in texts.items():
        assert store.put(each, text) is None
    alone.put(key("c2999"), texts[key("c2999")])
    assert store.size < 3000 * alone.size
    assert all(store.get(each) == text for each, text in texts.items())
    for number in (0, 2999):
        each = key(f"c{number}")
        snapshot = store.snapshot(ConfigMap, each)
        assert snapshot is not None
        assert snapshot.raw == texts[each]
        assert store.put(each, b"{}") == texts[each]
        assert snapshot.raw == texts[each]
        assert store.pop(each) == b"{}"
    assert store.snapshot(ConfigMap, key("c0")) is None
