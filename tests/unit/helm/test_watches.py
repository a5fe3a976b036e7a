"""`watches.yaml`, as operator-sdk's projects have it."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from windlass.api import LabelSelector
from windlass.errors import ConfigError
from windlass.helm.watches import HelmWatch, find_watches, read_watches

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST = "- {group: demo.example.com, version: v1, kind: Shop, chart: helm-charts/shop"
ENTRY = FIRST + "}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a chart; it is the working directory."""
    chart = tmp_path / "helm-charts" / "shop"
    chart.mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(project: Path, text: str) -> Sequence[HelmWatch]:
    file = project / "watches.yaml"
    file.write_text(text)
    return read_watches(file)


def test_an_entry_needs_no_more_than_a_kind_and_a_chart(project: Path) -> None:
    assert read(project, "# shops\n- version: v1\n  kind: Shop\n  chart: helm-charts/shop\n") == [
        HelmWatch(group="", version="v1", kind="Shop", chart=Path("helm-charts/shop"))
    ]


def test_every_key_has_its_effect(project: Path) -> None:
    text = """
- group: demo.example.com
  version: v1alpha1
  kind: Shop
  chart: helm-charts/shop
  watchDependentResources: false
  overrideValues: {image.tag: $TAG, replicas: 3, debug: yes, ratio: 1.50, empty: }
  selector: {matchLabels: {app: shop}}
  reconcilePeriod: 1h30m
  dryRunOption: server
  maxConcurrentReconciles: 4
  historyMax: 3
  timeout: 90s
"""
    assert read(project, text) == [
        HelmWatch(
            group="demo.example.com",
            version="v1alpha1",
            kind="Shop",
            chart=Path("helm-charts/shop"),
            watch_dependents=False,
            overrides={"image.tag": "$TAG", "replicas": "3", "debug": "true", "ratio": "1.5", "empty": ""},
            selector=LabelSelector(match_labels={"app": "shop"}),
            period=timedelta(minutes=90),
            dry_run="server",
            max_concurrent=4,
            history=3,
            timeout=timedelta(seconds=90),
        )
    ]


def test_an_entry_may_name_a_service_account(project: Path) -> None:
    (found,) = read(project, FIRST + ", serviceAccountName: shops}")
    (none,) = read(project, FIRST + ", serviceAccountName: ''}")

    assert (found.service_account, none.service_account) == ("shops", "")


def test_what_is_written_empty_is_as_if_it_were_not_there(project: Path) -> None:
    more = (
        ", selector: {}, overrideValues: , reconcilePeriod: 0s, dryRunOption: '', watchDependentResources: }"
    )

    assert read(project, FIRST + more) == read(project, ENTRY)


def test_several_versions_of_a_kind_may_have_charts(project: Path) -> None:
    assert len(read(project, ENTRY + ENTRY.replace("v1", "v2") + ENTRY.replace("Shop", "Stall"))) == 3


def test_capital_letters_of_keys_do_not_matter_as_in_go(project: Path) -> None:
    text = ENTRY.replace("chart:", "Chart:").replace("kind:", "KIND:")

    assert read(project, text) == read(project, ENTRY)


