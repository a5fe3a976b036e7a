"""The reference page of markers as data, and its rows as kinds."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import readme
from windlass import webhook

if TYPE_CHECKING:
    from windlass.api import Resource

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "markers.md"


@dataclass(frozen=True)
class Row:
    """A row of one of the tables: a marker, what is said of it, its Python, and the test that proves it.

    A marker that has no Python has no proof either.
    """

    section: str
    marker: str
    said: str
    python: str
    proof: str


@cache
def rows() -> tuple[Row, ...]:
    """Every row of every table."""
    found, section = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        if line.startswith("| `"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            marker, python, _, proof = [*cells, "", ""][:4]  # a table of what has no Python has two columns
            code = re.fullmatch(r"`([^`]+)`", python)
            shown = code[1] if code else ""
            found.append(Row(section, marker.replace("`", ""), python, shown, proof.strip("`")))
    return tuple(found)


def row(marker: str) -> Row:
    """The row of a marker."""
    return next(each for each in rows() if each.marker == marker)


def preamble() -> str:
    """The code that the rows stand in."""
    (code,) = readme.blocks("python", "docs/reference/markers.md")
    return code


@dataclass(frozen=True)
class Place:
    """Where the Python of a row stands: a field's line, or keywords of a class line."""

    field: str = ""
    spec_keywords: str = ""
    kind_keywords: str = ""


def place(python: str) -> Place:
    """Find out where the Python of a row stands."""
    try:
        call = ast.parse(f"f({python})", mode="eval").body
    except SyntaxError:
        return Place(field=python)
    assert isinstance(call, ast.Call)
    assert call.keywords, f"{python} is neither a field nor a keyword"
    return Place(spec_keywords=python) if call.keywords[0].arg == "markers" else Place(kind_keywords=python)


def source(python: str, *, fields: str = "", group: str = "demo.example.com", version: str = "v1") -> str:
    """The classes around the Python of a row. `fields` are lines that the spec has beside it."""
    at = place(python)
    of_the_kind = at.field.startswith("status:")
    lines = [line.strip() for line in (fields, "" if of_the_kind else at.field) if line]
    body = "\n".join(f"    {line}" for text in lines for line in text.splitlines()) or "    pass"
    said = {"group": group, "version": version}
    keywords = ", ".join(
        [f'{key}="{value}"' for key, value in said.items() if f"{key}=" not in at.kind_keywords]
    )
    status = at.field if of_the_kind else "status: AppStatus = Field(default_factory=AppStatus)"
    return (
        f"class AppSpec(Spec{', ' if at.spec_keywords else ''}{at.spec_keywords}):\n{body}\n\n\n"
        f"class App(Resource, {', '.join(each for each in (keywords, at.kind_keywords) if each)}):\n"
        f"    spec: AppSpec\n    {status}\n"
    )


def probe(marker: str, group: str, *, fields: str = "", version: str = "v1", **names: Any) -> type[Resource]:
    """The kind that a row of the page makes, in a group of one's own."""
    return app(group, row(marker).python, fields=fields, version=version, **names)


def app(
    group: str, python: str = "size: int = 1", *, fields: str = "", version: str = "v1", **names: Any
) -> type[Resource]:
    """The kind that some Python makes, as if it were a row of the page; it may use more names than a row."""
    made: type[Resource] = _run(source(python, fields=fields, group=group, version=version), **names)["App"]
    return made


def type_of(python: str) -> Any:
    """The type, with all its marks, of the field that some Python declares."""
    spec = _run(source(python))["AppSpec"]
    (info,) = spec.model_fields.values()
    return Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation


def value_of(python: str) -> Any:
    """The value of an expression on the page."""
    return eval(python, _run(""))  # noqa: S307 - the page promises that it runs


def declared(python: str) -> webhook.Webhook[Any]:
    """The webhook that some Python declares; where it declares a place alone, any one."""
    value = value_of(python)
    declare = value_of("validating(App)") if isinstance(value, webhook.Place) else value
    made: webhook.Webhook[Any] = declare(_allow)
    return made


def place_of(python: str) -> webhook.Place:
    """The place that some Python says, or any one."""
    value = value_of(python)
    return (
        value
        if isinstance(value, webhook.Place)
        else webhook.Place(name="shop", url="https://shop.example.com")
    )


def _allow(_request: Any) -> webhook.Verdict[Any]:
    return webhook.Verdict.allow()


def _run(text: str, **names: Any) -> dict[str, Any]:
    names |= {"__name__": "markers_page"}
    for code in (preamble(), text):  # compiled apart, since models want real annotations, not texts
        exec(compile(code, PAGE.name, "exec", dont_inherit=True), names)  # noqa: S102 - the page promises that it runs
    return names
