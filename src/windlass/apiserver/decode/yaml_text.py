"""YAML bodies, read as the real server reads them: YAML 1.1 with the habits of Go's library."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from windlass.apiserver.decode.problem import DecodeError
from windlass.schema.fault import shown

if TYPE_CHECKING:
    import yaml

_PLAIN: Final = "plain"
_MERGE: Final = "<<"
_WORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
}
_INFINITIES: Final = re.compile(r"([+-]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_INTEGER: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+)")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_OCTAL: Final = re.compile(r"([+-]?)0+([0-7])")
_INT64: Final = range(-(2**63), 2**64)


def parse_yaml(body: bytes) -> tuple[Any, tuple[str, ...]]:
    """The value of the first document of a text, and the repeated keys in it by their lines.

    Objects come with their keys in order, as they would in the JSON that the server makes of YAML.

    Raises:
        DecodeError: the text is no YAML, or has something that is not in JSON.
    """
    import yaml  # only who sends YAML pays for it

    parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader = type("_Loader", (parser,), {"yaml_implicit_resolvers": {}, "DEFAULT_SCALAR_TAG": _PLAIN})
    try:
        node = next(iter(yaml.compose_all(body.decode("utf-8", "replace"), loader)), None)
    except yaml.YAMLError as error:
        raise DecodeError(_why_not(error)) from error
    build = _Build()
    value = None if node is None else build.value(node)
    return value, tuple(build.repeated)


def _why_not(error: Exception) -> str:
    mark = getattr(error, "context_mark", None) or getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    if problem.startswith("found undefined alias"):
        anchor = re.search(r"'?([^' ]+)'?$", problem)
        return f"yaml: unknown anchor '{anchor[1] if anchor else ''}' referenced"
    return f"yaml: line {mark.line + 1}: {problem}" if mark else f"yaml: {problem}"


class _Build:
    """Makes a value of nodes."""

    def __init__(self) -> None:
        self.repeated: list[str] = []
        self._above: set[int] = set()

    def value(self, node: yaml.Node) -> Any:
        if id(node) in self._above:
            raise DecodeError(f"yaml: anchor '{getattr(node, 'anchor', '')}' value contains itself")
        kind = node.id
        if kind == "scalar":
            return scalar(node.value, plain=node.tag == _PLAIN and not node.style)
        self._above.add(id(node))
        made = [self.value(each) for each in node.value] if kind == "sequence" else self._mapping(node)
        self._above.discard(id(node))
        return made

    def _mapping(self, node: yaml.Node) -> dict[str, Any]:
        own: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key, value in node.value:
            if key.id == "scalar" and key.value == _MERGE and not key.style:
                for each in value.value if value.id == "sequence" else [value]:
                    merged = self._merge(each) | merged
                continue
            name = self._key(key)
            if name in own:
                line = key.start_mark.line + 1
                self.repeated.append(f"line {line}: key {shown(self.value(key))} already set in map")
            own[name] = self.value(value)
        return dict(sorted((merged | own).items()))

    def _merge(self, node: yaml.Node) -> dict[str, Any]:
        if node.id != "mapping":
            raise DecodeError("yaml: map merge requires map or sequence of maps as the value")
        return self._mapping(node)

    def _key(self, node: yaml.Node) -> str:
        key = self.value(node)
        if isinstance(key, str):
            return key
        if isinstance(key, (bool, int, float)):
            return shown(key)
        if key is None:
            raise DecodeError("unsupported map key of type: %!s(<nil>), key: <nil>")
        raise DecodeError(f"yaml: invalid map key: {shown(key)}")


def scalar(text: str, *, plain: bool) -> Any:
    """The value of a scalar: what is quoted or tagged is text, the rest is what it looks like."""
    if not plain:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _INFINITIES.fullmatch(text):
        sign = "-" if text[0] == "-" else "+"
        raise DecodeError(f"json: unsupported value: {'NaN' if text[1] in 'nN' else f'{sign}Inf'}")
    digits = text.replace("_", "")
    if _INTEGER.fullmatch(digits):
        number = int(_OCTAL.sub(r"\g<1>0o\g<2>", digits, count=1), 0)
        return number if number in _INT64 else float(number)
    if _FLOAT.fullmatch(digits):
        number = float(digits)
        return int(number) if number.is_integer() and int(number) in _INT64 else number
    return text
