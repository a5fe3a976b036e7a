from typing import Any

import pytest

from windlass.apiserver.decode import DecodeError
from windlass.apiserver.protobuf.scalar import Codec
from windlass.apiserver.protobuf.special import Amount, Moment, Port, Raw


def content(codec: Codec, value: Any) -> bytes:
    """What a value is written as, without its length."""
    return codec.write(value)[1:]


@pytest.mark.parametrize(
    ("codec", "value", "written"),
    [
        (Amount(), "100m", b"\n\x04100m"),
        (Moment(), "1970-01-01T00:02:07Z", b"\x08\x7f\x10\0"),
        (Moment(), "1969-12-31T23:59:59Z", b"\x08" + b"\xff" * 9 + b"\1\x10\0"),
        (Moment(micro=True), "1970-01-01T00:00:01.000001Z", b"\x08\1\x10\xe8\7"),
        (Port(), 80, b"\x08\0\x10P\x1a\0"),
        (Port(), "http", b"\x08\1\x10\0\x1a\4http"),
        (Raw(), {"a": [1]}, b'\n\x09{"a":[1]}'),
    ],
)
def test_a_value_is_written_and_read_as_go_does_it(codec: Codec, value: Any, written: bytes) -> None:
    assert content(codec, value) == written
    assert codec.read(written, None) == value


def test_no_time_is_empty() -> None:
    assert (content(Moment(), None), Moment().read(b"", None)) == (b"", None)


def test_a_time_to_the_second_forgets_the_rest() -> None:
    assert Moment().read(b"\x08\1\x10\xff\x93\xeb\xdc\3", None) == "1970-01-01T00:00:01Z"


def test_a_quantity_is_read_in_its_canonical_form() -> None:
    assert Amount().read(b"\n\0051000m", None) == "1"


def test_an_empty_quantity_is_zero_and_an_empty_text_is_none() -> None:
    assert Amount().read(b"", None) == "0"
    with pytest.raises(DecodeError, match="quantities must match the regular expression"):
        Amount().read(b"\n\0", None)


@pytest.mark.parametrize(
    ("codec", "raw"),
    [(Moment(), b"\x08" + b"\xff" * 8 + b"\x7f"), (Port(), b"\x08\2"), (Raw(), b"\n\3{a}")],
    ids=["a time out of range", "neither number nor text", "no JSON"],
)
def test_what_json_cannot_have_is_refused(codec: Codec, raw: bytes) -> None:
    with pytest.raises(DecodeError):
        codec.read(raw, None)
