"""The operator of a `watches.yaml` as data for generators."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from windlass.api import LabelSelector, read_yaml
from windlass.codegen import Delivery, Project, Rule
from windlass.errors import ConfigError
from windlass.helm import (
    HelmController,
    HelmWatch,
    RemoteChart,
    read_watches,
    watch_definitions,
    watches_image,
    watches_project,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FREE = {"x-kubernetes-preserve-unknown-fields": True}


def chart(folder: Path, values: str = "", schema: Any = None) -> Path:
    """A chart with these values and this schema."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n", encoding="utf-8")
    (folder / "values.yaml").write_text(values, encoding="utf-8")
    if schema is not None:
        text = schema if isinstance(schema, str) else json.dumps(schema)
        (folder / "values.schema.json").write_text(text, encoding="utf-8")
    return folder


def watch(path: Path, group: str = "demo.example.com", version: str = "v1") -> HelmWatch:
    return HelmWatch(group=group, version=version, kind="Shop", chart=path)


def spec_of(definition: Mapping[str, Any], version: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = definition["spec"]["versions"][version]["schema"]["openAPIV3Schema"]
    return dict(found["properties"]["spec"])


def test_a_definition_has_the_schema_of_the_chart_columns_and_a_status(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"size": {"type": "integer", "minimum": 1}},
        "required": ["size"],
    }

    (made,) = watch_definitions([watch(chart(tmp_path / "shop", schema=schema))])

    (version,) = made["spec"]["versions"]
    assert made["metadata"]["name"] == "shops.demo.example.com"
    assert version["subresources"] == {"status": {}}
    status = version["schema"]["openAPIV3Schema"]["properties"]["status"]
    assert status["default"] == {"observedGeneration": -1}
    assert status["properties"]["observedGeneration"].items() >= {"type": "integer", "default": -1}.items()
    assert status["x-kubernetes-preserve-unknown-fields"]
    assert [each["name"] for each in version["additionalPrinterColumns"]] == [
        "Ready",
        "Reason",
        "Version",
        "Age",
    ]
    assert spec_of(made) == {
        "description": "The values of the chart shop.",
        "type": "object",
        "properties": {"size": {"type": "number", "nullable": True, "minimum": 1}},
        **FREE,
    }


def test_without_a_schema_the_defaults_are_shown_and_nothing_is_checked(tmp_path: Path) -> None:
    (made,) = watch_definitions([watch(chart(tmp_path / "shop", "size: 3\n"))])

    assert spec_of(made)["properties"] == {"size": FREE | {"nullable": True, "description": "Default: 3"}}


def test_versions_of_a_kind_make_one_definition_that_stores_the_first(tmp_path: Path) -> None:
    path = chart(tmp_path / "shop")

    (made,) = watch_definitions([watch(path, version="v2"), watch(path, version="v1")])

    versions = made["spec"]["versions"]
    assert [(each["name"], each["storage"]) for each in versions] == [("v2", True), ("v1", False)]


@pytest.mark.parametrize(
    ("schema", "kept"),
    [
        pytest.param(
            {"type": "object", "properties": {"size": {"type": "string", "pattern": "(?!a)"}}},
            {"type": "string", "nullable": True},
            id="a pattern that no server compiles",
        ),
        pytest.param(
            {"type": "object", "properties": {"size": {"type": "string", "description": "x" * 2**20}}},
            {"type": "string", "nullable": True},
            id="descriptions that are too long to store",
        ),
    ],
)
def test_what_a_server_would_refuse_is_left_out_of_a_definition(
    tmp_path: Path, schema: Any, kept: dict[str, Any]
) -> None:
    (made,) = watch_definitions([watch(chart(tmp_path / "shop", schema=schema))])

    assert spec_of(made)["properties"]["size"] == kept


def test_a_schema_that_is_too_large_leaves_everything_to_helm(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {f"{'x' * 90}{count}": {"type": "string"} for count in range(6000)},
    }

    (made,) = watch_definitions([watch(chart(tmp_path / "shop", schema=schema))])

    assert "properties" not in spec_of(made)


@pytest.mark.parametrize(
    ("group", "message"), [("", "cannot have a definition"), ("apps", "cannot have a definition")]
)
def test_a_kind_that_is_built_in_cannot_have_a_definition(tmp_path: Path, group: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        watch_definitions([watch(chart(tmp_path / "shop"), group=group)])


def test_a_schema_that_is_no_json_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"shop: values.schema.json is no JSON"):
        watch_definitions([watch(chart(tmp_path / "shop", schema="{"))])


