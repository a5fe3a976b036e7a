"""Which class goes into which module, and in which order."""

from __future__ import annotations

from windlass.api import Kind
from windlass.codegen.models.layout import homes, in_order
from windlass.codegen.models.shape import Annotation, ClassShape, FieldShape


def shape(key: str, *refers: str, kind: bool = False) -> ClassShape:
    fields = tuple(FieldShape(each, each, Annotation(each, refers=frozenset({each}))) for each in refers)
    return ClassShape(key, key, "Model", fields, Kind("", "v1", key, key) if kind else None)


def shapes(*given: ClassShape) -> dict[str, ClassShape]:
    return {each.key: each for each in given}


def test_a_part_lives_with_the_kind_that_alone_leads_to_it() -> None:
    assert homes(shapes(shape("Job", "Spec", kind=True), shape("Spec", "Part"), shape("Part"))) == {
        "Job": "Job",
        "Spec": "Job",
        "Part": "Job",
    }


def test_a_part_of_several_kinds_has_a_module_with_all_that_only_it_leads_to() -> None:
    classes = shapes(
        shape("Job", "Pod", kind=True),
        shape("Set", "Pod", kind=True),
        shape("Pod", "Volume"),
        shape("Volume"),
    )

    assert homes(classes) == {"Job": "Job", "Set": "Set", "Pod": "Pod", "Volume": "Pod"}


def test_a_kind_that_others_contain_keeps_its_own_module() -> None:
    assert homes(shapes(shape("Job", "Pod", kind=True), shape("Pod", kind=True))) == {
        "Job": "Job",
        "Pod": "Pod",
    }


def test_parts_that_contain_each_other_stay_together() -> None:
    classes = shapes(shape("Job", "A", kind=True), shape("A", "B"), shape("B", "A"))

    assert homes(classes) == {"Job": "Job", "A": "Job", "B": "Job"}


def test_what_others_refer_to_comes_first_and_a_circle_is_cut() -> None:
    ordered = in_order([shape("A", "C", "B"), shape("B", "C"), shape("C", "C"), shape("D", "A")])

    assert [each.key for each in ordered] == ["C", "B", "A", "D"]
    assert {each.key for each in in_order([shape("A", "B"), shape("B", "A")])} == {"A", "B"}
