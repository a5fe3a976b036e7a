from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.apiserver.decode.base64 import canonical_base64


@given(st.binary(max_size=40), st.lists(st.integers(0, 60), max_size=3))
def test_line_breaks_do_not_change_what_is_meant(data: bytes, breaks: list[int]) -> None:
    text = b64encode(data).decode()
    broken = text
    for place in breaks:
        broken = f"{broken[:place]}\r\n{broken[place:]}"

    assert canonical_base64(broken) == text


def test_bits_that_mean_nothing_are_cleared() -> None:
    assert canonical_base64("YR==") == "YQ=="


@pytest.mark.parametrize(
    ("text", "byte"),
    [
        ("!", 0),
        ("YWJj!", 4),
        ("YQ", 0),
        ("YWJjYQ", 4),
        ("YQ=", 3),
        ("YQ=a", 2),
        ("YQ==YQ==", 4),
        ("YWJj=", 4),
        ("=", 0),
        ("YW_j", 2),
        ("YWJ", 0),
        ("é", 0),
    ],
)
def test_what_is_no_base64_is_refused_with_the_byte_where_go_stops(text: str, byte: int) -> None:
    with pytest.raises(ValueError, match=f"^illegal base64 data at input byte {byte}$"):
        canonical_base64(text)
