from typing import Any

import pytest

from windlass.apiserver.decode import DecodeError
from windlass.apiserver.decode.yaml_text import parse_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("y", True),
        ("Off", False),
        ('"y"', "y"),
        ("yEs", "yEs"),
        ("012", 10),
        ("0o12", 10),
        ("0x1F", 31),
        ("-0b11", -3),
        ("1_000", 1000),
        ("08", 8),
        ("1e3", 1000),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1:30", "1:30"),
        ("2020-01-01", "2020-01-01"),
        ("1.2.3", "1.2.3"),
        ("99999999999999999999", 1e20),
        ("1" * 400, "1" * 400),
        ("1" * 5000, "1" * 5000),
        ("0x" + "f" * 40, "0x" + "f" * 40),
        ("1e999", "1e999"),
        ("!!binary aGk=", "hi"),
        ("!!float 1", 1),
        ("!!timestamp 2020-01-01", "2020-01-01"),
        ("18446744073709551615", 2**64 - 1),
        ("!!str 12", "12"),
        ('!!int "12"', 12),
        ("!mine text", "text"),
        ("-", [None]),
        ("- 1\n- [a, {b: c}]", [1, ["a", {"b": "c"}]]),
        ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
        ("1: a\ntrue: b\n1.5: c", {"1": "a", "true": "b", "1.5": "c"}),
        ("a: 1\n---\nb: 2", {"a": 1}),
    ],
)
def test_a_text_means_what_it_means_to_the_real_server(text: str, value: Any) -> None:
    assert parse_yaml(text.encode()) == (value, ())


def test_keys_come_in_order_as_in_the_json_that_the_server_makes() -> None:
    value, _ = parse_yaml(b"b: 1\na: {d: 1, c: 2}")

    assert list(value) == ["a", "b"]
    assert list(value["a"]) == ["c", "d"]


def test_repeated_keys_are_told_by_their_lines_and_the_last_counts() -> None:
    assert parse_yaml(b"a: 1\nb:\n  c: 1\n  c: 2\na: 3") == (
        {"a": 3, "b": {"c": 2}},
        ('line 4: key "c" already set in map', 'line 5: key "a" already set in map'),
    )


def test_a_merged_mapping_counts_where_it_stands() -> None:
    assert parse_yaml(b"a: 1\n<<: {a: 2, b: 3}\nb: 4") == (
        {"a": 2, "b": 4},
        ('line 2: key "a" already set in map', 'line 3: key "b" already set in map'),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "yaml: line 1: did not find expected node content"),
        ("a: {b: 1}\n\tc: 2", "yaml: line 2: found character that cannot start any token"),
        ("a: *b", "yaml: unknown anchor 'b' referenced"),
        ("a: .inf", "json: unsupported value: +Inf"),
        ("a: -.inf", "json: unsupported value: -Inf"),
        ("a: .nan", "json: unsupported value: NaN"),
        ("{~: a}", 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "a"'),
        ("&a [*a]", "yaml: anchor 'a' value contains itself"),
        ("a: &x {<<: *x}", "yaml: anchor 'x' value contains itself"),
        ("{[a]: b}", 'yaml: invalid map key: []interface {}{"a"}'),
        ("a: \x01", "yaml: control characters are not allowed"),
        ("!!int x", "yaml: cannot decode !!str `x` as a !!int"),
        ("!!int 1.5", "yaml: cannot decode !!float `1.5` as a !!int"),
        ("!!binary '%'", "yaml: !!binary value contains invalid base64 data"),
        ("%YAML 1.2\n---\na: 1", "yaml: found incompatible YAML document"),
        ("a: 1\nb: " + "[" * 20_000, "yaml: line 2: exceeded max depth of 200"),
        ("a: .inf\nb: *c", "yaml: unknown anchor 'c' referenced"),
        ("<<: 1", "yaml: map merge requires map or sequence of maps as the value"),
    ],
)
def test_what_cannot_be_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(DecodeError) as refused:
        parse_yaml(text.encode())

    assert str(refused.value) == message


@pytest.mark.parametrize(
    "text",
    [
        '{"b": 1, "a": {"d": [1.0, 1.5, 1e3, true, null], "c": "x\\n\\"y\\""}}',
        '{"a":99999999999999999999}',
        '{"a": "\\/"}',
        '{"a": "\\u0041"}',
        '{"a": "é"}',
        '{"a":\t1}',
        '{"' + "k" * 1100 + '": 1}',
        '{"a"\n: 1}',
        '{"a": 1, "a": 2}',
        '{"a": 1} x',
        '{"<<": {"a": 1}}',
        '{"a": "\\ud83d\\ude00"}',
        '{"a": ' + "[" * 300 + "]" * 300 + "}",
    ],
)
def test_json_means_what_it_means_as_yaml(text: str) -> None:
    def read(body: str) -> Any:
        try:
            return parse_yaml(body.encode())
        except DecodeError as error:
            return str(error)

    assert read(text) == read(f" {text}")  # which is not looked at as JSON


def test_a_text_of_aliases_cannot_grow_beyond_all_bounds() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 9)]

    with pytest.raises(DecodeError, match="document contains excessive aliasing"):
        parse_yaml("\n".join(lines).encode())


def test_a_text_in_utf_16_is_read() -> None:
    assert parse_yaml("a: é".encode("utf-16")) == ({"a": "é"}, ())


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(DecodeError, match=r"^yaml: invalid leading UTF-8 octet$"):
        parse_yaml(b"a: \xff")
