"""The reference page of markers says what is true: it is complete, its code runs, its proofs exist."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from textwrap import indent

import pytest

import typed
from marker_cases import CASES, NOT_NEEDED, OPTIONS, SECTIONS
from marker_page import Row, declared, place_of, preamble, probe, row, rows, source, value_of
from windlass.codegen import Rule, custom_resource_definitions
from windlass.webhook import configurations

REAL = Path(__file__).resolve().parents[2] / "real"
WITH_PYTHON = [each for each in rows() if each.python]
GENERAL = "test_an_invalid_object_is_refused"

Function = ast.FunctionDef | ast.AsyncFunctionDef


def fields_beside(each: Row) -> str:
    """The fields that the Python of a row needs beside it."""
    if "selectable_fields" in each.python:
        return "mode: Mode\nsize: int = 1"
    return CASES[each.marker].fields if each.marker in CASES else ""


@pytest.mark.parametrize("section", SECTIONS)
def test_every_marker_has_its_row(section: str) -> None:
    listed = [each.marker for each in rows() if each.section == section]

    assert sorted(listed) == sorted(SECTIONS[section])


def test_the_page_has_no_other_rows() -> None:
    assert {each.section for each in rows()} == set(SECTIONS)


@pytest.mark.parametrize("each", [each for each in rows() if not each.python], ids=lambda each: each.marker)
def test_a_marker_without_python_says_why_and_claims_no_proof(each: Row) -> None:
    assert each.proof == ""
    if each.marker in (*NOT_NEEDED, *OPTIONS):
        assert len(each.said) > 5
    else:
        assert each.said.startswith("not needed: ")


@cache
def functions(file: str) -> dict[str, set[str]]:
    """The tests of a file, each with all texts that it, or what it names in its module, holds."""
    tree = ast.parse((REAL / file).read_text(encoding="utf-8"))
    named = {
        target.id: node
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    return {
        node.name: texts(node).union(
            *(
                texts(named[name.id])
                for name in ast.walk(node)
                if isinstance(name, ast.Name) and name.id in named
            )
        )
        for node in tree.body
        if isinstance(node, Function)
    }


def texts(node: ast.AST) -> set[str]:
    return {
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and len(each.value) > 3
    }


def speaks_of(words: set[str], marker: str) -> bool:
    """Whether a test names a marker, in full or by its last part."""
    return any(marker.endswith((word, f"({word})")) for word in words)


@pytest.mark.parametrize("each", WITH_PYTHON, ids=lambda each: each.marker)
def test_a_proof_is_a_test_about_this_marker(each: Row) -> None:
    file, _, name = each.proof.partition("::")

    found = functions(file)
    assert name in found, f"{each.marker} claims a test that does not exist: {each.proof}"
    if name == GENERAL:
        assert each.marker in CASES
    else:
        assert speaks_of(found[name], each.marker), f"{name} does not speak of {each.marker}"


def test_every_case_is_claimed_by_a_row() -> None:
    assert {each.marker for each in rows() if each.proof.endswith(f"::{GENERAL}")} == set(CASES)


def test_a_proof_that_speaks_of_something_else_would_be_found() -> None:
    words = functions("test_markers.py")["test_without_a_schema_anything_is_kept"]

    assert speaks_of(words, "kubebuilder:validation:Schemaless")
    assert not speaks_of(words, "kubebuilder:validation:Maximum")


@pytest.mark.parametrize("each", WITH_PYTHON, ids=lambda each: each.marker)
def test_the_python_of_a_row_runs(each: Row) -> None:
    if each.section == "Roles":
        assert isinstance(value_of(each.python), Rule)
    elif each.section == "Webhooks":
        assert configurations([declared(each.python)], place_of(each.python))
    else:
        kind = probe(each.marker, "demo.example.com", fields=fields_beside(each))
        (definition,) = custom_resource_definitions(
            [kind] if "served=False" not in each.python else [kind, stored_beside()]
        )
        assert definition["spec"]["names"]["kind"] == "App"


def stored_beside() -> type:
    return probe("kubebuilder:storageversion", "demo.example.com", version="v2")


def test_the_python_of_every_row_satisfies_a_strict_type_checker(tmp_path: Path) -> None:
    text = preamble()
    for index, each in enumerate(WITH_PYTHON):
        body = (
            f"{each.python}\n"
            if each.section in ("Roles", "Webhooks")
            else source(each.python, fields=fields_beside(each))
        )
        text += f"\n\ndef row_{index}() -> None:\n{indent(body, '    ')}"
    (tmp_path / "page.py").write_text(text + "\n\nsize: str = App().spec.size\n")

    (error,) = typed.complaints(tmp_path, "page.py")
    assert 'expression has type "int", variable has type "str"' in error


def test_a_row_is_read_as_it_is_written() -> None:
    assert row("nullable").python == "note: Annotated[str | None, Nullable()] = None"
    assert row("nullable").proof == "test_markers.py::test_null_is_kept_where_it_is_a_value"
    assert row("kubebuilder:skip").python == ""