def test_a_key_that_nobody_knows_is_named_in_a_warning(
    project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        read(project, ENTRY + FIRST.replace("Shop", "Stall") + ", reconcilePeriods: 1m, 3: x}")

    (said,) = (record.getMessage() for record in caplog.records)
    assert "watches.yaml, entry 2: nobody knows reconcilePeriods, 3; known are group, " in said


def test_a_chart_is_looked_for_in_the_working_directory_and_then_beside_the_file(
    project: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = read(project, ENTRY)
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    beside = read(project, ENTRY)
    absolute = read(project, ENTRY.replace("helm-charts", f"{project}/helm-charts"))

    assert here[0].chart == Path("helm-charts/shop")
    assert beside[0].chart == absolute[0].chart == project / "helm-charts" / "shop"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be a list of entries"),
        ("[]", "must be a list of entries"),
        ("group: a", "must be a list of entries"),
        ("- [", "is not YAML"),
        ("- a", "entry 1: must be a mapping"),
        (
            ENTRY + "- {kind: Shop, chart: helm-charts/shop}",
            "entry 2: version is missing; write version: v1alpha1",
        ),
        ("- {version: v1, chart: helm-charts/shop}", "entry 1: kind is missing; write kind: Shop"),
        ("- {version: '', kind: Shop}", "entry 1: version is missing"),
        ("- {version: v1, kind: Shop}", "entry 1: chart is missing; write chart: helm-charts/shop"),
        ("- {version: [v1], kind: Shop}", r"entry 1: version is no text but \['v1'\]"),
        (ENTRY * 2, r"entry 2: Shop of demo\.example\.com/v1 has an entry already"),
        (
            ENTRY.replace("Shop", "FooBar") + ENTRY.replace("Shop", "Foobar").replace("v1", "v2"),
            r"entry 2: the kind Foobar and FooBar of entry 1 have the same resource, foobars\.demo",
        ),
        (
            ENTRY.replace("Shop", "Policy") + ENTRY.replace("Shop", "Policie"),
            r"Policy of entry 1 .* policies\.",
        ),
        (FIRST + ", chart: other}", r"watches\.yaml, line 1: chart is there twice"),
        (FIRST + ", overrideValues: {a: 1, 'a': 2}}", r"watches\.yaml, line 1: a is there twice"),
        (FIRST + ", Chart: other}", "entry 1: chart and Chart are the same key"),
        ("- {a: b", r'in ".*watches\.yaml", line 1'),
        (ENTRY.replace("helm-charts/shop", "gone"), "entry 1: there is no chart at gone"),
        (
            ENTRY.replace("helm-charts/shop", "helm-charts"),
            "entry 1: helm-charts is no chart: it has no Chart",
        ),
        (FIRST + ", reconcilePeriod: often}", "entry 1: reconcilePeriod: 'often' is not a duration"),
        (FIRST + ", reconcilePeriod: 60}", "entry 1: reconcilePeriod is 60; write a text with its unit: 60s"),
        (FIRST + ", reconcilePeriod: -1m}", "entry 1: reconcilePeriod: -1m is less than nothing"),
        (FIRST + ", selector: {matchLabels: {a b: c}}}", "entry 1: selector: 'a b' is not a label key"),
        (FIRST + ", selector: {matchLabels: [a]}}", "entry 1: selector: matchLabels: "),
        (
            FIRST + ", selector: {matchLabel: {a: b}}}",
            "entry 1: selector is {'matchLabel': {'a': 'b'}}; write",
        ),
        (FIRST + ", selector: app=shop}", "entry 1: selector is 'app=shop'; write matchLabels"),
        (
            FIRST + ", selector: {matchExpressions: [{key: a, operator: Is}]}}",
            "entry 1: selector: a: 'Is' is none of In, NotIn",
        ),
        (
            FIRST + ", watchDependentResources: 'false'}",
            "watchDependentResources is 'false'; write true or false",
        ),
        (
            FIRST + ", maxConcurrentReconciles: 0}",
            "maxConcurrentReconciles is 0; write a whole number from 1",
        ),
        (FIRST + ", historyMax: 0}", "historyMax is 0; write a whole number from 1"),
        (FIRST + ", timeout: 5}", "timeout is 5; write a text with its unit: 5s"),
        (FIRST + ", timeout: -5s}", "timeout: -5s is less than nothing"),
        (FIRST + ", maxConcurrentReconciles: true}", "maxConcurrentReconciles is True; write"),
        (
            FIRST + ", overrideValues: {image: {tag: x}}}",
            "overrideValues: image is no text; write image.name",
        ),
        (FIRST + ", overrideValues: [a]}", "overrideValues must be a mapping"),
        (FIRST + ", serviceAccountName: a/b}", "a/b: that is no name of a ServiceAccount"),
        (FIRST + ", dryRunOption: sever}", "dryRunOption is 'sever'; write client or server"),
    ],
)
def test_what_cannot_be_used_is_an_error_with_its_file_its_entry_and_a_remedy(
    project: Path, text: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message) as raised:
        read(project, text)

    assert str(project / "watches.yaml") in str(raised.value)


def test_a_file_that_is_not_there_is_an_error_that_names_no_flag(project: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read .*none\.yaml: No such file or directory$"):
        read_watches(project / "none.yaml")


def test_a_file_without_its_es_is_found_where_there_is_no_other(project: Path) -> None:
    with pytest.raises(ConfigError, match=r"neither watches\.yaml nor watch\.yaml in .*; use --watches-file"):
        find_watches(project)
    (project / "watch.yaml").touch()
    assert find_watches(project) == project / "watch.yaml"

    (project / "watches.yaml").touch()
    assert find_watches(project) == project / "watches.yaml"


def test_the_same_kind_of_two_groups_is_no_conflict(project: Path) -> None:
    assert len(read(project, ENTRY + ENTRY.replace("demo.example.com", "other.example.com"))) == 2


def test_a_library_chart_is_refused(project: Path) -> None:
    with (project / "helm-charts/shop/Chart.yaml").open("a") as about:
        about.write("type: library\n")

    with pytest.raises(ConfigError, match=r"entry 1: chart helm-charts/shop has type library"):
        read(project, ENTRY)


def test_kinds_are_read_without_their_charts(project: Path) -> None:
    file = project / "watches.yaml"
    file.write_text(
        "- {group: demo.example.com, version: v1, kind: Shop, chart: absent}\n"
        "- {version: v1, kind: Mart, chart: mart, chartRepo: https://charts.invalid, chartVersion: 1}\n"
    )

    found = read_watches(file, charts=False)

    assert [(watch.api_version, watch.kind) for watch in found] == [
        ("demo.example.com/v1", "Shop"),
        ("v1", "Mart"),
    ]
