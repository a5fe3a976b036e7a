"""Models of custom resources: what a schema becomes in Python, and that objects survive it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from modelled import definition, load, module_of, text_of, with_spec
from windlass.api import Model
from windlass.codegen import from_crds
from windlass.errors import ConfigError

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def obj(**fields: Any) -> dict[str, Any]:
    """An object on the wire."""
    return {"apiVersion": "demo.example.com/v1", "kind": "Box", "metadata": {"name": "a"}, **fields}


def survives(crd: dict[str, Any], spec: Any) -> Any:
    """The typed spec of an object, which goes back on the wire unchanged."""
    box = module_of(crd).Box.from_wire(obj(spec=spec))
    assert box.to_wire() == obj(spec=spec)
    return box.spec


def test_a_class_says_what_the_definition_says() -> None:
    crd = definition(
        {"type": "object", "description": "A box."},
        version="v1beta2",
        scope="Cluster",
        subresources={"status": {}, "scale": {}},
    )

    box = module_of(crd).Box

    assert str(box.__kind__) == "Box.demo.example.com/v1beta2"
    assert box.__kind__.plural == "boxs"
    assert not box.__kind__.namespaced
    assert box.__kind__.subresources == ("scale", "status")
    assert box.__doc__ == "A box."


@pytest.mark.parametrize(
    ("schema", "annotation"),
    [
        (TEXT, "str | None"),
        (WHOLE, "int | None"),
        ({"type": "integer", "format": "int64", "enum": [1, 2]}, "int | None"),
        ({"type": "boolean"}, "bool | None"),
        ({"type": "number"}, "float | None"),
        ({"type": "string", "format": "date-time"}, "datetime | None"),
        ({"type": "string", "format": "byte"}, "Base64 | None"),
        ({"type": "string", "format": "ipv4"}, "str | None"),
        ({"type": "string", "enum": ["a", "b\"'\\"]}, "Literal['a', 'b\"\\'\\\\'] | None"),
        ({"type": "string", "enum": [True, False]}, "str | None"),
        ({"type": "string", "enum": ["a", None], "nullable": True}, "Annotated[Literal['a'] | None, Nullable()]"),
        ({"type": "array", "items": {**TEXT, "nullable": True}}, "list[str | None]"),
        ({"type": "object", "additionalProperties": {"nullable": True}}, "dict[str, Any]"),
        ({"type": "object", "additionalProperties": {**TEXT, "nullable": True}}, "dict[str, str | None]"),
        ({"anyOf": [WHOLE, TEXT], "x-kubernetes-int-or-string": True}, "IntOrString | None"),
        ({"x-kubernetes-preserve-unknown-fields": True}, "Any"),
        ({"type": "object"}, "dict[str, Any]"),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, "dict[str, Any]"),
        ({"type": "object", "additionalProperties": True}, "dict[str, Any]"),
        ({"type": "object", "additionalProperties": {}}, "dict[str, Any]"),
        ({"type": "object", "additionalProperties": TEXT}, "dict[str, str]"),
        (
            {"type": "object", "properties": {"kind": TEXT}, "x-kubernetes-embedded-resource": True},
            "dict[str, Any]",
        ),
        ({"type": "array", "items": TEXT}, "list[str]"),
        ({"type": "array"}, "list[Any]"),
        ({"type": "array", "items": {"type": "array", "items": WHOLE}}, "list[list[int]]"),
        ({"type": "array", "items": {"type": "object", "properties": {"a": TEXT}}}, "list[BoxSpecField]"),
        (
            {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "object", "properties": {"a": TEXT}}}},
            "dict[str, list[BoxSpecField]]",
        ),
        ({"type": "object", "properties": {"a": TEXT}}, "BoxSpecField | None"),
    ],
)  # fmt: skip
def test_the_type_of_an_optional_field(schema: dict[str, Any], annotation: str) -> None:
    (line,) = (
        line for line in text_of(with_spec({"field": schema})).splitlines() if line.startswith("    field: ")
    )

    assert line.removeprefix("    field: ").partition(" = ")[0] == annotation


def test_what_is_required_has_no_default() -> None:
    text = text_of(with_spec({"size": WHOLE, "names": {"type": "array", "items": TEXT}}, ["size", "names"]))

    assert "    names: list[str]\n    size: int\n" in text
    assert "    spec: BoxSpec\n" in text


def test_a_spec_without_required_fields_is_there_from_the_start() -> None:
    box = module_of(with_spec({"size": WHOLE})).Box()

    box.spec.size = 3

    assert box.to_wire()["spec"] == {"size": 3}


def test_in_a_status_what_is_absent_is_zero() -> None:
    status = {
        "type": "object",
        "required": ["replicas", "conditions", "labels", "phase", "ready", "share", "when", "target"],
        "properties": {
            "replicas": WHOLE,
            "conditions": {"type": "array", "items": TEXT},
            "labels": {"type": "object", "additionalProperties": TEXT},
            "phase": TEXT,
            "ready": {"type": "boolean"},
            "share": {"type": "number"},
            "when": {"type": "string", "format": "date-time"},
            "target": {"type": "object", "properties": {"host": TEXT}},
            "note": {"type": "string", "nullable": True},
        },
    }
    box = module_of(definition({"type": "object", "properties": {"status": status}})).Box()

    assert box.status.model_dump() == {
        "replicas": 0, "conditions": [], "labels": {}, "phase": "", "ready": False, "share": 0.0, "when": None,
        "target": None, "note": None,
    }  # fmt: skip
    assert "status" not in box.to_wire()


def test_names_that_python_or_pydantic_uses_get_an_underscore_and_keep_their_wire_name() -> None:
    names = [
        "class",
        "from",
        "schema",
        "copy",
        "json",
        "modelDump",
        "to_wire",
        "str",
        "list",
        "3d",
        "_id",
        "$ref",
    ]

    spec = survives(with_spec(dict.fromkeys(names, TEXT)), {name: f"the {name}" for name in names})

    assert spec.class_ == "the class"
    assert spec.schema_ == "the schema"
    assert spec.copy_ == "the copy"
    assert spec.json_ == "the json"
    assert spec.model_dump_ == "the modelDump"
    assert spec.to_wire_ == "the to_wire"
    assert spec.str_ == "the str"
    assert spec.n3d == "the 3d"
    assert spec.id == "the _id"
    assert spec.ref == "the $ref"


def test_names_that_lead_to_one_name_in_python_are_told_apart() -> None:
    names = ["fooBar", "foo_bar", "foo-bar", "FooBar", "FOOBar"]

    spec = survives(with_spec(dict.fromkeys(names, TEXT)), {name: name for name in names})

    assert [spec.foo_bar, spec.foo_bar_, spec.foo_bar__] == ["FOOBar", "FooBar", "foo-bar"]


@pytest.mark.parametrize("wire", ['a"b', "a\\b", "{a}", "{}", "größe", "ü", "a'b", "tab\there", "new\nline"])
def test_any_name_on_the_wire_can_be_written(wire: str) -> None:
    survives(with_spec({wire: TEXT}), {wire: "x"})


def test_acronyms_keep_their_wire_name() -> None:
    spec = survives(
        with_spec({"clusterIP": TEXT, "podCIDRs": TEXT, "URL": TEXT}), {"clusterIP": "a", "URL": "b"}
    )

    assert (spec.cluster_ip, spec.url, spec.pod_cidrs) == ("a", "b", None)


def test_top_level_names_that_a_resource_uses_are_told_apart() -> None:
    box = module_of(
        definition({"type": "object", "properties": {"owner_reference": TEXT, "kindOf": TEXT, "data": TEXT}})
    ).Box

    wire = obj(owner_reference="a", kindOf="b", data="c")
    assert box.from_wire(wire).to_wire() == wire
    assert box.from_wire(wire).owner_reference_ == "a"


def test_what_the_definition_says_of_the_metadata_makes_no_class() -> None:
    metadata = {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}

    module = module_of(definition({"type": "object", "properties": {"metadata": metadata, "kind": TEXT}}))

    assert [name for name in vars(module) if name.startswith("Box")] == ["Box"]


def test_two_objects_of_one_name_make_two_classes() -> None:
    inner = {"type": "object", "properties": {"a": TEXT}}
    other = {"type": "object", "properties": {"b": WHOLE}}

    spec = survives(with_spec({"fooBar": inner, "FooBar": other}), {"fooBar": {"a": "x"}, "FooBar": {"b": 1}})

    assert type(spec.foo_bar).__name__ == "BoxSpecFooBar"
    assert type(spec.foo_bar_).__name__ == "BoxSpecFooBar_"


@pytest.mark.parametrize(
    ("kind", "name"),
    [("Foo-Bar", "FooBar"), ("none", "None_"), ("True", "True_"), ("Model", "Model_"), ("Resource", "Resource_"),
     ("Field", "Field_"), ("Any", "Any_"), ("Time", "Time_"), ("lower", "Lower")],
)  # fmt: skip
def test_a_kind_that_cannot_name_a_class_keeps_its_name_on_the_wire(kind: str, name: str) -> None:
    properties = {
        "when": {"type": "string", "format": "date-time"},
        "any": {},
        "sub": {"type": "object", "properties": {"a": TEXT}},
    }
    crd = with_spec(properties, kind=kind)

    made = getattr(module_of(crd), name)

    assert made.__kind__.name == kind
    wire = obj(spec={"sub": {"a": "x"}}) | {"kind": kind}
    assert made.from_wire(wire).to_wire() == wire


def test_an_object_that_would_be_called_like_an_import_is_not() -> None:
    crd = with_spec({}, kind="Int")
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"] = {
        "orString": {"type": "object", "properties": {"port": {"x-kubernetes-int-or-string": True}}}
    }

    made = module_of(crd).Int

    wire = obj(orString={"port": "http"}) | {"kind": "Int"}
    assert made.from_wire(wire).to_wire() == wire


@pytest.mark.parametrize(
    "description",
    [
        'it ends with a "quote"',
        '"""',
        'a """triple""" and a \\ backslash \\n \\',
        "several\n\nparagraphs\nof text",
        "ünïcödé → ✓ \u2028 \x00 \x07",
        "x" * 200,
        "https://example.com/" + "a-b/" * 50,
        "{braces} and %s",
    ],
)
def test_any_description_can_be_a_docstring(description: str) -> None:
    crd = with_spec({"a": TEXT})
    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    schema["description"] = schema["properties"]["spec"]["description"] = description

    module = module_of(crd)

    said = "".join(each if each.isprintable() else " " for each in description.replace('"""', "'''"))
    assert (module.Box.__doc__ or "").split() == said.split()
    assert (module.BoxSpec.__doc__ or "").split() == said.split()


