"""Sets of characters: ranges, Perl's and POSIX's classes, Unicode categories and scripts; case or no case."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Ranges = tuple[tuple[str, str], ...]

_DIGIT: Final[Ranges] = (("0", "9"),)
_UPPER: Final[Ranges] = (("A", "Z"),)
_LOWER: Final[Ranges] = (("a", "z"),)
_ALPHA: Final[Ranges] = _UPPER + _LOWER
_ALNUM: Final[Ranges] = _DIGIT + _ALPHA
WORD: Final[Ranges] = (*_ALNUM, ("_", "_"))
_PUNCT: Final[Ranges] = (("!", "/"), (":", "@"), ("[", "`"), ("{", "~"))
NEWLINE: Final[Ranges] = (("\n", "\n"),)

PERL: Final[Mapping[str, Ranges]] = {
    "d": _DIGIT,
    "s": (("\t", "\n"), ("\f", "\r"), (" ", " ")),
    "w": WORD,
}
POSIX: Final[Mapping[str, Ranges]] = {
    "alnum": _ALNUM,
    "alpha": _ALPHA,
    "ascii": (("\x00", "\x7f"),),
    "blank": (("\t", "\t"), (" ", " ")),
    "cntrl": (("\x00", "\x1f"), ("\x7f", "\x7f")),
    "digit": _DIGIT,
    "graph": (("!", "~"),),
    "lower": _LOWER,
    "print": ((" ", "~"),),
    "punct": _PUNCT,
    "space": (("\t", "\r"), (" ", " ")),
    "upper": _UPPER,
    "word": WORD,
    "xdigit": (("0", "9"), ("A", "F"), ("a", "f")),
}

_CATEGORIES: Final = frozenset({
    "C", "Cc", "Cf", "Cn", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd",
    "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp",
    "Zs",
})  # fmt: skip
_ALIASES: Final[Mapping[str, str]] = {
    "Casedletter": "Lc", "Closepunctuation": "Pe", "Combiningmark": "M", "Connectorpunctuation": "Pc",
    "Control": "Cc", "Currencysymbol": "Sc", "Dashpunctuation": "Pd", "Decimalnumber": "Nd",
    "Enclosingmark": "Me", "Finalpunctuation": "Pf", "Format": "Cf", "Initialpunctuation": "Pi",
    "Letter": "L", "Letternumber": "Nl", "Lineseparator": "Zl", "Lowercaseletter": "Ll", "Mark": "M",
    "Mathsymbol": "Sm", "Modifierletter": "Lm", "Modifiersymbol": "Sk", "Nonspacingmark": "Mn",
    "Number": "N", "Openpunctuation": "Ps", "Other": "C", "Otherletter": "Lo", "Othernumber": "No",
    "Otherpunctuation": "Po", "Othersymbol": "So", "Paragraphseparator": "Zp", "Privateuse": "Co",
    "Punctuation": "P", "Separator": "Z", "Spaceseparator": "Zs", "Spacingmark": "Mc", "Surrogate": "Cs",
    "Symbol": "S", "Titlecaseletter": "Lt", "Unassigned": "Cn", "Uppercaseletter": "Lu", "Cntrl": "Cc",
    "Digit": "Nd", "Punct": "P",
}  # fmt: skip
_SCRIPTS: Final = frozenset({
    "Adlam", "Ahom", "Arabic", "Armenian", "Avestan", "Balinese", "Bamum", "Batak", "Bengali", "Bhaiksuki",
    "Bopomofo", "Brahmi", "Braille", "Buginese", "Buhid", "Carian", "Chakma", "Cham", "Cherokee",
    "Chorasmian", "Common", "Coptic", "Cuneiform", "Cypriot", "Cyrillic", "Deseret", "Devanagari", "Dogra",
    "Duployan", "Elbasan", "Elymaic", "Ethiopic", "Georgian", "Glagolitic", "Gothic", "Grantha", "Greek",
    "Gujarati", "Gurmukhi", "Han", "Hangul", "Hanunoo", "Hatran", "Hebrew", "Hiragana", "Inherited",
    "Javanese", "Kaithi", "Kannada", "Katakana", "Kawi", "Kharoshthi", "Khmer", "Khojki", "Khudawadi",
    "Lao", "Latin", "Lepcha", "Limbu", "Lisu", "Lycian", "Lydian", "Mahajani", "Makasar", "Malayalam",
    "Mandaic", "Manichaean", "Marchen", "Medefaidrin", "Miao", "Modi", "Mongolian", "Mro", "Multani",
    "Myanmar", "Nabataean", "Nandinagari", "Newa", "Nko", "Nushu", "Ogham", "Oriya", "Osage", "Osmanya",
    "Palmyrene", "Phoenician", "Rejang", "Runic", "Samaritan", "Saurashtra", "Sharada", "Shavian",
    "Siddham", "Sinhala", "Sogdian", "Soyombo", "Sundanese", "Syriac", "Tagalog", "Tagbanwa", "Takri",
    "Tamil", "Tangsa", "Tangut", "Telugu", "Thaana", "Thai", "Tibetan", "Tifinagh", "Tirhuta", "Toto",
    "Ugaritic", "Vai", "Vithkuqi", "Wancho", "Yezidi", "Yi",
})  # fmt: skip
_OTHERS: Final = frozenset({"Any", "Assigned", "Ascii", "Lc"})
_CASED: Final = ("Lu", "Ll", "Lt")
_LAST_FOLDED: Final = 0x1E943


@dataclass(frozen=True, slots=True)
class Part:
    """Some characters: those in the ranges, or of a Unicode property; or all but those."""

    ranges: Ranges = ()
    unicode: str = ""
    negated: bool = False

    def has(self, alike: Iterable[str]) -> bool:
        """Whether any of several characters, which differ in case only, is among these."""
        return any(self._has(char) for char in alike) is not self.negated

    def _has(self, char: str) -> bool:
        if self.unicode:
            return _has_property(char, self.unicode)
        return any(low <= char <= high for low, high in self.ranges)


@dataclass(frozen=True, slots=True)
class CharSet:
    """A set of characters, the union of its parts or all but that; `folded` where case does not matter."""

    parts: tuple[Part, ...]
    negated: bool = False
    folded: bool = field(default=False, kw_only=True)

    def has(self, char: str) -> bool:
        """Whether a character is in the set."""
        alike = orbit(char) if self.folded else (char,)
        return any(part.has(alike) for part in self.parts) is not self.negated


ANY: Final = CharSet((), negated=True)
NOT_NEWLINE: Final = CharSet((Part(NEWLINE),), negated=True)


def property_named(name: str) -> str | None:
    r"""The Unicode property that a name in `\p{…}` stands for; `None` where there is none."""
    canonical = "".join(char for char in name if char not in "_- ")
    canonical = canonical[:1].upper() + canonical[1:].lower()
    canonical = _ALIASES.get(canonical, canonical)
    known = canonical in _CATEGORIES or canonical in _SCRIPTS or canonical in _OTHERS
    return canonical if known and name.isascii() else None


def orbit(char: str) -> tuple[str, ...]:
    """The characters that differ from one in case only, itself included."""
    if char.isascii():
        extra = {"k": "\u212a", "s": "\u017f"}.get(char.lower(), "")
        return (char, char.swapcase(), *extra) if char.isalpha() else (char,)
    return _orbits().get(_simple_fold(char), (char,))


def _has_property(char: str, name: str) -> bool:
    category = unicodedata.category(char)
    if name in _CATEGORIES:
        return category.startswith(name)
    match name:
        case "Any":
            return True
        case "Assigned":
            return category != "Cn"
        case "Ascii":
            return char.isascii()
        case "Lc":
            return category in _CASED
    return _script(char) == name


def _script(char: str) -> str:
    # Python has no table of scripts. The name of a character nearly always has its script's name in it.
    words = unicodedata.name(char, "").replace("-", " ").split()
    if not words:
        return ""
    if words[0] in ("CJK", "KANGXI") and {"IDEOGRAPH", "RADICAL"}.intersection(words):
        return "Han"
    if words[0] == "COMBINING":
        return "Inherited"
    return next((word.capitalize() for word in words if word.capitalize() in _SCRIPTS), "Common")


def _simple_fold(char: str) -> str:
    if char == "\u0131":  # the dotless i has an upper case, but folds to nothing
        return char
    upper = char.upper()
    upper = upper if len(upper) == 1 else char
    lower = upper.lower()
    return lower if len(lower) == 1 else upper


@cache
def _orbits() -> Mapping[str, tuple[str, ...]]:
    # Some 50 ms, once, and only for a text beyond ASCII and an expression that ignores case.
    orbits: dict[str, list[str]] = {}
    for char in map(chr, range(ord("A"), _LAST_FOLDED + 1)):
        orbits.setdefault(_simple_fold(char), []).append(char)
    return {fold: tuple(chars) for fold, chars in orbits.items() if len(chars) > 1}
