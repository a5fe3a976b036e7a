from __future__ import annotations

from base64 import b64encode

import pytest

from windlass.apiserver.validation.config_map import LARGEST, byte_count, validate

META = {"name": "a", "namespace": "b"}


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4])
def test_bytes_are_counted_without_decoding_them(size: int) -> None:
    assert byte_count(b64encode(b"x" * size).decode()) == size


def test_texts_and_bytes_share_one_mebibyte() -> None:
    half = b64encode(b"x" * (LARGEST // 2)).decode()
    full = {"metadata": META, "data": {"a": "ä" * (LARGEST // 4)}, "binaryData": {"b": half}}

    assert list(validate(full, None)) == []
    (fault,) = validate({**full, "data": {"a": "ä" * (LARGEST // 4) + "x"}}, None)
    assert str(fault) == "[]: Too long: may not be more than 1048576 bytes"
