from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.api import Base64, IntOrString, Model, scaled
from windlass.errors import UndecodableError


class Target(Model):
    port: IntOrString = 80
    ports: list[IntOrString] = []
    data: Base64 = b""
    secrets: dict[str, Base64] = {}


@pytest.mark.parametrize("value", [0, -1, 8080, "http", "25%", "8080", ""])
def test_a_number_stays_a_number_and_a_text_a_text(value: int | str) -> None:
    target = Target.from_wire({"port": value, "ports": [value]})
    assert target.port == value
    assert type(target.port) is type(value)
    assert target.to_wire() == {"port": value, "ports": [value]}


@pytest.mark.parametrize("value", [True, False, 1.0, 1.5, [], {}])
def test_what_is_neither_number_nor_text_is_refused(value: Any) -> None:
    with pytest.raises(UndecodableError, match="port"):
        Target.from_wire({"port": value})


@pytest.mark.parametrize(
    ("value", "total", "up", "down"),
    [
        (5, 100, 5, 5),
        (0, 100, 0, 0),
        (-5, 100, -5, -5),
        ("25%", 4, 1, 1),
        ("25%", 3, 1, 0),
        ("25%", 0, 0, 0),
        ("0%", 100, 0, 0),
        ("1%", 1, 1, 0),
        ("99%", 10, 10, 9),
        ("100%", 7, 7, 7),
        ("150%", 5, 8, 7),
        ("050%", 10, 5, 5),
    ],
)
def test_a_percentage_is_a_part_of_the_total(value: int | str, total: int, up: int, down: int) -> None:
    assert scaled(value, total, round_up=True) == up
    assert scaled(value, total, round_up=False) == down


@pytest.mark.parametrize(
    "value", ["", "%", "5", "-5%", "+5%", "2.5%", "5 %", " 5%", "5%%", "five%", "\u0665%"]
)
def test_what_is_no_whole_percentage_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="is neither a number nor a percentage such as 25%"):
        scaled(value, 10, round_up=True)


@pytest.mark.property
@settings(deadline=None)
@given(st.binary())
def test_bytes_that_are_written_are_read_back(data: bytes) -> None:
    target = Target.from_wire(Target(data=data, secrets={"a": data}).to_wire())
    assert (target.data, target.secrets) == (data, {"a": data})


@pytest.mark.parametrize(
    ("text", "data"), [("", b""), ("YQ==", b"a"), ("YWJj", b"abc"), ("+/8=", b"\xfb\xff")]
)
def test_base64_is_read_as_bytes(text: str, data: bytes) -> None:
    assert Target.from_wire({"data": text}).data == data
    assert Target(data=data).to_wire() == {"data": text}


def test_line_breaks_in_base64_are_ignored_as_in_go() -> None:
    assert Target.from_wire({"data": "YWJj\nZGVm\r\n"}).data == b"abcdef"


@pytest.mark.parametrize("text", ["YQ", "YQ=", "a b=", "YQ==YQ==", "-_8=", "plain text", "é", "YQ== "])
def test_what_is_no_base64_is_refused_rather_than_cut(text: str) -> None:
    with pytest.raises(UndecodableError, match="data"):
        Target.from_wire({"data": text})