def test_a_nullable_field_keeps_null_apart_from_absent() -> None:
    crd = with_spec(
        {
            "note": {"type": "string", "nullable": True},
            "names": {"type": "array", "items": TEXT, "nullable": True},
            "must": {"type": "integer", "nullable": True},
            "plain": TEXT,
        },
        ["must"],
    )

    spec = survives(crd, {"note": None, "names": None, "must": None})

    assert (spec.note, spec.names, spec.must) == (None, None, None)
    survives(crd, {"must": 1})


def test_real_looking_objects_survive() -> None:
    container = {
        "type": "object",
        "required": ["name"],
        "properties": {
            "name": TEXT,
            "ports": {"type": "array", "items": {"type": "object", "properties": {"containerPort": WHOLE}}},
            "limits": {"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": True}},
            "env": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
        },
    }
    crd = with_spec(
        {
            "containers": {"type": "array", "items": container},
            "matrix": {"type": "array", "items": {"type": "array", "items": container}},
            "byName": {"type": "object", "additionalProperties": container},
            "policy": {"type": "string", "enum": ["Always", "Never"]},
            "since": {"type": "string", "format": "date-time"},
            "key": {"type": "string", "format": "byte"},
            "free": {"x-kubernetes-preserve-unknown-fields": True},
        }
    )
    one = {
        "name": "a",
        "ports": [{"containerPort": 80}],
        "limits": {"cpu": 1, "memory": "1Gi"},
        "env": {"A": [1, {"b": None}]},
    }

    spec = survives(
        crd,
        {
            "containers": [one, {"name": "b", "unknown": {"kept": True}}],
            "matrix": [[one], []],
            "byName": {"x y": one},
            "policy": "Never",
            "since": "2026-01-02T03:04:05Z",
            "key": "aGVsbG8=",
            "free": [1, "a", None],
        },
    )

    assert spec.containers[0].ports[0].container_port == 80
    assert spec.matrix[0][0].limits == {"cpu": 1, "memory": "1Gi"}
    assert spec.by_name["x y"].name == "a"
    assert spec.key == b"hello"


