from __future__ import annotations

from base64 import b64encode
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windlass.api import Key
from windlass.errors import ConfigError, Terminal
from windlass.operators.collector import ClusterSource, Collector, CollectorOptions
from windlass.operators.collector.desired import (
    decoded,
    defaults_of,
    image_tag,
    merged,
    namespace_of,
    release_of,
    request_of,
    updates_every,
    values_in,
)

CHARTS = Path("/charts")


def collector(**spec: Any) -> Collector:
    given: dict[str, Any] = {
        "collector": {"name": "cisco-amp-collector"},
        "tenant": {"id": "4711", "reference": "ACME", "instance": "main"},
    }
    for name, value in spec.items():
        given[name] = {**given.get(name, {}), **value} if isinstance(value, dict) else value
    return Collector.from_wire({"metadata": {"name": "amp", "namespace": "ops"}, "spec": given})


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


def test_the_release_is_named_for_collector_and_instance_in_the_namespace_of_the_tenant() -> None:
    assert release_of(collector().spec) == Key("acme", "cisco-amp-collector-main")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("a: 1", {"a": 1}),
        ("a:\n  b: [u, v]\n", {"a": {"b": ["u", "v"]}}),
        ("# nothing", {}),
        ("{}", {}),
        ("on: yes", {"true": True}),
    ],
)
def test_a_configuration_is_a_map_of_values(text: str, values: dict[str, Any]) -> None:
    assert decoded(encoded(text)) == values


def test_a_configuration_may_be_wrapped_in_lines() -> None:
    text = encoded("config:\n  interval: 60\n")

    assert decoded(f"{text[:8]}\r\n{text[8:]}\n") == {"config": {"interval": 60}}


@pytest.mark.parametrize(
    ("configuration", "said"),
    [
        ("%%%", "not base64"),
        ("YQ", "not base64"),
        (b64encode(b"\xff\xfe").decode(), "not base64 of a text"),
        (encoded("a: 1\nb: [1\nc: 2"), "not YAML, line 3, column 2"),
        (encoded("- a"), "one YAML map"),
        (encoded("just text"), "one YAML map"),
        (encoded("a: 1\n---\nb: 2"), "one YAML map"),
    ],
)
def test_C11_a_bad_configuration_is_told_and_waits_for_a_change(configuration: str, said: str) -> None:
    with pytest.raises(Terminal, match=said) as raised:
        decoded(configuration)

    assert raised.value.reason == "ConfigurationInvalid"


def test_nothing_of_a_secret_is_repeated_where_it_cannot_be_read() -> None:
    with pytest.raises(Terminal) as raised:
        values_in("password: [hunter2", "Secret ops/login, key values.yaml")

    assert "hunter2" not in str(raised.value)
    assert raised.value.__suppress_context__
    assert "Secret ops/login" in str(raised.value)


def test_values_are_merged_map_by_map_and_the_later_one_wins() -> None:
    layers: list[dict[str, Any]] = [
        {"image": {"repository": "r", "tag": "1"}, "list": [1, 2], "kept": True},
        {"image": {"tag": "2"}, "list": [3]},
        {"image": {"pullPolicy": None}},
    ]

    assert merged(layers) == {
        "image": {"repository": "r", "tag": "2", "pullPolicy": None},
        "list": [3],
        "kept": True,
    }
    assert layers[0] == {"image": {"repository": "r", "tag": "1"}, "list": [1, 2], "kept": True}


values = st.recursive(
    st.integers() | st.text(max_size=3) | st.none(),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
)
maps = st.dictionaries(st.sampled_from("abc"), values, max_size=3)


@given(maps, maps, maps)
def test_merging_is_associative_and_changes_no_layer(
    one: dict[str, Any], two: dict[str, Any], three: dict[str, Any]
) -> None:
    before = repr((one, two, three))

    assert merged([merged([one, two]), three]) == merged([one, two, three])
    assert merged([one, one]) == one
    assert repr((one, two, three)) == before


HUB = ClusterSource(url="https://charts.example.com", images="hub.example.com/collectors/")


