"""From classes to the text of modules."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from windlass.codegen.models.shape import ClassShape, FieldShape, ModuleShape

_DATETIME = "datetime"
_TYPING = ("Annotated", "Any", "Literal")


def render_module(module: ModuleShape, homes: Mapping[str, tuple[str, str]], header: str) -> str:
    """The text of a module. `homes` gives the module and name of every class that may be referred to."""
    here = {shape.key for shape in module.classes}
    elsewhere = sorted(
        {homes[key] for shape in module.classes for key in shape.refers if key not in here},
        key=lambda home: (home[0], home[1]),
    )
    classes = _render_classes(module)
    parts = [header, _imports(module, bool(elsewhere))]
    if elsewhere:
        listed = "".join(f"    from {source} import {name}\n" for source, name in elsewhere)
        lazy = "".join(f'    "{name}": "{source}",\n' for source, name in elsewhere)
        parts.append(f"\nif TYPE_CHECKING:\n{listed}\n__lazy__ = {{\n{lazy}}}\n")
    return "".join([*parts, *classes])


def _imports(module: ModuleShape, lazy: bool) -> str:  # noqa: FBT001 - said where it is called
    used = frozenset().union(*(each.marked.imports for shape in module.classes for each in shape.fields))
    typing = sorted({name for name in used if name in _TYPING} | ({"TYPE_CHECKING"} if lazy else set()))
    ours = sorted((used - {*_TYPING, _DATETIME}) | {shape.base for shape in module.classes})
    standard = ["from datetime import datetime\n"] if _DATETIME in used else []
    standard += [f"from typing import {', '.join(typing)}\n"] if typing else []
    lines = "".join([*standard, "\n"] if standard else [])
    one_line = f"from windlass.api import {', '.join(ours)}\n"
    return lines + (one_line if len(one_line) <= 110 else _long_import(ours))  # noqa: PLR2004 - the line length


def _long_import(names: Iterable[str]) -> str:
    return "from windlass.api import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"


def _render_classes(module: ModuleShape) -> list[str]:
    defined: set[str] = set()
    texts = []
    for shape in module.classes:
        texts.append(_render_class(shape, defined))
        defined.add(shape.key)
    return texts


def _render_class(shape: ClassShape, defined: set[str]) -> str:
    lines = [f"\n\nclass {shape.name}({shape.base}{_keywords(shape)}):"]
    if shape.description:
        lines.append(textwrap.indent(_docstring(shape.description), "    "))
    lines += [f"    {_render_field(each, defined)}" for each in shape.fields]
    if len(lines) == 1:
        lines.append("    pass")
    return "\n".join(lines) + "\n"


def _render_field(each: FieldShape, defined: set[str]) -> str:
    text, default = each.marked.text, each.default
    known = each.annotation.refers <= defined
    if each.made:
        default = f"Field(default_factory={default if known else f'lambda: {default}()'})"
    if not known:
        quoted = text.replace("\\", "\\\\").replace("'", "\\'")
        text = f"'{quoted}'" if '"' in text else f'"{text}"'
    return f"{each.name}: {text}" + (f" = {default}" if default else "")


def _keywords(shape: ClassShape) -> str:
    kind = shape.kind
    if kind is None:
        return ""
    said = {"group": kind.group, "version": kind.version, "plural": kind.plural}
    text = "".join(f', {key}="{value}"' for key, value in said.items())
    if kind.name != shape.name:
        text += f', kind="{kind.name}"'
    if not kind.namespaced:
        text += ", namespaced=False"
    return text + (f", subresources={kind.subresources!r}" if kind.subresources else "")


def _docstring(description: str) -> str:
    printable = "".join(each if each.isprintable() or each.isspace() else " " for each in description)
    text = printable.replace("\\", "\\\\").replace('"""', "'''").strip()
    if "\n" not in text and len(text) <= 100 and not text.endswith('"'):  # noqa: PLR2004 - fits on one line
        return f'"""{text}"""'
    return f'"""{textwrap.fill(text, 104, break_long_words=False, break_on_hyphens=False)}\n"""'
