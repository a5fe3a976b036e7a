"""The hash of a pod template that names replica sets: the very one that kube-controller-manager computes.

That one hashes the template as Go prints it, with types and with every field that is not set, so that the
fields of the Go types and their order have to be known: `template.json` has them (`scripts/facts/template`).
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

if TYPE_CHECKING:
    from windlass.api import Json

_TEMPLATE: Final = "v1.PodTemplateSpec"
_ALPHABET: Final = "bcdfghjklmnpqrstvwxz2456789"
"""No vowels, and no digits that look like them: no bad words."""
_NIL: Final = "<nil>"
_NO_TIME: Final = "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}"
_NUMBER: Final = re.compile(r"([+-]?)(\d*)\.?(\d*)(.*)")
_DECIMAL: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DIGITS: Final = 18
"""How many digits an int64 surely holds."""


def template_hash(template: Json, collisions: int | None = None) -> str:
    """The hash of a template as it stands on the wire, and of how often that has collided.

    A quantity that an int64 cannot hold is hashed by its text, which a real cluster does in another way.
    """
    content = _printed(_TEMPLATE, template, _go_types())
    data = f"({_TEMPLATE}){content}".encode()
    if collisions is not None:
        data += collisions.to_bytes(4, "little") + bytes(4)
    return safe_encoded(str(_fnv32a(data)))


def safe_encoded(text: str) -> str:
    """A text in an alphabet without vowels, character by character."""
    return "".join(_ALPHABET[ord(character) % len(_ALPHABET)] for character in text)


class _GoTypes(NamedTuple):
    """The fields of each struct (Go name, JSON name, type), and what other names stand for."""

    structs: dict[str, list[tuple[str, str, str]]]
    names: dict[str, str]


@cache
def _go_types() -> _GoTypes:
    return _GoTypes(**orjson.loads(files(__package__).joinpath("template.json").read_bytes()))


def _printed(type_: str, value: Any, known: _GoTypes) -> str:
    """A value as `%#v` of go-spew prints it, without its type."""
    if type_.startswith("*"):
        return _NIL if value is None else _printed(type_[1:], value, known)
    if type_.startswith("[]"):
        each = [_printed(type_[2:], item, known) for item in value or ()]
        return f"[{' '.join(each)}]" if each else _NIL
    if type_.startswith("map["):
        inner = type_.partition("]")[2]
        pairs = [f"{key}:{_printed(inner, item, known)}" for key, item in sorted((value or {}).items())]
        return f"map[{' '.join(pairs)}]" if pairs else _NIL
    if type_ in known.structs:
        fields = known.structs[type_]
        return f"{{{' '.join(_field(field, value or {}, known) for field in fields)}}}"
    return _scalar(type_, value, known)


def _field(field: tuple[str, str, str], struct: Json, known: _GoTypes) -> str:
    go_name, name, type_ = field
    value = struct.get(name) if name else struct  # what is embedded has its fields in the same object
    return f"{go_name}:({type_}){_printed(type_, value, known)}"


def _scalar(type_: str, value: Any, known: _GoTypes) -> str:
    match known.names.get(type_, type_):
        case "string":
            printed = str(value or "")
        case "bool":
            printed = "true" if value else "false"
        case "int32" | "int64":
            printed = str(value or 0)
        case "resource.Quantity":
            printed = _quantity(str(value or "0"))
        case "intstr.IntOrString":
            printed = _int_or_string(value or 0)
        case "v1.Time":
            printed = _NO_TIME  # no template has one
        case other if other != type_:
            printed = _printed(other, value, known)
        case _:  # what is in no template, as nobody may set it there
            printed = str(value)
    return printed


def _int_or_string(value: int | str) -> str:
    kind, number, text = (1, 0, value) if isinstance(value, str) else (0, value, "")
    return f"{{Type:(intstr.Type){kind} IntVal:(int32){number} StrVal:(string){text}}}"


def _quantity(text: str) -> str:
    """A quantity as Go keeps it: a number with an exponent, and its text where that is canonical."""
    sign, whole, fraction, suffix = _NUMBER.findall(text)[0]
    whole = whole.lstrip("0") or "0"
    if suffix in _BINARY:
        value, scale, form = int(whole) << _BINARY[suffix], 0, "BinarySI"
        exact = not fraction and 15 - len(whole) - _BINARY[suffix] * 3 // 10 - 1 >= 0
        canonical = bool(int(whole) & 7)
    else:
        form = "DecimalSI" if suffix in _DECIMAL else "DecimalExponent"
        exponent = _DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:])
        digits, scale = whole + fraction, exponent - len(fraction)
        value, exact = int(digits), len(digits) <= _DIGITS and scale >= _DECIMAL["n"]
        canonical = scale % 3 == 0 and not digits.endswith("000") and not digits.startswith("0")
    if not exact:
        return text
    return (
        f"{{i:(resource.int64Amount){{value:(int64){sign.strip('+')}{value} scale:(resource.Scale){scale}}} "
        f"d:(resource.infDecAmount){{Dec:(*inf.Dec){_NIL}}} "
        f"s:(string){text if canonical or text == '0' else ''} Format:(resource.Format){form}}}"
    )


def _fnv32a(data: bytes) -> int:
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value