def test_the_project_runs_flags_alone_with_memory_for_helm_and_samples_of_the_defaults(
    tmp_path: Path,
) -> None:
    path = chart(
        tmp_path / "shop", "size: 3\nempty: {}\nname: ''\nimage: {tag: a, pull: null}\nshown: false\n"
    )
    rules = (Rule(resources=("pods",), verbs=("get",)),)

    project = watches_project([watch(path)], operator="shop", rules=rules)
    objects = Delivery(project=project).objects()

    (deployment,) = [each for each in objects if each["kind"] == "Deployment"]
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    (sample,) = read_yaml(project.samples()["samples/demo_v1_shop.yaml"])
    assert container["args"][:2] == ["--name=shop", "--leader-elect"]
    assert deployment["metadata"]["annotations"] == {"windlass.dev/kinds": "Shop.demo.example.com"}
    assert (container["image"], container["resources"]["limits"]["memory"]) == ("shop:latest", "1Gi")
    assert sample["spec"] == {"size": 3, "image": {"tag": "a"}, "shown": False}
    (names,) = project.finalizers().values()
    assert HelmController.finalizer in names
    (viewer,) = read_yaml(project.rbac()["rbac/shop_viewer_role.yaml"])
    assert {each for rule in viewer["rules"] for each in rule["resources"]} == {"shops", "shops/status"}


def spec_of_sample(project: Project) -> Any:
    (text,) = project.samples().values()
    (sample,) = read_yaml(text)
    return sample["spec"]


def test_a_sample_is_selected_by_the_selector_of_its_entry(tmp_path: Path) -> None:
    selector = LabelSelector.model_validate(
        {
            "matchLabels": {"tier": "front"},
            "matchExpressions": [
                {"key": "team", "operator": "In", "values": ["a", "b"]},
                {"key": "shop", "operator": "Exists"},
                {"key": "hidden", "operator": "DoesNotExist"},
            ],
        }
    )
    entry = replace(watch(chart(tmp_path / "shop")), selector=selector)

    (text,) = watches_project([entry], operator="shop").samples().values()
    (sample,) = read_yaml(text)

    assert sample["metadata"]["labels"] == {"tier": "front", "team": "a", "shop": "true"}


def test_groups_with_the_same_first_label_have_a_sample_each(tmp_path: Path) -> None:
    path = chart(tmp_path / "shop")

    project = watches_project([watch(path, "demo.a.com"), watch(path, "demo.b.com")], operator="shop")

    assert list(project.samples()) == ["samples/demo.a.com_v1_shop.yaml", "samples/demo.b.com_v1_shop.yaml"]


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ({"type": "string", "default": "d", "enum": ["e", "d"]}, "d"),
        ({"enum": [None, "e"]}, "e"),
        ({"const": 3}, 3),
        ({"type": ["string", "null"], "minLength": 9}, "exampleex"),
        ({"type": "string", "pattern": "^[a-z]+$"}, "example"),
        ({"type": "integer", "exclusiveMinimum": 4}, 5),
        ({"type": "integer", "maximum": 0}, 0),
        ({"type": "boolean"}, False),
        ({"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/item"}}, [{"host": "example"}]),
        ({"$ref": "#/$defs/item"}, {"host": "example"}),
    ],
)
def test_a_sample_has_what_the_schema_requires_and_the_defaults_lack(
    tmp_path: Path, schema: Any, made: Any
) -> None:
    item = {
        "type": "object",
        "properties": {"host": {"type": "string"}, "port": {"type": "integer"}},
        "required": ["host"],
    }
    whole = {
        "type": "object",
        "properties": {"a": schema, "optional": schema},
        "required": ["a"],
        "$defs": {"item": item},
    }
    path = chart(tmp_path / "shop", "size: 1\n", whole)

    assert spec_of_sample(watches_project([watch(path)], operator="shop")) == {"size": 1, "a": made}


def test_a_default_that_its_schema_refuses_is_replaced_in_a_sample(tmp_path: Path) -> None:
    below = {
        "type": "object",
        "properties": {"host": {"type": "string", "minLength": 1}, "tag": {"type": "string"}},
        "required": ["host", "tag", "unheard"],
    }
    schema = {"type": "object", "properties": {"web": below}}
    path = chart(tmp_path / "shop", "web: {host: '', tag: ''}\n", schema)

    assert spec_of_sample(watches_project([watch(path)], operator="shop")) == {"web": {"host": "example"}}


@pytest.mark.parametrize(
    "schema", [{"type": "string", "pattern": "^x+$"}, {"anyOf": [{}]}, {"type": "array", "minItems": 1}]
)
def test_what_a_schema_does_not_say_is_left_out_of_a_sample(tmp_path: Path, schema: Any) -> None:
    whole = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    path = chart(tmp_path / "shop", "size: 1\n", whole)

    assert spec_of_sample(watches_project([watch(path)], operator="shop")) == {"size": 1}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": "1", "pattern": 1, "format": ["x"], "examples": 1},
        {"type": "integer", "minimum": "1", "maximum": [], "multipleOf": 0, "enum": "a"},
        {"type": "object", "required": True, "properties": []},
        {"type": "array", "minItems": "x"},
        {"$ref": "#/properties/a"},
    ],
)
def test_a_broken_schema_is_left_to_helm(tmp_path: Path, schema: Any) -> None:
    whole = {"type": "object", "properties": {"a": schema, "b": schema, "c": 1}, "required": ["a", "c", 1]}
    path = chart(tmp_path / "shop", "b: ''\n", whole)

    project = watches_project([watch(path)], operator="shop")

    assert spec_of_sample(project).keys() <= {"a", "b"}


