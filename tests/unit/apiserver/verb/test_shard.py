from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.apiserver.refusal import Refusal
from windlass.apiserver.verb.shard import hashed, parse_shard

UID = "object.metadata.uid"
SPACE = 2**64
PIECES = (
    "shardRange",
    "(",
    ")",
    ",",
    " ",
    "||",
    "object.metadata.uid",
    "'0x0000000000000000'",
    "'",
    "0x",
    "?",
)


@pytest.mark.parametrize(
    ("text", "found"),
    [("", 0xCBF29CE484222325), ("a", 0xAF63DC4C8601EC8C), ("foobar", 0x85944171F73967E8)],
)
def test_the_hash_is_fnv_1a(text: str, found: int) -> None:
    assert hashed(text) == found


@given(st.lists(st.integers(0, SPACE), min_size=2, max_size=6, unique=True), st.uuids())
def test_an_object_is_in_the_shard_whose_ranges_have_its_hash(bounds: list[int], uid: object) -> None:
    pairs = list(zip(sorted(bounds)[::2], sorted(bounds)[1::2], strict=False))
    text = " || ".join(f"shardRange({UID}, '0x{start:016x}', '0x{end:016x}')" for start, end in pairs)

    shard = parse_shard(text)

    assert shard.text == text
    inside = any(start <= hashed(str(uid)) < end for start, end in pairs)
    assert shard.has({"uid": str(uid)}) is inside


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join))
def test_every_text_is_a_shard_or_refused(text: str) -> None:
    try:
        found = parse_shard(text).text
    except Refusal as refusal:
        found, said = "", str(refusal)
    else:
        said = ""

    assert said.startswith("invalid shard selector: ") if said else parse_shard(found).text == found
