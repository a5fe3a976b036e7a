"""Custom resource definitions: how classes become one document."""

from typing import Annotated, Any

import pytest

from windlass.api import Cel, Column, Definition, Field, Model, Resource, Scale, Spec, Status
from windlass.codegen import custom_resource_definitions
from windlass.codegen.crd import crd_file
from windlass.errors import SchemaError

GROUP = "demo.example.com"


class AppSpec(Spec):
    replicas: int = 1


class AppStatus(Status):
    replicas: int = 0


def version(name: str, definition: Definition | None = None, **keywords: Any) -> type[Resource]:
    """One version of the kind App."""
    keywords = {"group": GROUP, "kind": "App"} | keywords

    class App(Resource, version=name, definition=definition, **keywords):
        spec: AppSpec = Field(default_factory=AppSpec)
        status: AppStatus = Field(default_factory=AppStatus)

    return App


def only(*kinds: type[Resource]) -> dict[str, Any]:
    """The one definition that some classes make."""
    (definition,) = custom_resource_definitions(kinds)
    return definition


def test_a_class_says_all_that_its_definition_needs() -> None:
    definition = only(version("v1"))

    assert definition["apiVersion"] == "apiextensions.k8s.io/v1"
    assert definition["kind"] == "CustomResourceDefinition"
    assert definition["metadata"] == {"name": "apps.demo.example.com"}
    assert {key: value for key, value in definition["spec"].items() if key != "versions"} == {
        "group": GROUP,
        "names": {"kind": "App", "listKind": "AppList", "plural": "apps", "singular": "app"},
        "scope": "Namespaced",
    }


def test_a_sole_version_is_served_and_stored_and_has_its_status_apart() -> None:
    (described,) = only(version("v1"))["spec"]["versions"]

    schema = described.pop("schema")["openAPIV3Schema"]
    assert described == {"name": "v1", "served": True, "storage": True, "subresources": {"status": {}}}
    assert list(schema["properties"]) == ["apiVersion", "kind", "metadata", "spec", "status"]


def test_a_definition_adds_names_labels_columns_and_paths() -> None:
    definition = only(
        version(
            "v1",
            Definition(
                singular="application",
                short_names=("ap",),
                categories=("all",),
                columns=(
                    Column("Replicas", ".spec.replicas", type="integer", format="int32", priority=1),
                    Column("State", ".status.state", description="How it is."),
                ),
                scale=Scale(selector_path=".status.selector"),
                selectable_fields=(".spec.replicas",),
                labels={"team": "shop"},
                annotations={"note": "x"},
            ),
            plural="applications",
            namespaced=False,
        )
    )

    assert definition["metadata"] == {
        "name": "applications.demo.example.com",
        "labels": {"team": "shop"},
        "annotations": {"note": "x"},
    }
    assert definition["spec"]["scope"] == "Cluster"
    assert definition["spec"]["names"] == {
        "kind": "App",
        "listKind": "AppList",
        "plural": "applications",
        "singular": "application",
        "shortNames": ["ap"],
        "categories": ["all"],
    }
    (described,) = definition["spec"]["versions"]
    assert described["subresources"] == {
        "status": {},
        "scale": {
            "specReplicasPath": ".spec.replicas",
            "statusReplicasPath": ".status.replicas",
            "labelSelectorPath": ".status.selector",
        },
    }
    assert described["additionalPrinterColumns"] == [
        {
            "name": "Replicas",
            "type": "integer",
            "jsonPath": ".spec.replicas",
            "format": "int32",
            "priority": 1,
        },
        {"name": "State", "type": "string", "jsonPath": ".status.state", "description": "How it is."},
    ]
    assert described["selectableFields"] == [{"jsonPath": ".spec.replicas"}]


def test_a_scale_without_a_selector_says_nothing_of_one() -> None:
    (described,) = only(version("v1", Definition(scale=Scale())))["spec"]["versions"]

    assert set(described["subresources"]["scale"]) == {"specReplicasPath", "statusReplicasPath"}


class Plain(Resource, group=GROUP, version="v1"):
    spec: AppSpec = Field(default_factory=AppSpec)


@pytest.mark.parametrize("kind", [Plain, version("v1", Definition(status=False))])
def test_without_a_status_or_with_one_that_is_not_apart_there_is_no_subresource(kind: type[Resource]) -> None:
    (described,) = only(kind)["spec"]["versions"]

    assert "subresources" not in described


@pytest.mark.parametrize(
    ("deprecated", "said"),
    [
        (False, {}),
        (True, {"deprecated": True}),
        ("use v2", {"deprecated": True, "deprecationWarning": "use v2"}),
    ],
)
def test_a_deprecated_version_may_carry_its_warning(deprecated: Any, said: dict[str, Any]) -> None:
    (described,) = only(version("v1", Definition(deprecated=deprecated)))["spec"]["versions"]

    assert {key: value for key, value in described.items() if key.startswith("deprecat")} == said


def test_classes_of_several_versions_make_one_definition_in_the_order_of_their_names() -> None:
    definition = only(version("v2", Definition(storage=True)), version("v1", Definition(served=False)))

    assert [(each["name"], each["served"], each["storage"]) for each in definition["spec"]["versions"]] == [
        ("v1", False, False),
        ("v2", True, True),
    ]


