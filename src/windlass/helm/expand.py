"""The environment in texts, as Go's `os.Expand` and the template functions `env` and `expandenv` have it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

_VARIABLE: Final = re.compile(r"\$(?:\{([^}]*)\}|(\{)|([*#$@!?\-0-9]|[A-Za-z0-9_]+))")
_LITERAL: Final = r"""(?P<{name}>"(?:[^"\\\n]|\\.)*"|`[^`]*`)"""
_CALL: Final = re.compile(
    rf"(?<![\w.$])(?P<direct>env|expandenv)\s+{_LITERAL.format(name='argument')}"
    rf"|{_LITERAL.format(name='piped')}\s*\|\s*(?P<after>env|expandenv)(?![\w.])"
)
_ACTION: Final = re.compile(r"\{\{.*?\}\}", re.DOTALL)


def expand(text: str, environment: Mapping[str, str]) -> str:
    """Replace `$NAME` and `${NAME}`; what is not set is empty, and there is no way to write a `$` otherwise.

    A `$` that no name follows stays.
    """

    def value(found: re.Match[str]) -> str:
        return environment.get(found[1] or found[3] or "", "")

    return _VARIABLE.sub(value, text)


def inline_environment(template: str, environment: Mapping[str, str]) -> str:
    """Replace the calls `env "NAME"` and `expandenv "…"` of a template by what they return.

    Helm does not have these functions, so that charts cannot read secrets of its process; who writes
    overrides owns the process.
    """

    def value(call: re.Match[str]) -> str:
        argument = _unquoted(call["argument"] or call["piped"])
        name = call["direct"] or call["after"]
        found = expand(argument, environment) if name == "expandenv" else environment.get(argument, "")
        return orjson.dumps(found).decode()

    return _ACTION.sub(lambda action: _CALL.sub(value, action[0]), template)


def _unquoted(literal: str) -> str:
    if literal.startswith("`"):
        return literal[1:-1]
    return re.sub(r"\\(.)", r"\1", literal[1:-1])
