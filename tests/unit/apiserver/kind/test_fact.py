"""The tables of facts say what the types say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windlass.apiserver.builtin import kinds, library
from windlass.apiserver.kind.fact import RAW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windlass.schema import Shape

_ANYTHING = (".FieldsV1", ".RawExtension")
_OWN = "metadata.managedFields.*.fieldsV1"


def places(shape: Shape, above: frozenset[str] = frozenset()) -> Iterator[str]:
    """The paths of what is read as any JSON."""
    if shape.name in above:
        return
    if shape.name.endswith(_ANYTHING):
        yield ""
        return
    above |= {shape.name} - {""}
    children = {"*": shape.items} if shape.items else shape.properties
    for name, child in children.items():
        for rest in places(child, above):
            yield f"{name}.{rest}".removesuffix(".")


def test_the_places_of_any_json_are_those_of_the_types() -> None:
    found = {
        f"{each.kind.group}/{each.kind.name}": {*places(library().shape(each.definition))} - {_OWN}
        for each in kinds()
    }

    assert {name: {*known} for name, known in RAW.items()} == {
        name: paths for name, paths in found.items() if paths
    }