def test_a_schema_that_requires_without_end_has_a_sample_nevertheless(tmp_path: Path) -> None:
    names = ["a", "b"]
    levels = {
        f"l{depth}": {
            "type": "object",
            "properties": {name: {"$ref": f"#/$defs/l{depth + 1}"} for name in names},
            "required": names,
        }
        for depth in range(40)
    }
    whole = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/l0"}},
        "required": ["a"],
        "$defs": levels,
    }
    path = chart(tmp_path / "shop", "size: 1\n", whole)

    assert spec_of_sample(watches_project([watch(path)], operator="shop")) == {"size": 1}


def test_a_schema_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"shop: values.schema.json is no JSON schema"):
        watch_definitions([watch(chart(tmp_path / "shop", schema=[]))])


def test_an_override_of_a_part_leaves_the_schema_of_the_rest(tmp_path: Path) -> None:
    text = {"type": "string"}
    image = {"type": "object", "properties": {"tag": text, "name": text}}
    path = chart(
        tmp_path / "shop", "image: {name: web}\n", {"type": "object", "properties": {"image": image}}
    )
    entry = replace(watch(path), overrides={"image.tag": "$TAG"})

    (made,) = watch_definitions([entry])

    found = spec_of(made)["properties"]["image"]["properties"]
    assert found["tag"] == FREE | {"nullable": True}
    assert found["name"] == {"type": "string", "nullable": True, "description": 'Default: "web"'}


def test_the_name_of_the_operator_is_checked(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'My_Shop' cannot be an operator's name"):
        watches_project([watch(chart(tmp_path / "shop"))], operator="My_Shop")


def test_the_image_copies_the_file_and_each_chart_once(tmp_path: Path) -> None:
    shop = chart(tmp_path / "charts" / "shop")
    watches = [watch(shop), watch(shop, version="v2")]

    text = watches_image(tmp_path / "watch.yaml", watches, "shop", "example.com/windlass:1")

    assert text.splitlines()[1:] == [
        "FROM example.com/windlass:1",
        "WORKDIR /opt/helm",
        "COPY watch.yaml ./watches.yaml",
        "COPY charts/shop ./charts/shop",
        'ENTRYPOINT ["windlass", "helm", "run", "--watches-file=./watches.yaml"]',
    ]


@pytest.mark.parametrize(
    ("written", "copy"),
    [
        ("charts/current", "COPY charts/shop-1 ./charts/current"),
        ("./charts/shop-1", "COPY charts/shop-1 ./charts/shop-1"),
        ("{folder}/charts/current", "COPY charts/shop-1 {folder}/charts/current"),
    ],
    ids=["link", "path", "absolute"],
)
def test_a_chart_is_copied_to_the_path_that_the_file_states(tmp_path: Path, written: str, copy: str) -> None:
    chart(tmp_path / "charts" / "shop-1")
    (tmp_path / "charts" / "current").symlink_to("shop-1")
    file = tmp_path / "watches.yaml"
    path = written.format(folder=tmp_path)
    file.write_text(f"- {{group: demo.example.com, version: v1, kind: Shop, chart: {path}}}\n")

    text = watches_image(file, read_watches(file), "shop")

    assert copy.format(folder=tmp_path) in text.splitlines()


def test_the_project_of_kinds_alone_reads_no_chart(tmp_path: Path) -> None:
    project = watches_project([watch(tmp_path / "absent")], operator="shop", charts=False)

    (definition,) = Delivery(project=project).definitions()

    assert definition["metadata"]["name"] == "shops.demo.example.com"
    assert Delivery(project=project).objects()


def test_versions_of_a_kind_have_one_sample_that_of_the_stored_version(tmp_path: Path) -> None:
    path = chart(tmp_path / "shop", "size: 3\n")

    project = watches_project([watch(path, version="v2"), watch(path, version="v1")], operator="shop")

    assert list(project.samples()) == ["samples/demo_v2_shop.yaml"]


def test_a_chart_that_is_fetched_is_not_in_the_image_and_the_definition_names_its_address(
    tmp_path: Path,
) -> None:
    remote = RemoteChart(origin="oci://r.example.com/charts", name="shop", version="1.0.0")
    fetched = replace(watch(chart(tmp_path / "cache" / "0123")), remote=remote)

    (definition,) = watch_definitions([fetched])
    schema = definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]

    assert "0123" not in watches_image(tmp_path / "here" / "watches.yaml", [fetched], "shop")
    assert schema["description"] == "A release of the chart oci://r.example.com/charts/shop."


def test_a_chart_outside_of_the_folder_cannot_be_copied(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is not below"):
        watches_image(tmp_path / "here" / "watches.yaml", [watch(chart(tmp_path / "shop"))], "shop")