def test_a_value_that_is_not_listed_is_refused_in_python_and_read_from_a_server() -> None:
    crd = with_spec({"policy": {"type": "string", "enum": ["Always", "Never"]}})

    assert survives(crd, {"policy": "of tomorrow"}).policy == "of tomorrow"
    with pytest.raises(ValidationError, match="policy"):
        module_of(crd).BoxSpec(policy="of tomorrow")


def test_the_order_of_a_schema_does_not_matter() -> None:
    properties = {"b": TEXT, "a": {"type": "object", "properties": {"d": TEXT, "c": TEXT}}}
    reordered = {"a": {"properties": {"c": TEXT, "d": TEXT}, "type": "object"}, "b": TEXT}

    assert from_crds([with_spec(properties)]) == from_crds([with_spec(reordered)])


def test_each_served_version_has_a_module() -> None:
    crd = with_spec({"a": TEXT})
    (first,) = crd["spec"]["versions"]
    crd["spec"]["versions"] = [first, first | {"name": "v2"}, first | {"name": "v0", "served": False}]

    files = from_crds([crd])

    assert list(files) == ["box_v1.py", "box_v2.py"]
    assert load(files["box_v2.py"]).Box.__kind__.version == "v2"


def test_kinds_of_one_name_in_two_groups_have_two_modules() -> None:
    files = from_crds([with_spec({}), with_spec({}, group="other.example.com"), with_spec({}, kind="BigBox")])

    assert list(files) == ["demo_example_com_box_v1.py", "other_example_com_box_v1.py", "big_box_v1.py"]


