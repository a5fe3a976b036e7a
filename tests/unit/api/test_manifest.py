import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windlass.api import read_yaml, write_yaml
from windlass.errors import ConfigError

# What kubectl (sigs.k8s.io/yaml) makes of each scalar.
SCALARS: list[tuple[str, Any]] = [
    ("yes", True), ("Yes", True), ("YES", True), ("on", True), ("On", True), ("y", True), ("Y", True),
    ("true", True), ("True", True), ("TRUE", True), ("tRue", "tRue"),
    ("no", False), ("off", False), ("OFF", False), ("n", False), ("N", False), ("false", False),
    ("null", None), ("Null", None), ("NULL", None), ("~", None), ("nULL", "nULL"),
    ("0", 0), ("1", 1), ("-1", -1), ("+1", 1), ("1_000", 1000), ("9223372036854775807", 2**63 - 1),
    ("010", 8), ("0o10", 8), ("0O7", 7), ("-0o7", -7), ("0x1F", 31), ("0X1F", 31), ("0b11", 3), ("00", 0),
    ("08", 8), ("09.5", 9.5), ("1.0", 1), ("5.", 5), (".5", 0.5), ("-.5", -0.5), ("+.5", 0.5), ("1.5", 1.5),
    ("1e3", 1000), ("1E3", 1000), ("1e+3", 1000), ("1e-3", 0.001), ("1.5e3", 1500), ("4e5", 400000),
    ("1e400", "1e400"), ("1e", "1e"), ("1e-", "1e-"), ("0b2", "0b2"), ("0o8", "0o8"), ("0x", "0x"),
    ("1E_", "1E_"), ("+_3", 3), ("0__x1F", 31),
    ("1.2.3", "1.2.3"), ("_1", "_1"), ("1,000", "1,000"), ("inf", "inf"), ("nan", "nan"),
    ("12:30", "12:30"), ("12:30:45", "12:30:45"), ("190:20:30", "190:20:30"), ("8080:80", "8080:80"),
    ("2026-01-01", "2026-01-01"), ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), ("=", "="), ("<<", "<<"),
    ("'yes'", "yes"), ('"1"', "1"), ("!!str 1", "1"), ("a b", "a b"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SCALARS)
def test_a_scalar_is_read_as_kubectl_reads_it(text: str, value: Any) -> None:
    [read] = read_yaml(f"v: {text}\n")
    assert (read["v"], type(read["v"])) == (value, type(value))


@pytest.mark.parametrize(
    "text", [text for text, _ in SCALARS] + [".inf", "-.inf", ".nan", "", " ", "- a", "a: b", "#"]
)
def test_a_text_is_written_so_that_it_stays_a_text(text: str) -> None:
    written = write_yaml([{text: text, "list": [text]}])
    assert read_yaml(written) == [{text: text, "list": [text]}]


# kubectl takes each of these for a number or a boolean unless it is quoted, though PyYAML does not.
@pytest.mark.parametrize(
    "text",
    ["y", "N", "1e3", "4e5", "08", "0o10", "0O7", "-.5", "1.5e3", ".1e3", "00e1", "1e1_0", "0X1F", "+_3"],
)
def test_a_text_that_kubectl_would_misread_is_quoted(text: str) -> None:
    assert write_yaml([{"v": text}]) == f"v: '{text}'\n"
    assert write_yaml([{text: 1}]) == f"'{text}': 1\n"


@pytest.mark.parametrize("text", ["2026-01-01", "12:30", "=", "yes", "null", "1", "~"])
def test_a_text_that_any_reader_would_misread_is_quoted(text: str) -> None:
    assert write_yaml([{"v": text}]) == f"v: '{text}'\n"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("1", "1"),
        ("true", "true"),
        ("yes", "true"),
        ("off", "false"),
        ("1.5", "1.5"),
        ("1e3", "1000"),
        ("0x10", "16"),
    ],
)
def test_every_key_is_a_text(text: str, key: str) -> None:
    assert read_yaml(f"outer:\n  {text}: a\n") == [{"outer": {key: "a"}}]


@pytest.mark.parametrize("text", ["null: a", "~: a", "? [1]\n: b", "? {a: 1}\n: b"])
def test_what_cannot_be_a_key_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="the manifest is not YAML"):
        read_yaml(text)


def test_keys_that_python_takes_for_the_same_are_two() -> None:
    assert read_yaml("{1: a, true: b}") == [{"1": "a", "true": "b"}]