@pytest.mark.parametrize(
    ("spec", "source", "image"),
    [
        ({}, ClusterSource(), {"repository": "cisco-amp-collector"}),
        ({}, ClusterSource(images="hub.example.com"), {"repository": "hub.example.com/cisco-amp-collector"}),
        ({}, HUB, {"repository": "hub.example.com/collectors/cisco-amp-collector"}),
        ({}, ClusterSource(url="https://charts.example.com"), None),
        ({"chart": {"path": "own"}}, ClusterSource(), None),
        (
            {"collector": {"version": "1.4"}},
            ClusterSource(),
            {"repository": "cisco-amp-collector", "tag": "1.4"},
        ),
        ({"collector": {"version": "latest"}}, ClusterSource(), {"repository": "cisco-amp-collector"}),
        (
            {"collector": {"version": "1.4"}},
            HUB,
            {"repository": "hub.example.com/collectors/cisco-amp-collector"},
        ),
    ],
)
def test_C10_the_operator_says_of_the_image_only_what_it_knows(
    spec: dict[str, Any], source: ClusterSource, image: dict[str, str] | None
) -> None:
    assert defaults_of(collector(**spec).spec, source).get("image") == image


def test_C10_the_tag_of_whoever_gives_one_survives_the_repository_of_the_operator() -> None:
    given = collector(values={"image": {"tag": "1.2.3"}})

    made = merged([defaults_of(given.spec, HUB), given.spec.values])

    assert made["image"] == {"repository": "hub.example.com/collectors/cisco-amp-collector", "tag": "1.2.3"}


@pytest.mark.parametrize(
    ("version", "app_version", "tag"),
    [
        ("", "1.4.2", ""),
        ("latest", "1.4.2", ""),
        ("*", "latest", ""),
        ("1.4.2", "latest", "1.4.2"),
        ("v1.4.2-rc.1", "latest", "v1.4.2-rc.1"),
        ("1.0.0+build", "latest", "1.0.0_build"),
        ("1.4", "latest", "1.4"),
        ("20260101", "latest", "20260101"),
        ("nightly", "latest", "nightly"),
        ("^1.2", "1.4.2", ""),
        ("1.x", "1.4.2", ""),
        ("~1.4", "v1.4.2+build", ""),
        (">=1.0 <2.0", "1.4.2", ""),
    ],
)
def test_with_the_chart_that_ships_a_version_is_the_tag_and_a_constraint_is_met_by_the_chart(
    version: str, app_version: str, tag: str
) -> None:
    assert image_tag(version, app_version) == tag


@pytest.mark.parametrize(
    ("version", "app_version", "said"),
    [
        ("^1.2", "latest", r"\^1\.2 is not satisfied by the chart that ships, whose app version is latest"),
        ("^9", "1.4.2", r"\^9 is not satisfied .* app version is 1\.4\.2; .* spec\.chart\.repository"),
        ("1.x", "", "whose app version is not set"),
        ("one two", "1.4.2", "'one two' is no version or constraint"),
        ("a" * 129, "1.4.2", "is no version or constraint"),
    ],
)
def test_a_constraint_that_the_chart_that_ships_does_not_meet_is_refused_with_its_field(
    version: str, app_version: str, said: str
) -> None:
    given = collector(collector={"version": version})

    with pytest.raises(Terminal, match=said) as refused:
        defaults_of(given.spec, ClusterSource(), app_version)

    assert refused.value.reason == "ConfigurationInvalid"
    assert str(refused.value).startswith("spec.collector.version: ")
    assert "tag" not in defaults_of(given.spec, HUB, app_version)["image"]


BUCKET = ClusterSource(url="bucket+https://dev.example.com", version="0.0.1", credentials=Key("sys", "dev"))
OPTIONS = CollectorOptions(charts=CHARTS, clusters={"development": BUCKET}, otherwise=HUB)