def test_the_order_of_the_classes_does_not_matter() -> None:
    kinds: list[type[Resource]] = [version("v1"), version("v2", Definition(storage=True)), Plain]

    assert custom_resource_definitions(kinds) == custom_resource_definitions(reversed(kinds))


def test_each_group_has_its_own_definition() -> None:
    definitions = custom_resource_definitions([version("v1"), version("v1", group="other.example.com")])

    assert [each["spec"]["group"] for each in definitions] == [GROUP, "other.example.com"]


STORED = Definition(storage=True)


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ([version("v1"), version("v2")], r"App has the versions v1, v2; mark exactly one .* now there are 0"),
        ([version("v1", STORED), version("v2", STORED)], "now there are 2"),
        ([version("v1"), version("v1")], r"App: two classes claim one version \(v1, v1\)"),
        ([version("v1", Definition(served=False))], "App: no version is served"),
        ([version("v1", group="")], r"App needs a group: class App\(Resource, group=…, version=…\)"),
        ([version("v1", STORED), version("v2", plural="appz")], "disagree about plural or scope"),
        ([version("v1", STORED), version("v2", namespaced=False)], "disagree about plural or scope"),
    ],
)
def test_versions_that_make_no_definition_are_refused(kinds: list[type[Resource]], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        custom_resource_definitions(kinds)


@pytest.mark.parametrize(
    ("field", "value", "other"),
    [
        ("short_names", ("a",), ("b",)),
        ("categories", ("a",), ("b",)),
        ("singular", "a", "b"),
        ("labels", {"a": "1"}, {"a": "2"}),
        ("annotations", {"a": "1"}, {"a": "2"}),
    ],
)
def test_what_versions_share_may_be_said_by_any_but_not_in_two_ways(
    field: str, value: Any, other: Any
) -> None:
    stored = version("v2", Definition(storage=True))
    said = only(version("v1", Definition(**{field: value})), stored)

    assert said == only(version("v1"), version("v2", Definition(storage=True, **{field: value})))
    assert said != only(version("v1"), stored)
    with pytest.raises(SchemaError, match=f"App: the versions disagree about {field}"):
        only(
            version("v1", Definition(**{field: value})),
            version("v2", Definition(storage=True, **{field: other})),
        )


def test_a_file_is_named_by_group_and_plural() -> None:
    assert crd_file(only(version("v1"))) == "demo.example.com_apps.yaml"


def test_a_type_without_a_structural_schema_is_refused_with_its_field() -> None:
    class Inner(Model):
        ratio: float

    class Broken(Resource, group=GROUP, version="v1"):
        spec: Inner

    with pytest.raises(SchemaError, match=r"Broken\.spec\.ratio: float has no structural schema"):
        custom_resource_definitions([Broken])


class DearSpec(Spec):
    names: Annotated[list[str], Cel("self.all(a, self.all(b, a == b || a != b))")] = []


class Dear(Resource, group=GROUP, version="v1"):
    spec: DearSpec


class MisspeltSpec(Spec):
    size: Annotated[int, Cel("self.large")] = 1


class Misspelt(Resource, group=GROUP, version="v1"):
    spec: MisspeltSpec


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Misspelt, r"(?s)^Misspelt\.properties\[spec\].*type 'int' does not support field selection"),
        (Dear, r"^Dear\.properties\[spec\]\.properties\[names\].*estimated rule cost exceeds budget"),
    ],
)
def test_a_rule_that_no_server_takes_is_refused(kind: type[Resource], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        custom_resource_definitions([kind])


class Pathless(Resource, group=GROUP, version="v1", definition=Definition(columns=(Column("A", "spec.a"),))):
    pass


class Short(Resource, group=GROUP, version="v1", definition=Definition(short_names=("Sh_",))):
    pass


class Dotless(Resource, group="demo", version="v1"):
    pass


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (
            Pathless,
            r"^Pathless: spec\.additionalPrinterColumns\[0\]\.JSONPath: .*simple json path starting with \.",
        ),
        (Short, r'^Short: spec\.names\.shortNames\[0\]: Invalid value: "Sh_"'),
        (Dotless, r"^Dotless: spec\.group: .* should be a domain with at least one dot"),
    ],
)
def test_a_definition_that_no_server_takes_is_refused(kind: type[Resource], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        custom_resource_definitions([kind])


class Wrong(Model):
    size: Annotated[int, Field(ge=5)] = 3
    mode: Annotated[str, Field(pattern="^x$")] = "y"
    names: Annotated[list[str], Field(min_length=2)] = ["a"]
    ruled: Annotated[str, Cel("self == 'b'")] = "a"


def test_a_default_that_breaks_its_own_limits_is_refused_with_its_field() -> None:
    class Odd(Resource, group=GROUP, version="v1"):
        spec: Wrong

    with pytest.raises(SchemaError) as caught:
        custom_resource_definitions([Odd])

    faults = str(caught.value).splitlines()
    assert [fault.partition(":")[0] for fault in faults] == [
        f"Odd.properties[spec].properties[{name}].default" for name in ("mode", "names", "ruled", "size")
    ]
