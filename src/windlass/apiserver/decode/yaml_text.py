"""YAML bodies, read as the real server reads them: YAML 1.1 with the habits of Go's library."""

from __future__ import annotations

import re
from typing import Any, Final

from windlass.apiserver.decode.problem import DecodeError
from windlass.schema import shown

_PLAIN: Final = "plain"
_MERGE: Final = "<<"
_TYPED: Final = frozenset(f"tag:yaml.org,2002:{name}" for name in ("bool", "float", "int", "null"))
_ALIAS: Final = re.compile(r"\*([^\s,\[\]{}]+)")
_WORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
}
_INFINITIES: Final = re.compile(r"([+-]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_INTEGER: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+)")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_OCTAL: Final = re.compile(r"([+-]?)0+([0-7]+)")
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
    text = body.decode("utf-8", "replace")
    try:
        node = next(iter(yaml.compose_all(text, loader)), None)
    except yaml.YAMLError as error:
        raise DecodeError(_why_not(error, text)) from error
    build = _Build()
    value = None if node is None else build.value(node)
    return value, tuple(build.repeated)


def _why_not(error: Exception, text: str) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    if mark and problem.startswith("found undefined alias"):
        anchor = _ALIAS.match(text.splitlines()[mark.line], mark.column)
        return f"yaml: unknown anchor '{anchor[1] if anchor else ''}' referenced"
    # Go counts lines from nought, but for errors of the scanner.
    line = mark.line + ("Scanner" in type(error).__name__) if mark else 0
    return f"yaml: line {line}: {problem}" if line else f"yaml: {problem}"


class _Build:
    """Makes a value of nodes."""

    def __init__(self) -> None:
        self.repeated: list[str] = []
        self._above: set[int] = set()

    def value(self, node: Any) -> Any:
        if node.id == "scalar":
            return scalar(node.value, plain=node.tag in _TYPED or (node.tag == _PLAIN and not node.style))
        if id(node) in self._above:
            raise DecodeError("yaml: anchor value contains itself")
        self._above.add(id(node))
        made: Any = {}
        if node.id == "sequence":
            made = [self.value(each) for each in node.value]
        else:
            self._add(node, made)
            made = dict(sorted(made.items()))
        self._above.discard(id(node))
        return made

    def _add(self, node: Any, into: dict[str, Any]) -> None:
        """Add the pairs of a mapping; those of another that it merges in come where that is said."""
        if node.id != "mapping":
            raise DecodeError("yaml: map merge requires map or sequence of maps as the value")
        for key, value in node.value:
            if key.id == "scalar" and key.value == _MERGE and not key.style:
                for each in reversed(value.value) if value.id == "sequence" else [value]:
                    self._add(each, into)
                continue
            name = self._key(key, value)
            if name in into:
                line = key.start_mark.line + 1
                self.repeated.append(f"line {line}: key {shown(self.value(key))} already set in map")
            into[name] = self.value(value)

    def _key(self, node: Any, value: Any) -> str:
        key = self.value(node)
        if isinstance(key, str):
            return key
        if isinstance(key, (bool, int, float)):
            return shown(key)
        if key is None:
            beside = shown(self.value(value))
            raise DecodeError(f"unsupported map key of type: %!s(<nil>), key: <nil>, value: {beside}")
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
        octal = _OCTAL.fullmatch(digits)
        number = int(f"{octal[1]}0o{octal[2]}" if octal else digits, 0)
        return number if number in _INT64 else float(number)
    if _FLOAT.fullmatch(digits):
        decimal = float(digits)
        return int(decimal) if decimal.is_integer() and int(decimal) in _INT64 else decimal
    return text
