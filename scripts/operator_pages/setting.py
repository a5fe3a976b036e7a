"""How an operator is set up: its options, and the variables of the environment that it reads."""

from __future__ import annotations

import ast
import inspect
import json
import re
from dataclasses import MISSING, Field, fields
from datetime import timedelta
from typing import Any, Final

from windlass.api import format_duration
from windlass.helm import HelmOptions
from windlass.helm.source import SourcePolicy
from windlass.operators.collector import ClusterSource, CollectorOptions, Tenancy
from windlass.operators.pagerduty import PagerDutyOptions
from windlass.operators.peerpod import CleaningOptions, PeerPodOptions
from windlass.operators.peerpod.webhook import SizingSettings

from .source import modules
from .table import table

OPTIONS: Final[dict[str, tuple[type[Any], ...]]] = {
    "pagerduty": (PagerDutyOptions,),
    "collector": (CollectorOptions, Tenancy, ClusterSource, SourcePolicy),
    "minimart": (HelmOptions,),
    "peerpod": (PeerPodOptions, CleaningOptions, SizingSettings),
    "ptemplate": (),
}
_HEAD: Final = ("option", "type", "unless said", "meaning")
_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")


def settings(operator: str) -> str:
    """The options, one class after the other."""
    return "\n".join(map(_class, OPTIONS[operator])) or "There is nothing to set.\n"


def variables(operator: str) -> set[str]:
    """The variables that the code asks an environment for, or has in a table of them."""
    return {
        each.value
        for _, tree in modules(operator)
        for node in ast.walk(tree)
        if _is_asked(node)
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and _VARIABLE.fullmatch(each.value)
    }


def _is_asked(node: ast.AST) -> bool:
    if isinstance(node, ast.AnnAssign):
        return isinstance(node.target, ast.Name) and "ENVIRONMENT" in node.target.id
    if not isinstance(node, ast.Call):
        return False
    first = node.args[0] if node.args else None
    asked = [first, node.func.value if isinstance(node.func, ast.Attribute) else None]
    return any(isinstance(each, ast.Name) and each.id == "environment" for each in asked)


def _class(options: type[Any]) -> str:
    introduction, _, body = inspect.cleandoc(options.__doc__ or "").partition("\n\n")
    body = body.partition("\n\nRaises:")[0]
    known = fields(options)
    said = _said(body, {each.name for each in known})
    rows = [(f"`{each.name}`", f"`{each.type}`", _default(each), said.get(each.name, "")) for each in known]
    return f"### {options.__name__}\n\n{introduction}\n\n{table(_HEAD, rows)}"


def _said(body: str, names: set[str]) -> dict[str, str]:
    """What a docstring says of each option: from where its name begins a sentence to where the next does."""
    begins = re.compile(rf"(?:^|(?<=[.;])\s+)(?=`(?:{'|'.join(sorted(names))})`)")
    said = {}
    for part in filter(None, begins.split(body)):
        name, mark, text = " ".join(part.split()).removeprefix("`").partition("`")
        sentence = _begun(text[1:].strip()) if text.startswith(":") else f"`{name}{mark}{text}"
        said[name] = f"{sentence.rstrip('.;')}."
    return said


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _default(field: Field[Any]) -> str:
    if field.default is MISSING:
        made = field.default_factory() if field.default_factory is not MISSING else None
        plain = isinstance(made, dict) and made and all(isinstance(each, str) for each in made.values())
        return f"`{json.dumps(made)}`" if plain else ""
    if isinstance(field.default, timedelta):
        return f"`{format_duration(field.default)}`"
    return f"`{json.dumps(field.default)}`" if field.default not in ("", None, ()) else ""
