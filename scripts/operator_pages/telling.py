"""What an operator says in conditions and events, read off its code."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from .source import modules
from .table import table

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD: Final = re.compile(r"(?:[A-Z]+[a-z]+)+")
_QUIET: Final = frozenset({"types", "types.py", "kmm.py", "webhook"})
_MADE: Final = "operators/peerpod/desired"
"""With `_QUIET`, the modules whose words are those of fields, manifests and answers to the API server."""

_NONE: Final = "It makes no events beside those that [every operator](index.md#events) makes.\n"
_PLAIN: Final = frozenset({"True", "False", "Unknown", "Secret", "ConfigMap", "Opaque"})
_SILENT_CALLS: Final = frozenset({"Column", "removesuffix", "info", "referred"})


class Event(NamedTuple):
    """An event that the code makes: how it is called, whether it is a warning, and what it says."""

    reason: str
    is_warning: bool
    message: str


def words(operator: str) -> set[str]:
    """Each word that can be the type or the reason of a condition, or the reason of an event.

    It is every literal in the form of one, but for those that are compared with, listed as names to import,
    or given to functions that do not tell them. So none is left out because it is told in a new way, unless
    it is put together of parts.
    """
    return {
        word
        for path, tree in modules(operator)
        if _QUIET.isdisjoint(path.parts) and not path.is_relative_to(_MADE)
        for word in _literals(tree)
    } - _PLAIN


def events(operator: str) -> list[Event]:
    """The events whose reason stands in the code, by reason."""
    found = {
        event
        for _, tree in modules(operator)
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for event in _events(function)
    }
    return sorted(found)


def event_table(operator: str) -> str:
    """A table of them."""
    rows = [
        (f"`{each.reason}`", "Warning" if each.is_warning else "Normal", each.message)
        for each in events(operator)
    ]
    return table(("event", "type", "message"), rows) or _NONE


def literals(code: str) -> Iterator[str]:
    """The words in a text of Python that can be told."""
    return _literals(ast.parse(code))


def _literals(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and _WORD.fullmatch(node.value):
            yield node.value
    elif not _is_silent(node):
        for child in _telling(node):
            yield from _literals(child)


def _is_silent(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return called in _SILENT_CALLS
    return isinstance(node, (ast.Compare, ast.JoinedStr, ast.Subscript))


def _telling(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that are not annotations, nor the keys of a dict."""
    apart = {getattr(node, "annotation", None), getattr(node, "returns", None)}
    keys = node.keys if isinstance(node, ast.Dict) else ()
    return (each for each in ast.iter_child_nodes(node) if each not in apart and each not in keys)


def _events(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Event]:
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    for node in calls:
        if not (isinstance(node.func, ast.Attribute) and node.func.attr == "event"):
            continue
        reason, message = node.args[:2]
        if isinstance(reason, ast.Constant) and isinstance(reason.value, str):
            warning = any(each.arg == "warning" for each in node.keywords)
            yield Event(reason.value, warning, _text(message, function))


def _text(message: ast.expr, function: ast.AST) -> str:
    """A message with an ellipsis for what is filled in; one that was put together before is looked up."""
    if isinstance(message, ast.Name):
        made = [
            each.value
            for each in ast.walk(function)
            if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == message.id
        ]
        return _text(made[0], function) if made else "…"
    if isinstance(message, ast.JoinedStr):
        return "".join(str(each.value) if isinstance(each, ast.Constant) else "…" for each in message.values)
    return str(message.value) if isinstance(message, ast.Constant) else "…"
