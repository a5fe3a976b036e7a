"""Calls of the functions of CEL's libraries that read texts, with texts that are right, or nearly so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_TOO_LARGE: Final = re.compile(r"[eE][+-]?[0-9]{4}")
"""Go takes very long for quantities with such an exponent."""


@dataclass(frozen=True, slots=True)
class Notation:
    """Texts of one kind, the characters that they are made of, and expressions that read one or two of them."""

    texts: Sequence[str]
    alphabet: str
    expressions: Sequence[str]

    def expression(self, random: Random) -> str:
        """An expression that reads a text, and maybe another."""
        written = (literal(self._text(random)) for _ in range(2))
        return random.choice(self.expressions).format(*written)

    def _text(self, random: Random) -> str:
        while True:
            chars = list(random.choice(self.texts))
            for _ in range(random.randrange(4)):
                self._spoil(chars, random)
            text = "".join(chars)
            if not _TOO_LARGE.search(text):
                return text

    def _spoil(self, chars: list[str], random: Random) -> None:
        at = random.randrange(len(chars) + 1)
        match random.randrange(3):
            case 0:
                del chars[at : at + 1]
            case 1:
                chars.insert(at, random.choice(self.alphabet))
            case _:
                chars[at:at] = chars[max(0, at - 4) : at]


NOTATIONS: Final = {
    "url": Notation(
        (
            *("http://user:pa%20ss@example.com:80/a/b%2fc?d=e&f=g#frag", "https://[fe80::1%25eth0]:8080/x"),
            *("mailto:a@b?x", "/a/b?c", "//h/p", "http://h:1:2/", "http://%41%c3%a9.com/", "http://a@b@c/d"),
            *("http://h/%zz?%zz=%41&&a;b=c", "*", "http:/a", "http:///p", "../x", "http://h?", "HTTP://A"),
        ),
        "abz09.:/%+-?#&;=@[]*!$'()<>\"\\ {}|^~_é日,\x7f",
        (
            "[url({0}).getScheme(), url({0}).getHost(), url({0}).getPort(), url({0}).getEscapedPath()]",
            "url({0}).getQuery()",
            "isURL({0})",
            "url({0}) == url({1})",
        ),
    ),
    "ip": Notation(
        ("127.0.0.1", "2001:db8::1", "::", "::1.2.3.4", "fe80::1%eth0", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"),
        "0123456789abcdefg.:%x ",
        (
            "string(ip({0}))",
            "ip.isCanonical({0})",
            "[ip({0}).isLoopback(), ip({0}).isGlobalUnicast(), ip({0}).isLinkLocalMulticast()]",
        ),
    ),
    "cidr": Notation(
        ("10.0.0.0/8", "::/0", "1:2::/64", "255.255.255.255/32", "1.2.3.4"),
        "0123456789abcdef.:/",
        ("string(cidr({0}).masked())", "cidr({0}).containsCIDR({1})", "cidr({0}).containsIP({1})"),
    ),
    "quantity": Notation(
        (
            *("1", "100m", "1.5Gi", "-3e10", "1E", "9223372036854775807", "0.000000001", "12Pi", "1e-9"),
            *("123456789012345678", "1Ti", "99Ti", ".5", "+7n", "1000000u"),
        ),
        "0123456789.+-eEinumkKMGTP",
        (
            "[quantity({0}).isInteger(), quantity({0}).add(quantity({1})).isInteger()]",
            "quantity({0}).sub(quantity({1})).asApproximateFloat()",
            "quantity({0}).add(7).asInteger()",
            "quantity({0}).compareTo(quantity({1}))",
        ),
    ),
    "semver": Notation(
        ("1.2.3", "1.2.3-rc.1", "1.2.3+b.1", "v1.2", "0.0.0-0", "1.2.3-rc.1+b", "01.2.3", "1"),
        "0123456789.+-abv",
        (
            "[semver({0}).major(), semver({0}).minor(), semver({0}).patch()]",
            "semver({0}, true).compareTo(semver({1}, true))",
            "semver({0}).compareTo(semver({1}))",
        ),
    ),
    "format": Notation(
        (
            *(
                "abc",
                "a.b.c",
                "example.com/name",
                "a-",
                "A_b",
                "x" * 63,
                "2021-01-01T00:00:00Z",
                "2021-02-29",
            ),
            *("aGVsbG8=", "123e4567-e89b-12d3-a456-426614174000"),
        ),
        "abAB09.-_/ é",
        tuple(
            f"format.{name}().validate({{0}})"
            for name in (
                *("dns1123Label", "dns1123Subdomain", "dns1035Label", "qualifiedName", "dns1123LabelPrefix"),
                *(
                    "dns1123SubdomainPrefix",
                    "dns1035LabelPrefix",
                    "labelValue",
                    "uri",
                    "uuid",
                    "byte",
                    "date",
                ),
                "datetime",
            )
        ),
    ),
}


def literal(text: str) -> str:
    """A text as an expression has it."""
    escaped = "".join(char if char.isascii() and char.isalnum() else f"\\U{ord(char):08x}" for char in text)
    return f"'{escaped}'"
