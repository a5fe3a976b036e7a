"""Readers of definitions."""

from windlass.apiserver.builtin import library
from windlass.apiserver.decode.problem import Notes
from windlass.apiserver.decode.types import Types

STATUS = "io.k8s.apimachinery.pkg.apis.meta.v1.Status"


def test_a_definition_read_without_a_name_first_is_named_where_it_has_one() -> None:
    types, notes = Types(library()), Notes()
    types.node(STATUS)

    types.node(STATUS, "v1.Status").read("no", None, notes)

    assert notes.error == "json: cannot unmarshal string into Go value of type v1.Status"
