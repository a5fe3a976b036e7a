"""From names on the wire to names in Python."""

from __future__ import annotations

import ast
import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.codegen.models.names import attribute, camel, class_name, quoted, snake


@pytest.mark.parametrize(
    ("wire", "name"),
    [
        ("replicas", "replicas"),
        ("minReadySeconds", "min_ready_seconds"),
        ("podCIDRs", "pod_cidrs"),
        ("hostIPC", "host_ipc"),
        ("clusterIP", "cluster_ip"),
        ("externalIPs", "external_ips"),
        ("APIVersion", "api_version"),
        ("HTTPServer", "http_server"),
        ("x-kubernetes-map-type", "x_kubernetes_map_type"),
        ("$ref", "ref"),
        ("_private", "private"),
        ("oauth2", "oauth2"),
        ("with space", "with_space"),
        ("", "field"),
        ("…", "field"),
    ],
)
def test_a_wire_name_in_words(wire: str, name: str) -> None:
    assert snake(wire) == name


@pytest.mark.parametrize(
    ("wire", "taken", "name"),
    [
        ("class", (), "class_"),
        ("from", (), "from_"),
        ("None", (), "none"),
        ("match", (), "match"),
        ("list", (), "list_"),
        ("str", (), "str_"),
        ("3scale", (), "n3scale"),
        ("copy", ("copy",), "copy_"),
        ("modelDump", ("model_dump",), "model_dump_"),
    ],
)
def test_a_field_has_a_name_that_means_nothing_else(wire: str, taken: tuple[str, ...], name: str) -> None:
    assert attribute(wire, frozenset(taken)) == name


@pytest.mark.parametrize(
    ("wire", "name"), [("podSelector", "PodSelector"), ("x-map-type", "XMapType"), ("…", "Field"), ("a", "A")]
)
def test_a_wire_name_as_part_of_a_class_name(wire: str, name: str) -> None:
    assert camel(wire) == name


@pytest.mark.parametrize(
    ("wire", "taken", "name"),
    [("Foo-Bar", (), "FooBar"), ("none", (), "None_"), ("Model", ("Model", "Model_"), "Model__")],
)
def test_a_class_has_a_name_that_means_nothing_else(wire: str, taken: tuple[str, ...], name: str) -> None:
    assert class_name(wire, taken) == name


@pytest.mark.property
@given(st.text())
def test_whatever_the_wire_says_a_field_has_a_valid_name(wire: str) -> None:
    name = attribute(wire, frozenset({"json"}))

    assert name.isidentifier()
    assert not keyword.iskeyword(name)
    assert not name.startswith("_")


@pytest.mark.property
@given(st.text())
def test_a_quoted_text_is_that_text(text: str) -> None:
    assert ast.literal_eval(quoted(text)) == text
