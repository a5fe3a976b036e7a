"""Answers as JSON: what is none is told, and a long list is parsed in parts."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.client import Request
from windlass.client.parse import parsed, parsed_parts
from windlass.errors import ConnectionFailedError

GET = Request(method="GET", path="/api/v1/configmaps")
METADATA = {"resourceVersion": "7", "continue": "t"}


def built_in(items: Any) -> bytes:
    """A list as the server writes it for a built-in kind."""
    return orjson.dumps({"kind": "AppList", "apiVersion": "v1", "metadata": METADATA, "items": items}) + b"\n"


def custom(items: Any) -> bytes:
    """A list as the server writes it for a custom resource: its keys in alphabetical order."""
    return orjson.dumps({"apiVersion": "v1", "items": items, "kind": "AppList", "metadata": METADATA}) + b"\n"


FORMS = pytest.mark.parametrize("form", [built_in, custom])


def cut(body: bytes, size: int) -> Iterator[bytes]:
    """A text in pieces."""
    return (body[start : start + size] for start in range(0, len(body), size))


def read(body: bytes, size: int) -> tuple[list[Any], dict[str, Any], int]:
    """The items and the metadata of all parts together, and how many parts there were."""
    items: list[Any] = []
    metadata: dict[str, Any] = {}
    parts = list(parsed_parts(GET, cut(body, size), size))
    for part in parts:
        items += part["items"]
        metadata |= part.get("metadata", {})
    return items, metadata, len(parts)


@FORMS
def test_a_long_list_comes_in_parts_with_all_items_in_order(form: Any) -> None:
    items = [{"metadata": {"name": str(number)}, "data": {"a": "b" * number}} for number in range(100)]

    found, metadata, parts = read(form(items), 500)

    assert (found, metadata) == (items, METADATA)
    assert 5 < parts < 20


@FORMS
def test_a_border_inside_an_item_is_no_cut(form: Any) -> None:
    nested = [{"metadata": {"name": str(number)}} for number in range(50)]
    items = [{"metadata": {"name": "a"}, "templates": nested}, {"metadata": {"name": "b"}, "more": nested}]

    assert read(form(items), 10)[:2] == (items, METADATA)


@FORMS
def test_a_border_inside_a_text_is_no_cut(form: Any) -> None:
    said = '},{"metadata":{}},"items":[{"metadata":{}},{"metadata":'
    items = [{"metadata": {"name": said}, said: said} for _ in range(3)]

    assert read(form(items), 1)[:2] == (items, METADATA)


@FORMS
def test_items_that_begin_with_different_keys_are_all_found(form: Any) -> None:
    items = [{"metadata": {}, "a": 1}, {"spec": {}, "metadata": {}}, {"metadata": {}}, {}, {"metadata": {}}]

    assert read(form(items), 1)[:2] == (items, METADATA)


@pytest.mark.parametrize("body", [b'{"metadata":{},"items":[]}', b'{"items":null}', b'{"items": [{"a":1}]}'])
def test_a_list_without_borders_is_one_part(body: bytes) -> None:
    assert list(parsed_parts(GET, cut(body, 1), 1)) == [orjson.loads(body)]


def test_items_of_something_else_than_the_list_are_not_taken_for_its_own() -> None:
    metadata = {"items": [{"a": 1}, {"a": 2}, {"a": 3}]}
    items = [{"a": 4}, {"a": 5}]
    body = orjson.dumps({"metadata": metadata, "items": items})

    assert read(body, 1)[:2] == (items, metadata)


@pytest.mark.parametrize("length", [30, 300, 1299])
def test_a_list_that_was_cut_off_is_a_failed_connection(length: int) -> None:
    body = built_in([{"metadata": {"name": "a"}} for _ in range(50)])
    assert len(body) > length

    with pytest.raises(ConnectionFailedError, match="GET /api/v1/configmaps: the answer is not JSON"):
        list(parsed_parts(GET, cut(body[:length], 100), 100))


def test_what_is_not_json_is_shown() -> None:
    with pytest.raises(ConnectionFailedError, match="not JSON but '<html>") as caught:
        parsed(GET, b"<html>login</html>")
    assert caught.value.sent


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text() | st.just('},{"a":'),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "b", "items"]) | st.text(), inner),
    max_leaves=20,
)


@pytest.mark.property
@settings(deadline=None)
@given(st.lists(st.dictionaries(st.sampled_from(["a", "b", "items"]), values)), st.integers(1, 100))
def test_the_parts_are_the_whole(items: list[Any], size: int) -> None:
    assert read(built_in(items), size)[:2] == (items, METADATA)
    assert read(custom(items), size)[:2] == (items, METADATA)
