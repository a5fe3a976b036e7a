from __future__ import annotations

from typing import Any

import pytest

from windlass.schema.cel.ast import Literal
from windlass.schema.cel.parse import parse
from windlass.schema.cel.value import Uint


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-9223372036854775808", -(2**63)),
        ("0x7fffffffffffffff", 2**63 - 1),
        ("-0x10", -16),
        ("0" * 5000 + "7", 7),
        ("18446744073709551615u", Uint(2**64 - 1)),
        ("0xFFU", Uint(255)),
        (".5", 0.5),
        ("-1e3", -1000.0),
        ("1.5E-2", 0.015),
        ("true", True),
        ("null", None),
        ("''", ""),
        ('"a\'b"', "a'b"),
        (r"'\a\b\f\n\r\t\v\"\'\\\?\`'", "\a\b\f\n\r\t\v\"'\\?`"),
        (r"'\x41\u00e9\U0001F600\101'", "A\u00e9\U0001f600A"),
        (r"'\xff'", "\u00ff"),
        (r"r'\n'", r"\n"),
        (r'R"""a"\q"""', 'a"\\q'),
        ("'''a\r\nb\rc'''", "a\nb\nc"),
        ('""""a""" ', '"a'),
        (r"b'\xff\377é'", b"\xff\xff\xc3\xa9"),
        (r"B'a\n'", b"a\n"),
        (r"br'\x'", b"\\x"),
    ],
)
def test_what_a_constant_means(text: str, value: Any) -> None:
    node = parse(text).root
    assert isinstance(node, Literal)
    assert type(node.value) is type(value)
    assert node.value == value