@pytest.mark.parametrize(
    ("spec", "name", "origin", "version", "secret"),
    [
        ({"cluster": "development"}, "cisco-amp-collector", BUCKET.url, "0.0.1", Key("sys", "dev")),
        ({"cluster": "production"}, "cisco-amp-collector", HUB.url, "", None),
        ({}, "cisco-amp-collector", HUB.url, "", None),
        ({"collector": {"version": "^1.2"}}, "cisco-amp-collector", HUB.url, "^1.2", None),
        (
            {"collector": {"version": "1"}, "chart": {"version": "2"}},
            "cisco-amp-collector",
            HUB.url,
            "2",
            None,
        ),
        ({"chart": {"name": "generic"}}, "generic", HUB.url, "", None),
        ({"chart": {"path": "own/chart"}}, "cisco-amp-collector", "/charts/own/chart", "", None),
        (
            {"chart": {"path": "a.tgz"}, "collector": {"version": "7"}},
            "cisco-amp-collector",
            "/charts/a.tgz",
            "",
            None,
        ),
        (
            {"chart": {"repository": "oci://r.example.com/c"}},
            "cisco-amp-collector",
            "oci://r.example.com/c",
            "",
            None,
        ),
        (
            {"cluster": "development", "chart": {"repository": "https://elsewhere.example.com"}},
            "cisco-amp-collector",
            "https://elsewhere.example.com",
            "",
            None,
        ),
        (
            {"chart": {"repository": "https://r.example.com", "secretRef": {"name": "login"}}},
            "cisco-amp-collector",
            "https://r.example.com",
            "",
            Key("ops", "login"),
        ),
    ],
)
def test_the_chart_is_the_wish_of_the_collector_else_that_of_its_cluster(
    spec: dict[str, Any], name: str, origin: str, version: str, secret: Key | None
) -> None:
    request = request_of(collector(**spec), OPTIONS)

    assert (request.name, request.origin, request.version, request.secret) == (name, origin, version, secret)


def test_without_any_configuration_it_is_the_chart_that_ships() -> None:
    request = request_of(collector(collector={"version": "1.4"}), CollectorOptions())

    assert (request.name, request.version) == ("collector", "")
    assert (Path(request.origin) / "Chart.yaml").is_file()


def test_an_address_may_name_the_collector() -> None:
    options = CollectorOptions(otherwise=ClusterSource(url="https://{name}.example.com"))

    assert request_of(collector(), options).origin == "https://cisco-amp-collector.example.com"


@pytest.mark.parametrize(
    ("tenant", "label"),
    [("4711", "4711"), ("", ""), ("Müller & Söhne", ""), ("x" * 64, ""), ("a_b.c", "a_b.c")],
)
def test_the_namespace_says_whose_it_is_as_far_as_a_label_can(tenant: str, label: str) -> None:
    made = namespace_of(collector(tenant={"id": tenant})).metadata

    assert made.name == "acme"
    assert made.labels == {"example.com/tenant-id": label}
    assert made.annotations["example.com/tenant-id"] == tenant


@pytest.mark.parametrize("setting", [{"period": 0}, {"wait": 0}, {"history": 0}, {"timeout": 0}])
def test_settings_without_sense_are_refused(setting: dict[str, int]) -> None:
    from datetime import timedelta

    made: dict[str, int | timedelta] = {
        name: value if name == "history" else timedelta(value) for name, value in setting.items()
    }

    with pytest.raises(ConfigError):
        CollectorOptions(**made)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- x\n" * 60_000, "it has more than 50000 keys, values and items"),
        ("a: &hunter2 [*hunter2]", "an alias in it names what it is a part of"),
        ("[" * 100_000, "it nests deeper than 200 levels"),
    ],
)
def test_values_that_take_too_much_are_refused_and_repeat_nothing(text: str, why: str) -> None:
    with pytest.raises(Terminal, match=f"key values.yaml is refused: {why}") as raised:
        values_in(text, "Secret ops/login, key values.yaml")
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    ("annotation", "every"),
    [
        ("1s", timedelta(minutes=1)),
        ("1ms", timedelta(minutes=1)),
        ("6h", timedelta(hours=6)),
        ("0s", None),
        ("often", None),
    ],
)
def test_a_newer_chart_is_looked_for_once_a_minute_at_most(annotation: str, every: timedelta | None) -> None:
    made = collector()
    made.metadata.annotations = {"example.com/check-for-updates": annotation}

    assert updates_every(made) == every
