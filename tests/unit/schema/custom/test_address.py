from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from windlass.schema.custom.address import is_cidr, is_email, is_ipv4, is_ipv6, is_mac, is_uri

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("judge", "good", "bad"),
    [
        (is_ipv4, ["1.2.3.4", "001.2.3.4", "::ffff:1.2.3.04"], ["1.2.3", "1.2.3.256", "::1", "1.2.3.4 ", ""]),
        (is_ipv6, ["::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"], ["1.2.3.4", "fe80::1%eth0", "1::2::3", ""]),
        (is_cidr, ["10.0.0.0/8", "::/0", "01.2.3.4/08"], ["10.0.0.0", "10.0.0.0/33", "::/129", "::/", "/8"]),
        (
            is_mac,
            ["00:11:22:33:44:55", "00-11-22-33-44-55-66-77", "0011.2233.4455"],
            ["0", "00:11:22:33:44", "00:11-22:33:44:55", "0011.2233.445"],
        ),
        (
            is_uri,
            [
                "https://example.com/a?b=c#d",
                "/relative",
                "mailto:a@b",
                "http://u:p@h:80",
                "http://[::1]:80/",
                "http://[fe80::1%25en0]/",
                "x://a:b:c:1",
                "*",
            ],
            [
                "relative",
                "not a uri",
                "",
                ":x",
                "/a%zz",
                "http://h:x/",
                "http://a:b:1/",
                "http://a b/",
                "http://[::1/",
                "http://[1.2.3.4]/",
                "/a\n",
            ],
        ),
        (
            is_email,
            ["a@example.com", "A B <a@b>", '"q r"@x', "a@[1.2.3.4]", "g: a@b;", "a@b (c (d))", "<a@b>"],
            ["a", "a@", "@b", "a.@b", "a..b@c", "a b@c", "a@b c@d", "a@[x]", '""@x', "A B", "g: ;"],
        ),
    ],
    ids=["ipv4", "ipv6", "cidr", "mac", "uri", "email"],
)
def test_an_address_is_told_from_what_is_none(
    judge: Callable[[str], bool], good: list[str], bad: list[str]
) -> None:
    assert [text for text in good if not judge(text)] == []
    assert [text for text in bad if judge(text)] == []
