"""Names: from the wire to Python."""

from __future__ import annotations

import json
import keyword
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

_WORD = re.compile(r"[A-Z]+s(?=[A-Z]|$)|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+|[0-9]+")
_TYPES_IN_ANNOTATIONS = frozenset({"str", "int", "bool", "float", "list", "dict"})


@lru_cache(maxsize=4096)
def snake(wire: str) -> str:
    """`podCIDRs` → `pod_cidrs`, `hostIPC` → `host_ipc`, `x-kubernetes-map-type` → `x_kubernetes_map_type`."""
    return "_".join(word.lower() for word in _WORD.findall(wire)) or "field"


def camel(wire: str) -> str:
    """A wire name as part of a class name: `podSelector` → `PodSelector`."""
    parts = re.split(r"[^A-Za-z0-9]+", wire)
    return "".join(part[:1].upper() + part[1:] for part in parts) or "Field"


def class_name(wire: str, taken: Container[str]) -> str:
    """The name of a class; underscores are added where the plain name means something already."""
    name = camel(wire)
    while keyword.iskeyword(name) or name in taken:
        name += "_"
    return name


def quoted(text: str) -> str:
    """A text as Python source, in double quotes; JSON's escapes are Python's too."""
    return json.dumps(text, ensure_ascii=False)


def attribute(wire: str, taken: frozenset[str]) -> str:
    """The Python name of a field; an underscore is added where the plain name means something already."""
    name = snake(wire)
    if name[0].isdigit():
        name = f"n{name}"
    if keyword.iskeyword(name) or name in _TYPES_IN_ANNOTATIONS or name in taken:
        return f"{name}_"
    return name
