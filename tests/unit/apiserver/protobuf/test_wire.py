import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.apiserver.decode import DecodeError
from windlass.apiserver.protobuf.wire import DELIMITED, VARINT, delimited, entries, read_varint, tag, varint


@pytest.mark.parametrize(
    ("number", "written"),
    [(0, b"\0"), (127, b"\x7f"), (128, b"\x80\1"), (300, b"\xac\2"), (-1, b"\xff" * 9 + b"\1")],
)
def test_a_number_is_written_in_sevens_of_bits(number: int, written: bytes) -> None:
    assert varint(number) == written


@given(st.integers(min_value=0, max_value=2**64 - 1), st.binary())
def test_a_number_ends_where_the_next_thing_begins(number: int, after: bytes) -> None:
    written = varint(number)

    assert read_varint(written + after, 0) == (number, len(written))


@given(st.lists(st.tuples(st.integers(1, 2**28), st.integers(0, 2**64 - 1) | st.binary(max_size=300))))
def test_fields_come_back_as_they_were_written(fields: list[tuple[int, int | bytes]]) -> None:
    message = b"".join(
        tag(number, VARINT) + varint(value)
        if isinstance(value, int)
        else tag(number, DELIMITED) + delimited(value)
        for number, value in fields
    )

    assert [(found >> 3, value) for found, value in entries(message, "Any")] == fields


@pytest.mark.parametrize(
    "skipped",
    [
        b"\x09" + b"8" * 8,
        b"\x0d" + b"4" * 4,
        b"\x0b\x0c",
        b"\x0b\x08\1\x12\1x\x19" + b"8" * 8 + b"\x13\x14\x0c",
    ],
    ids=["64 bits", "32 bits", "an empty group", "a group with everything"],
)
def test_what_nobody_reads_is_passed_over(skipped: bytes) -> None:
    found = list(entries(skipped + b"\x12\1x", "Any"))

    assert found[-1] == (0x12, b"x")
    assert len(found) == 2


@given(st.binary())
def test_any_bytes_are_fields_or_an_error(data: bytes) -> None:
    try:
        found = list(entries(data, "Any"))
    except DecodeError:
        return
    assert sum(len(value) for _, value in found if isinstance(value, bytes)) <= len(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x80", "unexpected EOF"),
        (b"\x08", "unexpected EOF"),
        (b"\x12\2x", "unexpected EOF"),
        (b"\x09123", "unexpected EOF"),
        (b"\x0b\x08\1", "unexpected EOF"),
        (b"\x0b\x0f", "proto: illegal wireType 7"),
        (b"\x80" * 10, "proto: integer overflow"),
        (b"\x0c", "proto: Any: wiretype end group for non-group"),
        (b"\2\0", "proto: Any: illegal tag 0 (wire type 2)"),
        (b"\x12" + b"\xff" * 9 + b"\1", "proto: negative length found during unmarshaling"),
    ],
)
def test_a_malformed_message_is_refused_in_the_words_of_go(data: bytes, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        list(entries(data, "Any"))

    assert str(caught.value) == message