def test_a_key_that_comes_again_wins() -> None:
    assert read_yaml("a: 1\na: 2\n1: a\n'1': b\n") == [{"a": 2, "1": "b"}]


def test_every_document_is_read_and_empty_ones_are_left_out() -> None:
    text = "---\n# a comment\n---\na: 1\n---\n\n---\nb: 2\n...\n---\nnull\n"
    assert read_yaml(text) == [{"a": 1}, {"b": 2}]
    assert read_yaml("") == read_yaml("# nothing\n") == []


def test_json_is_yaml() -> None:
    value = {"a": [1, None, True, "x", {"b": "1e3"}], "2026": "2026-01-01"}
    assert read_yaml(json.dumps(value)) == [value]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_bytes_are_read_in_the_encodings_of_yaml(encoding: str) -> None:
    assert read_yaml("a: grüß 你好 🚢\n".encode(encoding)) == [{"a": "grüß 你好 🚢"}]


def test_aliases_and_merges_are_resolved() -> None:
    text = "base: &base {a: 1, b: 2}\nmore:\n  <<: *base\n  b: 3\nagain: *base\n"
    assert read_yaml(text) == [
        {"base": {"a": 1, "b": 2}, "more": {"a": 1, "b": 3}, "again": {"a": 1, "b": 2}}
    ]


@pytest.mark.parametrize(
    "text", ["a: b: c", "a: [", "\ta: b", "a: 'b", "*unknown", "!!python/object:os.system {}", "\x00"]
)
def test_what_is_no_yaml_is_refused_with_its_source_and_place(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^crd\.yaml is not YAML: (.|\n)*(line [12]|position 0)"):
        read_yaml(f"{text}\n", source="crd.yaml")


@pytest.mark.parametrize("data", [b"a: \xff\xfe\xff\n", b"a: !!int b", b"a: !!float b"])
def test_a_value_that_is_not_what_it_says_is_refused(data: bytes) -> None:
    with pytest.raises(ConfigError, match=r"^the manifest is not YAML"):
        read_yaml(data)


def test_keys_keep_their_order_and_lists_are_indented() -> None:
    document = {"kind": "Shop", "apiVersion": "v1", "spec": {"z": [1, {"b": 1, "a": 2}], "a": {}, "e": []}}
    assert write_yaml([document]) == (
        "kind: Shop\napiVersion: v1\nspec:\n  z:\n    - 1\n    - b: 1\n      a: 2\n  a: {}\n  e: []\n"
    )


def test_documents_are_parted_by_dashes() -> None:
    assert write_yaml([{"a": 1}, {"b": 2}]) == "a: 1\n---\nb: 2\n"
    assert write_yaml([]) == ""


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\nb\n", "v: |\n  a\n  b\n"),
        ("a\nb", "v: |-\n  a\n  b\n"),
        ("a\n\n\n", "v: |+\n  a\n\n\n...\n"),
        ("  a\nb\n", "v: |2\n    a\n  b\n"),
    ],
)
def test_a_text_of_several_lines_is_a_literal_block(text: str, written: str) -> None:
    assert write_yaml([{"v": text}]) == written
    assert read_yaml(written) == [{"v": text}]


def test_unicode_is_written_as_it_is() -> None:
    assert write_yaml([{"v": "grüß 你好 🚢"}]) == "v: grüß 你好 🚢\n"


def test_a_value_that_is_used_twice_is_written_twice() -> None:
    shared = {"a": [1]}
    assert write_yaml([{"b": shared, "c": shared}]) == "b:\n  a:\n    - 1\nc:\n  a:\n    - 1\n"


texts = st.text(st.characters(codec="utf-8", exclude_characters="\ufffe\uffff"), max_size=20)
texts |= st.text(st.sampled_from(" \n\t\r-:#'\"|>&*!%@`{}[],?yn01e.\u0085\u2028\ufeff"), max_size=12)
numbers = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.property
@settings(deadline=None)
@given(st.lists(st.dictionaries(texts, values, max_size=3), max_size=3))
def test_what_is_written_is_read_back(documents: list[dict[str, Any]]) -> None:
    assert read_yaml(write_yaml(documents)) == documents


def laughs(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 10)}]" for at in range(1, levels)]
    return "\n".join(lines)


