from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schemas import EMBEDDED, INTEGER, METADATA, PRESERVE, STRING, needs, obj, said
from windlass.schema.custom import CustomSchema
from windlass.schema.fault import Fault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from windlass.schema.custom import Rules
    from windlass.schema.custom.judge import Link

KIND = obj(
    spec=obj(size=INTEGER | {"default": 1}, child={"type": "object"} | EMBEDDED | PRESERVE) | needs("size")
)


class Even:
    """Rules that ask for an even size."""

    def check(self, schema: Mapping[str, Any], path: str, broken: Collection[str] = ()) -> Iterable[Fault]:
        return ()

    def compile(self, schema: Mapping[str, Any], *, resource: bool = True) -> Rules:
        return self

    def faults(self, value: Any, old: Any, link: Link | None, at: str) -> Iterable[Fault]:
        if value["spec"]["size"] % 2:
            yield Fault.invalid("spec.size", value["spec"]["size"], "must be even")

    def excused(self, value: Any, old: Any, link: Link) -> Iterable[Fault]:
        return ()


def test_an_object_is_pruned_filled_and_judged() -> None:
    schema = CustomSchema(KIND, METADATA)
    child = {"apiVersion": "v1", "kind": "Pod", "metadata": {"colour": "red"}}
    sent = {"metadata": {"name": "a"}, "spec": {"size": None, "x": 1, "child": child}, "top": 1}

    assert schema.prune(sent) == ["spec.x", "top", "spec.child.metadata.colour"]
    schema.fill(sent)

    assert sent == {"metadata": {"name": "a"}, "spec": {"size": 1, "child": child | {"metadata": {}}}}
    assert schema.faults(sent) == []


def test_all_that_is_wrong_is_told_at_once() -> None:
    schema = CustomSchema(KIND, METADATA)

    assert said(schema.faults({"spec": {"child": {"kind": "Pod"}}})) == [
        "spec.size: Required value",
        "spec.child.apiVersion: Required value",
    ]


def test_a_fault_at_the_root_has_no_path_before_it() -> None:
    schema = CustomSchema(obj(kind=STRING | {"maxLength": 1}) | needs("spec") | {"not": {}}, METADATA)

    assert said(schema.faults({"kind": "Kind"})) == [
        '<nil>: Invalid value: "": "" must not validate the schema (not)',
        "kind: Too long: may not be more than 1 byte",
        "spec: Required value",
    ]


def test_the_type_of_an_object_is_judged_though_it_never_changes() -> None:
    schema = CustomSchema(obj(kind=STRING | {"maxLength": 1}, metadata=obj()), METADATA)
    same = {"kind": "Kind", "metadata": {"name": "a"}}

    assert said(schema.faults(same, same)) == ["kind: Too long: may not be more than 1 byte"]


def test_rules_are_asked_about_objects_that_are_valid_without_them() -> None:
    schema = CustomSchema(KIND, METADATA, Even())

    assert schema.faults({"spec": {"size": 2}}) == []
    assert said(schema.faults({"spec": {"size": 3}})) == ["spec.size: Invalid value: 3: must be even"]
    assert said(schema.faults({"spec": {}})) == [
        "spec.size: Required value",
        (
            "<nil>: Invalid value: null: some validation rules were not checked because the object was "
            "invalid; correct the existing errors to complete validation"
        ),
    ]
