from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windlass.apiserver.validation import names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Check = Callable[[str], Sequence[str]]
    Table = list[tuple[Check, list[str]]]

FINE: Table = [
    (names.dns_label, ["a", "0", "a-b", "1a", "a" * 63]),
    (names.dns_subdomain, ["a", "a.b", "a-b.c-d", "1.2", "a" * 253]),
    (names.dns_subdomain_underscored, ["_a.b_c", "a"]),
    (names.dns_wildcard, ["*.a", "*.a.b"]),
    (names.dns_1035_label, ["a", "a1-b"]),
    (names.label_key, ["a", "A_b.c-D", "example.com/a", f"{'a' * 253}/{'b' * 63}"]),
    (names.label_value, ["", "a", "A_b.c-D", "b" * 63]),
    (names.path_segment, ["system:a", "Upper", "with blank", "ä", "..."]),
    (names.path_segment_prefix, [".", ".."]),
    (names.port_name, ["http", "a", "a-1", "123456789012a45"]),
    (names.environment_name, ["A", "a b", "1", "~"]),
    (names.config_key, ["a", "A_b.c-D", ".a"]),
    (names.identifier, ["_a", "A1"]),
    (names.http_header, ["X-Header"]),
    (names.percent, ["0%", "250%"]),
]
BROKEN: Table = [
    (names.dns_label, ["", "a.b", "A", "-a", "a-", "a_b", "a" * 64, "ä", "a\n"]),
    (names.dns_subdomain, ["", "A", "a..b", ".a", "a.", "a.-b", "a" * 254]),
    (names.dns_subdomain_underscored, ["", "A", "a_.b"]),
    (names.dns_wildcard, ["*", "a.b", "*.*.a", "*a"]),
    (names.dns_1035_label, ["", "1a", "a-"]),
    (names.label_key, ["", "/", "/a", "a/", "a/b/c", "A.b/c", "a b", "a" * 64, "-a"]),
    (names.label_value, ["-", "a b", "a-", "b" * 64]),
    (names.path_segment, [".", "..", "a/b", "a%b"]),
    (names.path_segment_prefix, ["/", "%"]),
    (names.port_name, ["", "1", "-a", "a--b", "A", "1234567890123456"]),
    (names.environment_name, ["", "=", "a=b", "ä", "\n"]),
    (names.config_key, ["", ".", "..", "..a", "a/b", "a" * 254]),
    (names.identifier, ["", "1a", "a-b"]),
    (names.http_header, ["", "a b"]),
    (names.percent, ["", "%", "1", "-1%", "1.5%"]),
]


def pairs(table: Table) -> dict[str, tuple[Check, str]]:
    return {f"{check.__name__} {text!a}": (check, text) for check, texts in table for text in texts}


@pytest.mark.parametrize(("check", "text"), pairs(FINE).values(), ids=pairs(FINE).keys())
def test_a_proper_name_has_no_problems(check: Check, text: str) -> None:
    assert not check(text)


@pytest.mark.parametrize(("check", "text"), pairs(BROKEN).values(), ids=pairs(BROKEN).keys())
def test_an_improper_name_has_a_problem(check: Check, text: str) -> None:
    assert check(text)


def test_a_label_with_dots_is_told_so() -> None:
    assert names.dns_label("a.b") == ["must not contain dots"]


def test_a_name_can_have_two_problems_at_once() -> None:
    too_long, malformed = names.dns_subdomain("A" * 254)

    assert too_long == "must be no more than 253 characters"
    assert malformed == (
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
        "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
        r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
    )


def test_labels_are_measured_in_bytes_and_say_so() -> None:
    assert names.label_value("a" * 64) == ["must be no more than 63 bytes"]
    assert names.label_key("a" * 64) == ["name part must be no more than 63 bytes"]


def test_other_names_are_measured_in_bytes_too_but_call_them_characters() -> None:
    assert names.dns_label("ä" * 32)[0] == "must be no more than 63 characters"


def test_every_example_of_a_pattern_is_shown() -> None:
    assert names.mismatch("wrong", "x+", "x", "xx") == (
        "wrong (e.g. 'x',  or 'xx', regex used for validation is 'x+')"
    )