def test_a_definition_that_is_named_twice_makes_one_module() -> None:
    assert list(from_crds([with_spec({}), with_spec({})])) == ["box_v1.py"]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (definition(None), "Box.demo.example.com/v1 has no schema in its definition; use Untyped for it"),
        ({"kind": "Pod", "apiVersion": "v1"}, "there is only Pod"),
        (
            with_spec({}) | {"apiVersion": "apiextensions.k8s.io/v1beta1"},
            "boxs.demo.example.com is of .*/v1beta1",
        ),
        ("text", "there is only something"),
        (
            with_spec({}) | {"spec": {}},
            r"the definition .*boxs.demo.example.com.* is not complete: 'versions'",
        ),
    ],
)
def test_what_is_no_definition_is_refused(document: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_crds([document])


def test_every_generated_class_is_complete_without_warnings() -> None:
    module = module_of(with_spec({name: TEXT for name in dir(Model) if not name.startswith("__")}))

    for made in vars(module).values():
        if isinstance(made, type) and issubclass(made, Model):
            made.model_rebuild(force=True)


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ({"group": 'x", markers=print("!") or (), kind="Box'}, "markers=print"),
        ({"names": {"kind": "../Box", "plural": "boxes"}}, "../Box"),
        ({"names": {"kind": "Box", "plural": "Boxes!"}}, "Boxes!"),
        ({"versions": [{"name": "/../../escaped", "schema": {"openAPIV3Schema": {}}}]}, "escaped"),
    ],
)
def test_names_that_would_become_code_or_paths_are_refused(change: dict[str, Any], value: str) -> None:
    definition = with_spec({})
    definition["spec"] |= change

    with pytest.raises(ConfigError, match="is no name that an API server would take") as caught:
        from_crds([definition])
    assert value in str(caught.value)


def test_lists_are_unfolded_and_other_objects_passed_over() -> None:
    documents = [{"kind": "Namespace", "apiVersion": "v1"}, {"kind": "List", "items": [with_spec({})]}]

    assert from_crds(documents) == from_crds([with_spec({})])