NESTED_MERGES = f"a: {'{<<: ' * 150}{{{','.join(f'k{at}: 1' for at in range(1000))}}}{'}' * 150}"
MERGE_BOMB = "a0: &a0 {k: 1}\n" + "".join(
    f"a{at}: &a{at} {{<<: [{', '.join([f'*a{at - 1}'] * 10)}]}}\n" for at in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        pytest.param(laughs(9), "its aliases repeat more than 4 MiB", id="aliases"),
        pytest.param(MERGE_BOMB, "its aliases repeat more than 4 MiB", id="merges of aliases"),
        pytest.param(f"a: &a {'x' * 2**20}\nb: [*a, *a, *a, *a, *a]", "its aliases repeat", id="a text"),
        pytest.param("&a [*a]", "an alias in it names what it is a part of", id="cycle"),
        pytest.param("a: &a {b: {c: *a}}", "an alias in it names what it is a part of", id="map cycle"),
        pytest.param(
            "- &a0 [x]\n" + "".join(f"- &a{at} [*a{at - 1}]\n" for at in range(1, 300)),
            "with its aliases it nests deeper than 200 levels",
            id="chain",
        ),
        pytest.param("[" * 100_000, "it nests deeper than 200 levels", id="deep flow"),
        pytest.param("- " * 100_000, "it nests deeper than 200 levels", id="deep block"),
        pytest.param(NESTED_MERGES, "its merge keys .<<. copy more than 100000 keys", id="nested merges"),
        pytest.param("a: {" + "<<: {}, " * 100_001 + "}", "its merge keys", id="many merges"),
        pytest.param(
            "".join(f"%TAG !a{at}! tag:x\n" for at in range(1001)) + "---\na: 1",
            "it has more than 1000 %TAG directives",
            id="directives",
        ),
    ],
)
@pytest.mark.parametrize("encoding", [None, "utf-8", "utf-16"])
def test_a_text_that_takes_too_much_memory_stack_or_time_is_refused(
    text: str, limit: str, encoding: str | None
) -> None:
    with pytest.raises(ConfigError, match=rf"^values\.yaml is refused: {limit}"):
        read_yaml(text.encode(encoding) if encoding else text, "values.yaml")


def test_aliases_and_merges_within_the_limits_are_read() -> None:
    [read] = read_yaml(laughs(4))
    [merged] = read_yaml("base: &base {a: 1}\n" + "".join(f"k{at}: {{<<: *base}}\n" for at in range(5000)))

    assert (len(read["a3"]), read["a3"][0][0][0]) == (10, ["x"] * 10)
    assert merged["k4999"] == {"a": 1}


@pytest.mark.parametrize("text", ["- x\n" * 1000, "[x," * 1 + "x," * 999 + "]", "--- x\n" * 1001])
def test_more_nodes_than_allowed_are_refused_and_as_many_are_not(text: str) -> None:
    with pytest.raises(ConfigError, match="is refused: it has more than 1000 keys, values and items"):
        read_yaml(text, most_nodes=1000)
    assert read_yaml(text, most_nodes=1001)


def test_of_a_path_no_other_keys_are_read_nor_counted() -> None:
    text = "x: [1, 2, 3, 4, 5, 6]\nentries:\n  other: {a: [b]}\n  web:\n    - version: '1.10'\n? [k]\n: 1\n"

    assert read_yaml(text, most_nodes=8, only=("entries", "web")) == [
        {"entries": {"web": [{"version": "1.10"}]}}
    ]
    assert read_yaml("entries: [a]", only=("entries", "web")) == [{"entries": None}]
    assert read_yaml("- a", only=("entries",)) == read_yaml("", only=("entries",)) == []
    with pytest.raises(ConfigError, match="is refused: it has more than 1000"):
        read_yaml(f"a:\n{'  - x' * 1}\n" + "  - x\n" * 3000, most_nodes=1000, only=("a",))
    with pytest.raises(ConfigError, match="is not YAML"):
        read_yaml("a: 1\nb: [", only=("a",))


def test_a_number_that_no_integer_of_64_bits_holds_is_a_float_or_stays_text() -> None:
    text = "a: 18446744073709551615\nb: 18446744073709551616\nc: 0x10000000000000000\n"

    assert read_yaml(text) == [{"a": 2**64 - 1, "b": float(2**64), "c": "0x10000000000000000"}]


@pytest.mark.parametrize("text", ["!!set {a}", "!!binary aaaa", "!!omap [a: 1]", "!!pairs [a: 1]"])
def test_a_type_that_json_does_not_have_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="is not YAML"):
        read_yaml(f"a: {text}")
