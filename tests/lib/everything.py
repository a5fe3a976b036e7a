"""One kind that uses every marker and every type of the reference page."""

from __future__ import annotations

from typing import Any

from pydantic import create_model

from marker_cases import CASES
from marker_page import probe, rows
from windlass.api import Column, Definition, Field, Resource, Scale, Spec, Status

SECTIONS = ("Validation", "Lists, maps and objects", "Types")
DEFINITION = Definition(
    short_names=("ev",),
    categories=("all",),
    columns=(Column("Size", ".spec.size", type="integer"),),
    scale=Scale(spec_path=".spec.size", status_path=".status.size", selector_path=".status.selector"),
    selectable_fields=(".spec.mode",),
    labels={"team": "shop"},
    annotations={"note": "x"},
)


def everything(group: str, version: str = "v1") -> type[Resource]:
    """A kind whose spec has, for each row of the page, a part in which the row stands."""
    parts: dict[str, Any] = {"mode": (str, "Fast"), "size": (int, 1)}
    for index, row in enumerate(rows()):
        if row.section in SECTIONS and row.python:
            beside = CASES[row.marker].fields if row.marker in CASES else ""
            part: Any = probe(row.marker, group, fields=beside).model_fields["spec"].annotation
            parts[f"row_{index}"] = (part | None, None)
    spec = create_model("EverythingSpec", __base__=Spec, **parts)
    status = create_model("EverythingStatus", __base__=Status, size=(int, 0), selector=(str, ""))
    fields: dict[str, Any] = {"spec": (spec, ...), "status": (status, Field(default_factory=status))}
    keywords = {"group": group, "version": version, "kind": "Everything", "definition": DEFINITION}
    made: type[Resource] = create_model("Everything", __base__=Resource, __cls_kwargs__=keywords, **fields)
    return made
